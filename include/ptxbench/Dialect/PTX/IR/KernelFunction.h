//===- KernelFunction.h - Kernels of upstream's dialects --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one question whether a function becomes an entry of the PTX. What asks it
// of a module before its lowering, and the lowering, have to agree.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_KERNELFUNCTION_H
#define PTXBENCH_DIALECT_PTX_IR_KERNELFUNCTION_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace ptxbench {

/// Whether this is a kernel with a body: a `gpu.func` with `kernel`, or an
/// `llvm.func` with `nvvm.kernel` or with LLVM's calling convention for it,
/// which is what an imported `define ptx_kernel` has.
inline bool isKernelFunction(mlir::Operation *op) {
  if (auto function = mlir::dyn_cast<mlir::gpu::GPUFuncOp>(op))
    return function.isKernel() && !function.isExternal();
  auto function = mlir::dyn_cast<mlir::LLVM::LLVMFuncOp>(op);
  if (!function || function.isExternal())
    return false;
  return function->hasAttr(mlir::NVVM::NVVMDialect::getKernelFuncAttrName()) ||
         function.getCConv() == mlir::LLVM::cconv::CConv::PTX_Kernel;
}

} // namespace ptxbench

#endif // PTXBENCH_DIALECT_PTX_IR_KERNELFUNCTION_H
