//===- ArithmeticCases.cpp - A kernel for each instruction ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is special about an instruction stands here: operands for which the ISA
// leaves the result open are left out or get cases of their own, and the
// approximate functions have the bounds of docs/Emulator.md, which are the sum
// of what the emulator and the ISA's device may be wrong.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "ThreadKernel.h"
#include "ptxbench/ISA/Combinations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <map>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

static constexpr TargetArch target{90, 'a'};
static constexpr PTXVersion version = 90;

/// Whether one of the modifiers is a type of floating-point numbers.
static bool isOnFloats(ArrayRef<std::string> mods) {
  return any_of(mods, [](StringRef mod) {
    return mod.starts_with("f16") || mod.starts_with("bf16") || mod == "f32" ||
           mod == "f64";
  });
}

namespace {
/// One instruction, as the table has it.
struct Instruction {
  const OpcodeInfo *info;
  std::string mnemonic;
  std::vector<std::string> mods;
  /// Operands in their order; immediates have no kind.
  struct Operand {
    bool isOutput = false, isImmediate = false, isPair = false;
    Kind kind{Kind::Integer, 32};
  };
  std::vector<Operand> operands;

  bool has(StringRef mod) const { return is_contained(mods, mod); }
  bool hasType(StringRef prefix) const {
    return any_of(mods, [&](StringRef mod) { return mod.starts_with(prefix); });
  }
};
} // namespace

/// What has no meaning in the ISA, though ptxas takes it.
static bool isMeaningless(const Instruction &inst) {
  if (inst.info->name == "testp")
    return inst.mods.size() == 1;
  return inst.info->name == "fma" && inst.hasType("bf16") && !inst.has("rn");
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// The bounds of docs/Emulator.md; Format::Bits where the result is exact.
static Tolerance toleranceOf(const Instruction &inst) {
  Tolerance none;
  bool isFull = inst.has("full");
  if (!inst.has("approx") && !isFull)
    return none;
  StringRef name = inst.info->name;
  Tolerance bound;
  bound.format = inst.hasType("bf16")  ? Format::BF16
                 : inst.hasType("f16") ? Format::F16
                 : inst.has("f64")     ? Format::F64
                                       : Format::F32;
  if (bound.format == Format::F64) {
    // 20 fraction bits on both sides; of rsqrt without .ftz nearly all.
    bound.relative = inst.has("ftz") ? std::exp2(-18.0) : std::exp2(-51.0);
    return bound;
  }
  if (name == "rcp")
    bound.ulps = 2;
  else if (name == "div")
    bound.ulps = 4;
  else if (name == "sqrt" || name == "rsqrt")
    bound.relative = std::exp2(name == "sqrt" ? -22.4 : -22.3);
  else if (name == "sin" || name == "cos")
    bound.absolute = std::exp2(-19.5);
  else if (name == "lg2")
    bound.relative = bound.absolute = std::exp2(-21.7);
  if (name == "ex2") {
    double device = bound.format == Format::F32   ? -22.5
                    : bound.format == Format::F16 ? -9.9
                                                  : -7.0;
    double here = bound.format == Format::F32   ? -24.0
                  : bound.format == Format::F16 ? -11.0
                                                : -8.0;
    bound.relative = std::exp2(device) + std::exp2(here);
    // Subnormal results.
    bound.ulps = 2;
  }
  if (name == "tanh") {
    double device = bound.format == Format::BF16 ? -8.0 : -10.98;
    double here = bound.format == Format::F32   ? -24.0
                  : bound.format == Format::F16 ? -11.0
                                                : -8.0;
    bound.relative = std::exp2(device) + std::exp2(here);
  }
  return bound;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool isNaN(const Kind &kind, uint64_t bits) {
  switch (kind.base) {
  case Kind::F64:
    return (bits << 1) > 0xffe0000000000000;
  case Kind::F32:
    return (bits & 0x7fffffff) > 0x7f800000;
  default:
    return false;
  }
}

/// Sines are asked for where the ISA bounds their errors.
static uint64_t limitAngle(uint64_t bits, double limit, Random &random) {
  float value = bit_cast<float>(uint32_t(bits));
  if (!std::isfinite(value) || std::fabs(value) <= limit)
    return bits;
  double part = double(int64_t(random.next() >> 11)) / 9007199254740992.0;
  return bitsOf(Kind::F32, (2 * part - 1) * limit);
}

/// c close to -(a * b): a sum of which little is left.
static void cancel(const Kind &kind, MutableArrayRef<uint64_t> values,
                   Random &random) {
  if (kind.base == Kind::F32) {
    float a = bit_cast<float>(uint32_t(values[0]));
    float b = bit_cast<float>(uint32_t(values[1]));
    auto c = bit_cast<uint32_t>(-(a * b));
    values[2] = uint32_t(c + random.below(5) - 2);
  } else if (kind.base == Kind::F64) {
    double a = bit_cast<double>(values[0]), b = bit_cast<double>(values[1]);
    values[2] = bit_cast<uint64_t>(-(a * b)) + random.below(5) - 2;
  }
}

/// What the ISA leaves open is taken out of the operands.
static void restrict(const Instruction &inst, ArrayRef<Kind> kinds,
                     MutableArrayRef<uint64_t> values, double angle,
                     Random &random) {
  StringRef name = inst.info->name;
  if ((name == "fma" || name == "mad") && values.size() == 3 && random.oneIn(8))
    cancel(kinds[2], values, random);
  if ((name == "div" || name == "rem") && kinds[1].base == Kind::Integer) {
    uint64_t mask =
        kinds[1].bits == 64 ? ~uint64_t(0) : (uint64_t(1) << kinds[1].bits) - 1;
    if (!(values[1] & mask))
      values[1] = 1 + random.below(9);
  }
  if (name == "sin" || name == "cos")
    values[0] = limitAngle(values[0], angle, random);
  if (name == "fns") {
    values[1] %= 32;
    if (random.oneIn(2))
      values[2] = uint32_t(random.below(67) - 33);
  }
  // Of several NaNs of 64 bits it is open whose payload is kept.
  bool seen = false;
  for (auto [kind, value] : zip(kinds, values)) {
    if (kind.base != Kind::F64 || !isNaN(kind, value))
      continue;
    if (seen)
      value = bitsOf(Kind::F64, 1.5);
    seen = true;
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Sets the carry before an instruction that reads it, and stores it after one
/// that writes it.
static void addCarry(const Instruction &inst, ThreadKernel &kernel) {
  StringRef name = inst.info->name;
  bool isSubtraction = name.starts_with("sub");
  bool reads = name.starts_with("addc") || name.starts_with("subc") ||
               name.starts_with("madc");
  if (reads) {
    Kind word{Kind::Integer, 32};
    kernel.inputs.push_back({word, "%r10"});
    kernel.inputs.push_back({word, "%r11"});
    kernel.body = std::string(isSubtraction ? "  sub" : "  add") +
                  ".cc.u32 %r9, %r10, %r11;\n" + kernel.body;
  }
  if (inst.mnemonic.find(".cc") != std::string::npos) {
    kernel.body +=
        std::string(isSubtraction ? "  subc" : "  addc") + ".u32 %r8, 0, 0;\n";
    kernel.outputs.push_back({{Kind::Integer, 32}, "%r8"});
  }
}

/// The kernel of instructions on the same operands, with that text for
/// immediates.
static ThreadKernel makeKernel(ArrayRef<Instruction> group,
                               const std::string &immediate) {
  ThreadKernel kernel;
  unsigned number = 0;
  for (const Instruction &inst : group) {
    std::string operands;
    size_t input = 0;
    for (const Instruction::Operand &operand : inst.operands) {
      if (!operands.empty())
        operands += ", ";
      if (operand.isImmediate) {
        operands += immediate;
        continue;
      }
      if (operand.isOutput) {
        kernel.outputs.push_back(
            {operand.kind, registerOf(operand.kind, number++)});
        operands += kernel.outputs.back().name;
      } else {
        if (input == kernel.inputs.size())
          kernel.inputs.push_back(
              {operand.kind, registerOf(operand.kind, number++)});
        operands += kernel.inputs[input++].name;
      }
      if (operand.isPair) {
        Kind predicate{Kind::Predicate, 1};
        kernel.outputs.push_back({predicate, registerOf(predicate, number++)});
        operands += "|" + kernel.outputs.back().name;
      }
    }
    kernel.body += "  " + inst.mnemonic + " " + operands + ";\n";
  }
  return kernel;
}

static std::string familyOf(const Instruction &inst) {
  StringRef name = inst.info->name;
  if (name == "cvt" || name == "cvt.pack")
    return "convert";
  if (inst.info->section == "Comparison and Selection Instructions")
    return "compare";
  if (inst.has("approx") || inst.has("full"))
    return "approx";
  return isOnFloats(inst.mods) ? "float" : "integer";
}

static std::vector<Kind> kindsOf(const ThreadKernel &kernel) {
  std::vector<Kind> kinds;
  for (const ThreadOperand &input : kernel.inputs)
    kinds.push_back(input.kind);
  return kinds;
}

/// Adds a case with operands from the usual source.
static void addUsual(std::vector<Case> &cases, const Instruction &inst,
                     ThreadKernel kernel, double angle) {
  std::vector<Kind> kinds = kindsOf(kernel);
  bool isExact = kernel.tolerance.format == Format::Bits;
  bool isSmall = kinds[0].bits == 16 && kinds[0].base >= Kind::Code;
  bool isExhaustive = isExact && kinds.size() == 1 && isSmall;
  kernel.threads = isExhaustive                 ? 65536
                   : !isExact                   ? 512
                   : kernel.family == "convert" ? 4096
                   : kinds.size() > 1           ? 2048
                                                : 1024;
  Random random(kernel.name);
  OperandSource source(kinds, random);
  cases.push_back(kernel.make([&](size_t index,
                                  MutableArrayRef<uint64_t> values) {
    if (isExhaustive) {
      values[0] = kinds[0].lanes == 2 ? index | (index ^ 0xffff) << 16 : index;
      return;
    }
    source.fill(index, kernel.threads, values);
    restrict(inst, kinds, values, angle, random);
  }));
}

/// Products just below the least normal number: whether .ftz looks at them
/// before or after they are rounded.
static void addTiny(std::vector<Case> &cases, const Instruction &inst,
                    ThreadKernel kernel) {
  StringRef name = inst.info->name;
  std::vector<Kind> kinds = kindsOf(kernel);
  bool isProduct = name == "mul" || name == "fma" || name == "mad";
  if (!inst.has("ftz") || (!isProduct && name != "div") ||
      kernel.tolerance.format != Format::Bits ||
      (kinds[0].base != Kind::F32 && kinds[0].base != Kind::F16))
    return;
  bool isSingle = kinds[0].base == Kind::F32;
  int fraction = isSingle ? 23 : 10, bias = isSingle ? 127 : 15;
  kernel.name += "-tiny";
  kernel.threads = 512;
  Random random(kernel.name);
  // A number of the format, of any sign.
  auto make = [&](int exponent, uint64_t bits) {
    return uint64_t(exponent + bias) << fraction | bits |
           random.below(2) << (isSingle ? 31 : 15);
  };
  cases.push_back(kernel.make([&](size_t, MutableArrayRef<uint64_t> values) {
    llvm::fill(values, 0);
    for (unsigned lane = 0; lane < kinds[0].lanes; ++lane) {
      uint64_t ones = (uint64_t(1) << fraction) - 1;
      uint64_t nearlyTwo = ones - random.below(4);
      uint64_t element[3];
      int part = int(random.below(unsigned(bias) - 1));
      if (name == "div") {
        // Nearly twice the least normal number, halved.
        element[0] = make(1 - bias, nearlyTwo);
        element[1] = make(1, 0);
      } else if (kinds.size() == 3 && random.oneIn(2)) {
        // The least normal number less half a unit.
        int half = (bias + fraction) / 2;
        element[0] = make(-half, 0);
        element[1] = make(half - bias - fraction, 0);
        element[2] = make(1 - bias, 0);
      } else if (random.oneIn(2)) {
        // (1 - m)(1 + m) times the least normal number, closer to it than a
        // unit, on both sides of the middle.
        uint64_t m = 1 + random.below(isSingle ? 2900 : 32);
        element[0] = make(-1 - part, ones + 1 - 2 * m);
        element[1] = make(1 - bias + part, m);
        element[2] = 0;
      } else {
        element[0] = make(-1 - part, nearlyTwo);
        element[1] = make(1 - bias + part, 0);
        element[2] = 0;
      }
      for (size_t k = 0; k < kinds.size(); ++k)
        values[k] |= element[k] << (lane * kinds[0].bits);
    }
  }));
}

/// Which payload is kept of two NaNs, and which of a NaN and an operation that
/// has no result.
static void addNaNs(std::vector<Case> &cases, const Instruction &inst,
                    ThreadKernel kernel) {
  std::vector<Kind> kinds = kindsOf(kernel);
  if (inst.info->section == "Comparison and Selection Instructions" ||
      kernel.tolerance.format != Format::Bits || kinds.size() < 2 ||
      kinds[0].base != Kind::F64)
    return;
  kernel.name += "-nans";
  kernel.threads = 256;
  Random random(kernel.name);
  cases.push_back(kernel.make([&](size_t, MutableArrayRef<uint64_t> values) {
    for (uint64_t &value : values) {
      static constexpr double numbers[] = {0.0, HUGE_VAL, -HUGE_VAL, 1.0};
      value = random.oneIn(4) ? bitsOf(Kind::F64, numbers[random.below(4)])
                              : random.next() | uint64_t(0x7ff0000000000001);
    }
  }));
}

/// Which codes of a factor .oob takes for out of bounds: all are tried.
static void addOutOfBounds(std::vector<Case> &cases, const Instruction &inst,
                           ThreadKernel kernel) {
  if (!inst.has("oob"))
    return;
  std::vector<Kind> kinds = kindsOf(kernel);
  uint64_t one = kinds[0].base == Kind::F16 ? 0x3c00 : 0x3f80;
  uint64_t both = kinds[0].lanes == 2 ? 0x10001 : 1;
  for (unsigned factor = 0; factor < 2; ++factor) {
    ThreadKernel swept = kernel;
    swept.name += factor ? "-second" : "-first";
    swept.threads = 65536;
    cases.push_back(
        swept.make([&](size_t index, MutableArrayRef<uint64_t> values) {
          values[0] = values[1] = values[2] = one * both;
          values[factor] =
              kinds[0].lanes == 2 ? index | (index ^ 0xffff) << 16 : index;
        }));
  }
}

/// What a quotient by zero is.
static void addZeroDivisors(std::vector<Case> &cases, const Instruction &inst,
                            ThreadKernel kernel) {
  std::vector<Kind> kinds = kindsOf(kernel);
  StringRef name = inst.info->name;
  if ((name != "div" && name != "rem") || kinds[1].base != Kind::Integer)
    return;
  kernel.name += "-zero";
  kernel.threads = 256;
  Random random(kernel.name);
  OperandSource source(kinds, random);
  cases.push_back(
      kernel.make([&](size_t index, MutableArrayRef<uint64_t> values) {
        source.fill(index, kernel.threads, values);
        values[1] = 0;
      }));
}

/// Adds the cases of a group of instructions, which is one but for comparisons.
static void addGroup(std::vector<Case> &cases, const std::string &name,
                     ArrayRef<Instruction> group) {
  const Instruction &inst = group.front();
  bool hasImmediate = any_of(
      inst.operands, [](const auto &operand) { return operand.isImmediate; });
  // Tables of lop3: constants, single operands, the usual ones, any.
  static constexpr unsigned tables[] = {0x00, 0x96, 0xe8, 0xca,
                                        0x1b, 0xf0, 0x80, 0x6d};
  for (unsigned i = 0; i < (hasImmediate ? std::size(tables) : 1); ++i) {
    ThreadKernel kernel = makeKernel(group, std::to_string(tables[i]));
    kernel.name = name;
    if (hasImmediate)
      kernel.name += "-" + utohexstr(tables[i], /*LowerCase=*/true);
    if (inst.info->section ==
        "Extended-Precision Integer Arithmetic Instructions")
      addCarry(inst, kernel);
    kernel.family = familyOf(inst);
    kernel.tolerance = toleranceOf(inst);
    bool isAngle = inst.info->name == "sin" || inst.info->name == "cos";
    addUsual(cases, inst, kernel, 6.283185);
    addTiny(cases, inst, kernel);
    addNaNs(cases, inst, kernel);
    addOutOfBounds(cases, inst, kernel);
    addZeroDivisors(cases, inst, kernel);
    if (isAngle) {
      kernel.name += "-wide";
      kernel.tolerance.absolute = std::exp2(-13.7);
      addUsual(cases, inst, kernel, 314.1592);
    }
  }
}

/// Adds a kernel for each instruction of the opcodes that `isWanted`, with the
/// spellings of its modifiers.
static void addArithmeticCases(
    std::vector<Case> &cases,
    function_ref<bool(const OpcodeInfo &, ArrayRef<std::string>)> isWanted) {
  StringSet<> known;
  std::map<std::string, size_t> groupOf;
  std::vector<std::pair<std::string, std::vector<Instruction>>> groups;
  for (const OpcodeInfo &info : getAllOpcodes())
    for (const InstForm &form : info.forms)
      forEachModifierList(form, target, version, [&](ArrayRef<Mod> mods) {
        Instruction inst;
        inst.info = &info;
        for (Mod mod : mods)
          inst.mods.push_back(stringifyMod(mod).str());
        if (!isWanted(info, inst.mods))
          return;
        inst.mnemonic = mnemonicOf(info, mods);
        // Forms overlap where they differ in what they need only.
        if (isMeaningless(inst) || !known.insert(inst.mnemonic).second)
          return;
        ModMatch match;
        if (!matchModifiers(form, mods, match))
          return;
        for (const OperandPattern &pattern : form.operands) {
          Instruction::Operand operand;
          operand.isOutput = pattern.dir != OperandDir::In;
          operand.isImmediate = pattern.form == OperandForm::Immediate;
          operand.isPair = pattern.optionalPredicatePair;
          std::optional<Mod> mod = pattern.typeSlot < 0
                                       ? std::nullopt
                                       : match.get(mods, pattern.typeSlot);
          operand.kind = kindOfType(mod ? stringifyMod(*mod).str()
                                        : stringifyDataType(pattern.type));
          inst.operands.push_back(operand);
        }
        // All comparisons of the same things are one case.
        std::string name = inst.mnemonic;
        if (info.name == "set" || info.name == "setp")
          name = info.name.str() +
                 name.substr(name.find('.', info.name.size() + 1));
        auto [place, isNew] = groupOf.try_emplace(name, groups.size());
        if (isNew)
          groups.push_back({name, {}});
        groups[place->second].second.push_back(inst);
      });
  for (const auto &group : groups)
    addGroup(cases, group.first, group.second);
}

void differential::addIntegerCases(std::vector<Case> &cases) {
  addArithmeticCases(
      cases, [](const OpcodeInfo &info, ArrayRef<std::string> mods) {
        return !isOnFloats(mods) && (isArithmetic(info) || info.name == "prmt");
      });
}

void differential::addFloatCases(std::vector<Case> &cases) {
  addArithmeticCases(cases,
                     [](const OpcodeInfo &info, ArrayRef<std::string> mods) {
                       return isOnFloats(mods) && isArithmetic(info);
                     });
}

void differential::addConvertCases(std::vector<Case> &cases) {
  addArithmeticCases(cases, [](const OpcodeInfo &info, ArrayRef<std::string>) {
    return info.name == "cvt" || info.name == "cvt.pack";
  });
}
