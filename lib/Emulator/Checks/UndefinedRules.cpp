//===- UndefinedRules.cpp - Undefined bits of computations ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the undefined bits of one lane's sources to those of its results. As a
// rule one undefined bit makes the whole result undefined; more is said where
// compilers rely on it: bits that are masked out or moved, sums that are right
// in their low bits, comparisons that the defined bits decide.
//
//===----------------------------------------------------------------------===//

#include "UndefinedStep.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

static constexpr uint64_t allBits = ~uint64_t(0);

static uint64_t lowBits(unsigned count) {
  return count >= 64 ? allBits : (uint64_t(1) << count) - 1;
}

static uint64_t unionOf(const UndefinedStep &step, const StepLane &lane) {
  uint64_t undefined = 0;
  for (unsigned i = 0; i < step.sources.size(); ++i)
    undefined |= lane.undefined[i];
  return undefined;
}

/// All bits from the lowest that is set on.
static uint64_t upwards(uint64_t bits) { return bits | -bits; }

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static uint64_t anyRule(const UndefinedStep &step, const StepLane &lane,
                        unsigned) {
  return unionOf(step, lane) ? allBits : 0;
}

/// Pairs: each part for itself.
static uint64_t partsRule(const UndefinedStep &step, const StepLane &lane,
                          unsigned) {
  uint64_t undefined = unionOf(step, lane), result = 0;
  for (unsigned at = 0; at < 64; at += step.part) {
    uint64_t part = lowBits(step.part) << at;
    if (undefined & part)
      result |= part;
  }
  return result;
}

/// Sums are right below the lowest undefined bit.
static uint64_t sumRule(const UndefinedStep &step, const StepLane &lane,
                        unsigned) {
  return upwards(unionOf(step, lane));
}

/// Of two undefined values one may be a part of the other, as in a scan that
/// takes its input off an inclusive sum: their difference counts as defined.
static uint64_t differenceRule(const UndefinedStep &step, const StepLane &lane,
                               unsigned result) {
  if (lane.undefined[0] && lane.undefined[1])
    return 0;
  return sumRule(step, lane, result);
}

static uint64_t productOf(const StepLane &lane) {
  const uint64_t *v = lane.value, *u = lane.undefined;
  if (u[0] && u[1])
    return upwards(u[0] | u[1]);
  uint64_t factor = u[0] ? v[1] : v[0], undefined = u[0] | u[1];
  return factor ? upwards(undefined << countr_zero(factor)) : 0;
}
static uint64_t productRule(const UndefinedStep &, const StepLane &lane,
                            unsigned) {
  return productOf(lane);
}
static uint64_t productSumRule(const UndefinedStep &, const StepLane &lane,
                               unsigned) {
  return upwards(productOf(lane) | lane.undefined[2]);
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

/// A bit is defined if it is the same for all values of the undefined ones.
/// Sources in one register have one value.
template <class F>
static uint64_t varying(const UndefinedStep &step, const StepLane &lane,
                        unsigned count, F f, uint64_t &sometimes,
                        uint64_t &always) {
  unsigned variable[StepLane::maxSources];
  for (unsigned i = 0; i < count; ++i) {
    variable[i] = i;
    for (unsigned j = 0; j < i; ++j)
      if (step.sources[i].slot == step.sources[j].slot &&
          step.sources[i].negated == step.sources[j].negated)
        variable[i] = variable[j];
  }
  sometimes = 0;
  always = allBits;
  for (unsigned choice = 0; choice < 1u << count; ++choice) {
    uint64_t values[StepLane::maxSources];
    for (unsigned i = 0; i < count; ++i)
      values[i] = choice >> variable[i] & 1
                      ? lane.value[i] | lane.undefined[i]
                      : lane.value[i] & ~lane.undefined[i];
    uint64_t result = f(values);
    sometimes |= result;
    always &= result;
  }
  return sometimes & ~always;
}

enum LogicOp : uint8_t { And, Or, Xor };

static uint64_t logicRule(const UndefinedStep &step, const StepLane &lane,
                          unsigned) {
  uint64_t sometimes, always;
  return varying(
      step, lane, 2,
      [&](const uint64_t *v) {
        return step.table == And  ? v[0] & v[1]
               : step.table == Or ? v[0] | v[1]
                                  : v[0] ^ v[1];
      },
      sometimes, always);
}

static uint64_t copyRule(const UndefinedStep &, const StepLane &lane,
                         unsigned) {
  return lane.undefined[0];
}

/// The undefined bit of `p .and|.or|.xor c`.
static uint64_t combine(Mod combination, uint64_t p, uint64_t pUndefined,
                        uint64_t c, uint64_t cUndefined) {
  if (combination == Mod::xor_)
    return pUndefined | cUndefined;
  uint64_t decides = combination == Mod::and_ ? 0 : 1;
  if ((!pUndefined && p == decides) || (!cUndefined && c == decides))
    return 0;
  return pUndefined | cUndefined;
}

/// Sources: a, b, c, and q of the second result.
static uint64_t lop3Rule(const UndefinedStep &step, const StepLane &lane,
                         unsigned result) {
  uint64_t sometimes, always;
  uint64_t undefined = varying(
      step, lane, 3,
      [&](const uint64_t *v) {
        uint64_t bits = 0;
        for (unsigned row = 0; row < 8; ++row)
          if (step.table >> row & 1)
            bits |= (row & 4 ? v[0] : ~v[0]) & (row & 2 ? v[1] : ~v[1]) &
                    (row & 1 ? v[2] : ~v[2]);
        return bits & lowBits(32);
      },
      sometimes, always);
  if (result == 0)
    return undefined;
  bool isUndefined = undefined && !always;
  return combine(step.combination, sometimes != 0, isUndefined, lane.value[3],
                 lane.undefined[3]);
}

//===----------------------------------------------------------------------===//
// Moving bits
//===----------------------------------------------------------------------===//

static uint64_t signExtend(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : uint64_t(SignExtend64(bits, width));
}

static uint64_t shiftLeftRule(const UndefinedStep &step, const StepLane &lane,
                              unsigned) {
  if (lane.undefined[1])
    return allBits;
  uint64_t count = lane.value[1];
  return count >= step.type.width ? 0 : lane.undefined[0] << count;
}
static uint64_t shiftRightRule(const UndefinedStep &step, const StepLane &lane,
                               unsigned) {
  if (lane.undefined[1])
    return allBits;
  unsigned width = step.type.width;
  uint64_t count = std::min<uint64_t>(lane.value[1], width);
  if (step.type.kind == TypeKind::Signed)
    return uint64_t(int64_t(signExtend(lane.undefined[0], width)) >>
                    std::min<uint64_t>(count, 63));
  return count >= width ? 0 : lane.undefined[0] >> count;
}

/// Sources: the low word, the high word, the count. flag: `.l`; table: whether
/// it wraps.
static uint64_t funnelRule(const UndefinedStep &step, const StepLane &lane,
                           unsigned) {
  if (lane.undefined[2])
    return allBits;
  uint64_t bits = lane.undefined[1] << 32 | lane.undefined[0];
  uint64_t count =
      step.table ? lane.value[2] & 31 : std::min<uint64_t>(lane.value[2], 32);
  return step.flag ? bits << count >> 32 : bits >> count;
}

static uint64_t extractRule(const UndefinedStep &step, const StepLane &lane,
                            unsigned) {
  if ((lane.undefined[1] | lane.undefined[2]) & 0xff)
    return allBits;
  unsigned position = lane.value[1] & 0xff, length = lane.value[2] & 0xff;
  unsigned width = step.type.width;
  uint64_t result =
      position >= width ? 0 : lane.undefined[0] >> position & lowBits(length);
  if (step.type.kind != TypeKind::Signed || !length)
    return result;
  unsigned sign = std::min(position + length, width) - 1;
  if (lane.undefined[0] >> sign & 1)
    result |= ~lowBits(position >= width ? 0 : sign - position);
  return result;
}
/// Sources: what is inserted, into what, where, how many bits.
static uint64_t insertRule(const UndefinedStep &step, const StepLane &lane,
                           unsigned) {
  if ((lane.undefined[2] | lane.undefined[3]) & 0xff)
    return allBits;
  unsigned position = lane.value[2] & 0xff, length = lane.value[3] & 0xff;
  if (position >= step.type.width)
    return lane.undefined[1];
  uint64_t place = lowBits(length) << position;
  return (lane.undefined[1] & ~place) | (lane.undefined[0] << position & place);
}

static uint64_t reverseRule(const UndefinedStep &step, const StepLane &lane,
                            unsigned) {
  return step.type.width == 64 ? reverseBits<uint64_t>(lane.undefined[0])
                               : reverseBits<uint32_t>(lane.undefined[0]);
}

static uint64_t permuteRule(const UndefinedStep &, const StepLane &lane,
                            unsigned) {
  uint64_t bytes = lane.undefined[1] << 32 | lane.undefined[0], result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned selector = lane.value[2] >> 4 * i & 15;
    uint64_t byte = bytes >> (selector & 7) * 8 & 0xff;
    if (selector & 8)
      byte = byte >> 7 ? 0xff : 0;
    if (lane.undefined[2] >> 4 * i & 15)
      byte = 0xff;
    result |= byte << 8 * i;
  }
  return result;
}

/// One of two values.
static uint64_t choose(const StepLane &lane, std::optional<bool> first) {
  const uint64_t *v = lane.value, *u = lane.undefined;
  if (first)
    return *first ? u[0] : u[1];
  return u[0] | u[1] | (v[0] ^ v[1]);
}
static uint64_t selpRule(const UndefinedStep &, const StepLane &lane,
                         unsigned) {
  if (lane.undefined[2])
    return choose(lane, std::nullopt);
  return choose(lane, lane.value[2] != 0);
}
static uint64_t slctRule(const UndefinedStep &step, const StepLane &lane,
                         unsigned) {
  uint32_t c = lane.value[2], undefined = lane.undefined[2];
  if (step.from.kind != TypeKind::Float)
    return choose(lane, undefined >> 31 ? std::nullopt
                                        : std::optional<bool>(!(c >> 31)));
  if (undefined)
    return choose(lane, std::nullopt);
  bool isNaN = (c & 0x7fffffff) > 0x7f800000;
  bool isNegative = c >> 31 && c != 0x80000000;
  return choose(lane, !isNaN && !isNegative);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Between integers, without saturation.
static uint64_t resizeRule(const UndefinedStep &step, const StepLane &lane,
                           unsigned) {
  uint64_t bits = lane.undefined[0] & lowBits(step.from.width);
  if (step.from.kind == TypeKind::Signed)
    bits = signExtend(bits, step.from.width);
  bits &= lowBits(step.type.width);
  if (step.type.kind == TypeKind::Signed)
    bits = signExtend(bits, step.type.width);
  return bits;
}
/// To or from numbers of which the low bits of a register count.
static uint64_t convertRule(const UndefinedStep &step, const StepLane &lane,
                            unsigned) {
  return lane.undefined[0] & lowBits(step.from.width) ? lowBits(step.type.width)
                                                      : 0;
}
/// Two numbers into one register: the first becomes the upper half.
static uint64_t packRule(const UndefinedStep &step, const StepLane &lane,
                         unsigned) {
  uint64_t half = lowBits(step.type.width / 2);
  return (lane.undefined[0] ? half << step.type.width / 2 : 0) |
         (lane.undefined[1] ? half : 0);
}
/// Pairs to pairs of another width.
static uint64_t pairsRule(const UndefinedStep &step, const StepLane &lane,
                          unsigned) {
  unsigned from = step.from.width / 2, to = step.type.width / 2;
  uint64_t low = lane.undefined[0] & lowBits(from);
  uint64_t high = lane.undefined[0] >> from & lowBits(from);
  return (low ? lowBits(to) : 0) | (high ? lowBits(to) << to : 0);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a comparison.
struct Comparison {
  /// None: it depends on undefined bits.
  std::optional<bool> value;
  bool isUndefined = false;
};
} // namespace

/// Integers: the defined bits may decide.
static Comparison compareIntegers(const UndefinedStep &step,
                                  const StepLane &lane) {
  const uint64_t *v = lane.value, *u = lane.undefined;
  Comparison result;
  auto known = [&](bool value) {
    result.value = value;
    return result;
  };
  auto unknown = [&] {
    result.isUndefined = true;
    return result;
  };
  Mod op = step.comparison;
  if (op == Mod::eq || op == Mod::ne) {
    if ((v[0] ^ v[1]) & ~(u[0] | u[1]))
      return known(op == Mod::ne);
    if (step.sources[0].slot == step.sources[1].slot || !(u[0] | u[1]))
      return known(op == Mod::eq);
    return unknown();
  }
  // Signed numbers in the order of unsigned ones.
  uint64_t flip = step.type.kind == TypeKind::Signed
                      ? uint64_t(1) << (step.type.width - 1)
                      : 0;
  auto least = [&](unsigned i) { return (v[i] ^ flip) & ~u[i]; };
  auto most = [&](unsigned i) { return (v[i] ^ flip) | u[i]; };
  bool isLess =
      op == Mod::lt || op == Mod::lo || op == Mod::ge || op == Mod::hs;
  bool negate =
      op == Mod::ge || op == Mod::hs || op == Mod::le || op == Mod::ls;
  // a < b, or b < a, and the opposites.
  unsigned a = isLess ? 0 : 1, b = 1 - a;
  if (most(a) < least(b))
    return known(!negate);
  if (least(a) >= most(b))
    return known(negate);
  return unknown();
}

/// Sources: a, b, and c of `.and`, `.or`, `.xor`. Of pairs each result is that
/// of a half.
static uint64_t setpRule(const UndefinedStep &step, const StepLane &lane,
                         unsigned result) {
  Comparison comparison;
  if (step.part) {
    uint64_t half = lowBits(step.part) << result * step.part;
    comparison.isUndefined = (lane.undefined[0] | lane.undefined[1]) & half;
  } else if (step.type.kind == TypeKind::Float) {
    comparison.isUndefined = lane.undefined[0] | lane.undefined[1];
  } else {
    comparison = compareIntegers(step, lane);
    if (comparison.value && result == 1)
      comparison.value = !*comparison.value;
  }
  if (step.sources.size() < 3)
    return comparison.isUndefined;
  if (comparison.value || comparison.isUndefined)
    return combine(step.combination, comparison.value.value_or(false),
                   comparison.isUndefined, lane.value[2], lane.undefined[2]);
  // Of numbers nothing is known but that it is defined: c may be decided by it.
  bool cUndefined = lane.undefined[2];
  return cUndefined && step.combination == Mod::xor_;
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static std::optional<StepRow> rowOf(const OperandDesc &operand) {
  if (operand.kind == OperandDesc::Sink)
    return StepRow();
  if (!operand.isRow())
    return std::nullopt;
  return stepRow(operand);
}

/// Takes the first operand for the result, or for two, and the others for the
/// sources; false if one of them is no row.
static bool useOperands(const InstDesc &desc, UndefinedStep &step) {
  auto add = [](SmallVectorImpl<StepRow> &rows, const OperandDesc &operand) {
    std::optional<StepRow> row = rowOf(operand);
    if (row)
      rows.push_back(*row);
    return row.has_value();
  };
  const OperandDesc &result = desc.operands.front();
  if (result.kind == OperandDesc::Pair) {
    for (const OperandDesc &child : result.children)
      if (!add(step.results, child))
        return false;
  } else if (!add(step.results, result)) {
    return false;
  }
  for (const OperandDesc &operand : drop_begin(desc.operands))
    if (!add(step.sources, operand))
      return false;
  return step.results.size() <= 2 &&
         step.sources.size() <= StepLane::maxSources &&
         all_of(step.sources,
                [](const StepRow &row) { return row.bits <= 64; });
}

static bool isInteger(DataType type) {
  return type.kind != TypeKind::Float && type.kind != TypeKind::Predicate &&
         !type.packed;
}

/// Arithmetic of integers that is right in its low bits; null: it is not.
static StepRule lowBitsRule(const InstDesc &desc) {
  if (desc.has(Mod::sat) || desc.has(Mod::hi))
    return nullptr;
  switch (desc.opcode) {
  case Opcode::add:
  case Opcode::neg:
    return sumRule;
  case Opcode::sub:
    return differenceRule;
  case Opcode::mul:
    return productRule;
  case Opcode::mad:
    return productSumRule;
  default:
    return nullptr;
  }
}

static void useArithmetic(const InstDesc &desc, UndefinedStep &step) {
  DataType type = desc.operands.front().type;
  step.type = type;
  step.rule = anyRule;
  if (type.packed) {
    step.part = type.width / 2;
    step.rule = partsRule;
  } else if (isInteger(type)) {
    if (StepRule rule = lowBitsRule(desc))
      step.rule = rule;
  }
}

static bool useConversion(const InstDesc &desc, UndefinedStep &step) {
  std::optional<DataType> to = desc.slotType("d"), from = desc.slotType("s");
  if (!to || !from)
    return false;
  step.type = *to;
  step.from = *from;
  bool integers = isInteger(*to) && isInteger(*from);
  if (step.sources.size() == 2)
    step.rule = to->packed ? packRule : anyRule;
  else if (step.sources.size() != 1)
    step.rule = anyRule;
  else if (to->packed && from->packed)
    step.rule = pairsRule;
  else
    step.rule = integers && !desc.has(Mod::sat) ? resizeRule : convertRule;
  return true;
}

static bool useComparison(const InstDesc &desc, UndefinedStep &step) {
  DataType type = desc.operands[1].type;
  step.type = type;
  if (desc.opcode == Opcode::set) {
    step.rule = anyRule;
    return true;
  }
  step.rule = setpRule;
  step.part = type.packed ? type.width / 2 : 0;
  for (Mod mod : desc.mods) {
    switch (mod) {
    case Mod::eq:
    case Mod::ne:
    case Mod::lt:
    case Mod::le:
    case Mod::gt:
    case Mod::ge:
    case Mod::lo:
    case Mod::ls:
    case Mod::hi:
    case Mod::hs:
      step.comparison = mod;
      break;
    case Mod::and_:
    case Mod::or_:
    case Mod::xor_:
      step.combination = mod;
      break;
    default:
      break;
    }
  }
  return true;
}

static bool useLop3(const InstDesc &desc, UndefinedStep &step) {
  // The table is a constant among the sources.
  unsigned table = 3;
  if (step.sources.size() < 4 || desc.operands.size() < 5)
    return false;
  step.table = desc.operands[table + 1].value;
  step.sources.erase(step.sources.begin() + table);
  step.combination = desc.has(Mod::and_) ? Mod::and_ : Mod::or_;
  step.rule = lop3Rule;
  return true;
}

/// Sources that have been put into `step` for an instruction with one of the
/// rules above.
static bool selectRule(const InstDesc &desc, UndefinedStep &step) {
  step.type = desc.slotType("t").value_or(desc.operands.front().type);
  auto use = [&](StepRule rule, uint8_t table = 0) {
    step.rule = rule;
    step.table = table;
    return true;
  };
  switch (desc.opcode) {
  case Opcode::add:
  case Opcode::sub:
  case Opcode::mul:
  case Opcode::mad:
  case Opcode::fma:
  case Opcode::neg:
  case Opcode::abs:
  case Opcode::min:
  case Opcode::max:
  case Opcode::tanh:
  case Opcode::ex2:
    useArithmetic(desc, step);
    return true;
  case Opcode::div:
  case Opcode::rem:
  case Opcode::mul24:
  case Opcode::mad24:
  case Opcode::sad:
  case Opcode::rcp:
  case Opcode::sqrt:
  case Opcode::rsqrt:
  case Opcode::sin:
  case Opcode::cos:
  case Opcode::lg2:
  case Opcode::testp:
  case Opcode::copysign:
  case Opcode::popc:
  case Opcode::clz:
  case Opcode::bfind:
  case Opcode::bmsk:
  case Opcode::szext:
  case Opcode::fns:
  case Opcode::dp4a:
  case Opcode::dp2a:
  case Opcode::cnot:
  case Opcode::cvt_pack:
  case Opcode::isspacep:
  case Opcode::getctarank:
  case Opcode::mapa:
  case Opcode::mbarrier_pending_count:
    return use(anyRule);
  case Opcode::cvta:
    return use(sumRule);
  case Opcode::and_:
    return use(logicRule, And);
  case Opcode::or_:
    return use(logicRule, Or);
  case Opcode::xor_:
    return use(logicRule, Xor);
  case Opcode::not_:
    return use(copyRule);
  case Opcode::lop3:
    return useLop3(desc, step);
  case Opcode::shl:
    return use(shiftLeftRule);
  case Opcode::shr:
    return use(shiftRightRule);
  case Opcode::shf:
    step.flag = desc.has(Mod::l);
    return use(funnelRule, desc.has(Mod::wrap));
  case Opcode::bfe:
    return use(extractRule);
  case Opcode::bfi:
    return use(insertRule);
  case Opcode::brev:
    return use(reverseRule);
  case Opcode::prmt:
    return use(desc.slot("mode") ? anyRule : permuteRule);
  case Opcode::selp:
    return use(selpRule);
  case Opcode::slct:
    step.from = desc.operands[3].type;
    return use(slctRule);
  case Opcode::setp:
  case Opcode::set:
    return useComparison(desc, step);
  case Opcode::cvt:
    return useConversion(desc, step);
  default:
    return false;
  }
}

bool ptxbench::emulator::useUndefinedRule(const InstDesc &desc,
                                          UndefinedStep &step) {
  if (desc.operands.empty())
    return false;
  UndefinedStep candidate;
  if (!useOperands(desc, candidate) || !selectRule(desc, candidate))
    return false;
  static constexpr StepRule moves[] = {
      logicRule,   lop3Rule,   shiftLeftRule, shiftRightRule, funnelRule,
      extractRule, insertRule, permuteRule,   selpRule,       resizeRule};
  candidate.moves = is_contained(moves, candidate.rule);
  candidate.uses = std::move(step.uses);
  step = std::move(candidate);
  return true;
}
