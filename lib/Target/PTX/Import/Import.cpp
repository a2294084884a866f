//===- Import.cpp - From PTX text to the ptx dialect ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Module level: target, variables, files, functions. Bodies are imported by
// FunctionImporter.cpp.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/PTX/Import.h"
#include "FunctionImporter.h"
#include "mlir/IR/Diagnostics.h"
#include "ptxbench/Target/PTX/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace ptxbench {

//===----------------------------------------------------------------------===//
// ImportContext
//===----------------------------------------------------------------------===//

ImportContext::ImportContext(const syntax::Module &tree, StringRef path,
                             const syntax::LineTable &lines,
                             MLIRContext *context)
    : tree(tree), lines(lines), context(context), builder(context),
      path(StringAttr::get(context, path)), opNames(getAllOpcodes().size()) {
  for (const syntax::FileDirective &file : tree.files)
    files[file.index] = builder.getStringAttr(file.name);
  auto isNamePart = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%';
  };
  for (StringRef text : tree.verbatim) {
    if (!text.starts_with(".section"))
      continue;
    while (!text.empty()) {
      text = text.drop_until(isNamePart);
      StringRef name = text.take_while(isNamePart);
      if (!name.empty() && !llvm::isDigit(name.front()))
        sectionNames.insert(name);
      text = text.drop_front(name.size());
    }
  }
}

Location ImportContext::getLoc(syntax::SourceOffset offset) const {
  if (locate)
    return locate(offset);
  auto [line, column] = lines.lineAndColumn(offset);
  return FileLineColLoc::get(path, line, column);
}

OperationName ImportContext::getOpName(Opcode opcode) {
  auto &name = opNames[size_t(opcode)];
  if (!name)
    name.emplace(("ptx." + getOpcodeInfo(opcode).name).str(), context);
  return *name;
}

ptx::VarAttr ImportContext::getVar(const syntax::VarDecl &var) {
  SmallVector<int64_t> extents(var.extents.begin(), var.extents.end());
  StringAttr ptr, attribute;
  if (var.isPointer) {
    ptr =
        builder.getStringAttr(text::getPointee(var.pointee, var.pointerAlign));
  }
  if (!var.attribute.empty())
    attribute = builder.getStringAttr(var.attribute);
  return ptx::VarAttr::get(context, var.name,
                           syntax::stringifyStateSpace(var.space), var.typeName,
                           extents, var.vector, var.align, ptr,
                           var.reg ? int64_t(*var.reg) : -1, attribute);
}

ArrayAttr ImportContext::getVars(ArrayRef<syntax::VarDecl> vars) {
  SmallVector<Attribute> attrs;
  for (const syntax::VarDecl &var : vars)
    attrs.push_back(getVar(var));
  return builder.getArrayAttr(attrs);
}

Attribute ImportContext::getInit(const syntax::VarDecl &var) {
  if (!var.hasInit)
    return {};
  bool plain = llvm::all_of(var.init, [](const syntax::Initializer &init) {
    return init.kind == syntax::Initializer::Int && !init.mask;
  });
  if (plain) {
    SmallVector<int64_t> words;
    for (const syntax::Initializer &init : var.init)
      words.push_back(init.bits);
    return builder.getDenseI64ArrayAttr(words);
  }
  SmallVector<Attribute> attrs;
  for (const syntax::Initializer &init : var.init) {
    static constexpr StringLiteral kinds[] = {"int", "f32", "f64", "symbol",
                                              "generic"};
    StringAttr symbol;
    if (!init.symbol.empty())
      symbol = builder.getStringAttr(init.symbol);
    attrs.push_back(ptx::InitAttr::get(context, kinds[init.kind], init.bits,
                                       init.mask, symbol));
  }
  return builder.getArrayAttr(attrs);
}

ArrayAttr
ImportContext::getDirectives(ArrayRef<syntax::FunctionDirective> directives) {
  SmallVector<Attribute> attrs;
  for (const syntax::FunctionDirective &directive : directives) {
    StringRef name = directive.name;
    // A cluster that begins with 0 is none.
    if (directive.isSuperseded ||
        ((name == "reqnctapercluster" || name == "maxclusterrank") &&
         directive.values.front() == 0))
      continue;
    SmallVector<int64_t> values(directive.values.begin(),
                                directive.values.end());
    StringAttr text;
    if (!directive.text.empty())
      text = builder.getStringAttr(directive.text);
    attrs.push_back(ptx::DirectiveAttr::get(context, name, values, text));
  }
  return builder.getArrayAttr(attrs);
}

void ImportContext::createVar(OpBuilder &at, const syntax::VarDecl &var) {
  ptx::VarOp::create(at, getLoc(var.loc), getVar(var),
                     syntax::stringifyLinkage(var.linkage), getInit(var));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

template <typename FunctionOp>
static void createFunction(ImportContext &ctx, OpBuilder &builder,
                           const syntax::Function &function) {
  auto op = FunctionOp::create(
      builder, ctx.getLoc(function.loc), function.name,
      syntax::stringifyLinkage(function.linkage), ctx.getVars(function.params),
      ctx.getVars(function.results), ctx.getDirectives(function.directives),
      builder.getArrayAttr({}), builder.getArrayAttr({}));
  if (!function.hasBody)
    return;
  BodyRegisters tables = importBody(ctx, function, op.getBody());
  op.setRegsAttr(tables.regs);
  op.setBlockRegsAttr(tables.blockRegs);
}

OwningOpRef<ModuleOp> importModule(const syntax::Module &tree, StringRef path,
                                   const syntax::LineTable &lines,
                                   MLIRContext *context) {
  context->loadDialect<ptx::PTXDialect>();
  // A context that was made without threads locks its tables all the same,
  // until it is told again.
  if (!context->isMultithreadingEnabled())
    context->disableMultithreading();
  ImportContext ctx(tree, path, lines, context);
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(FileLineColLoc::get(context, path, 1, 1));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());

  SmallVector<StringAttr> options;
  for (StringRef option : tree.targetOptions)
    options.push_back(builder.getStringAttr(option));
  (*module)->setAttr(ptx::kTargetAttrName,
                     ptx::PTXTargetAttr::get(context, tree.version,
                                             stringifyTargetArch(tree.target),
                                             tree.addressSize, options));

  // The last mention of a name is the symbol; earlier ones declare it.
  llvm::StringMap<unsigned> symbol;
  for (auto [i, function] : llvm::enumerate(tree.functions)) {
    auto [it, isNew] = symbol.try_emplace(function.name, i);
    if (!isNew && (function.hasBody || !tree.functions[it->second].hasBody))
      it->second = i;
  }
  unsigned verbatim = 0;
  for (const syntax::ModuleItem &item : tree.items) {
    switch (item.kind) {
    case syntax::ModuleItem::Var:
      ctx.createVar(builder, tree.vars[item.index]);
      break;
    case syntax::ModuleItem::File: {
      const syntax::FileDirective &file = tree.files[item.index];
      IntegerAttr time, size;
      if (file.time)
        time = builder.getI64IntegerAttr(*file.time);
      if (file.size)
        size = builder.getI64IntegerAttr(*file.size);
      ptx::FileOp::create(builder, ctx.getLoc(file.loc),
                          builder.getI32IntegerAttr(file.index),
                          builder.getStringAttr(file.name), time, size);
      break;
    }
    case syntax::ModuleItem::Verbatim:
      ptx::VerbatimOp::create(builder, ctx.getLoc(tree.verbatimLocs[verbatim]),
                              tree.verbatim[item.index]);
      ++verbatim;
      break;
    case syntax::ModuleItem::Function: {
      const syntax::Function &function = tree.functions[item.index];
      if (symbol[function.name] != item.index)
        ptx::DeclareOp::create(
            builder, ctx.getLoc(function.loc), function.name,
            syntax::stringifyLinkage(function.linkage),
            ctx.getVars(function.params), ctx.getVars(function.results),
            ctx.getDirectives(function.directives), function.isEntry);
      else if (function.isEntry)
        createFunction<ptx::EntryOp>(ctx, builder, function);
      else
        createFunction<ptx::FuncOp>(ctx, builder, function);
      break;
    }
    }
  }
  return module;
}

BodyRegisters
importFunctionBody(const syntax::Module &tree, const syntax::Function &function,
                   const syntax::LineTable &lines, Region &region,
                   llvm::function_ref<Location(syntax::SourceOffset)> getLoc) {
  ImportContext ctx(tree, "", lines, region.getContext());
  ctx.locate = getLoc;
  return importBody(ctx, function, region);
}

OwningOpRef<ModuleOp>
importPTX(llvm::MemoryBufferRef buffer, MLIRContext *context,
          llvm::function_ref<void(const syntax::Diagnostic &)> report,
          const syntax::ParseOptions &options) {
  syntax::LineTable lines(buffer.getBuffer());
  std::unique_ptr<syntax::Module> tree =
      syntax::parseModule(buffer, lines, report, options);
  if (!tree)
    return {};
  return importModule(*tree, buffer.getBufferIdentifier(), lines, context);
}

OwningOpRef<ModuleOp> importPTX(llvm::MemoryBufferRef buffer,
                                MLIRContext *context) {
  StringAttr path = StringAttr::get(context, buffer.getBufferIdentifier());
  return importPTX(buffer, context, [&](const syntax::Diagnostic &diag) {
    Location loc = FileLineColLoc::get(path, diag.line, diag.column);
    std::string text = diag.message;
    if (!diag.hint.empty())
      text += "; " + diag.hint;
    switch (diag.severity) {
    case syntax::Severity::Error:
      emitError(loc) << text;
      break;
    case syntax::Severity::Warning:
      emitWarning(loc) << text;
      break;
    case syntax::Severity::Note:
      emitRemark(loc) << text;
      break;
    }
  });
}

} // namespace ptxbench
