//===- CompletenessTest.cpp - No form of the arithmetic is missing --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes down every combination of modifiers that the records have for sm_90a,
// a kernel each, and launches them all: one that is not executed must be in the
// list of exceptions, and an exception must not be executed.
//
//===----------------------------------------------------------------------===//

#include "../EmulatorTestUtils.h"
#include "ptxbench/ISA/Combinations.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

static constexpr TargetArch target{90, 'a'};
static constexpr PTXVersion version = 90;

/// A register for an operand, the lowest number that is free.
static std::string registerFor(DataType type, unsigned number) {
  const char *prefix = type.width == 1    ? "%p"
                       : type.width <= 16 ? "%h"
                       : type.width == 32 ? "%r"
                                          : "%d";
  return prefix + std::to_string(number);
}

/// The operands of a form.
static std::string operands(const InstForm &form, llvm::ArrayRef<Mod> mods) {
  ModMatch match;
  EXPECT_TRUE(matchModifiers(form, mods, match));
  std::string text;
  unsigned number = 0;
  for (const OperandPattern &operand : form.operands) {
    if (!text.empty())
      text += ", ";
    std::optional<DataType> type = getOperandType(operand, match, mods);
    EXPECT_TRUE(type && operand.count.kind == CountRule::Scalar);
    text += operand.form == OperandForm::Immediate
                ? "3"
                : registerFor(*type, number++);
    if (operand.optionalPredicatePair)
      text += "|%p" + std::to_string(number++);
  }
  return text;
}

/// Instructions of an opcode: the mnemonic and all of the text.
static std::vector<std::pair<std::string, std::string>>
instructionsOf(const OpcodeInfo &info) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const InstForm &form : info.forms)
    forEachModifierList(form, target, version, [&](llvm::ArrayRef<Mod> mods) {
      std::string mnemonic = mnemonicOf(info, mods);
      found.push_back({mnemonic, mnemonic + " " + operands(form, mods)});
    });
  return found;
}

/// What has no meaning in the ISA, though ptxas takes it.
static bool isException(llvm::StringRef mnemonic) {
  if (mnemonic == "testp.f32" || mnemonic == "testp.f64")
    return true;
  return (mnemonic.starts_with("fma.rz.") || mnemonic.starts_with("fma.rm.") ||
          mnemonic.starts_with("fma.rp.")) &&
         mnemonic.contains("bf16");
}

/// Launches all instructions of the opcode; returns how many there are.
static size_t checkOpcode(const OpcodeInfo &info) {
  auto instructions = instructionsOf(info);
  std::string text;
  for (size_t i = 0; i < instructions.size(); ++i)
    text += ".entry k" + std::to_string(i) +
            "() {\n.reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<8>;\n"
            ".reg .b64 %d<8>;\n" +
            instructions[i].second + ";\nret;\n}\n";
  TestMachine machine(text);
  for (size_t i = 0; i < instructions.size(); ++i) {
    machine.kernel = "k" + std::to_string(i);
    LaunchOutcome outcome = machine.launch({1}, {32});
    LaunchStatus expected = isException(instructions[i].first)
                                ? LaunchStatus::Unsupported
                                : LaunchStatus::Completed;
    EXPECT_EQ(outcome.status, expected)
        << instructions[i].second << ": " << outcome.reason;
  }
  return instructions.size();
}

TEST(CompletenessTest, Arithmetic) {
  size_t count = 0;
  for (const OpcodeInfo &info : getAllOpcodes()) {
    if (isArithmetic(info) ||
        (info.name == "prmt" || info.name == "cvt" || info.name == "cvt.pack"))
      count += checkOpcode(info);
  }
  EXPECT_GT(count, 5000u);
}
