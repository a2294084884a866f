//===- Refine.cpp - What follows from a value's range ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Backward evaluation: from the range of a result to those of the operands. All
// rules hold in modular arithmetic; those that need the absence of a wrap check
// it on the ranges first. Floating-point comparisons say nothing about their
// operands.
//
//===----------------------------------------------------------------------===//

#include "RangeSolver.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

static Ranges unsignedRange(const APInt &lo, const APInt &hi) {
  return Ranges::fromUnsigned(lo, hi);
}

bool Evaluator::refineGuard(unsigned guard, bool negated, bool holds,
                            Environment &env, Operation *by) {
  if (program.values[guard].width != 1)
    return true;
  return refine(guard, CompactRange::getBool(holds != negated), env, by);
}

bool Evaluator::refine(unsigned value, const CompactRange &wanted,
                       Environment &env, Operation *by, unsigned depth) {
  const Value &info = program.values[value];
  if (info.width == 0 || wanted.getWidth() != info.width)
    return true;
  std::optional<CompactRange> now = evaluate(value, env, 4);
  if (!now)
    return false;
  std::optional<CompactRange> both = intersectRanges(*now, wanted);
  if (!both)
    return false;
  // The next use of what may be undefined may see another value.
  if (info.tainted)
    return true;
  const Fact *old = env.find(info.number);
  bool isNews = !(*both == *now);
  Operation *origin = !isNews && old ? old->by : by;
  if (!isNews && !old)
    origin = nullptr;
  env.set(info.number, *both, origin);
  // Below a value about which nothing new is known there is nothing to learn.
  if (depth == 0 || info.def == kNone || (!isNews && depth != 8))
    return true;
  const Inst &inst = program.insts[info.def];
  if (inst.range.kind == RangeKind::Unknown || inst.role != InstRole::Plain)
    return true;
  if (inst.guard != kNone) {
    // `@p` writes, else the old value stays: whichever alone is possible.
    SmallVector<CompactRange, 4> sources;
    for (unsigned i = 0; i < inst.sources.size(); ++i) {
      std::optional<CompactRange> source = readNow(inst, i, env, 3);
      if (!source)
        return false;
      sources.push_back(*source);
    }
    CompactRange written =
        evaluateResult(inst, info.result, sources, info.width);
    unsigned passed = inst.passthrough[info.result];
    CompactRange kept = lookup(passed, env);
    bool mayWrite = intersectRanges(written, *both).has_value();
    bool mayKeep = kept.getWidth() != info.width ||
                   intersectRanges(kept, *both).has_value();
    if (!mayWrite && !mayKeep)
      return false;
    if (mayWrite && mayKeep)
      return true;
    if (!refineGuard(inst.guard, inst.guardNegated, mayWrite, env, by))
      return false;
    if (!mayWrite)
      return refine(passed, *both, env, by, depth - 1);
  }
  return refineOperands(inst, inst.range.outputs[info.result], *both, env, by,
                        depth - 1);
}

bool Evaluator::refineSource(const Inst &inst, unsigned index,
                             const CompactRange &wanted, Environment &env,
                             Operation *by, unsigned depth) {
  const Source &source = inst.sources[index];
  unsigned width = wanted.getWidth();
  if (source.value == kNone) {
    CompactRange constant(source.constant);
    return constant.getWidth() != width ||
           intersectRanges(constant, wanted).has_value();
  }
  // A wider register has bits the instruction does not look at.
  if (program.values[source.value].width != width || source.how.width != width)
    return true;
  if (!source.how.negated)
    return refine(source.value, wanted, env, by, depth);
  std::optional<uint64_t> value = wanted.getConstant();
  if (!value)
    return true;
  return refine(source.value, CompactRange::getBool(*value == 0), env, by,
                depth);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// `range` without a value, which can be cut off at either end.
static CompactRange without(const CompactRange &range, uint64_t value) {
  unsigned width = range.getWidth();
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width);
  uint64_t umin = range.getUMin(), umax = range.getUMax();
  int64_t smin = range.getSMin(), smax = range.getSMax();
  int64_t signedValue = llvm::SignExtend64(value, width);
  CompactRange result = range;
  if (umin == umax && umin == value) {
    // Empty, or wraps: the bounds tell when they are met with others.
    result.setUnsigned((umin + 1) & mask, umax);
    return result;
  }
  result.setUnsigned((umin + (umin == value)) & mask,
                     (umax - (umax == value)) & mask);
  auto wrap = [&](uint64_t bound) { return llvm::SignExtend64(bound, width); };
  result.setSigned(wrap(uint64_t(smin) + (smin == signedValue)),
                   wrap(uint64_t(smax) - (smax == signedValue)));
  return result;
}

bool Evaluator::refineCompare(const Inst &inst, bool truth, Environment &env,
                              Operation *by, unsigned depth) {
  CompareOp op = inst.range.compare;
  bool isSigned = inst.range.isSigned;
  unsigned left = 0, right = 1;
  if (!truth) {
    static constexpr CompareOp kOpposite[] = {CompareOp::Ne, CompareOp::Eq,
                                              CompareOp::Ge, CompareOp::Gt,
                                              CompareOp::Le, CompareOp::Lt};
    op = kOpposite[unsigned(op)];
  }
  if (op == CompareOp::Gt || op == CompareOp::Ge) {
    std::swap(left, right);
    op = op == CompareOp::Gt ? CompareOp::Lt : CompareOp::Le;
  }
  std::optional<CompactRange> a = readNow(inst, left, env, 3);
  std::optional<CompactRange> b = readNow(inst, right, env, 3);
  if (!a || !b)
    return false;
  unsigned width = a->getWidth();
  if (width == 0 || width != b->getWidth())
    return true;
  if (op == CompareOp::Eq)
    return refineSource(inst, left, *b, env, by, depth) &&
           refineSource(inst, right, *a, env, by, depth);
  if (op == CompareOp::Ne) {
    std::optional<uint64_t> ca = a->getConstant(), cb = b->getConstant();
    if (ca && cb)
      return *ca != *cb;
    if (cb)
      return refineSource(inst, left, without(*a, *cb), env, by, depth);
    if (ca)
      return refineSource(inst, right, without(*b, *ca), env, by, depth);
    return true;
  }
  bool strict = op == CompareOp::Lt;
  CompactRange full = CompactRange::getFull(width), below = full, above = full;
  if (isSigned) {
    int64_t top = b->getSMax(), bottom = a->getSMin();
    if (strict && (top == full.getSMin() || bottom == full.getSMax()))
      return false;
    below.setSigned(full.getSMin(), top - strict);
    above.setSigned(bottom + strict, full.getSMax());
  } else {
    uint64_t top = b->getUMax(), bottom = a->getUMin();
    if (strict && (top == 0 || bottom == full.getUMax()))
      return false;
    below.setUnsigned(0, top - strict);
    above.setUnsigned(bottom + strict, full.getUMax());
  }
  return refineSource(inst, left, below, env, by, depth) &&
         refineSource(inst, right, above, env, by, depth);
}

bool Evaluator::refineSetp(const Inst &inst, unsigned output, bool truth,
                           Environment &env, Operation *by, unsigned depth) {
  // The second output has the negated comparison: q = !(a cmp b) op c.
  bool flip = output == 1;
  if (inst.range.boolOp == BoolOp::None)
    return refineCompare(inst, truth != flip, env, by, depth);
  if (inst.range.boolOp == BoolOp::Xor)
    return true;
  std::optional<CompactRange> a = readNow(inst, 0, env, 3);
  std::optional<CompactRange> b = readNow(inst, 1, env, 3);
  std::optional<CompactRange> c = readNow(inst, 2, env, 3);
  if (!a || !b || !c)
    return false;
  std::optional<bool> compares = evaluateCompare(
      inst.range.compare, inst.range.isSigned, a->get(), b->get());
  if (compares && flip)
    compares = !*compares;
  std::optional<bool> other;
  if (std::optional<uint64_t> value = c->getConstant())
    other = *value != 0;
  // An `and` that holds, and an `or` that does not, fix both sides; in the
  // other cases one side follows where the other one is known.
  bool isAnd = inst.range.boolOp == BoolOp::And;
  bool both = truth == isAnd;
  if (both || (other && *other == isAnd))
    if (!refineCompare(inst, truth != flip, env, by, depth))
      return false;
  if (both || (compares && *compares == isAnd))
    if (!refineSource(inst, 2, CompactRange::getBool(truth), env, by, depth))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

bool Evaluator::refineOperands(const Inst &inst, unsigned output,
                               const CompactRange &compact, Environment &env,
                               Operation *by, unsigned depth) {
  const RangeInst &how = inst.range;
  unsigned width = compact.getWidth();
  std::optional<uint64_t> only = compact.getConstant();
  // These ask for their sources themselves.
  if (how.kind == RangeKind::Copy)
    return refineSource(inst, 0, compact, env, by, depth);
  if (how.kind == RangeKind::Setp && only && inst.sources.size() >= 2)
    return refineSetp(inst, output, *only != 0, env, by, depth);
  Ranges wanted = compact.get();
  SmallVector<Ranges, 4> s;
  for (unsigned i = 0; i < inst.sources.size(); ++i) {
    std::optional<CompactRange> source = readNow(inst, i, env, 2);
    if (!source)
      return false;
    s.push_back(source->get());
  }
  auto learn = [&](unsigned source, const Ranges &range) {
    return refineSource(inst, source, CompactRange(range), env, by, depth);
  };
  auto learnBool = [&](unsigned source, bool value) {
    return refineSource(inst, source, CompactRange::getBool(value), env, by,
                        depth);
  };
  auto constantOf = [&](unsigned source) -> std::optional<uint64_t> {
    if (source >= s.size())
      return std::nullopt;
    std::optional<APInt> value = s[source].getConstantValue();
    if (!value || value->getBitWidth() > 64)
      return std::nullopt;
    return value->getZExtValue();
  };
  switch (how.kind) {
  case RangeKind::Set:
    if (how.boolOp != BoolOp::None || s.size() < 2)
      return true;
    if (wanted.umax().isZero())
      return refineCompare(inst, false, env, by, depth);
    if (!wanted.umin().isZero())
      return refineCompare(inst, true, env, by, depth);
    return true;
  case RangeKind::And:
  case RangeKind::Or: {
    if (width != 1)
      break;
    if (!only || s.size() < 2)
      return true;
    bool isAnd = how.kind == RangeKind::And, truth = *only != 0;
    for (unsigned i = 0; i < 2; ++i)
      if (truth == isAnd || constantOf(1 - i) == std::optional<uint64_t>(isAnd))
        if (!learnBool(i, truth))
          return false;
    return true;
  }
  case RangeKind::Not:
    return learn(0, Ranges(~wanted.umax(), ~wanted.umin(), ~wanted.smax(),
                           ~wanted.smin()));
  case RangeKind::Xor:
    if (width == 1 && only && s.size() == 2)
      for (unsigned i = 0; i < 2; ++i)
        if (auto c = constantOf(1 - i))
          if (!learnBool(i, (*only != 0) != (*c != 0)))
            return false;
    return true;
  case RangeKind::Selp: {
    if (s.size() < 3)
      return true;
    bool first = intersectRanges(s[0], wanted).has_value();
    bool second = intersectRanges(s[1], wanted).has_value();
    if (!first && !second)
      return false;
    if (first && second)
      return true;
    return learnBool(2, first) && learn(first ? 0 : 1, wanted);
  }
  case RangeKind::Add:
    if (how.saturates || s.size() < 2)
      return true;
    return learn(0, intrange::inferSub({wanted, s[1]})) &&
           learn(1, intrange::inferSub({wanted, s[0]}));
  case RangeKind::Sub:
    if (how.saturates || s.size() < 2)
      return true;
    return learn(0, intrange::inferAdd({wanted, s[1]})) &&
           learn(1, intrange::inferSub({s[0], wanted}));
  case RangeKind::Neg:
    return learn(0, intrange::inferSub(
                        {Ranges::constant(APInt::getZero(width)), wanted}));
  case RangeKind::Min:
  case RangeKind::Max: {
    // Both operands are at least the minimum, at most the maximum.
    Ranges bound = Ranges::maxRange(width);
    bool isMin = how.kind == RangeKind::Min;
    if (how.isSigned)
      bound = Ranges(bound.umin(), bound.umax(),
                     isMin ? wanted.smin() : bound.smin(),
                     isMin ? bound.smax() : wanted.smax());
    else
      bound = Ranges(isMin ? wanted.umin() : bound.umin(),
                     isMin ? bound.umax() : wanted.umax(), bound.smin(),
                     bound.smax());
    return learn(0, bound) && learn(1, bound);
  }
  case RangeKind::Shr: {
    std::optional<uint64_t> k = constantOf(1);
    if (!k || *k >= width)
      return true;
    APInt low = APInt::getLowBitsSet(width, *k);
    if (how.isSigned) {
      APInt least = APInt::getSignedMinValue(width).ashr(*k);
      APInt most = APInt::getSignedMaxValue(width).ashr(*k);
      APInt lo = llvm::APIntOps::smax(wanted.smin(), least);
      APInt hi = llvm::APIntOps::smin(wanted.smax(), most);
      return lo.sle(hi) &&
             learn(0, Ranges::fromSigned(lo << *k, (hi << *k) | low));
    }
    APInt hi =
        llvm::APIntOps::umin(wanted.umax(), APInt::getAllOnes(width).lshr(*k));
    return wanted.umin().ule(hi) &&
           learn(0, unsignedRange(wanted.umin() << *k, (hi << *k) | low));
  }
  case RangeKind::Shl: {
    std::optional<uint64_t> k = constantOf(1);
    if (!k || *k >= width || s[0].umax().getActiveBits() + *k > width)
      return true;
    APInt low = APInt::getLowBitsSet(width, *k);
    APInt lo = wanted.umin().lshr(*k);
    if (wanted.umin().intersects(low))
      ++lo;
    APInt hi = wanted.umax().lshr(*k);
    return lo.ule(hi) && learn(0, unsignedRange(lo, hi));
  }
  case RangeKind::Cvt: {
    // Only where the value itself is kept.
    if (s.empty() || how.width > width)
      return true;
    unsigned from = how.sourceWidth;
    bool keeps = how.sourceSigned == how.isSigned && from <= how.width;
    bool small =
        s[0].umax().getActiveBits() < std::min<unsigned>(how.width, from);
    if (!keeps && !small)
      return true;
    if (from >= width)
      return learn(0, intrange::extUIRange(wanted, from));
    APInt big = APInt::getAllOnes(from);
    if (how.isSigned && !small) {
      APInt least = APInt::getSignedMinValue(from).sext(width);
      APInt most = APInt::getSignedMaxValue(from).sext(width);
      APInt lo = llvm::APIntOps::smax(wanted.smin(), least);
      APInt hi = llvm::APIntOps::smin(wanted.smax(), most);
      return lo.sle(hi) &&
             learn(0, Ranges::fromSigned(lo.trunc(from), hi.trunc(from)));
    }
    APInt hi = llvm::APIntOps::umin(wanted.umax(), big.zext(width));
    return wanted.umin().ule(hi) &&
           learn(0, unsignedRange(wanted.umin().trunc(from), hi.trunc(from)));
  }
  case RangeKind::MulLo:
  case RangeKind::MulWide: {
    // By a constant, where the product cannot wrap.
    for (unsigned i = 0; i < 2 && s.size() >= 2; ++i) {
      std::optional<uint64_t> c = constantOf(1 - i);
      if (!c || *c == 0 || s[i].umax().isNegative() ||
          (how.isSigned && s[1 - i].umax().isNegative()))
        continue;
      unsigned from = s[i].umin().getBitWidth();
      APInt factor(2 * width, *c);
      APInt most = s[i].umax().zext(2 * width) * factor;
      if (most.getActiveBits() > width)
        continue;
      APInt wide = wanted.umin().zext(2 * width) + factor - 1;
      APInt lo = wide.udiv(factor);
      APInt hi = wanted.umax().zext(2 * width).udiv(factor);
      hi = llvm::APIntOps::umin(hi, APInt::getAllOnes(from).zext(2 * width));
      if (lo.ugt(hi))
        return false;
      if (!learn(i, unsignedRange(lo.trunc(from), hi.trunc(from))))
        return false;
    }
    return true;
  }
  case RangeKind::Div: {
    std::optional<uint64_t> c = constantOf(1);
    if (!c || *c == 0 ||
        (how.isSigned &&
         (s[0].umax().isNegative() || s[1].umax().isNegative())))
      return true;
    APInt factor(2 * width, *c);
    APInt lo = wanted.umin().zext(2 * width) * factor;
    APInt hi = wanted.umax().zext(2 * width) * factor + factor - 1;
    hi = llvm::APIntOps::umin(hi, APInt::getAllOnes(width).zext(2 * width));
    if (lo.ugt(hi))
      return false;
    return learn(0, unsignedRange(lo.trunc(width), hi.trunc(width)));
  }
  default:
    return true;
  }

  // No operand of `or` is more than the result; where no bit is in both, it
  // adds.
  if (how.kind == RangeKind::Or) {
    Ranges bound = unsignedRange(APInt::getZero(width), wanted.umax());
    for (unsigned i = 0; i < 2 && s.size() >= 2; ++i) {
      std::optional<APInt> c = s[1 - i].getConstantValue();
      bool adds = c && s[i].umax().getActiveBits() <= c->countr_zero();
      if (!learn(i, adds ? intrange::inferSub({wanted, s[1 - i]}) : bound))
        return false;
    }
    return true;
  }
  // `and` with a mask of low bits: where all values agree above the mask, they
  // order as what the mask leaves.
  for (unsigned i = 0; i < 2 && s.size() >= 2; ++i) {
    std::optional<APInt> mask = s[1 - i].getConstantValue();
    if (!mask || !mask->isMask())
      continue;
    if ((s[i].umin() & ~*mask) != (s[i].umax() & ~*mask))
      continue;
    APInt high = s[i].umin() & ~*mask;
    APInt hi = llvm::APIntOps::umin(wanted.umax(), *mask);
    if (wanted.umin().ugt(hi))
      return false;
    if (!learn(i, unsignedRange(high | wanted.umin(), high | hi)))
      return false;
  }
  return true;
}

} // namespace ptxbench::reachability
