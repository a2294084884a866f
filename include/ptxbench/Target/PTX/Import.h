//===- Import.h - From PTX text to the ptx dialect --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_PTX_IMPORT_H
#define PTXBENCH_TARGET_PTX_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "ptxbench/Target/PTX/Parser.h"

namespace ptxbench {

/// Makes a module of the ptx dialect from a checked syntax tree. `path` goes
/// into the locations of the operations; where a `.loc` is in force, an
/// operation's location is the PTX place fused with the source place.
mlir::OwningOpRef<mlir::ModuleOp> importModule(const syntax::Module &tree,
                                               llvm::StringRef path,
                                               const syntax::LineTable &lines,
                                               mlir::MLIRContext *context);

/// Parses, checks and imports PTX text. Diagnostics go to `report`. Returns
/// null if there was an error.
mlir::OwningOpRef<mlir::ModuleOp>
importPTX(llvm::MemoryBufferRef buffer, mlir::MLIRContext *context,
          llvm::function_ref<void(const syntax::Diagnostic &)> report,
          const syntax::ParseOptions &options = {});

/// The same with diagnostics as MLIR diagnostics of `context`.
mlir::OwningOpRef<mlir::ModuleOp> importPTX(llvm::MemoryBufferRef buffer,
                                            mlir::MLIRContext *context);

/// The register table of an imported body, and the registers of the arguments
/// of its blocks, as attributes of its operation.
struct BodyRegisters {
  mlir::ArrayAttr regs, blockRegs;
};

/// Fills `region` with the body of a function of `tree`. Its parameters in
/// `.reg` space become the arguments of the entry block, its results the
/// operands of each `ptx.ret`. `getLoc` gives the locations.
BodyRegisters importFunctionBody(
    const syntax::Module &tree, const syntax::Function &function,
    const syntax::LineTable &lines, mlir::Region &region,
    llvm::function_ref<mlir::Location(syntax::SourceOffset)> getLoc);

} // namespace ptxbench

#endif // PTXBENCH_TARGET_PTX_IMPORT_H
