//===- Export.h - From the ptx dialect to PTX text --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_PTX_EXPORT_H
#define PTXBENCH_TARGET_PTX_EXPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace ptxbench {

/// The operation that a text was written for, from this byte of it on.
struct ExportedPlace {
  size_t offset;
  mlir::Location loc;
};

/// Writes a module of the ptx dialect as PTX text. Values are written to the
/// registers they came with. Where two values that need one register at the
/// same time have been brought together by a transformation, the later one gets
/// a register of its own, declared `.b` (`.f` for f32 and f64). Fails with a
/// diagnostic at the operation that has no PTX form; nothing is written then.
/// `places`, in the order of the text, says where it came from.
llvm::LogicalResult exportPTX(mlir::ModuleOp module, llvm::raw_ostream &os,
                              std::vector<ExportedPlace> *places = nullptr);

/// Writes the body of inline assembly as a scope `{ … }` in which the operands
/// have the names of their registers. Fails as above.
llvm::LogicalResult exportInlineBody(ptx::InlineOp op, llvm::raw_ostream &os);

} // namespace ptxbench

#endif // PTXBENCH_TARGET_PTX_EXPORT_H
