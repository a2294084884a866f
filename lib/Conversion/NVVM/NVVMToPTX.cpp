//===- NVVMToPTX.cpp - Operations of nvvm to instructions -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of the record is filled in and imported as inline assembly is.
//
//===----------------------------------------------------------------------===//

#include "../InlineAsm/AsmSite.h"
#include "Convert.h"
#include "Hooks.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Support/DebugStringHelper.h"
#include "ptxbench/Conversion/Passes.h"
#include "ptxbench/Dialect/PTX/IR/OptionError.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

#define GEN_PASS_DEF_CONVERTNVVMTOPTX
#include "ptxbench/Conversion/Passes.h.inc"

namespace nvvm {

namespace {

/// Fills in the text of one operation.
class Writer : public OpBuilder::Listener {
public:
  Writer(const Conversion &conversion, Operation *op, bool useConstants)
      : conversion(conversion), op(op), builder(op, this),
        useConstants(useConstants) {}

  /// False, and getReason() says why, if the text has no case for it.
  bool write(const Text &text);
  AsmSite getSite();
  /// Takes the operations away that it made.
  void undo() {
    for (Operation *made : llvm::reverse(inserted))
      made->erase();
  }
  void notifyOperationInserted(Operation *made,
                               OpBuilder::InsertPoint) override {
    inserted.push_back(made);
  }
  std::string ptx;
  StringRef getReason() const { return reason; }

private:
  bool writeSequence(const Sequence &sequence);
  bool writePiece(const Piece &piece);
  bool writeValue(const Piece &piece);
  bool writeChoice(const Piece &piece);
  bool writeNumber(StringRef name);
  std::string getWord(StringRef name);
  bool writeInput(Value value, bool isTruth);
  std::string addByte();
  bool fail(const Twine &message) {
    reason = message.str();
    return false;
  }

  const Conversion &conversion;
  Operation *op;
  OpBuilder builder;
  /// Constants stand in the text, not in registers.
  bool useConstants;
  std::string reason;
  /// Statements around the instruction, for operands of 8 bits: inline assembly
  /// has no such registers, so they are passed in ones of 16.
  std::string before, after;
  unsigned numBytes = 0;
  SmallVector<Operation *> inserted;
  SmallVector<Value> inputs, tied;
  SmallVector<unsigned> tiedTo;
  SmallVector<char> inputLetters;
  /// Of the outputs.
  SmallVector<Type> outputTypes;
  SmallVector<char> outputLetters;
  llvm::StringMap<unsigned> firstOutputs;
  /// How often the name of a list was written.
  llvm::StringMap<unsigned> places;
};

} // namespace

std::string Writer::getWord(StringRef name) {
  if (name.starts_with("~"))
    return getComputedWord(op, name);
  const AttrDesc *attr = conversion.findAttr(name);
  return attr ? attr->getWord(op->getAttr(name)) : "";
}

bool Writer::writeInput(Value value, bool isTruth) {
  Location loc = op->getLoc();
  IntegerAttr number;
  if (useConstants && !isTruth && matchPattern(value, m_Constant(&number)) &&
      number.getType().getIntOrFloatBitWidth() <= 64) {
    ptx += std::to_string(number.getValue().getSExtValue());
    return true;
  }
  if (isTruth)
    value = LLVM::ICmpOp::create(
        builder, loc, LLVM::ICmpPredicate::ne, value,
        LLVM::ConstantOp::create(builder, loc, value.getType(), 0));
  bool isByte = value.getType().isInteger(8);
  if (isByte)
    value = LLVM::ZExtOp::create(builder, loc, builder.getI16Type(), value);
  Type type = value.getType();
  char letter = getRegisterOf(type);
  if (!letter)
    return fail("no register holds a value of the type " +
                debugString(value.getType()));
  if (!isa<LLVM::LLVMPointerType>(value.getType()))
    value = castBits(builder, loc, value, type);
  unsigned number2 = outputTypes.size() + inputs.size();
  if (auto *it = llvm::find(inputs, value); it != inputs.end()) {
    number2 = outputTypes.size() + (it - inputs.begin());
  } else {
    inputs.push_back(value);
    inputLetters.push_back(letter);
  }
  std::string reg = "$" + std::to_string(number2);
  if (isByte) {
    std::string byte = addByte();
    before += "cvt.u8.u16 " + byte + ", " + reg + ";\n";
    reg = byte;
  }
  ptx += reg;
  return true;
}

/// A register of 8 bits.
std::string Writer::addByte() {
  std::string name = "byte" + std::to_string(numBytes++);
  before += ".reg .b8 " + name + ";\n";
  return name;
}

bool Writer::writeValue(const Piece &piece) {
  StringRef name = piece.text;
  if (conversion.findResult(name)) {
    auto first = firstOutputs.find(name);
    if (first == firstOutputs.end())
      return fail("it has no result '" + name + "'");
    ResultRange results = conversion.getResults(op, name);
    unsigned number = getParts(results.front().getType()).size();
    unsigned from = first->second + (piece.element > 0 ? piece.element : 0);
    unsigned count = piece.isList ? number : 1;
    if (piece.isTruth) {
      outputTypes[from] = builder.getI1Type();
      outputLetters[from] = 'b';
    }
    for (unsigned i = 0; i < count; ++i) {
      std::string reg = "$" + std::to_string(from + i);
      if (results.front().getType().isInteger(8)) {
        std::string byte = addByte();
        after += "\ncvt.u16.u8 " + reg + ", " + byte + ";";
        reg = byte;
      }
      ptx += (i ? ", " : "") + reg;
    }
    if (piece.tied.empty())
      return true;
    Value inout = conversion.getOperands(op, piece.tied).front();
    for (unsigned i = 0; i < count; ++i) {
      Value part = getPart(builder, op->getLoc(), inout, i);
      tied.push_back(castBits(builder, op->getLoc(), part,
                              outputTypes[first->second + i]));
      tiedTo.push_back(from + i);
    }
    return true;
  }
  SmallVector<Value> values(conversion.getOperands(op, name));
  if (values.empty())
    return fail("it has no operand '" + name + "'");
  if (!piece.isList)
    return writeInput(values.front(), piece.isTruth);
  // A struct or a vector is as many registers as it has parts.
  if (conversion.findOperand(name)->arity != Arity::Variadic) {
    Value all = values.front();
    values.clear();
    for (unsigned i = 0, e = getParts(all.getType()).size(); i < e; ++i)
      values.push_back(getPart(builder, op->getLoc(), all, i));
  } else {
    SmallVector<unsigned> split = getListSplit(conversion, op, name);
    unsigned place = places[name]++, from = 0;
    for (unsigned i = 0; i < place; ++i)
      from += split[i];
    values = SmallVector<Value>(ArrayRef(values).slice(from, split[place]));
  }
  for (auto [i, value] : llvm::enumerate(values)) {
    if (i)
      ptx += ", ";
    if (!writeInput(value, false))
      return false;
  }
  return true;
}

bool Writer::writeNumber(StringRef name) {
  if (conversion.findOperand(name)) {
    ptx += std::to_string(conversion.getOperands(op, name).size());
    return true;
  }
  if (name.starts_with("~")) {
    ptx += getComputedWord(op, name);
    return true;
  }
  const AttrDesc *attr = conversion.findAttr(name);
  std::optional<int64_t> number = attr->getNumber(op->getAttr(name));
  if (!number)
    return fail("it has no '" + name + "'");
  ptx += std::to_string(*number);
  return true;
}

bool Writer::writeChoice(const Piece &piece) {
  StringRef name = piece.text;
  std::string value;
  auto getType = [&]() -> Type {
    if (conversion.findResult(name)) {
      ResultRange results = conversion.getResults(op, name);
      return results.empty() ? Type() : results.front().getType();
    }
    OperandRange operands = conversion.getOperands(op, name);
    return operands.empty() ? Type() : operands.front().getType();
  };
  switch (piece.kind) {
  case Piece::Same:
    return writeSequence(piece.cases.front().texts.front());
  case Piece::IfPresent:
    value = getType() ? "true" : "-";
    break;
  case Piece::BySpace: {
    auto pointer = dyn_cast_or_null<LLVM::LLVMPointerType>(getType());
    value = pointer ? std::to_string(pointer.getAddressSpace()) : "-";
    break;
  }
  case Piece::ByType:
    value = getTypeWord(getType());
    break;
  default:
    value = getWord(name);
  }
  for (const Case &one : piece.cases)
    if (one.value == value || one.value == "*")
      return writeSequence(one.texts.front());
  StringRef what = piece.kind == Piece::BySpace  ? "address space "
                   : piece.kind == Piece::ByType ? "type "
                                                 : "";
  return fail("no instruction has '" + name + "' with the " + what + "value '" +
              value + "'");
}

bool Writer::writePiece(const Piece &piece) {
  switch (piece.kind) {
  case Piece::Literal:
    ptx += piece.text;
    return true;
  case Piece::Token:
    ptx += ".";
    return writeSequence(piece.parts);
  case Piece::Value:
    return writeValue(piece);
  case Piece::Constant: {
    OperandRange operands = conversion.getOperands(op, piece.text);
    IntegerAttr number;
    if (operands.empty() ||
        !matchPattern(operands.front(), m_Constant(&number)))
      return fail("PTX wants a constant for '" + piece.text + "'");
    ptx += std::to_string(number.getValue().getSExtValue());
    return true;
  }
  case Piece::Predicate: {
    const AttrDesc *attr = conversion.findAttr(piece.text);
    bool isTrue = attr->getNumber(op->getAttr(piece.text)).value_or(0);
    Value value =
        LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI1Type(),
                                 builder.getBoolAttr(isTrue));
    bool use = std::exchange(useConstants, false);
    bool ok = writeInput(value, false);
    useConstants = use;
    return ok;
  }
  case Piece::Word: {
    std::string word = getWord(piece.text);
    if (word.empty() || word == "-")
      return fail("it has no '" + piece.text + "'");
    ptx += word;
    return true;
  }
  case Piece::Number:
    return writeNumber(piece.text);
  default:
    return writeChoice(piece);
  }
}

bool Writer::writeSequence(const Sequence &sequence) {
  for (const Piece &piece : sequence)
    if (!writePiece(piece))
      return false;
  return true;
}

bool Writer::write(const Text &text) {
  // Outputs have the first numbers.
  for (const ValueDesc &result : conversion.desc->results)
    for (Value value : conversion.getResults(op, result.name)) {
      firstOutputs[result.name] = outputTypes.size();
      for (Type type : getParts(value.getType())) {
        if (type.isInteger(8))
          type = builder.getI16Type();
        char letter = getRegisterOf(type);
        if (!letter)
          return fail("no register holds a value of the type " +
                      debugString(type));
        outputTypes.push_back(type);
        outputLetters.push_back(letter);
      }
    }
  if (StringRef guard = conversion.desc->guard; !guard.empty()) {
    OperandRange operands = conversion.getOperands(op, guard);
    if (!operands.empty()) {
      ptx += "@";
      bool use = std::exchange(useConstants, false);
      if (!writeInput(operands.front(), false))
        return false;
      useConstants = use;
      ptx += " ";
    }
  }
  ptx += getOpcodeInfo(text.opcode).name;
  if (!writeSequence(text.mnemonic))
    return false;
  if (!text.operands.empty())
    ptx += " ";
  if (!writeSequence(text.operands))
    return false;
  ptx += ";";
  if (StringRef own = conversion.desc->before; !own.empty()) {
    before += (own + "\n").str();
    after += ("\n" + conversion.desc->after).str();
  }
  if (!before.empty())
    ptx = "{\n" + before + ptx + after + "\n}";
  return true;
}

AsmSite Writer::getSite() {
  AsmSite site;
  site.op = op;
  site.text = ptx;
  site.isGenerated = true;
  auto add = [&](AsmConstraint::Kind kind, char letter, unsigned to) {
    AsmConstraint constraint;
    constraint.kind = kind;
    constraint.letter = letter;
    constraint.tiedTo = to;
    site.constraints.operands.push_back(constraint);
  };
  for (char letter : outputLetters)
    add(AsmConstraint::Output, letter, 0);
  for (char letter : inputLetters)
    add(AsmConstraint::Input, letter, 0);
  for (unsigned to : tiedTo)
    add(AsmConstraint::Tied, 0, to);
  site.constraints.numOutputs = outputTypes.size();
  site.inputs = inputs;
  site.inputs.append(tied);
  site.outputTypes = outputTypes;
  return site;
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

InlineOp writeInline(const Conversion &conversion, Operation *op,
                     SmallVectorImpl<Value> &results, std::string &reason) {
  // What is said about the text is a reason, or leads to another text.
  std::string said;
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &d) {
    if (d.getSeverity() == DiagnosticSeverity::Error && said.empty())
      said = d.str();
    return success();
  });
  std::optional<AsmTarget> target = findAsmTarget(op);
  // The text that has most cases for it says what is missing.
  std::string bestReason;
  size_t bestLength = 0;
  for (const Text &text : conversion.texts)
    for (bool useConstants : {true, false}) {
      Writer writer(conversion, op, useConstants);
      if (!writer.write(text)) {
        if (bestReason.empty() || writer.ptx.size() > bestLength) {
          bestReason = writer.getReason().str();
          bestLength = writer.ptx.size();
        }
        writer.undo();
        break;
      }
      AsmSite site = writer.getSite();
      uint32_t flags = getOpcodeInfo(text.opcode).flags;
      site.sideEffects = !(flags & IF_Pure) || conversion.desc->isVolatile;
      if (flags & (IF_MemRead | IF_MemWrite)) {
        site.constraints.clobbersMemory = true;
        site.constraints.clobbers.push_back("~{memory}");
      }
      said.clear();
      InlineOp inlined = importSite(site, target, 0);
      if (!inlined) {
        reason = said;
        writer.undo();
        continue;
      }
      OpBuilder builder(op);
      auto values = inlined.getResults();
      for (Value old : op->getResults()) {
        SmallVector<Value> parts;
        for (Type type : getParts(old.getType())) {
          Value part = values.front();
          values = values.drop_front();
          if (part.getType().isInteger(1) && type.isInteger(32))
            part = LLVM::ZExtOp::create(builder, op->getLoc(), type, part);
          else if (type.isInteger(8))
            part = LLVM::TruncOp::create(builder, op->getLoc(), type, part);
          else
            part = castBits(builder, op->getLoc(), part, type);
          parts.push_back(part);
        }
        results.push_back(
            joinParts(builder, op->getLoc(), old.getType(), parts));
      }
      return inlined;
    }
  if (reason.empty())
    reason = bestReason;
  return {};
}

} // namespace nvvm

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

class ConvertNVVMToPTXPass
    : public impl::ConvertNVVMToPTXBase<ConvertNVVMToPTXPass> {
public:
  using ConvertNVVMToPTXBase::ConvertNVVMToPTXBase;
  void runOnOperation() override;

private:
  bool isWanted(Operation *op) const;
};

} // namespace

/// `begin` is the name, or some of its parts.
static bool isNamed(StringRef name, StringRef begin) {
  return name.consume_front(begin) && (name.empty() || name.front() == '.');
}

bool ConvertNVVMToPTXPass::isWanted(Operation *op) const {
  if (only.empty())
    return nvvm::findConversion(op);
  return llvm::any_of(only, [&](StringRef begin) {
    return isNamed(op->getName().getStringRef(), begin);
  });
}

void ConvertNVVMToPTXPass::runOnOperation() {
  // Without the dialect, its names are not known, and there is nothing to do.
  bool hasNames = getContext().getLoadedDialect<NVVM::NVVMDialect>();
  for (StringRef begin : only)
    if (hasNames && llvm::none_of(getContext().getRegisteredOperations(),
                                  [&](RegisteredOperationName name) {
                                    return isNamed(name.getStringRef(), begin);
                                  })) {
      emitOptionError(&getContext(), getArgument(), "only")
          << "no operation is called '" << begin << "', and none begins so";
      return signalPassFailure();
    }
  SmallVector<Operation *> found;
  getOperation()->walk([&](Operation *op) {
    if (isWanted(op))
      found.push_back(op);
  });
  bool failed = false;
  for (Operation *op : found) {
    const nvvm::Conversion *conversion = nvvm::findConversion(op);
    SmallVector<Value> results;
    std::string reason = "it is no instruction";
    ptx::InlineOp inlined;
    if (conversion) {
      reason.clear();
      inlined = nvvm::writeInline(*conversion, op, results, reason);
    }
    if (inlined) {
      op->replaceAllUsesWith(results);
      op->erase();
      continue;
    }
    failed |= strict;
    auto report = strict ? op->emitError() : op->emitRemark();
    report << "'" << op->getName() << "' does not become PTX: " << reason;
  }
  nvvm::simplifyValues(getOperation());
  if (failed)
    signalPassFailure();
}

} // namespace ptxbench
