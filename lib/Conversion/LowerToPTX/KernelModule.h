//===- KernelModule.h - All kernels of a module in one place ----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels stand in any number of `gpu.module`s, in modules of the host, and in
// modules inside of either. One text of PTX is made of one `gpu.module`.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_LOWERTOPTX_KERNELMODULE_H
#define PTXBENCH_LIB_CONVERSION_LOWERTOPTX_KERNELMODULE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace ptxbench {

/// Leaves one `gpu.module`, in which all kernels are, and nothing else; null
/// after an error, which was emitted.
mlir::gpu::GPUModuleOp mergeKernels(mlir::ModuleOp root);

} // namespace ptxbench

#endif // PTXBENCH_LIB_CONVERSION_LOWERTOPTX_KERNELMODULE_H
