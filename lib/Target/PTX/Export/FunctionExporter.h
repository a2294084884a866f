//===- FunctionExporter.h - Bodies of functions as text ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_EXPORT_FUNCTIONEXPORTER_H
#define PTXBENCH_LIB_TARGET_PTX_EXPORT_FUNCTIONEXPORTER_H

#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxbench {

/// Writes `{ … }` of a function. `headerRegs` are the registers that its
/// parameter list declares. Fails with a diagnostic at an operation that has no
/// PTX form.
llvm::LogicalResult exportBody(mlir::Region &body, mlir::ArrayAttr regs,
                               mlir::ArrayAttr blockRegs,
                               const llvm::DenseSet<int64_t> &headerRegs,
                               llvm::raw_ostream &os);

/// Writes a variable declaration without the final `;`.
void printVar(llvm::raw_ostream &os, ptx::VarAttr var, llvm::StringRef linkage,
              mlir::Attribute init);

/// Writes an integer constant so that every reader takes it as it is.
void printInt(llvm::raw_ostream &os, int64_t value);

} // namespace ptxbench

#endif // PTXBENCH_LIB_TARGET_PTX_EXPORT_FUNCTIONEXPORTER_H
