//===- Text.cpp - How constructs of PTX are spelled -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function writes one construct. Where PTX has several spellings, the one
// written is what ptxas has always taken: decimal integers, floating-point
// numbers by their bits, one blank between the parts.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/PTX/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace ptxbench;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

void text::printInt(raw_ostream &os, int64_t value) {
  if (value == INT64_MIN)
    os << "0x8000000000000000";
  else
    os << value;
}

void text::printF32(raw_ostream &os, uint32_t bits) {
  os << "0f" << format_hex_no_prefix(bits, 8, true);
}

void text::printF64(raw_ostream &os, uint64_t bits) {
  os << "0d" << format_hex_no_prefix(bits, 16, true);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {

class OperandPrinter {
public:
  OperandPrinter(raw_ostream &os, ArrayRef<text::Operand> operands,
                 function_ref<void(int64_t)> printRegister)
      : os(os), operands(operands), printRegister(printRegister) {}

  void print() {
    for (bool first = true; next < operands.size(); first = false) {
      os << (first ? " " : ", ");
      printTree();
    }
  }

private:
  void printList(unsigned count, StringRef separator) {
    for (unsigned i = 0; i < count; ++i) {
      if (i)
        os << separator;
      printTree();
    }
  }

  void printTree() {
    const text::Operand &node = operands[next++];
    switch (node.kind) {
    case OperandKind::Use:
      if (node.flags & OperandFlag_Negated)
        os << "!";
      if (node.flags & OperandFlag_Minus)
        os << "-";
      printRegister(node.value);
      return;
    case OperandKind::Def:
    case OperandKind::DefUse:
      printRegister(node.value);
      return;
    case OperandKind::Int:
      text::printInt(os, node.value);
      return;
    case OperandKind::F32:
      text::printF32(os, node.value);
      return;
    case OperandKind::F64:
      text::printF64(os, node.value);
      return;
    case OperandKind::SpecialReg:
      os << "%" << node.name;
      return;
    case OperandKind::Label:
      os << node.name;
      return;
    case OperandKind::Symbol:
      os << node.name;
      if (node.value) {
        os << "+";
        text::printInt(os, node.value);
      }
      return;
    case OperandKind::Address:
      os << "[";
      printTree();
      if (node.value || (node.flags & OperandFlag_ZeroOffset)) {
        os << "+";
        text::printInt(os, node.value);
      }
      if (node.numChildren > 1) {
        os << ", ";
        printList(node.numChildren - 1, ", ");
      }
      os << "]";
      if (node.flags & OperandFlag_Unified)
        os << ".unified";
      return;
    case OperandKind::Vector:
      if (!node.name.empty()) {
        os << node.name;
        next += node.numChildren;
        return;
      }
      os << "{";
      printList(node.numChildren, ", ");
      os << "}";
      return;
    case OperandKind::List:
      os << "(";
      printList(node.numChildren, ", ");
      os << ")";
      return;
    case OperandKind::Pair:
      printList(node.numChildren, "|");
      return;
    case OperandKind::Sink:
      os << "_";
      return;
    case OperandKind::Selected:
      printTree();
      os << "." << stringifySelector(node.value);
      return;
    }
  }

  raw_ostream &os;
  ArrayRef<text::Operand> operands;
  function_ref<void(int64_t)> printRegister;
  size_t next = 0;
};

} // namespace

void text::printOperands(raw_ostream &os, ArrayRef<Operand> operands,
                         function_ref<void(int64_t)> printRegister) {
  OperandPrinter(os, operands, printRegister).print();
}

void text::printMnemonic(raw_ostream &os, Opcode opcode, ArrayRef<Mod> mods) {
  os << getOpcodeInfo(opcode).name;
  for (Mod mod : mods)
    os << "." << stringifyMod(mod);
}

void text::printInlineAsmMarkers(raw_ostream &os, uint32_t from, uint32_t to) {
  if (from == to)
    return;
  if (from)
    os << "\t// end inline asm\n";
  if (to)
    os << "\t// begin inline asm\n";
}

//===----------------------------------------------------------------------===//
// Variables and registers
//===----------------------------------------------------------------------===//

std::string text::getPointee(StringRef space, uint32_t align) {
  std::string pointee;
  if (!space.empty())
    pointee = ("." + space).str();
  if (align)
    pointee +=
        (pointee.empty() ? "" : " ") + std::string(".align ") + utostr(align);
  return pointee;
}

void text::printVariable(raw_ostream &os, const Variable &var) {
  if (!var.linkage.empty())
    os << "." << var.linkage << " ";
  os << "." << var.space;
  if (!var.attribute.empty())
    os << " " << var.attribute;
  // Behind `.ptr` it would be the pointee's.
  if (var.align)
    os << " .align " << var.align;
  if (var.vector)
    os << " .v" << var.vector;
  os << " ." << var.type;
  if (var.pointee)
    os << " .ptr" << (var.pointee->empty() ? "" : " ") << *var.pointee;
  os << " " << var.name;
  for (uint64_t extent : var.extents) {
    os << "[";
    if (extent)
      os << extent;
    os << "]";
  }
}

namespace {

class InitPrinter {
public:
  InitPrinter(raw_ostream &os, StringRef type, size_t count,
              function_ref<syntax::Initializer(size_t)> get)
      : os(os), type(type), count(count), get(get) {}

  void print(ArrayRef<uint64_t> extents) {
    if (extents.empty()) {
      if (next < count)
        printElement(get(next++));
      return;
    }
    os << "{";
    // An extent of 0 is open: it takes all there is.
    uint64_t size = extents.front() ? extents.front() : UINT64_MAX;
    for (uint64_t i = 0; i < size && next < count; ++i) {
      if (i)
        os << ", ";
      print(extents.drop_front());
    }
    os << "}";
  }

private:
  /// Initial values are cut to their type's width, as ptxas does.
  void printNumber(uint64_t bits) {
    std::optional<Mod> mod = symbolizeMod(type);
    std::optional<DataType> data = mod ? getModType(*mod) : std::nullopt;
    unsigned width = data ? std::min<unsigned>(data->width, 64) : 64;
    if (data && data->kind == TypeKind::Signed)
      text::printInt(os, SignExtend64(bits, width));
    else if (data && data->kind == TypeKind::Float)
      text::printInt(os, bits);
    else
      os << (bits & maskTrailingOnes<uint64_t>(width));
  }

  void printElement(const syntax::Initializer &init) {
    switch (init.kind) {
    case syntax::Initializer::Int:
      return printNumber(init.bits);
    case syntax::Initializer::F32:
      return text::printF32(os, init.bits);
    case syntax::Initializer::F64:
      return text::printF64(os, init.bits);
    case syntax::Initializer::Symbol:
    case syntax::Initializer::GenericSymbol:
      break;
    }
    if (init.mask)
      os << format_hex(init.mask, 0) << "(";
    bool generic = init.kind == syntax::Initializer::GenericSymbol;
    os << (generic ? "generic(" : "") << init.symbol << (generic ? ")" : "");
    if (init.bits) {
      os << "+";
      text::printInt(os, init.bits);
    }
    if (init.mask)
      os << ")";
  }

  raw_ostream &os;
  StringRef type;
  size_t count;
  function_ref<syntax::Initializer(size_t)> get;
  size_t next = 0;
};

} // namespace

void text::printInitializer(raw_ostream &os, const Variable &var, size_t count,
                            function_ref<syntax::Initializer(size_t)> get) {
  os << " = ";
  SmallVector<uint64_t, 4> extents(var.extents.begin(), var.extents.end());
  if (var.vector)
    extents.push_back(var.vector);
  InitPrinter(os, var.type, count, get).print(extents);
}

void text::printRegisters(raw_ostream &os, StringRef type, unsigned vector,
                          StringRef name, uint32_t count) {
  os << "\t.reg ";
  if (vector)
    os << ".v" << vector << " ";
  os << "." << type << " " << name;
  if (count)
    os << "<" << count << ">";
  os << ";\n";
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void printVariables(raw_ostream &os, ArrayRef<text::Variable> vars,
                           StringRef separator) {
  for (size_t i = 0; i < vars.size(); ++i) {
    if (i)
      os << "," << separator;
    text::printVariable(os, vars[i]);
  }
}

void text::printSignature(raw_ostream &os, const Signature &signature) {
  if (!signature.linkage.empty())
    os << "." << signature.linkage << " ";
  os << (signature.isEntry ? ".entry " : ".func ");
  // An attribute stands before the results, other directives at the end.
  for (const Directive &directive : signature.directives)
    if (directive.name == "attribute")
      os << directive.text << " ";
  if (!signature.results.empty()) {
    os << "(";
    printVariables(os, signature.results, " ");
    os << ") ";
  }
  os << signature.name << "(";
  if (!signature.params.empty()) {
    os << "\n\t";
    printVariables(os, signature.params, "\n\t");
    os << "\n";
  }
  os << ")";
  for (const Directive &directive : signature.directives) {
    if (directive.name == "attribute")
      continue;
    os << "\n." << directive.name;
    for (size_t i = 0; i < directive.values.size(); ++i)
      os << (i ? ", " : " ") << directive.values[i];
    if (directive.name == "pragma")
      os << " \"" << directive.text << "\";";
  }
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

void text::printHeader(raw_ostream &os, PTXVersion version, StringRef arch,
                       ArrayRef<StringRef> options, unsigned addressSize) {
  os << ".version " << version / 10 << "." << version % 10 << "\n.target "
     << arch;
  for (StringRef option : options)
    os << ", " << option;
  os << "\n.address_size " << addressSize << "\n\n";
}

void text::printFile(raw_ostream &os, const syntax::FileDirective &file) {
  os << ".file " << file.index << " \"" << file.name << "\"";
  if (file.time)
    os << ", " << *file.time;
  if (file.size)
    os << ", " << *file.size;
  os << "\n";
}

void text::printLoc(raw_ostream &os, const syntax::LocDirective &loc) {
  os << "\t.loc " << loc.file << " " << loc.line << " " << loc.column;
  if (loc.inlined) {
    os << ", function_name " << loc.functionLabel;
    if (loc.functionOffset)
      os << "+" << loc.functionOffset;
    os << ", inlined_at " << loc.atFile << " " << loc.atLine << " "
       << loc.atColumn;
  }
  os << "\n";
}

void text::printPragma(raw_ostream &os, StringRef text) {
  os << "\t.pragma \"" << text << "\";\n";
}

void text::printLabelList(raw_ostream &os, StringRef name,
                          ArrayRef<StringRef> labels) {
  os << name << ": .branchtargets ";
  for (size_t i = 0; i < labels.size(); ++i)
    os << (i ? ", " : "") << labels[i];
  os << ";\n";
}
