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

} // namespace ptxbench

#endif // PTXBENCH_LIB_REFERENCE_REFERENCEFILE_H
