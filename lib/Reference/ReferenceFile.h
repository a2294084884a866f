//===- ReferenceFile.h - Reading and checking references ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_REFERENCE_REFERENCEFILE_H
#define PTXBENCH_LIB_REFERENCE_REFERENCEFILE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "ptxbench/Reference/CompiledReference.h"

namespace ptxbench {

/// Registers the dialects of references and what lowering them needs.
void registerReferenceDialects(mlir::DialectRegistry &registry);

/// Fails with diagnostics unless the module keeps to what docs/Tasks.md allows:
/// its dialects, no function without a body, no recursion.
mlir::LogicalResult verifyReference(mlir::ModuleOp module);

/// Finds the function and checks its signature; null after a diagnostic.
mlir::func::FuncOp findReference(mlir::ModuleOp module, llvm::StringRef name,
                                 llvm::ArrayRef<ReferenceArgument> arguments,
                                 llvm::SmallVectorImpl<ReferenceType> &types);

/// Lowers `function`, and what it calls, to the llvm dialect. It then takes
/// memrefs only.
mlir::LogicalResult lowerReference(mlir::ModuleOp module,
                                   mlir::func::FuncOp function);

/// What becomes of a reference for a device.
struct DeviceCode {
  std::string ptx;
  /// Of the kernels, by their numbers.
  std::vector<std::string> kernels;
};

/// Like lowerReference, but linalg operations become kernels for `chip`
/// ("sm_90"), and memory is that of the device. What remains for the host
/// calls the functions of DeviceCalls.h. `libdevice` is the path of CUDA's
/// library of mathematical functions, empty if there is none.
mlir::LogicalResult lowerReferenceForDevice(mlir::ModuleOp module,
                                            mlir::func::FuncOp function,
                                            llvm::StringRef chip,
                                            llvm::StringRef libdevice,
                                            DeviceCode &code);

// Steps that both have in common.

/// Inlines all calls and makes memrefs of tensors, with checks of indices and
/// with copies as linalg operations.
mlir::LogicalResult bufferizeReference(mlir::ModuleOp module,
                                       mlir::func::FuncOp function);
/// for { x = load m[i]; ...; store y, m[i] } with m and i from outside becomes
/// a loop that carries x.
void carrySums(mlir::func::FuncOp function);
/// Loops, memrefs and arithmetic.
mlir::LogicalResult lowerReferenceToLLVM(mlir::ModuleOp module);

} // namespace ptxbench

#endif // PTXBENCH_LIB_REFERENCE_REFERENCEFILE_H
