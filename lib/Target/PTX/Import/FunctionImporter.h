//===- FunctionImporter.h - Bodies of functions -----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the import of a module and of a function body share.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_IMPORT_FUNCTIONIMPORTER_H
#define PTXBENCH_LIB_TARGET_PTX_IMPORT_FUNCTIONIMPORTER_H

#include "mlir/IR/Builders.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/ADT/StringSet.h"

namespace ptxbench {

/// What the import of one module shares.
struct ImportContext {
  ImportContext(const syntax::Module &tree, llvm::StringRef path,
                const syntax::LineTable &lines, mlir::MLIRContext *context);

  mlir::Location getLoc(syntax::SourceOffset offset) const;
  /// The location of the operation of an opcode is looked up once.
  mlir::OperationName getOpName(Opcode opcode);

  mlir::ArrayAttr getVars(llvm::ArrayRef<syntax::VarDecl> vars);
  ptx::VarAttr getVar(const syntax::VarDecl &var);
  /// Null where there is no initialiser.
  mlir::Attribute getInit(const syntax::VarDecl &var);
  mlir::ArrayAttr
  getDirectives(llvm::ArrayRef<syntax::FunctionDirective> directives);
  void createVar(mlir::OpBuilder &builder, const syntax::VarDecl &var);

  const syntax::Module &tree;
  const syntax::LineTable &lines;
  mlir::MLIRContext *context;
  mlir::Builder builder;
  mlir::StringAttr path;
  /// Source file names by index.
  llvm::DenseMap<uint64_t, mlir::StringAttr> files;
  /// What `.section` contents name: debug data refers to labels.
  llvm::StringSet<> sectionNames;
  /// Where offsets are, if not in the file `path`.
  llvm::function_ref<mlir::Location(syntax::SourceOffset)> locate;

private:
  std::vector<std::optional<mlir::OperationName>> opNames;
};

/// Fills `region` with the body of `function`; returns the register table and
/// the registers of the block arguments.
BodyRegisters importBody(ImportContext &context,
                         const syntax::Function &function,
                         mlir::Region &region);

} // namespace ptxbench

#endif // PTXBENCH_LIB_TARGET_PTX_IMPORT_FUNCTIONIMPORTER_H
