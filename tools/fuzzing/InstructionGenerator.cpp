//===- InstructionGenerator.cpp - Instructions from the table -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table is asked the same questions as by the parser, in the other
// direction: what may stand here?
//
//===----------------------------------------------------------------------===//

#include "InstructionGenerator.h"
#include "ptxbench/ISA/Instruction.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::fuzzing;

StringRef fuzzing::getRegisterDeclarations() {
  return ".reg .pred %fzp<4>; .reg .b16 %fzh<4>; .reg .b32 %fzr<8>; "
         ".reg .b64 %fzd<8>;";
}

StringRef fuzzing::getRegisterMark() { return "%fzr<"; }

static std::string makeNumber(Random &random) {
  static constexpr StringLiteral numbers[] = {"0",
                                              "1",
                                              "-1",
                                              "2",
                                              "3",
                                              "4",
                                              "7",
                                              "8",
                                              "15",
                                              "16",
                                              "31",
                                              "32",
                                              "63",
                                              "64",
                                              "127",
                                              "128",
                                              "255",
                                              "256",
                                              "-128",
                                              "32767",
                                              "65535",
                                              "65536",
                                              "2147483647",
                                              "-2147483648",
                                              "4294967295",
                                              "4294967296",
                                              "9223372036854775807",
                                              "-9223372036854775808",
                                              "18446744073709551615",
                                              "0x7fffffff",
                                              "0xFFFFFFFFU",
                                              "0b101",
                                              "017",
                                              "WARP_SZ",
                                              "(1+2)*3",
                                              "1<<31",
                                              "0f3F800000",
                                              "0f7FC00000",
                                              "0d3FF0000000000000",
                                              "1.5",
                                              "1e10"};
  return random.pick<StringLiteral>(numbers).str();
}

namespace {

/// One form with its modifiers chosen.
struct Chosen {
  const OpcodeInfo *info;
  const InstForm *form;
  SmallVector<Mod, 16> mods;
  ModMatch match;
};

class Generator {
public:
  Generator(Random &random, ArrayRef<std::string> names)
      : random(random), names(names) {}

  Chosen choose() {
    Chosen chosen;
    do
      chosen.info = &random.pick(getAllOpcodes());
    while (chosen.info->forms.empty());
    chosen.form = &random.pick(chosen.info->forms);
    for (const ModSlot &slot : chosen.form->mods)
      if (!slot.optional || random.oneIn(3))
        chosen.mods.push_back(random.pick(slot.alternatives));
    if (!matchModifiers(*chosen.form, chosen.mods, chosen.match))
      chosen.form = nullptr;
    return chosen;
  }

  static std::string spell(const Chosen &chosen) {
    std::string text = chosen.info->name.str();
    for (Mod mod : chosen.mods)
      text += ("." + stringifyMod(mod)).str();
    return text;
  }

  std::string makeOperands(const Chosen &chosen) {
    std::string text;
    for (const OperandPattern &pattern : chosen.form->operands) {
      if (!isOperandPresent(pattern, chosen.match) ||
          (pattern.optional && random.oneIn(2)))
        continue;
      text += text.empty() ? " " : ", ";
      text += makeOperand(chosen, pattern);
    }
    return text;
  }

private:
  std::string makeRegister(std::optional<DataType> type) {
    unsigned width = type ? type->width : 32;
    StringRef prefix = !type                               ? "%fzr"
                       : type->kind == TypeKind::Predicate ? "%fzp"
                       : width <= 16                       ? "%fzh"
                       : width <= 32                       ? "%fzr"
                       : width <= 64                       ? "%fzd"
                                                           : "%fzq";
    return (prefix + Twine(random.below(4))).str();
  }

  std::string makeName() { return names.empty() ? "_" : random.pick(names); }

  std::string makeImmediate(const OperandPattern &pattern) {
    if (pattern.values.empty() || random.oneIn(16))
      return random.oneIn(2) ? makeNumber(random)
                             : std::to_string(random.below(256));
    const ImmediateRange &range = random.pick(pattern.values);
    // Unsigned, since a range may be all of the 64 bits.
    uint64_t steps = (uint64_t(range.last) - range.first) / range.step;
    uint64_t step = random.next();
    if (steps != UINT64_MAX)
      step %= steps + 1;
    return std::to_string(int64_t(range.first + step * range.step));
  }

  std::string makeValue(const OperandPattern &pattern,
                        std::optional<DataType> type) {
    if (pattern.form == OperandForm::Immediate)
      return makeImmediate(pattern);
    if (pattern.sinkAllowed && random.oneIn(4))
      return "_";
    bool isInput = pattern.dir == OperandDir::In;
    if (isInput && pattern.form == OperandForm::Value && random.oneIn(3)) {
      if (random.oneIn(8))
        return makeName();
      if (random.oneIn(8))
        return "%tid.x";
      if (type && type->kind == TypeKind::Float && !random.oneIn(8))
        return type->width == 64 ? "0d4000000000000000" : "0f40000000";
      return makeImmediate(pattern);
    }
    std::string text;
    if (isInput && type && type->kind == TypeKind::Predicate && random.oneIn(4))
      text = "!";
    return text + makeRegister(type);
  }

  std::string makeVector(const OperandPattern &pattern,
                         std::optional<DataType> type, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i)
      text += (i ? ", " : "") + makeValue(pattern, type);
    return text + "}";
  }

  std::string makeAddress() {
    std::string text = "[";
    text += random.oneIn(4)
                ? makeName()
                : makeRegister(DataType{TypeKind::Bits, 64, false, false});
    if (random.oneIn(2))
      text += "+" + std::to_string(random.below(512));
    return text;
  }

  std::string makeOperand(const Chosen &chosen, const OperandPattern &pattern) {
    std::optional<DataType> type =
        getOperandType(pattern, chosen.match, chosen.mods);
    unsigned count = getOperandCount(pattern, chosen.match, chosen.mods);
    switch (pattern.form) {
    case OperandForm::Address:
      return makeAddress() + "]";
    case OperandForm::TensorAddress:
      return makeAddress() + ", " + makeVector(pattern, type, count) + "]";
    case OperandForm::Label:
    case OperandForm::Callee:
    case OperandForm::Symbol:
      return makeName();
    case OperandForm::Sink:
      return "_";
    case OperandForm::ArgumentList: {
      std::string text = "(";
      for (size_t i = 0, e = random.below(3); i < e; ++i)
        text += (i ? ", " : "") +
                (random.oneIn(2) ? makeName() : makeRegister(std::nullopt));
      return text + ")";
    }
    case OperandForm::Value:
    case OperandForm::Register:
    case OperandForm::Immediate:
      break;
    }
    if (count)
      return makeVector(pattern, type, count);
    std::string text = makeValue(pattern, type);
    if (pattern.optionalPredicatePair && random.oneIn(2))
      text += "|%fzp" + std::to_string(random.below(4));
    return text;
  }

  Random &random;
  ArrayRef<std::string> names;
};

} // namespace

std::string fuzzing::generateInstruction(Random &random,
                                         ArrayRef<std::string> names) {
  Generator generator(random, names);
  Chosen chosen = generator.choose();
  std::string text;
  if (random.oneIn(5))
    text = std::string(random.oneIn(2) ? "@" : "@!") + "%fzp" +
           std::to_string(random.below(4)) + " ";
  text += Generator::spell(chosen);
  if (chosen.form)
    text += generator.makeOperands(chosen);
  return text + ";";
}

std::string fuzzing::generateMnemonic(Random &random) {
  return Generator::spell(Generator(random, {}).choose());
}

std::string fuzzing::generateToken(Random &random) {
  static constexpr StringLiteral tokens[] = {".reg",
                                             ".global",
                                             ".shared",
                                             ".const",
                                             ".local",
                                             ".param",
                                             ".tex",
                                             ".extern",
                                             ".visible",
                                             ".weak",
                                             ".common",
                                             ".entry",
                                             ".func",
                                             ".align",
                                             ".ptr",
                                             ".v2",
                                             ".v4",
                                             ".v8",
                                             ".pred",
                                             ".texref",
                                             ".f16x2",
                                             ".b128",
                                             ".file",
                                             ".loc",
                                             ".section",
                                             ".alias",
                                             ".pragma",
                                             ".noreturn",
                                             ".maxntid",
                                             ".reqntid",
                                             ".maxnreg",
                                             ".unified",
                                             ".managed",
                                             ".attribute",
                                             ".branchtargets",
                                             ".callprototype",
                                             ".calltargets",
                                             "generic",
                                             "%tid.x",
                                             "%laneid",
                                             "%clock64",
                                             "%v.x",
                                             "_",
                                             "{",
                                             "}",
                                             "(",
                                             ")",
                                             "[",
                                             "]",
                                             "<",
                                             ">",
                                             ",",
                                             ";",
                                             ":",
                                             "@",
                                             "!",
                                             "|",
                                             "+",
                                             "-",
                                             "=",
                                             "?",
                                             "\"",
                                             "//",
                                             "/*",
                                             "*/",
                                             "// begin inline asm",
                                             "// end inline asm",
                                             "function_name",
                                             "inlined_at"};
  switch (random.below(3)) {
  case 0: {
    Chosen chosen = Generator(random, {}).choose();
    if (!chosen.mods.empty())
      return ("." + stringifyMod(random.pick<Mod>(chosen.mods))).str();
    return chosen.info->name.str();
  }
  case 1:
    return makeNumber(random);
  default:
    return random.pick<StringLiteral>(tokens).str();
  }
}
