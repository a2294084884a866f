//===- Export.cpp - From the ptx dialect to PTX text ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Module level: header, variables, function signatures. Bodies are written by
// FunctionExporter.cpp.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/PTX/Export.h"
#include "FunctionExporter.h"
#include "ptxbench/Dialect/PTX/IR/AsmConstraints.h"
#include "ptxbench/Dialect/PTX/IR/TextPlace.h"
#include "ptxbench/Target/PTX/Text.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace ptxbench {

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static text::Variable makeVariable(ptx::VarAttr var) {
  text::Variable result;
  result.space = var.getSpace();
  if (var.getAttribute())
    result.attribute = var.getAttribute().getValue();
  result.align = var.getAlign();
  result.vector = var.getVec();
  result.type = var.getType();
  if (var.getPtr())
    result.pointee = var.getPtr().getValue();
  result.name = var.getName();
  result.extents.assign(var.getExtents().begin(), var.getExtents().end());
  return result;
}

static syntax::Initializer makeInitializer(ptx::InitAttr attr) {
  syntax::Initializer init;
  init.kind = llvm::StringSwitch<syntax::Initializer::Kind>(attr.getKind())
                  .Case("f32", syntax::Initializer::F32)
                  .Case("f64", syntax::Initializer::F64)
                  .Case("symbol", syntax::Initializer::Symbol)
                  .Case("generic", syntax::Initializer::GenericSymbol)
                  .Default(syntax::Initializer::Int);
  init.bits = attr.getValue();
  init.mask = attr.getMask();
  if (attr.getSymbol())
    init.symbol = attr.getSymbol().getValue();
  return init;
}

void printVar(raw_ostream &os, ptx::VarAttr var, StringRef linkage,
              Attribute init) {
  text::Variable variable = makeVariable(var);
  variable.linkage = linkage;
  text::printVariable(os, variable);
  if (auto words = dyn_cast_if_present<DenseI64ArrayAttr>(init)) {
    text::printInitializer(os, variable, words.size(), [&](size_t i) {
      syntax::Initializer element;
      element.bits = words[i];
      return element;
    });
  } else if (auto elements = dyn_cast_if_present<ArrayAttr>(init)) {
    text::printInitializer(os, variable, elements.size(), [&](size_t i) {
      return makeInitializer(cast<ptx::InitAttr>(elements[i]));
    });
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void printSignature(raw_ostream &os, bool isEntry, StringRef name,
                           StringRef linkage, ArrayAttr params,
                           ArrayAttr results, ArrayAttr directives) {
  text::Signature signature;
  signature.isEntry = isEntry;
  signature.linkage = linkage;
  signature.name = name;
  for (auto var : results.getAsRange<ptx::VarAttr>())
    signature.results.push_back(makeVariable(var));
  for (auto var : params.getAsRange<ptx::VarAttr>())
    signature.params.push_back(makeVariable(var));
  for (auto attr : directives.getAsRange<ptx::DirectiveAttr>()) {
    text::Directive directive;
    directive.name = attr.getName();
    directive.values.assign(attr.getValues().begin(), attr.getValues().end());
    if (attr.getText())
      directive.text = attr.getText().getValue();
    signature.directives.push_back(std::move(directive));
  }
  text::printSignature(os, signature);
}

template <typename FunctionOp>
static LogicalResult exportFunction(FunctionOp op, bool isEntry,
                                    raw_ostream &os,
                                    std::vector<ExportedPlace> *places) {
  printSignature(os, isEntry, op.getSymName(), op.getLinkage(), op.getParams(),
                 op.getFuncResults(), op.getDirectives());
  if (op.isExternal()) {
    os << ";\n";
    return success();
  }
  HeaderRegs header;
  auto collect = [](ArrayAttr vars, SmallVectorImpl<int64_t> &regs) {
    for (auto var : vars.getAsRange<ptx::VarAttr>())
      if (var.getReg() >= 0)
        for (unsigned i = 0, e = std::max(1u, unsigned(var.getVec())); i < e;
             ++i)
          regs.push_back(var.getReg() + i);
  };
  collect(op.getFuncResults(), header.results);
  collect(op.getParams(), header.params);
  return exportBody(op.getBody(), op.getRegs(), op.getBlockRegs(), header, os,
                    places);
}

LogicalResult exportInlineBody(ptx::InlineOp op, raw_ostream &os) {
  // Operands are the registers named by their numbers.
  llvm::StringMap<int64_t> named;
  int64_t first = 0;
  for (auto reg : op.getRegs().getAsRange<ptx::RegAttr>()) {
    named[reg.getName()] = first;
    first += reg.getNumRegisters();
  }
  llvm::Expected<ptx::AsmConstraints> constraints =
      ptx::parseAsmConstraints(op.getConstraints());
  if (!constraints)
    return op.emitOpError(llvm::toString(constraints.takeError()));
  HeaderRegs header;
  for (auto [i, constraint] : llvm::enumerate(constraints->operands)) {
    if (constraint.kind == ptx::AsmConstraint::Immediate)
      continue;
    std::string name = "$" + std::to_string(constraints->getRegisterOf(i));
    auto it = named.find(name);
    if (it == named.end())
      return op.emitOpError("expected a register '")
             << name << "' in 'regs' for the operand " << i;
    (i < constraints->numOutputs ? header.results : header.params)
        .push_back(it->second);
  }
  return exportBody(op.getBody(), op.getRegs(), op.getBlockRegs(), header, os);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static LogicalResult exportOp(Operation &op, raw_ostream &os,
                              std::vector<ExportedPlace> *places) {
  if (auto var = dyn_cast<ptx::VarOp>(op)) {
    printVar(os, var.getDecl(), var.getLinkage(), var.getInitAttr());
    os << ";\n";
    return success();
  }
  if (auto file = dyn_cast<ptx::FileOp>(op)) {
    syntax::FileDirective directive;
    directive.index = file.getIndex();
    directive.name = file.getName();
    directive.time = file.getTime();
    directive.size = file.getSize();
    text::printFile(os, directive);
    return success();
  }
  if (auto verbatim = dyn_cast<ptx::VerbatimOp>(op)) {
    os << verbatim.getText() << "\n";
    return success();
  }
  if (auto declare = dyn_cast<ptx::DeclareOp>(op)) {
    printSignature(os, declare.getEntry(), declare.getName(),
                   declare.getLinkage(), declare.getParams(),
                   declare.getFuncResults(), declare.getDirectives());
    os << ";\n";
    return success();
  }
  if (auto entry = dyn_cast<ptx::EntryOp>(op))
    return exportFunction(entry, true, os, places);
  if (auto func = dyn_cast<ptx::FuncOp>(op))
    return exportFunction(func, false, os, places);
  return op.emitOpError("has no PTX form at module level");
}

LogicalResult exportPTX(ModuleOp module, raw_ostream &os,
                        std::vector<ExportedPlace> *places) {
  auto target = module->getAttrOfType<ptx::PTXTargetAttr>(ptx::kTargetAttrName);
  if (!target)
    return emitError(ptxbench::ptx::getModulePlace(module))
           << "expected a module with the attribute '" << ptx::kTargetAttrName
           << "', which has a version and target";
  std::string text;
  llvm::raw_string_ostream stream(text);
  SmallVector<StringRef> options;
  for (StringAttr option : target.getOptions())
    options.push_back(option.getValue());
  text::printHeader(stream, target.getVersion(), target.getArch(), options,
                    target.getAddressSize());
  for (Operation &op : *module.getBody()) {
    if (places)
      places->push_back({stream.tell(), op.getLoc()});
    if (failed(exportOp(op, stream, places)))
      return failure();
  }
  os << text;
  return success();
}

} // namespace ptxbench
