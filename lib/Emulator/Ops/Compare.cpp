//===- Compare.cpp - Comparison and selection -----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Comparison and Selection Instructions", "Half Precision Comparison
// Instructions".
//
// A test compares two rows and gives a mask. There are few of them: `gt` is
// `lt` of exchanged operands, `ge` of integers the opposite of `lt`, and of
// floats each unordered comparison the opposite of an ordered one. What becomes
// of the mask (one or two predicates, numbers, combined with a predicate) is
// the same for all.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/Half.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "Select.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// The lanes for which a comparison of two rows holds.
using LaneTest = LaneMask (*)(const void *a, const void *b);

namespace {

/// How a number is read from a row.
template <class T> struct Plain {
  using Row = T;
  static PTXBENCH_INLINE T get(T value) { return value; }
};
struct FlushedF32 {
  using Row = float;
  static PTXBENCH_INLINE float get(float value) { return flush<true>(value); }
};
template <class T, bool Ftz> struct Half {
  using Row = uint16_t;
  static PTXBENCH_INLINE float get(uint16_t value) {
    return T::widen(flush16<T, Ftz>(value));
  }
};

enum class Comparison { Equal, OrderedUnequal, Less, LessEqual, Ordered };

template <class Read, Comparison C> struct Compare {
  using Row = typename Read::Row;
  static PTXBENCH_INLINE bool apply(Row x, Row y) {
    auto a = Read::get(x), b = Read::get(y);
    switch (C) {
    case Comparison::Equal:
      return a == b;
    case Comparison::OrderedUnequal:
      return (a < b) | (a > b);
    case Comparison::Less:
      return a < b;
    case Comparison::LessEqual:
      return a <= b;
    case Comparison::Ordered:
      return (a == a) & (b == b);
    }
    return false;
  }
};

} // namespace

template <class Read, Comparison C>
PTXBENCH_VECTOR_CLONES static LaneMask test(const void *a, const void *b) {
  using Row = typename Read::Row;
  return testRows<Compare<Read, C>>(static_cast<const Row *>(a),
                                    static_cast<const Row *>(b));
}

namespace {
/// A comparison as a test, perhaps of exchanged operands, perhaps the opposite.
struct Test {
  LaneTest test = nullptr;
  bool swapped = false, opposite = false;
};
} // namespace

template <class T> static Test integerTest(Mod comparison) {
  using Bits = Plain<std::make_unsigned_t<T>>;
  switch (comparison) {
  case Mod::eq:
    return {test<Bits, Comparison::Equal>, false, false};
  case Mod::ne:
    return {test<Bits, Comparison::Equal>, false, true};
  case Mod::lt:
  case Mod::lo:
    return {test<Plain<T>, Comparison::Less>, false, false};
  case Mod::ge:
  case Mod::hs:
    return {test<Plain<T>, Comparison::Less>, false, true};
  case Mod::gt:
  case Mod::hi:
    return {test<Plain<T>, Comparison::Less>, true, false};
  case Mod::le:
  case Mod::ls:
    return {test<Plain<T>, Comparison::Less>, true, true};
  default:
    return {};
  }
}

template <class Read> static Test floatTest(Mod comparison) {
  switch (comparison) {
  case Mod::eq:
    return {test<Read, Comparison::Equal>, false, false};
  case Mod::neu:
    return {test<Read, Comparison::Equal>, false, true};
  case Mod::ne:
    return {test<Read, Comparison::OrderedUnequal>, false, false};
  case Mod::equ:
    return {test<Read, Comparison::OrderedUnequal>, false, true};
  case Mod::lt:
    return {test<Read, Comparison::Less>, false, false};
  case Mod::geu:
    return {test<Read, Comparison::Less>, false, true};
  case Mod::gt:
    return {test<Read, Comparison::Less>, true, false};
  case Mod::leu:
    return {test<Read, Comparison::Less>, true, true};
  case Mod::le:
    return {test<Read, Comparison::LessEqual>, false, false};
  case Mod::gtu:
    return {test<Read, Comparison::LessEqual>, false, true};
  case Mod::ge:
    return {test<Read, Comparison::LessEqual>, true, false};
  case Mod::ltu:
    return {test<Read, Comparison::LessEqual>, true, true};
  case Mod::num:
    return {test<Read, Comparison::Ordered>, false, false};
  case Mod::nan:
    return {test<Read, Comparison::Ordered>, false, true};
  default:
    return {};
  }
}

static Test selectTest(Mod comparison, Mod type, bool ftz) {
  switch (type) {
  case Mod::b16:
  case Mod::u16:
    return integerTest<uint16_t>(comparison);
  case Mod::b32:
  case Mod::u32:
    return integerTest<uint32_t>(comparison);
  case Mod::b64:
  case Mod::u64:
    return integerTest<uint64_t>(comparison);
  case Mod::s16:
    return integerTest<int16_t>(comparison);
  case Mod::s32:
    return integerTest<int32_t>(comparison);
  case Mod::s64:
    return integerTest<int64_t>(comparison);
  case Mod::f32:
    return ftz ? floatTest<FlushedF32>(comparison)
               : floatTest<Plain<float>>(comparison);
  case Mod::f64:
    return floatTest<Plain<double>>(comparison);
  case Mod::f16:
  case Mod::f16x2:
    return ftz ? floatTest<Half<F16, true>>(comparison)
               : floatTest<Half<F16, false>>(comparison);
  case Mod::bf16:
  case Mod::bf16x2:
    return floatTest<Half<BF16, false>>(comparison);
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// setp and set
//===----------------------------------------------------------------------===//

namespace {

/// Inst::flags.
enum Flag : unsigned { Opposite, Combined, CombinedNegated };
enum BoolOp : uint8_t { NoBoolOp, BoolAnd, BoolOr, BoolXor };

/// Inst::ops: d or the first predicate (it may be missing), the second
/// predicate, a, b, c. Inst::imm is the test.
enum Place : unsigned { Result, Second, A, B, C };

} // namespace

static LaneMask runTest(const Inst &inst, const void *a, const void *b) {
  auto test = reinterpret_cast<LaneTest>(inst.imm);
  LaneMask result = test(a, b);
  return inst.flags[Opposite] ? ~result : result;
}

/// BoolOp(t, c).
static LaneMask combine(Warp &warp, const Inst &inst, LaneMask t) {
  if (inst.flags[Combined] == NoBoolOp)
    return t;
  LaneMask c = predicate(warp, inst.ops[C]);
  if (inst.flags[CombinedNegated])
    c = ~c;
  return inst.flags[Combined] == BoolAnd  ? t & c
         : inst.flags[Combined] == BoolOr ? t | c
                                          : t ^ c;
}

static void setPredicates(Warp &warp, const Inst &inst, LaneMask p, LaneMask q,
                          LaneMask mask) {
  // `c` may be one of the results.
  p = combine(warp, inst, p);
  if (inst.ops[Second] != noSlot) {
    q = combine(warp, inst, q);
    setPredicate(warp, inst.ops[Second], q, mask);
  }
  if (inst.ops[Result] != noSlot)
    setPredicate(warp, inst.ops[Result], p, mask);
}

static void executeSetp(Warp &warp, const Inst &inst, LaneMask mask) {
  LaneMask t = runTest(inst, row(warp, inst.ops[A]), row(warp, inst.ops[B]));
  setPredicates(warp, inst, t, ~t, mask);
}

/// The comparisons of both halves of rows of pairs.
static std::pair<LaneMask, LaneMask> testPairs(Warp &warp, const Inst &inst) {
  alignas(64) uint16_t a[2][warpSize], b[2][warpSize];
  const uint32_t *x = row<uint32_t>(warp, inst.ops[A]);
  const uint32_t *y = row<uint32_t>(warp, inst.ops[B]);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    a[0][lane] = x[lane], a[1][lane] = x[lane] >> 16;
    b[0][lane] = y[lane], b[1][lane] = y[lane] >> 16;
  }
  return {runTest(inst, a[0], b[0]), runTest(inst, a[1], b[1])};
}

static void executeSetpPair(Warp &warp, const Inst &inst, LaneMask mask) {
  auto [low, high] = testPairs(warp, inst);
  setPredicates(warp, inst, low, high, mask);
}

/// imm2: what true is.
template <class T>
static void executeSet(Warp &warp, const Inst &inst, LaneMask mask) {
  LaneMask t = runTest(inst, row(warp, inst.ops[A]), row(warp, inst.ops[B]));
  t = combine(warp, inst, t);
  T *d = row<T>(warp, inst.ops[Result]);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    T value = t >> lane & 1 ? static_cast<T>(inst.imm2) : T(0);
    d[lane] = mask >> lane & 1 ? value : d[lane];
  }
}

/// imm2: what true is in a half.
static void executeSetPair(Warp &warp, const Inst &inst, LaneMask mask) {
  auto [low, high] = testPairs(warp, inst);
  low = combine(warp, inst, low), high = combine(warp, inst, high);
  uint32_t *d = row<uint32_t>(warp, inst.ops[Result]);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    uint32_t value = (low >> lane & 1 ? inst.imm2 : 0) |
                     (high >> lane & 1 ? inst.imm2 << 16 : 0);
    d[lane] = mask >> lane & 1 ? value : d[lane];
  }
}

/// What the result of `set` is where the comparison holds.
static std::optional<uint32_t> trueValue(Mod type, bool isPair) {
  switch (type) {
  case Mod::u16:
  case Mod::s16:
    return 0xffff;
  case Mod::u32:
  case Mod::s32:
    return isPair ? 0xffff : 0xffffffff;
  case Mod::f32:
    return 0x3f800000;
  case Mod::f16:
  case Mod::f16x2:
    return F16::kOne;
  case Mod::bf16:
  case Mod::bf16x2:
    return BF16::kOne;
  default:
    return std::nullopt;
  }
}

static bool useRow(const OperandDesc &operand, unsigned bits, Slot &slot) {
  if (!operand.isRow() || operand.bits != bits || operand.minus)
    return false;
  slot = operand.slot;
  return true;
}

static bool selectComparison(const InstDesc &desc, Inst &inst) {
  std::optional<Mod> comparison = desc.slot("cmp"), type = desc.slot("t");
  std::optional<Mod> op = desc.slot("op");
  if (!comparison || !type || desc.operands.size() != (op ? 4 : 3))
    return false;
  Test test = selectTest(*comparison, *type, desc.has(Mod::ftz));
  unsigned bits = getModType(*type)->width;
  if (!test.test || !useRow(desc.operands[1], bits, inst.ops[A]) ||
      !useRow(desc.operands[2], bits, inst.ops[B]) ||
      (op && !useRow(desc.operands[3], 1, inst.ops[C])))
    return false;
  if (test.swapped)
    std::swap(inst.ops[A], inst.ops[B]);
  inst.imm = reinterpret_cast<uint64_t>(test.test);
  inst.flags[Opposite] = test.opposite;
  inst.flags[Combined] = !op                ? NoBoolOp
                         : *op == Mod::and_ ? BoolAnd
                         : *op == Mod::or_  ? BoolOr
                                            : BoolXor;
  inst.flags[CombinedNegated] = op && desc.operands[3].negated;

  bool isPair = *type == Mod::f16x2 || *type == Mod::bf16x2;
  const OperandDesc &result = desc.operands[0];
  if (desc.opcode == Opcode::set) {
    std::optional<Mod> resultType = desc.slot("d");
    std::optional<uint32_t> value =
        resultType ? trueValue(*resultType, isPair) : std::nullopt;
    if (!value ||
        !useRow(result, getModType(*resultType)->width, inst.ops[Result]))
      return false;
    inst.imm2 = *value;
    inst.handler = isPair              ? executeSetPair
                   : result.bits == 16 ? executeSet<uint16_t>
                                       : executeSet<uint32_t>;
    return true;
  }
  auto usePredicate = [&](const OperandDesc &operand, Place place) {
    return operand.kind == OperandDesc::Sink ||
           useRow(operand, 1, inst.ops[place]);
  };
  if (result.kind == OperandDesc::Pair) {
    if (result.children.size() != 2 ||
        !usePredicate(result.children[0], Result) ||
        !usePredicate(result.children[1], Second))
      return false;
  } else if (!usePredicate(result, Result)) {
    return false;
  }
  inst.handler = isPair ? executeSetpPair : executeSetp;
  return true;
}

//===----------------------------------------------------------------------===//
// selp and slct
//===----------------------------------------------------------------------===//

/// d = lanes of `chosen` from a, others from b.
template <class T>
PTXBENCH_VECTOR_CLONES static void chooseRows(T *d, const T *a, const T *b,
                                              LaneMask chosen, LaneMask mask) {
  PTXBENCH_LANE_LOOP
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    T value = chosen >> lane & 1 ? a[lane] : b[lane];
    d[lane] = mask >> lane & 1 ? value : d[lane];
  }
}

/// ops: d, a, b, c. flags: whether c is negated.
template <class T>
static void executeSelp(Warp &warp, const Inst &inst, LaneMask mask) {
  LaneMask chosen = predicate(warp, inst.ops[3]);
  if (inst.flags[0])
    chosen = ~chosen;
  chooseRows<T>(row<T>(warp, inst.ops[0]), row<T>(warp, inst.ops[1]),
                row<T>(warp, inst.ops[2]), chosen, mask);
}

/// `a` where c >= 0: a subnormal below zero is less unless it is flushed, and a
/// NaN is not.
template <class T>
static void executeSlct(Warp &warp, const Inst &inst, LaneMask mask) {
  alignas(64) static constexpr uint32_t zeros[warpSize] = {};
  auto test = reinterpret_cast<LaneTest>(inst.imm);
  LaneMask chosen = test(zeros, row(warp, inst.ops[3]));
  chooseRows<T>(row<T>(warp, inst.ops[0]), row<T>(warp, inst.ops[1]),
                row<T>(warp, inst.ops[2]), chosen, mask);
}

static bool selectSelection(const InstDesc &desc, Inst &inst) {
  if (!useTypedRows(desc, inst))
    return false;
  unsigned bits = desc.operands[0].bits;
  if (desc.opcode == Opcode::selp) {
    inst.flags[0] = desc.operands[3].negated;
    inst.handler = bits == 16   ? executeSelp<uint16_t>
                   : bits == 32 ? executeSelp<uint32_t>
                   : bits == 64 ? executeSelp<uint64_t>
                                : nullptr;
    return inst.handler;
  }
  LaneTest notNegative = test<Plain<int32_t>, Comparison::LessEqual>;
  if (desc.operands[3].type.kind == TypeKind::Float)
    notNegative = desc.has(Mod::ftz)
                      ? test<FlushedF32, Comparison::LessEqual>
                      : test<Plain<float>, Comparison::LessEqual>;
  inst.imm = reinterpret_cast<uint64_t>(notNegative);
  inst.handler = bits == 16   ? executeSlct<uint16_t>
                 : bits == 32 ? executeSlct<uint32_t>
                 : bits == 64 ? executeSlct<uint64_t>
                              : nullptr;
  return inst.handler;
}

bool ptxbench::emulator::selectCompare(const InstDesc &desc, Inst &inst,
                                       OwnExtra &) {
  switch (desc.opcode) {
  case Opcode::setp:
  case Opcode::set:
    return selectComparison(desc, inst);
  case Opcode::selp:
  case Opcode::slct:
    return selectSelection(desc, inst);
  default:
    return false;
  }
}
