//===- InstOpRangesTest.cpp - Ranges against single values ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Soundness of evaluateRange: for random ranges and random values in them, what
// the instruction computes on the values lies in the range computed from the
// ranges. The reference is plain integer arithmetic, written from the ISA.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Dialect/PTX/IR/InstOpRanges.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace ptxbench::ptx;
using Ranges = ConstantIntRanges;

namespace {

struct Sampler {
  std::mt19937_64 engine{20240917};

  uint64_t mask(unsigned width) {
    return width == 64 ? ~0ull : (1ull << width) - 1;
  }
  /// Values at which arithmetic is interesting are likely.
  uint64_t value(unsigned width) {
    static const uint64_t kEdges[] = {0,  1,  2,   31,    32,
                                      63, 64, 255, ~0ull, ~1ull};
    uint64_t top = 1ull << (width - 1);
    switch (engine() % 4) {
    case 0:
      return kEdges[engine() % 10] & mask(width);
    case 1:
      return (top + engine() % 3 - 1) & mask(width);
    case 2:
      return engine() % 100 & mask(width);
    default:
      return engine() & mask(width);
    }
  }
  Ranges range(unsigned width) {
    APInt a(width, value(width)), b(width, value(width));
    if (engine() % 4 == 0)
      return Ranges::constant(a);
    if (engine() % 2)
      return Ranges::fromSigned(llvm::APIntOps::smin(a, b),
                                llvm::APIntOps::smax(a, b));
    return Ranges::fromUnsigned(llvm::APIntOps::umin(a, b),
                                llvm::APIntOps::umax(a, b));
  }
  /// A value in both the signed and the unsigned bounds.
  std::optional<APInt> valueIn(const Ranges &range) {
    unsigned width = range.umin().getBitWidth();
    for (int attempt = 0; attempt < 8; ++attempt) {
      APInt span = range.umax() - range.umin();
      uint64_t pick = engine();
      uint64_t size = span.getZExtValue();
      APInt v =
          attempt == 0   ? range.umin()
          : attempt == 1 ? range.smax()
          : attempt == 2
              ? range.smin()
              : range.umin() +
                    APInt(width, size == ~0ull ? pick : pick % (size + 1));
      if (engine() % 3 == 0 && attempt < 3)
        continue;
      if (contains(range, v))
        return v;
    }
    return std::nullopt;
  }
  static bool contains(const Ranges &range, const APInt &v) {
    return v.uge(range.umin()) && v.ule(range.umax()) && v.sge(range.smin()) &&
           v.sle(range.smax());
  }
};

using Int = __int128;

Int asNumber(const APInt &v, bool isSigned) {
  return isSigned ? Int(v.getSExtValue()) : Int(v.getZExtValue());
}

/// The value the ISA gives; none where it leaves it open.
std::optional<APInt> compute(const RangeInst &inst, ArrayRef<APInt> v) {
  unsigned width = inst.width;
  auto wrap = [&](Int number, unsigned bits) {
    return APInt(bits,
                 uint64_t(number) & (bits == 64 ? ~0ull : (1ull << bits) - 1));
  };
  Int a = asNumber(v[0], inst.isSigned);
  Int b = v.size() > 1 ? asNumber(v[1], inst.isSigned) : 0;
  switch (inst.kind) {
  case RangeKind::Add:
    return wrap(a + b, width);
  case RangeKind::Sub:
    return wrap(a - b, width);
  case RangeKind::MulLo:
    return wrap(Int((unsigned __int128)a * (unsigned __int128)b), width);
  case RangeKind::MulHi:
    // |a * b| < 2^127 as signed; as unsigned the wrapped product shifts right.
    return inst.isSigned
               ? wrap((a * b) >> width, width)
               : wrap(Int(((unsigned __int128)a * (unsigned __int128)b) >>
                          width),
                      width);
  case RangeKind::MulWide:
    return wrap(Int((unsigned __int128)a * (unsigned __int128)b), 2 * width);
  case RangeKind::Div:
  case RangeKind::Rem:
    if (b == 0 || (inst.isSigned && v[0].isMinSignedValue() && b == -1))
      return std::nullopt;
    return wrap(inst.kind == RangeKind::Div ? a / b : a % b, width);
  case RangeKind::Neg:
    return wrap(-a, width);
  case RangeKind::Abs:
    return wrap(a < 0 ? -a : a, width);
  case RangeKind::Min:
    return wrap(std::min(a, b), width);
  case RangeKind::Max:
    return wrap(std::max(a, b), width);
  case RangeKind::And:
    return v[0] & v[1];
  case RangeKind::Or:
    return v[0] | v[1];
  case RangeKind::Xor:
    return v[0] ^ v[1];
  case RangeKind::Not:
    return ~v[0];
  case RangeKind::CNot:
    return APInt(width, v[0].isZero());
  case RangeKind::Shl: {
    uint64_t n = v[1].getZExtValue();
    return n >= width ? APInt(width, 0) : v[0] << n;
  }
  case RangeKind::Shr: {
    uint64_t n = v[1].getZExtValue();
    if (inst.isSigned)
      return v[0].ashr(std::min<uint64_t>(n, width - 1));
    return n >= width ? APInt(width, 0) : v[0].lshr(n);
  }
  case RangeKind::Popc:
    return APInt(32, v[0].popcount());
  case RangeKind::Clz:
    return APInt(32, v[0].countl_zero());
  case RangeKind::Cvt: {
    Int x = asNumber(v[0], inst.sourceSigned);
    if (inst.saturates) {
      Int lo = inst.isSigned ? -(Int(1) << (width - 1)) : 0;
      Int hi = (Int(1) << (width - inst.isSigned)) - 1;
      x = std::min(std::max(x, lo), hi);
    }
    APInt small = wrap(x, width);
    // The register has 64 bits here.
    return width == 64 ? small
                       : (inst.isSigned ? small.sext(64) : small.zext(64));
  }
  case RangeKind::Setp: {
    bool result = false;
    switch (inst.compare) {
    case CompareOp::Eq:
      result = a == b;
      break;
    case CompareOp::Ne:
      result = a != b;
      break;
    case CompareOp::Lt:
      result = a < b;
      break;
    case CompareOp::Le:
      result = a <= b;
      break;
    case CompareOp::Gt:
      result = a > b;
      break;
    case CompareOp::Ge:
      result = a >= b;
      break;
    }
    return APInt(1, result);
  }
  default:
    return std::nullopt;
  }
}

unsigned resultWidth(const RangeInst &inst) {
  switch (inst.kind) {
  case RangeKind::MulWide:
    return 2 * inst.width;
  case RangeKind::Popc:
  case RangeKind::Clz:
    return 32;
  case RangeKind::Cvt:
    return 64;
  case RangeKind::Setp:
    return 1;
  default:
    return inst.width;
  }
}

/// Returns how many values were checked.
unsigned check(Sampler &sampler, RangeInst inst, unsigned numSources) {
  unsigned checked = 0;
  for (int round = 0; round < 400; ++round) {
    if (inst.kind == RangeKind::Setp)
      inst.compare = CompareOp(sampler.engine() % 6);
    SmallVector<Ranges> ranges;
    inst.sources.clear();
    for (unsigned i = 0; i < numSources; ++i) {
      bool isAmount = i == 1 && (inst.kind == RangeKind::Shl ||
                                 inst.kind == RangeKind::Shr);
      RangeSource source;
      source.width = isAmount                      ? 32
                     : inst.kind == RangeKind::Cvt ? inst.sourceWidth
                                                   : inst.width;
      inst.sources.push_back(source);
      ranges.push_back(sampler.range(source.width));
    }
    Ranges result = evaluateRange(inst, ranges, 0, resultWidth(inst));
    for (int sample = 0; sample < 6; ++sample) {
      SmallVector<APInt> values;
      for (const Ranges &range : ranges)
        if (std::optional<APInt> value = sampler.valueIn(range))
          values.push_back(*value);
      if (values.size() != numSources)
        continue;
      std::optional<APInt> value = compute(inst, values);
      if (!value)
        continue;
      ++checked;
      if (!Sampler::contains(result, *value)) {
        std::string text;
        llvm::raw_string_ostream os(text);
        for (auto [range, v] : llvm::zip(ranges, values))
          os << range << " has " << v << "; ";
        os << result << " lacks " << *value;
        ADD_FAILURE() << "kind " << unsigned(inst.kind) << " width "
                      << inst.width << " signed " << inst.isSigned << ": "
                      << text;
        return checked;
      }
    }
  }
  return checked;
}

TEST(InstOpRanges, TwoOperands) {
  Sampler sampler;
  for (RangeKind kind :
       {RangeKind::Add, RangeKind::Sub, RangeKind::MulLo, RangeKind::MulHi,
        RangeKind::MulWide, RangeKind::Div, RangeKind::Rem, RangeKind::Min,
        RangeKind::Max, RangeKind::And, RangeKind::Or, RangeKind::Xor,
        RangeKind::Shl, RangeKind::Shr, RangeKind::Setp})
    for (unsigned width : {16, 32, 64})
      for (bool isSigned : {false, true}) {
        if (kind == RangeKind::MulWide && width == 64)
          continue;
        RangeInst inst;
        inst.kind = kind;
        inst.width = width;
        inst.isSigned = isSigned;
        EXPECT_GT(check(sampler, inst, 2), 100u);
      }
}

TEST(InstOpRanges, OneOperand) {
  Sampler sampler;
  for (RangeKind kind : {RangeKind::Neg, RangeKind::Abs, RangeKind::Not,
                         RangeKind::CNot, RangeKind::Popc, RangeKind::Clz})
    for (unsigned width : {16, 32, 64}) {
      RangeInst inst;
      inst.kind = kind;
      inst.width = width;
      inst.isSigned = true;
      EXPECT_GT(check(sampler, inst, 1), 100u);
    }
}

TEST(InstOpRanges, Conversions) {
  Sampler sampler;
  for (unsigned from : {8, 16, 32, 64})
    for (unsigned to : {8, 16, 32, 64})
      for (unsigned bits = 0; bits < 8; ++bits) {
        RangeInst inst;
        inst.kind = RangeKind::Cvt;
        inst.width = to;
        inst.sourceWidth = from;
        inst.isSigned = bits & 1;
        inst.sourceSigned = bits & 2;
        inst.saturates = bits & 4;
        EXPECT_GT(check(sampler, inst, 1), 100u);
      }
}

TEST(InstOpRanges, Precision) {
  auto constant = [](uint64_t v) { return Ranges::constant(APInt(32, v)); };
  RangeInst shift;
  shift.kind = RangeKind::Shr;
  shift.width = 32;
  shift.sources.resize(2);
  shift.sources[0].width = shift.sources[1].width = 32;
  Ranges tid = Ranges::fromUnsigned(APInt(32, 0), APInt(32, 383));
  Ranges warpgroup = evaluateRange(shift, {tid, constant(7)}, 0, 32);
  EXPECT_EQ(warpgroup.umax(), 2u);
  EXPECT_EQ(evaluateRange(shift, {tid, constant(32)}, 0, 32).umax(), 0u);
  // Signed and unsigned bounds tell about each other.
  std::optional<Ranges> both = intersectRanges(
      Ranges::maxRange(32), Ranges::fromSigned(APInt(32, 3), APInt(32, 9)));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->umin(), 3u);
  EXPECT_FALSE(intersectRanges(constant(1), constant(2)));
}

} // namespace
