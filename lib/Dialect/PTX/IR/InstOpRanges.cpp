//===- InstOpRanges.cpp - Integer semantics of instructions ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates decoded instructions on ranges. Where PTX differs from what the
// common helpers of MLIR assume, it is dealt with here: shift amounts are
// clamped at the width, division by zero gives an unspecified value, and a
// register may be wider than the type it is read or written with. Whatever is
// not decoded (InstOpRangeDecoding.cpp) has the full range.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Dialect/PTX/IR/InstOpRanges.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"

using namespace mlir;
using Ranges = ConstantIntRanges;

namespace ptxbench::ptx {

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

bool CompactRange::tighten() {
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width);
  auto toSigned = [&](uint64_t value) {
    return llvm::SignExtend64(value, width);
  };
  auto isNegative = [&](uint64_t value) { return (value >> (width - 1)) & 1; };
  for (int i = 0; i < 2; ++i) {
    if (umin > umax || smin > smax)
      return false;
    // Unsigned bounds within one half order as signed ones, and vice versa.
    if (isNegative(umin) == isNegative(umax)) {
      smin = std::max(smin, toSigned(umin));
      smax = std::min(smax, toSigned(umax));
    }
    if (smin > smax)
      return false;
    if ((smin < 0) == (smax < 0)) {
      umin = std::max(umin, smin & mask);
      umax = std::min(umax, smax & mask);
    }
  }
  return umin <= umax && smin <= smax;
}

std::optional<Ranges> tightenRange(const Ranges &range) {
  unsigned width = range.umin().getBitWidth();
  if (width == 0 || width > 64)
    return range;
  CompactRange bounds(range);
  if (!bounds.tighten())
    return std::nullopt;
  return bounds.get();
}

std::optional<CompactRange> intersectRanges(const CompactRange &a,
                                            const CompactRange &b) {
  if (a.getWidth() != b.getWidth() || a.getWidth() == 0)
    return a;
  CompactRange both = a;
  both.intersect(b);
  if (!both.tighten())
    return std::nullopt;
  return both;
}

std::optional<Ranges> intersectRanges(const Ranges &a, const Ranges &b) {
  unsigned width = a.umin().getBitWidth();
  if (width != b.umin().getBitWidth())
    return a;
  if (width == 0 || width > 64)
    return a.intersection(b);
  CompactRange bounds(a);
  bounds.intersect(CompactRange(b));
  if (!bounds.tighten())
    return std::nullopt;
  return bounds.get();
}

static Ranges tight(const Ranges &range) {
  std::optional<Ranges> result = tightenRange(range);
  return result ? *result : range;
}

static Ranges boolRange(std::optional<bool> value) {
  return value ? Ranges::constant(APInt(1, *value)) : Ranges::maxRange(1);
}

static std::optional<bool> boolOf(const Ranges &range) {
  if (range.umin().getBitWidth() != 1)
    return std::nullopt;
  std::optional<APInt> value = range.getConstantValue();
  if (!value)
    return std::nullopt;
  return value->getBoolValue();
}

Ranges readSource(const RangeSource &source, const Ranges &range) {
  unsigned have = range.umin().getBitWidth();
  if (have == 0 || have < source.width)
    return Ranges::maxRange(source.width);
  Ranges result = range;
  if (have > source.width)
    result = tight(intrange::truncRange(range, source.width));
  if (!source.negated)
    return result;
  std::optional<bool> value = boolOf(result);
  return boolRange(value ? std::optional<bool>(!*value) : std::nullopt);
}

CompactRange readSource(const RangeSource &source, const CompactRange &range) {
  if (range.getWidth() == 0 || range.getWidth() < source.width)
    return CompactRange::getFull(source.width);
  if (range.getWidth() > source.width)
    return CompactRange(readSource(source, range.get()));
  if (!source.negated)
    return range;
  std::optional<uint64_t> value = range.getConstant();
  return value ? CompactRange::getBool(*value == 0)
               : CompactRange::getFull(source.width);
}

std::optional<bool> evaluateCompare(CompareOp compare, bool isSigned,
                                    const Ranges &a, const Ranges &b) {
  using intrange::CmpPredicate;
  if (a.umin().getBitWidth() != b.umin().getBitWidth() ||
      a.umin().getBitWidth() == 0)
    return std::nullopt;
  // Also where only the signed bounds say so: -1 or 0 is not 1.
  bool asksEqual = compare == CompareOp::Eq || compare == CompareOp::Ne;
  if (asksEqual && !intersectRanges(a, b))
    return compare == CompareOp::Ne;
  static constexpr CmpPredicate kSigned[] = {
      CmpPredicate::eq,  CmpPredicate::ne,  CmpPredicate::slt,
      CmpPredicate::sle, CmpPredicate::sgt, CmpPredicate::sge};
  static constexpr CmpPredicate kUnsigned[] = {
      CmpPredicate::eq,  CmpPredicate::ne,  CmpPredicate::ult,
      CmpPredicate::ule, CmpPredicate::ugt, CmpPredicate::uge};
  return intrange::evaluatePred(
      (isSigned ? kSigned : kUnsigned)[unsigned(compare)], a, b);
}

static std::optional<bool> combine(BoolOp op, std::optional<bool> a,
                                   std::optional<bool> b) {
  switch (op) {
  case BoolOp::None:
    return a;
  case BoolOp::And:
    if ((a && !*a) || (b && !*b))
      return false;
    return a && b ? std::optional<bool>(true) : std::nullopt;
  case BoolOp::Or:
    if ((a && *a) || (b && *b))
      return true;
    return a && b ? std::optional<bool>(false) : std::nullopt;
  case BoolOp::Xor:
    return a && b ? std::optional<bool>(*a != *b) : std::nullopt;
  }
  return std::nullopt;
}

/// `range` in a register of `width` bits: extended by its sign or by zeros.
static Ranges toWidth(const Ranges &range, unsigned width, bool isSigned) {
  unsigned have = range.umin().getBitWidth();
  if (have == width)
    return range;
  if (have > width)
    return intrange::truncRange(range, width);
  return isSigned ? intrange::extSIRange(range, width)
                  : intrange::extUIRange(range, width);
}

/// Shift amounts beyond the width act as the width (ISA, "shl", "shr").
static Ranges evaluateShift(RangeKind kind, bool isSigned, const Ranges &value,
                            const Ranges &amount) {
  unsigned width = value.umin().getBitWidth();
  uint64_t lo = amount.umin().getZExtValue();
  uint64_t hi = amount.umax().getZExtValue();
  std::optional<Ranges> result;
  if (lo < width) {
    uint64_t top = std::min<uint64_t>(hi, width - 1);
    Ranges by = Ranges::fromUnsigned(APInt(width, lo), APInt(width, top));
    result = kind == RangeKind::Shl ? intrange::inferShl({value, by})
             : isSigned             ? intrange::inferShrS({value, by})
                                    : intrange::inferShrU({value, by});
  }
  if (hi >= width) {
    Ranges beyond = Ranges::constant(APInt::getZero(width));
    if (kind == RangeKind::Shr && isSigned)
      beyond = intrange::inferShrS(
          {value, Ranges::constant(APInt(width, width - 1))});
    result = result ? result->rangeUnion(beyond) : beyond;
  }
  return *result;
}

static Ranges evaluateExtract(const RangeInst &inst, const Ranges &value,
                              const Ranges &pos, const Ranges &len) {
  unsigned width = inst.width;
  std::optional<APInt> posValue = pos.getConstantValue();
  std::optional<APInt> lenValue = len.getConstantValue();
  if (!posValue || !lenValue)
    return Ranges::maxRange(width);
  uint64_t p = posValue->getZExtValue() & 0xff;
  uint64_t l = lenValue->getZExtValue() & 0xff;
  if (l == 0)
    return Ranges::constant(APInt::getZero(width));
  if (!inst.isSigned) {
    if (p >= width)
      return Ranges::constant(APInt::getZero(width));
    Ranges shifted =
        intrange::inferShrU({value, Ranges::constant(APInt(width, p))});
    if (l >= width)
      return shifted;
    APInt mask = APInt::getLowBitsSet(width, l);
    if (shifted.umax().ule(mask))
      return shifted;
    return Ranges::fromUnsigned(APInt::getZero(width), mask);
  }
  if (p >= width)
    return Ranges::fromSigned(APInt::getAllOnes(width), APInt::getZero(width));
  unsigned bits = std::min<uint64_t>(l, width - p);
  return Ranges::fromSigned(APInt::getSignedMinValue(bits).sext(width),
                            APInt::getSignedMaxValue(bits).sext(width));
}

static Ranges evaluateInsert(const RangeInst &inst, const Ranges &field,
                             const Ranges &base, const Ranges &pos,
                             const Ranges &len) {
  unsigned width = inst.width;
  std::optional<APInt> posValue = pos.getConstantValue();
  std::optional<APInt> lenValue = len.getConstantValue();
  if (!posValue || !lenValue)
    return Ranges::maxRange(width);
  uint64_t p = posValue->getZExtValue() & 0xff;
  uint64_t l = lenValue->getZExtValue() & 0xff;
  if (l == 0 || p >= width)
    return base;
  unsigned bits = std::min<uint64_t>(l, width - p);
  APInt mask = APInt::getBitsSet(width, p, p + bits);
  Ranges shifted =
      intrange::inferShl({field, Ranges::constant(APInt(width, p))});
  return intrange::inferOr(
      {intrange::inferAnd({base, Ranges::constant(~mask)}),
       intrange::inferAnd({shifted, Ranges::constant(mask)})});
}

static Ranges evaluateConvert(const RangeInst &inst, const Ranges &value,
                              unsigned resultWidth) {
  // The value as a mathematical integer, in bits enough for both types.
  unsigned big = 66;
  Ranges exact = inst.sourceSigned ? intrange::extSIRange(value, big)
                                   : intrange::extUIRange(value, big);
  APInt lo =
      inst.sourceSigned ? value.smin().sext(big) : value.umin().zext(big);
  APInt hi =
      inst.sourceSigned ? value.smax().sext(big) : value.umax().zext(big);
  unsigned width = inst.width;
  Ranges result = Ranges::maxRange(width);
  APInt least = inst.isSigned ? APInt::getSignedMinValue(width).sext(big)
                              : APInt::getZero(big);
  APInt most = inst.isSigned ? APInt::getSignedMaxValue(width).sext(big)
                             : APInt::getMaxValue(width).zext(big);
  if (inst.saturates) {
    lo = llvm::APIntOps::smin(llvm::APIntOps::smax(lo, least), most);
    hi = llvm::APIntOps::smin(llvm::APIntOps::smax(hi, least), most);
  }
  if (lo.sge(least) && hi.sle(most))
    result = Ranges::range(lo.trunc(width), hi.trunc(width), inst.isSigned);
  else
    result = intrange::truncRange(exact, width);
  return toWidth(tight(result), resultWidth, inst.isSigned);
}

static Ranges evaluateFunnel(const RangeInst &inst, const Ranges &low,
                             const Ranges &high, const Ranges &amount) {
  unsigned width = inst.width;
  std::optional<APInt> value = amount.getConstantValue();
  if (!value || width != 32)
    return Ranges::maxRange(width);
  uint64_t n = value->getZExtValue();
  n = inst.wraps ? n & 31 : std::min<uint64_t>(n, 32);
  bool left = inst.kind == RangeKind::ShfL;
  if (n == 0)
    return left ? high : low;
  if (n == 32)
    return left ? low : high;
  auto by = [&](uint64_t k) { return Ranges::constant(APInt(width, k)); };
  uint64_t up = left ? n : 32 - n;
  return intrange::inferOr({intrange::inferShl({high, by(up)}),
                            intrange::inferShrU({low, by(32 - up)})});
}

static Ranges evaluateMul(const RangeInst &inst, const Ranges &a,
                          const Ranges &b) {
  unsigned width = inst.width;
  if (inst.kind == RangeKind::MulLo || inst.kind == RangeKind::MadLo)
    return intrange::inferMul({a, b});
  unsigned twice = 2 * width;
  Ranges product = intrange::inferMul(
      {toWidth(a, twice, inst.isSigned), toWidth(b, twice, inst.isSigned)});
  // In twice the width nothing overflows, but one half of the bounds may be
  // read with the wrong sign: keep the half that the type has.
  product = inst.isSigned
                ? Ranges::fromSigned(product.smin(), product.smax())
                : Ranges::fromUnsigned(product.umin(), product.umax());
  if (inst.kind == RangeKind::MulWide || inst.kind == RangeKind::MadWide)
    return product;
  Ranges by = Ranges::constant(APInt(twice, width));
  Ranges high = inst.isSigned ? intrange::inferShrS({product, by})
                              : intrange::inferShrU({product, by});
  return intrange::truncRange(high, width);
}

static Ranges evaluateDiv(const RangeInst &inst, const Ranges &a,
                          const Ranges &b) {
  unsigned width = inst.width;
  // A zero divisor gives an unspecified value.
  if (!inst.isSigned) {
    if (b.umin().isZero())
      return Ranges::maxRange(width);
    return inst.kind == RangeKind::Div ? intrange::inferDivU({a, b})
                                       : intrange::inferRemU({a, b});
  }
  bool positive = b.smin().isStrictlyPositive();
  bool negative = b.smax().isNegative();
  bool overflows = a.smin().isMinSignedValue() && b.smax().isAllOnes();
  if ((!positive && !negative) || (negative && overflows))
    return Ranges::maxRange(width);
  return inst.kind == RangeKind::Div ? intrange::inferDivS({a, b})
                                     : intrange::inferRemS({a, b});
}

static Ranges evaluateOutput(const RangeInst &inst, ArrayRef<Ranges> s,
                             unsigned output, unsigned resultWidth) {
  unsigned width = inst.width;
  switch (inst.kind) {
  case RangeKind::Unknown:
    return Ranges::maxRange(resultWidth);
  case RangeKind::Copy:
    return s[0];
  case RangeKind::Pack: {
    APInt umin = APInt::getZero(width), umax = umin;
    unsigned part = width / s.size();
    for (unsigned i = 0; i < s.size(); ++i) {
      umin.insertBits(s[i].umin(), i * part);
      umax.insertBits(s[i].umax(), i * part);
    }
    return Ranges::fromUnsigned(umin, umax);
  }
  case RangeKind::Unpack: {
    unsigned at = output * resultWidth;
    if (at + resultWidth > width)
      return Ranges::maxRange(resultWidth);
    return intrange::truncRange(
        intrange::inferShrU({s[0], Ranges::constant(APInt(width, at))}),
        resultWidth);
  }
  case RangeKind::Add:
    if (inst.saturates)
      return Ranges::fromSigned(s[0].smin().sadd_sat(s[1].smin()),
                                s[0].smax().sadd_sat(s[1].smax()));
    return intrange::inferAdd({s[0], s[1]});
  case RangeKind::Sub:
    if (inst.saturates)
      return Ranges::fromSigned(s[0].smin().ssub_sat(s[1].smax()),
                                s[0].smax().ssub_sat(s[1].smin()));
    return intrange::inferSub({s[0], s[1]});
  case RangeKind::MulLo:
  case RangeKind::MulHi:
  case RangeKind::MulWide:
    return evaluateMul(inst, s[0], s[1]);
  case RangeKind::MadHi:
    if (inst.saturates)
      return Ranges::maxRange(width);
    [[fallthrough]];
  case RangeKind::MadLo:
  case RangeKind::MadWide:
    return intrange::inferAdd({tight(evaluateMul(inst, s[0], s[1])), s[2]});
  case RangeKind::Div:
  case RangeKind::Rem:
    return evaluateDiv(inst, s[0], s[1]);
  case RangeKind::Neg:
    return intrange::inferSub({Ranges::constant(APInt::getZero(width)), s[0]});
  case RangeKind::Abs: {
    if (s[0].smin().isNonNegative())
      return s[0];
    Ranges negated = tight(
        intrange::inferSub({Ranges::constant(APInt::getZero(width)), s[0]}));
    if (s[0].smax().isNegative())
      return negated;
    // The least value is its own negative.
    APInt least = s[0].smin();
    APInt most = llvm::APIntOps::umax(s[0].smax(), -least);
    return Ranges::fromUnsigned(APInt::getZero(width), most);
  }
  case RangeKind::Min:
    return inst.isSigned ? intrange::inferMinS({s[0], s[1]})
                         : intrange::inferMinU({s[0], s[1]});
  case RangeKind::Max:
    return inst.isSigned ? intrange::inferMaxS({s[0], s[1]})
                         : intrange::inferMaxU({s[0], s[1]});
  case RangeKind::And:
    if (width == 1)
      return boolRange(combine(BoolOp::And, boolOf(s[0]), boolOf(s[1])));
    return intrange::inferAnd({s[0], s[1]});
  case RangeKind::Or:
    if (width == 1)
      return boolRange(combine(BoolOp::Or, boolOf(s[0]), boolOf(s[1])));
    return intrange::inferOr({s[0], s[1]});
  case RangeKind::Xor:
    if (width == 1)
      return boolRange(combine(BoolOp::Xor, boolOf(s[0]), boolOf(s[1])));
    return intrange::inferXor({s[0], s[1]});
  case RangeKind::Not:
    return Ranges(~s[0].umax(), ~s[0].umin(), ~s[0].smax(), ~s[0].smin());
  case RangeKind::CNot: {
    APInt zero = APInt::getZero(width), one(width, 1);
    if (s[0].umin().ugt(zero))
      return Ranges::constant(zero);
    if (s[0].umax().isZero())
      return Ranges::constant(one);
    return Ranges::fromUnsigned(zero, one);
  }
  case RangeKind::Shl:
  case RangeKind::Shr:
    return evaluateShift(inst.kind, inst.isSigned, s[0], s[1]);
  case RangeKind::Bfe:
    return evaluateExtract(inst, s[0], s[1], s[2]);
  case RangeKind::Bfi:
    return evaluateInsert(inst, s[0], s[1], s[2], s[3]);
  case RangeKind::Popc: {
    unsigned least = s[0].umin().isZero() ? 0 : 1;
    return Ranges::fromUnsigned(
        APInt(resultWidth, least),
        APInt(resultWidth, s[0].umax().getActiveBits()));
  }
  case RangeKind::Clz:
    return Ranges::fromUnsigned(APInt(resultWidth, s[0].umax().countl_zero()),
                                APInt(resultWidth, s[0].umin().countl_zero()));
  case RangeKind::Bfind:
    if (s[0].umin().isZero())
      return Ranges::maxRange(resultWidth);
    return Ranges::fromUnsigned(
        APInt(resultWidth, s[0].umin().getActiveBits() - 1),
        APInt(resultWidth, s[0].umax().getActiveBits() - 1));
  case RangeKind::Selp: {
    std::optional<bool> value = boolOf(s[2]);
    return !value ? s[0].rangeUnion(s[1]) : *value ? s[0] : s[1];
  }
  case RangeKind::Setp: {
    std::optional<bool> value =
        evaluateCompare(inst.compare, inst.isSigned, s[0], s[1]);
    if (output == 1 && value)
      value = !*value;
    if (inst.boolOp != BoolOp::None)
      value = combine(inst.boolOp, value, boolOf(s[2]));
    return boolRange(value);
  }
  case RangeKind::Set: {
    std::optional<bool> value =
        evaluateCompare(inst.compare, inst.isSigned, s[0], s[1]);
    if (inst.boolOp != BoolOp::None)
      value = combine(inst.boolOp, value, boolOf(s[2]));
    APInt no = APInt::getZero(width), yes = APInt::getAllOnes(width);
    return value ? Ranges::constant(*value ? yes : no)
                 : Ranges::fromSigned(yes, no);
  }
  case RangeKind::Cvt:
    return evaluateConvert(inst, s[0], resultWidth);
  case RangeKind::ShfL:
  case RangeKind::ShfR:
    return evaluateFunnel(inst, s[0], s[1], s[2]);
  case RangeKind::Szext: {
    std::optional<APInt> value = s[1].getConstantValue();
    if (!value)
      return Ranges::maxRange(width);
    uint64_t n = value->getZExtValue();
    n = inst.wraps ? n & 31 : std::min<uint64_t>(n, 32);
    if (n == 0)
      return Ranges::constant(APInt::getZero(width));
    if (n >= width)
      return s[0];
    if (inst.isSigned)
      return Ranges::fromSigned(APInt::getSignedMinValue(n).sext(width),
                                APInt::getSignedMaxValue(n).sext(width));
    APInt mask = APInt::getLowBitsSet(width, n);
    return s[0].umax().ule(mask)
               ? s[0]
               : Ranges::fromUnsigned(APInt::getZero(width), mask);
  }
  }
  return Ranges::maxRange(resultWidth);
}

Ranges evaluateRange(const RangeInst &inst, ArrayRef<Ranges> sources,
                     unsigned output, unsigned resultWidth) {
  if (resultWidth == 0)
    return Ranges::maxRange(0);
  for (auto [source, range] : llvm::zip(inst.sources, sources))
    if (range.umin().getBitWidth() != source.width || source.width == 0)
      return Ranges::maxRange(resultWidth);
  // Missing optional operands leave nothing to compute with.
  static constexpr uint8_t kArity[] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 2,
                                       2, 1, 1, 2, 2, 2, 2, 2, 1, 1, 2, 2, 3,
                                       4, 1, 1, 1, 3, 2, 2, 1, 3, 3, 2};
  if (sources.size() < kArity[unsigned(inst.kind)])
    return Ranges::maxRange(resultWidth);
  // Only the first output of what has no second one.
  if (output != 0 && inst.kind != RangeKind::Unpack &&
      inst.kind != RangeKind::Setp)
    return Ranges::maxRange(resultWidth);
  Ranges result = tight(evaluateOutput(inst, sources, output, resultWidth));
  if (result.umin().getBitWidth() == resultWidth)
    return result;
  return Ranges::maxRange(resultWidth);
}

//===----------------------------------------------------------------------===//
// The interface of upstream's analyses
//===----------------------------------------------------------------------===//

void inferInstOpRanges(Operation *op, ArrayRef<Ranges> argRanges,
                       SpecialRegRangeFn specialReg,
                       SetIntRangeFn setResultRange) {
  auto iface = cast<InstOpInterface>(op);
  InstProperties &props = iface.getInst();
  RangeInst inst = decodeRangeInst(op);
  SmallVector<Ranges, 4> sources;
  for (const RangeSource &source : inst.sources) {
    switch (source.kind) {
    case RangeSource::Operand:
      sources.push_back(readSource(source, argRanges[source.operand]));
      break;
    case RangeSource::Constant:
      sources.push_back(
          readSource(source, Ranges::constant(APInt(64, source.constant))));
      break;
    case RangeSource::SpecialReg:
      sources.push_back(
          readSource(source, specialReg(source.specialReg, source.width)));
      break;
    case RangeSource::Unknown:
      sources.push_back(Ranges::maxRange(source.width));
      break;
    }
  }
  std::optional<bool> guard = true;
  if (props.guarded) {
    guard = boolOf(argRanges[props.numUses()]);
    if (guard && iface.isGuardNegated())
      guard = !*guard;
  }
  unsigned passthrough = props.numUses() + props.guarded;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    unsigned width = Ranges::getStorageBitwidth(result.getType());
    if (width == 0)
      continue;
    Ranges range = evaluateRange(inst, sources, inst.outputs[i], width);
    if (props.guarded && guard != std::optional<bool>(true)) {
      const Ranges &old = argRanges[passthrough + i];
      range = guard ? old : range.rangeUnion(old);
    }
    setResultRange(result, range);
  }
}

void inferInstOpRanges(Operation *op, ArrayRef<Ranges> argRanges,
                       SetIntRangeFn setResultRange) {
  inferInstOpRanges(
      op, argRanges,
      [](StringRef, unsigned width) { return Ranges::maxRange(width); },
      setResultRange);
}

} // namespace ptxbench::ptx
