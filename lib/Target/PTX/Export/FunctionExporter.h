//===- FunctionExporter.h - Bodies of functions as text ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the export of a module and of a function body share.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_EXPORT_FUNCTIONEXPORTER_H
#define PTXBENCH_LIB_TARGET_PTX_EXPORT_FUNCTIONEXPORTER_H

#include "ptxbench/Target/PTX/Export.h"
#include "llvm/ADT/SmallVector.h"

namespace ptxbench {

/// The registers that the head of a function declares, by their index in the
/// register table: its results and parameters in `.reg` space, in order.
struct HeaderRegs {
  llvm::SmallVector<int64_t, 4> results, params;
};

/// Writes `{ … }` of a function. Fails with a diagnostic at an operation that
/// has no PTX form. Adds to `places`, if it is there, where `os` has them.
llvm::LogicalResult exportBody(mlir::Region &body, mlir::ArrayAttr regs,
                               mlir::ArrayAttr blockRegs,
                               const HeaderRegs &header, llvm::raw_ostream &os,
                               std::vector<ExportedPlace> *places = nullptr);

/// Writes a variable declaration without the final `;`.
void printVar(llvm::raw_ostream &os, ptx::VarAttr var, llvm::StringRef linkage,
              mlir::Attribute init);

} // namespace ptxbench

#endif // PTXBENCH_LIB_TARGET_PTX_EXPORT_FUNCTIONEXPORTER_H
