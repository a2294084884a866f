//===- InstOpAsm.cpp - Assembly form of instructions ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints and parses the one assembly form of all instructions:
//
//   inst    ::= `".mod.mod"` guard? extras operands attr-dict `:` function-type
//   guard   ::= `if` `not`? %v (`else` `(` %v,* `)`)?
//   extras  ::= (`asm` `(` n `)`)? (`form` `(` n `)`)?
//   operand ::= %v | `not` %v | `neg` %v           Use
//             | `=` n?                             Def, n: its register
//             | `+` n %v                           DefUse
//             | n | `f32` `(` bits `)` | `f64` `(` bits `)`
//             | `sreg` "tid.x" | @symbol (`+` n)?
//             | `[` operand (`+` n)? (`,` operand)? `]`
//             | `{` operand,* `}` | `(` operand,* `)`
//             | `pair` `(` operand `,` operand `)` | `_`
//             | `part` `(` operand `,` "b0" `)`
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "llvm/Support/SaveAndRestore.h"

#include <utility>

using namespace mlir;

namespace ptxbench::ptx {

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {

class InstPrinter {
public:
  InstPrinter(OpAsmPrinter &printer, Operation *op, const InstProperties &inst)
      : printer(printer), op(op), inst(inst) {}

  void printOperands() {
    bool first = true;
    while (index < inst.operands.size()) {
      if (!first)
        printer << ",";
      printer << " ";
      first = false;
      printTree();
    }
  }

private:
  void printReg() {
    int32_t reg = def < inst.regs.size() ? inst.regs[def] : -1;
    ++def;
    if (reg >= 0)
      printer << reg;
  }

  void printList(unsigned count) {
    for (unsigned i = 0; i < count && index < inst.operands.size(); ++i) {
      if (i)
        printer << ", ";
      printTree();
    }
  }

  void printTree() {
    const OperandNode &node = inst.operands[index++];
    switch (node.kind) {
    case OperandKind::Use:
      if (node.flags & OperandFlag_Negated)
        printer << "not ";
      if (node.flags & OperandFlag_Minus)
        printer << "neg ";
      printer << op->getOperand(use++);
      return;
    case OperandKind::Def:
      printer << "=";
      printReg();
      return;
    case OperandKind::DefUse:
      printer << "+";
      printReg();
      printer << " " << op->getOperand(use++);
      return;
    case OperandKind::Int:
      printer << node.value;
      return;
    case OperandKind::F32:
      printer << "f32(" << node.value << ")";
      return;
    case OperandKind::F64:
      printer << "f64(" << node.value << ")";
      return;
    case OperandKind::SpecialReg:
      printer << "sreg " << node.name;
      return;
    case OperandKind::Symbol:
      printer.printSymbolName(node.name.getValue());
      if (node.value)
        printer << " + " << node.value;
      return;
    case OperandKind::Address:
      printer << "[";
      printTree();
      if (node.value || (node.flags & OperandFlag_ZeroOffset))
        printer << " + " << node.value;
      for (unsigned i = 1; i < node.numChildren; ++i) {
        printer << ", ";
        printTree();
      }
      printer << "]";
      if (node.flags & OperandFlag_Unified)
        printer << " unified";
      return;
    case OperandKind::Vector:
      printer << "{";
      printList(node.numChildren);
      printer << "}";
      return;
    case OperandKind::List:
      printer << "(";
      printList(node.numChildren);
      printer << ")";
      return;
    case OperandKind::Pair:
      printer << "pair(";
      printList(node.numChildren);
      printer << ")";
      return;
    case OperandKind::Sink:
      printer << "_";
      return;
    case OperandKind::Selected:
      printer << "part(";
      printTree();
      printer << ", \"" << stringifySelector(node.value) << "\")";
      return;
    case OperandKind::Label:
      printer << "label " << node.name;
      return;
    }
  }

  OpAsmPrinter &printer;
  Operation *op;
  const InstProperties &inst;
  unsigned index = 0, use = 0, def = 0;
};

} // namespace

void printInstOp(OpAsmPrinter &printer, Operation *op) {
  auto iface = cast<InstOpInterface>(op);
  InstProperties &inst = iface.getInst();
  if (!inst.mods.empty()) {
    printer << " \"";
    for (Mod mod : inst.mods)
      printer << "." << stringifyMod(mod);
    printer << "\"";
  }
  if (inst.guarded) {
    printer << " if ";
    if (inst.guardNegated)
      printer << "not ";
    printer << iface.getGuard();
    if (!iface.getPassthrough().empty()) {
      printer << " else(";
      printer.printOperands(iface.getPassthrough());
      printer << ")";
    }
  }
  if (inst.inlineAsm)
    printer << " asm(" << inst.inlineAsm << ")";
  // Nearly always the form follows from the rest.
  const OpcodeInfo &info = iface.getInfo();
  if (info.forms.size() > 1 &&
      findForm(info, inst, op->getOperandTypes(), op->getResultTypes()) !=
          std::optional<uint16_t>(inst.form))
    printer << " form(" << inst.form << ")";
  InstPrinter(printer, op, inst).printOperands();
  printer.printOptionalAttrDictWithKeyword(
      llvm::to_vector(op->getDiscardableAttrs()));
  printer << " : ";
  printer.printFunctionalType(op);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

class InstParser {
public:
  InstParser(OpAsmParser &parser, InstProperties &inst)
      : parser(parser), inst(inst) {}

  using Operand = OpAsmParser::UnresolvedOperand;
  SmallVector<Operand> uses;

  /// Parses one tree if one begins here.
  OptionalParseResult parseOptionalTree() {
    if (depth > 8)
      return OptionalParseResult(parser.emitError(
          parser.getCurrentLocation(), "operand is nested too deeply"));
    llvm::SaveAndRestore<unsigned> nested(depth, depth + 1);
    unsigned at = inst.operands.size();
    Operand value;
    OptionalParseResult isValue = parser.parseOptionalOperand(value);
    if (isValue.has_value()) {
      uses.push_back(value);
      push(OperandKind::Use);
      return *isValue;
    }
    if (succeeded(parser.parseOptionalEqual())) {
      push(OperandKind::Def);
      return parseReg();
    }
    if (succeeded(parser.parseOptionalPlus())) {
      push(OperandKind::DefUse);
      if (failed(parseReg()))
        return failure();
      return parseUse();
    }
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      push(OperandKind::Int).value = number;
      return *isNumber;
    }
    StringAttr symbol;
    if (succeeded(parser.parseOptionalSymbolName(symbol))) {
      push(OperandKind::Symbol).name = symbol;
      return parseOffset(at);
    }
    if (succeeded(parser.parseOptionalLSquare())) {
      push(OperandKind::Address);
      if (failed(parseTree()) || failed(parseOffset(at)))
        return failure();
      unsigned children = 1;
      while (succeeded(parser.parseOptionalComma())) {
        if (failed(parseTree()))
          return failure();
        ++children;
      }
      inst.operands[at].numChildren = children;
      // The offset is the address's, whatever its base is.
      OperandNode &base = inst.operands[at + 1];
      if (base.kind == OperandKind::Symbol) {
        inst.operands[at].value += std::exchange(base.value, 0);
        inst.operands[at].flags |= std::exchange(base.flags, 0);
      }
      if (failed(parser.parseRSquare()))
        return failure();
      if (succeeded(parser.parseOptionalKeyword("unified")))
        inst.operands[at].flags |= OperandFlag_Unified;
      return success();
    }
    if (succeeded(parser.parseOptionalLBrace()))
      return parseChildren(OperandKind::Vector,
                           [&] { return parser.parseOptionalRBrace(); });
    if (succeeded(parser.parseOptionalLParen()))
      return parseChildren(OperandKind::List,
                           [&] { return parser.parseOptionalRParen(); });
    StringRef keyword;
    if (failed(parser.parseOptionalKeyword(&keyword,
                                           {"not", "neg", "f32", "f64", "sreg",
                                            "pair", "_", "label", "part"})))
      return std::nullopt;
    if (keyword == "_") {
      push(OperandKind::Sink);
      return success();
    }
    if (keyword == "not" || keyword == "neg") {
      push(OperandKind::Use).flags =
          keyword == "not" ? OperandFlag_Negated : OperandFlag_Minus;
      return parseUse();
    }
    if (keyword == "sreg" || keyword == "label") {
      push(keyword == "sreg" ? OperandKind::SpecialReg : OperandKind::Label);
      // As a bare string: an attribute would take the colon of the type.
      std::string text;
      if (failed(parser.parseString(&text)))
        return failure();
      inst.operands[at].name = parser.getBuilder().getStringAttr(text);
      return success();
    }
    if (failed(parser.parseLParen()))
      return failure();
    if (keyword == "part") {
      push(OperandKind::Selected).numChildren = 1;
      std::string text;
      if (failed(parseTree()) || failed(parser.parseComma()))
        return failure();
      SMLoc loc = parser.getCurrentLocation();
      if (failed(parser.parseString(&text)))
        return failure();
      std::optional<int64_t> selector = parseSelector(text);
      if (!selector)
        return parser.emitError(loc, "'") << text << "' is no selector";
      inst.operands[at].value = *selector;
      return parser.parseRParen();
    }
    if (keyword == "pair")
      return parseChildren(OperandKind::Pair,
                           [&] { return parser.parseOptionalRParen(); });
    push(keyword == "f32" ? OperandKind::F32 : OperandKind::F64);
    if (failed(parser.parseInteger(inst.operands[at].value)))
      return failure();
    return parser.parseRParen();
  }

private:
  OperandNode &push(OperandKind kind) {
    inst.operands.emplace_back();
    inst.operands.back().kind = kind;
    return inst.operands.back();
  }

  ParseResult parseTree() {
    OptionalParseResult result = parseOptionalTree();
    if (result.has_value())
      return *result;
    return parser.emitError(parser.getCurrentLocation(), "expected an operand");
  }

  ParseResult parseUse() {
    Operand value;
    if (failed(parser.parseOperand(value)))
      return failure();
    uses.push_back(value);
    return success();
  }

  ParseResult parseReg() {
    int32_t reg = -1;
    OptionalParseResult result = parser.parseOptionalInteger(reg);
    inst.regs.push_back(reg);
    return result.has_value() ? *result : success();
  }

  ParseResult parseOffset(unsigned at) {
    if (failed(parser.parseOptionalPlus()))
      return success();
    if (failed(parser.parseInteger(inst.operands[at].value)))
      return failure();
    if (inst.operands[at].value == 0)
      inst.operands[at].flags |= OperandFlag_ZeroOffset;
    return success();
  }

  ParseResult parseChildren(OperandKind kind,
                            function_ref<ParseResult()> parseOptionalEnd) {
    unsigned at = inst.operands.size();
    push(kind);
    unsigned children = 0;
    if (succeeded(parseOptionalEnd()))
      return success();
    do {
      if (failed(parseTree()))
        return failure();
      ++children;
    } while (succeeded(parser.parseOptionalComma()));
    inst.operands[at].numChildren = children;
    if (failed(parseOptionalEnd()))
      return parser.emitError(parser.getCurrentLocation(),
                              "expected the end of an operand list");
    return success();
  }

  OpAsmParser &parser;
  InstProperties &inst;
  unsigned depth = 0;
};

} // namespace

/// Splits ".sync.aligned" into modifiers.
static ParseResult parseModifiers(OpAsmParser &parser, InstProperties &inst,
                                  Opcode opcode) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  if (failed(parser.parseOptionalString(&text)))
    return success();
  StringRef rest = text;
  while (!rest.empty()) {
    if (!rest.consume_front("."))
      return parser.emitError(loc, "expected modifiers of the form \".a.b\"");
    StringRef word = rest.take_until([](char c) { return c == '.'; });
    std::optional<Mod> mod = symbolizeMod(word);
    if (!mod) {
      auto diag = parser.emitError(loc, "unknown modifier '") << word << "'";
      StringRef near = nearestModifier(word, opcode);
      if (!near.empty())
        diag << "; did you mean '" << near << "'?";
      return diag;
    }
    inst.mods.push_back(*mod);
    rest = rest.drop_front(word.size());
  }
  return success();
}

ParseResult parseInstOp(OpAsmParser &parser, OperationState &result,
                        Opcode opcode) {
  InstProperties &inst = result.getOrAddProperties<InstProperties>();
  inst = InstProperties();
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parseModifiers(parser, inst, opcode)))
    return failure();

  OpAsmParser::UnresolvedOperand guard;
  SmallVector<OpAsmParser::UnresolvedOperand> passthrough;
  if (succeeded(parser.parseOptionalKeyword("if"))) {
    inst.guarded = true;
    inst.guardNegated = succeeded(parser.parseOptionalKeyword("not"));
    if (failed(parser.parseOperand(guard)))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("else")) &&
        failed(parser.parseOperandList(passthrough,
                                       OpAsmParser::Delimiter::Paren)))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("asm")) &&
      (parser.parseLParen() || parser.parseInteger(inst.inlineAsm) ||
       parser.parseRParen()))
    return failure();
  bool hasForm = succeeded(parser.parseOptionalKeyword("form"));
  if (hasForm && (parser.parseLParen() || parser.parseInteger(inst.form) ||
                  parser.parseRParen()))
    return failure();

  InstParser trees(parser, inst);
  OptionalParseResult tree = trees.parseOptionalTree();
  if (tree.has_value()) {
    if (failed(*tree))
      return failure();
    while (succeeded(parser.parseOptionalComma())) {
      tree = trees.parseOptionalTree();
      if (!tree.has_value())
        return parser.emitError(parser.getCurrentLocation(),
                                "expected an operand");
      if (failed(*tree))
        return failure();
    }
  }

  FunctionType type;
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  // Where no form fits, the verifier says so.
  if (!hasForm)
    inst.form = findForm(getOpcodeInfo(opcode), inst, type.getInputs(),
                         type.getResults())
                    .value_or(0);
  SmallVector<OpAsmParser::UnresolvedOperand> operands = std::move(trees.uses);
  if (inst.guarded)
    operands.push_back(guard);
  operands.append(passthrough.begin(), passthrough.end());
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), loc,
                                result.operands);
}

} // namespace ptxbench::ptx
