//===- Printer.cpp - From the syntax tree to canonical PTX ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes through the tree in the order of the text. How a construct is spelled,
// Text.cpp knows; here is what stands where, and the canonical order of
// modifiers.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/PTX/Printer.h"
#include "TokenText.h"
#include "ptxbench/Target/PTX/Text.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

namespace {

class ModulePrinter {
public:
  ModulePrinter(raw_ostream &os, const Module &module)
      : os(os), module(module) {}

  void print();

private:
  void printItem(const ModuleItem &item);
  void printVerbatim(StringRef text);
  void printVar(const VarDecl &var);
  void printFunction(const Function &function);
  void printStatement(const Function &function, const Statement &statement);
  void printInstruction(const Function &function, const Instruction &inst);
  void printRegister(const Function &function, uint32_t index);

  /// The strings of directives and pointers that are put together here.
  StringRef keep(std::string text) { return StringRef(text).copy(strings); }
  text::Variable makeVariable(const VarDecl &var);
  text::Signature makeSignature(const Function &function);

  raw_ostream &os;
  const Module &module;
  BumpPtrAllocator strings;
  SmallVector<text::Operand, 16> operands;
};

} // namespace

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

text::Variable ModulePrinter::makeVariable(const VarDecl &var) {
  text::Variable result;
  result.linkage = stringifyLinkage(var.linkage);
  result.space = stringifyStateSpace(var.space);
  result.align = var.align;
  result.vector = var.vector;
  result.type = var.typeName;
  result.name = var.name;
  result.extents.assign(var.extents.begin(), var.extents.end());
  if (var.isPointer)
    result.pointee = keep(text::getPointee(var.pointee, var.pointerAlign));
  if (!var.attribute.empty()) {
    std::string attribute;
    raw_string_ostream stream(attribute);
    printTokens(stream, var.attribute);
    result.attribute = keep(std::move(attribute));
  }
  return result;
}

void ModulePrinter::printVar(const VarDecl &var) {
  text::Variable variable = makeVariable(var);
  text::printVariable(os, variable);
  if (var.hasInit)
    text::printInitializer(os, variable, var.init.size(),
                           [&](size_t i) { return var.init[i]; });
  os << ";\n";
}

text::Signature ModulePrinter::makeSignature(const Function &function) {
  text::Signature result;
  result.isEntry = function.isEntry;
  result.linkage = stringifyLinkage(function.linkage);
  result.name = function.name;
  for (const VarDecl &var : function.results)
    result.results.push_back(makeVariable(var));
  for (const VarDecl &var : function.params)
    result.params.push_back(makeVariable(var));
  for (const FunctionDirective &directive : function.directives) {
    text::Directive out;
    out.name = directive.name;
    out.values.assign(directive.values.begin(), directive.values.end());
    out.text = directive.text;
    if (directive.name == "attribute") {
      std::string attribute;
      raw_string_ostream stream(attribute);
      printTokens(stream, directive.text);
      out.text = keep(std::move(attribute));
    }
    result.directives.push_back(std::move(out));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void ModulePrinter::printRegister(const Function &function, uint32_t index) {
  const RegDecl &decl = function.getRegDecl(index);
  uint32_t offset = index - decl.first;
  os << decl.name;
  if (decl.count)
    os << (decl.vector ? offset / decl.vector : offset);
  if (decl.vector)
    os << "." << StringRef("xyzw")[offset % decl.vector];
}

/// The modifiers by the slots of the form, which have the manual's order.
static SmallVector<Mod, 16> sortModifiers(const Instruction &inst) {
  SmallVector<Mod, 16> sorted;
  const InstForm &form = getOpcodeInfo(inst.opcode).forms[inst.form];
  ModMatch match;
  if (!matchModifiers(form, inst.mods, match))
    return SmallVector<Mod, 16>(inst.mods);
  for (unsigned slot = 0; slot < form.mods.size(); ++slot)
    if (std::optional<Mod> mod = match.get(inst.mods, slot))
      sorted.push_back(*mod);
  return sorted;
}

void ModulePrinter::printInstruction(const Function &function,
                                     const Instruction &inst) {
  os << "\t";
  if (inst.guard >= 0) {
    os << (inst.guardNegated ? "@!" : "@");
    printRegister(function, inst.guard);
    os << " ";
  }
  text::printMnemonic(os, inst.opcode, sortModifiers(inst));
  operands.clear();
  for (const OperandNode &node : inst.operands) {
    text::Operand &operand = operands.emplace_back();
    operand.kind = node.kind;
    operand.flags = node.flags;
    operand.numChildren = node.numChildren;
    operand.value = node.value;
    operand.name = node.name;
    if (node.kind == OperandKind::Label) {
      operand.name = function.labels[node.value];
      operand.value = 0;
    } else if (node.kind == OperandKind::SpecialReg) {
      operand.name = node.name.ltrim('%');
    } else if (node.kind == OperandKind::Vector &&
               inst.opcode == Opcode::call) {
      operand.name = function.getRegDecl((&node + 1)->value).name;
    }
  }
  text::printOperands(os, operands,
                      [&](int64_t reg) { printRegister(function, reg); });
  os << ";\n";
}

void ModulePrinter::printStatement(const Function &function,
                                   const Statement &statement) {
  switch (statement.kind) {
  case Statement::Inst:
    return printInstruction(function, function.insts[statement.index]);
  case Statement::Label:
    os << function.labels[statement.index] << ":\n";
    return;
  case Statement::Loc:
    return text::printLoc(os, function.locs[statement.index]);
  case Statement::Pragma:
    return text::printPragma(os, function.texts[statement.index]);
  case Statement::Var:
    os << "\t";
    return printVar(function.locals[statement.index]);
  case Statement::LabelList: {
    const LabelList &list = function.labelLists[statement.index];
    SmallVector<StringRef, 8> labels;
    for (uint32_t label : list.labels)
      labels.push_back(function.labels[label]);
    return text::printLabelList(os, list.name, labels);
  }
  case Statement::Verbatim:
    printTokens(os, function.texts[statement.index]);
    os << "\n";
    return;
  }
}

void ModulePrinter::printFunction(const Function &function) {
  text::printSignature(os, makeSignature(function));
  if (!function.hasBody) {
    os << ";\n";
    return;
  }
  os << "\n{\n";
  SmallDenseSet<uint32_t, 8> inHeader;
  for (const std::vector<VarDecl> *list : {&function.results, &function.params})
    for (const VarDecl &var : *list)
      if (var.reg)
        inHeader.insert(*var.reg);
  for (const RegDecl &decl : function.regs)
    if (!inHeader.contains(decl.first))
      text::printRegisters(os, stringifyDataType(decl.type), decl.vector,
                           decl.name, decl.count);
  uint32_t region = 0;
  for (const Statement &statement : function.body) {
    text::printInlineAsmMarkers(os, region, statement.inlineAsm);
    region = statement.inlineAsm;
    printStatement(function, statement);
  }
  text::printInlineAsmMarkers(os, region, 0);
  os << "}\n";
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

void ModulePrinter::printVerbatim(StringRef text) {
  if (text.starts_with(".section"))
    printSection(os, text);
  else
    printTokens(os, text);
  os << "\n";
}

void ModulePrinter::printItem(const ModuleItem &item) {
  switch (item.kind) {
  case ModuleItem::Var:
    return printVar(module.vars[item.index]);
  case ModuleItem::Function:
    return printFunction(module.functions[item.index]);
  case ModuleItem::File:
    return text::printFile(os, module.files[item.index]);
  case ModuleItem::Verbatim:
    return printVerbatim(module.verbatim[item.index]);
  }
}

void ModulePrinter::print() {
  SmallVector<StringRef, 4> options(module.targetOptions.begin(),
                                    module.targetOptions.end());
  text::printHeader(os, module.version, stringifyTargetArch(module.target),
                    options, module.addressSize);
  // An empty line stands around every function, and between other items of
  // different kinds.
  const ModuleItem *previous = nullptr;
  for (const ModuleItem &item : module.items) {
    if (previous &&
        (item.kind == ModuleItem::Function || item.kind != previous->kind))
      os << "\n";
    printItem(item);
    previous = &item;
  }
}

void ptxbench::syntax::printModule(raw_ostream &os, const Module &module) {
  ModulePrinter(os, module).print();
}
