//===- UndefinedWarp.cpp - Undefined bits of moves and exchanges ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves, which carry undefined bits along, sums with CC.CF, and what the lanes
// of a warp do together: a lane has the undefined bits of those that it reads
// from.
//
//===----------------------------------------------------------------------===//

#include "UndefinedStep.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

//===----------------------------------------------------------------------===//
// mov
//===----------------------------------------------------------------------===//

static LaneMask anyUndefined(const Warp &warp, const UndefinedStep &step) {
  LaneMask lanes = 0;
  for (const StepRow &source : step.sources)
    lanes |= undefinedLanes(warp, source);
  return lanes;
}

/// All sources side by side are all results side by side.
static void move(Warp &warp, const UndefinedStep &step, LaneMask mask) {
  LaneMask lanes = anyUndefined(warp, step) & mask;
  for (const StepRow &result : step.results)
    if (!lanes)
      define(warp, result, mask);
  if (!lanes)
    return;
  StepRow from = undefinedSource(warp, step, lanes);
  LaneMask padding = paddingLanes(warp, step);
  // A result may be a source, but then only of the same lane.
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    if (step.results[0].bits == 1) {
      setUndefined(warp, step.results[0], lane,
                   undefinedBitsOf(warp, step.sources[0], lane));
      continue;
    }
    char bits[64] = {};
    unsigned at = 0;
    for (const StepRow &source : step.sources) {
      unsigned size = source.bits / 8;
      if (source.slot != noSlot)
        std::memcpy(bits + at, undefinedRow(warp, source.slot) + lane * size,
                    size);
      at += size;
    }
    at = 0;
    for (const StepRow &result : step.results) {
      unsigned size = result.bits / 8;
      if (result.slot != noSlot)
        std::memcpy(undefinedResult(warp, result.slot) + lane * size, bits + at,
                    size);
      at += size;
    }
  }
  for (const StepRow &result : step.results)
    setOrigin(warp, step, result, from, padding);
}

/// The rows of an operand or of the elements of a vector, in which `_` has the
/// width of the others; false if one is no row.
static bool useElements(const OperandDesc &operand,
                        SmallVectorImpl<StepRow> &rows) {
  ArrayRef<OperandDesc> elements = operand;
  if (operand.kind == OperandDesc::Vector)
    elements = operand.children;
  uint8_t bits = 0;
  for (const OperandDesc &element : elements)
    if (element.isRow())
      bits = element.bits;
  for (const OperandDesc &element : elements) {
    if (!element.isRow() && element.kind != OperandDesc::Sink)
      return false;
    StepRow row = stepRow(element);
    row.bits = bits;
    rows.push_back(row);
  }
  return bits != 0;
}

static bool useMove(const InstDesc &desc, UndefinedStep &step) {
  if (!useElements(desc.operands[0], step.results) ||
      !useElements(desc.operands[1], step.sources))
    return false;
  auto total = [](ArrayRef<StepRow> rows) {
    unsigned sum = 0;
    for (const StepRow &row : rows)
      sum += row.bits;
    return sum;
  };
  // Special registers of another width are defined.
  if (total(step.sources) != total(step.results))
    step.sources.clear();
  step.before = move;
  return true;
}

//===----------------------------------------------------------------------===//
// CC.CF
//===----------------------------------------------------------------------===//

namespace {
/// UndefinedStep::table of sums with carries.
enum CarryFlags : uint8_t { ReadsCarry = 1, WritesCarry = 2, HighPart = 4 };
} // namespace

static void addWithCarry(Warp &warp, const UndefinedStep &step, LaneMask mask) {
  LaneMask lanes = anyUndefined(warp, step);
  LaneMask carry = step.table & ReadsCarry ? warp.carryUndefined : 0;
  lanes = (lanes | carry) & mask;
  const StepRow &result = step.results[0];
  StepRow from = undefinedSource(warp, step, lanes);
  define(warp, result, mask & ~lanes);
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    uint64_t undefined = carry >> lane & 1;
    for (const StepRow &source : step.sources)
      undefined |= undefinedBitsOf(warp, source, lane);
    undefined |= step.table & HighPart ? ~uint64_t(0) : -undefined;
    setUndefined(warp, result, lane, undefined);
  }
  if (lanes)
    setOrigin(warp, step, result, from);
  if (step.table & WritesCarry)
    warp.carryUndefined = (warp.carryUndefined & ~mask) | lanes;
}

static bool useCarry(const InstDesc &desc, UndefinedStep &step) {
  for (const OperandDesc &operand : desc.operands)
    if (!useElements(operand, &operand == &desc.operands.front()
                                  ? step.results
                                  : step.sources))
      return false;
  bool reads = desc.opcode == Opcode::addc || desc.opcode == Opcode::subc ||
               desc.opcode == Opcode::madc_lo || desc.opcode == Opcode::madc_hi;
  bool isHigh =
      desc.opcode == Opcode::mad_hi_cc || desc.opcode == Opcode::madc_hi;
  step.table = (reads ? ReadsCarry : 0) | (isHigh ? HighPart : 0) |
               (!reads || desc.has(Mod::cc) ? WritesCarry : 0);
  step.before = addWithCarry;
  return true;
}

//===----------------------------------------------------------------------===//
// shfl.sync
//===----------------------------------------------------------------------===//

/// Sources: b, c, a; comparison: the mode.
static void exchange(Warp &warp, const UndefinedStep &step, LaneMask mask,
                     const StepSaved &saved) {
  const StepRow &a = step.sources[2];
  LaneMask unknown = undefinedLanes(warp, step.sources[0]) |
                     undefinedLanes(warp, step.sources[1]);
  if (!(unknown & mask) && !undefinedLanes(warp, a)) {
    for (const StepRow &result : step.results)
      define(warp, result, mask);
    return;
  }
  int32_t bits[2][warpSize];
  std::memcpy(bits[0], saved.rows[0], sizeof(bits[0]));
  std::memcpy(bits[1], saved.rows[1], sizeof(bits[1]));
  Mod mode = step.comparison;
  uint64_t undefined[warpSize];
  LaneMask any = 0;
  for (int32_t lane = 0; lane < int32_t(warpSize); ++lane) {
    // The names are those of the ISA's pseudocode.
    int32_t bval = bits[0][lane] & 31, cval = bits[1][lane] & 31;
    int32_t segmask = bits[1][lane] >> 8 & 31;
    int32_t minLane = lane & segmask, maxLane = minLane | (cval & ~segmask);
    int32_t j = mode == Mod::up     ? lane - bval
                : mode == Mod::down ? lane + bval
                : mode == Mod::bfly ? lane ^ bval
                                    : minLane | (bval & ~segmask);
    bool isInRange = mode == Mod::up ? j >= maxLane : j <= maxLane;
    undefined[lane] = undefinedBitsOf(warp, a, (isInRange ? j : lane) & 31);
    if (unknown >> lane & 1)
      undefined[lane] = ~uint64_t(0);
    if (undefined[lane])
      any |= LaneMask(1) << lane;
  }
  StepRow from = undefinedSource(warp, step, ~LaneMask(0));
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    setUndefined(warp, step.results[0], countr_zero(rest),
                 undefined[countr_zero(rest)]);
  if (any & mask)
    setOrigin(warp, step, step.results[0], from);
  if (step.results.size() == 2) {
    setLanes(warp, step.results[1], mask, unknown);
    setOrigin(warp, step, step.results[1], from);
  }
}

//===----------------------------------------------------------------------===//
// vote.sync, match.sync, redux.sync, barrier.red
//===----------------------------------------------------------------------===//

/// All lanes have the same result.
static void setAll(Warp &warp, const UndefinedStep &step, LaneMask mask,
                   uint64_t undefined) {
  for (const StepRow &result : step.results) {
    if (!undefined) {
      define(warp, result, mask);
      continue;
    }
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      setUndefined(warp, result, countr_zero(rest), undefined);
    setOrigin(warp, step, result, undefinedSource(warp, step, mask));
  }
}

/// One undefined vote leaves it open unless another one decides.
static void vote(Warp &warp, const UndefinedStep &step, LaneMask mask,
                 const StepSaved &saved) {
  LaneMask unknown = undefinedLanes(warp, step.sources[0]) & mask, votes;
  std::memcpy(&votes, saved.rows[0], sizeof(votes));
  if (step.sources[0].negated)
    votes = ~votes;
  LaneMask known = mask & ~unknown;
  if (step.comparison == Mod::ballot)
    return setAll(warp, step, mask, unknown);
  bool anyTrue = known & votes, anyFalse = known & ~votes;
  bool isDecided = step.comparison == Mod::all   ? anyFalse
                   : step.comparison == Mod::any ? anyTrue
                                                 : anyTrue && anyFalse;
  setAll(warp, step, mask, unknown && !isDecided);
}

static void reduce(Warp &warp, const UndefinedStep &step, LaneMask mask,
                   const StepSaved &) {
  uint64_t undefined = 0;
  LaneMask lanes = undefinedLanes(warp, step.sources[0]) & mask;
  for (LaneMask rest = lanes; rest; rest &= rest - 1)
    undefined |= undefinedBitsOf(warp, step.sources[0], countr_zero(rest));
  if (step.comparison == Mod::add)
    undefined |= -undefined;
  else if (step.comparison != Mod::and_ && step.comparison != Mod::or_ &&
           step.comparison != Mod::xor_)
    undefined = undefined ? ~uint64_t(0) : 0;
  setAll(warp, step, mask, undefined);
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static void useResults(const InstDesc &desc, UndefinedStep &step) {
  const OperandDesc &result = desc.operands.front();
  if (result.kind != OperandDesc::Pair) {
    step.results.push_back(stepRow(result));
    return;
  }
  for (const OperandDesc &child : result.children)
    step.results.push_back(stepRow(child));
}

static Mod findMod(const InstDesc &desc, ArrayRef<Mod> mods) {
  for (Mod mod : mods)
    if (desc.has(mod))
      return mod;
  return Mod();
}

static bool useExchange(const InstDesc &desc, UndefinedStep &step) {
  const OperandDesc *a = desc.find("a"), *b = desc.find("b"),
                    *c = desc.find("c");
  if (!a || !b || !c || !a->isRow() || !b->isRow() || !c->isRow() ||
      b->bits != 32 || c->bits != 32)
    return false;
  useResults(desc, step);
  step.sources = {stepRow(*b), stepRow(*c), stepRow(*a)};
  step.comparison = findMod(desc, {Mod::up, Mod::down, Mod::bfly, Mod::idx});
  step.after = exchange;
  return true;
}

static bool useTogether(const InstDesc &desc, UndefinedStep &step,
                        StringRef source, StepAfter after,
                        ArrayRef<Mod> kinds) {
  const OperandDesc *a = desc.find(source);
  if (!a || !a->isRow())
    return false;
  useResults(desc, step);
  step.sources.push_back(stepRow(*a));
  step.comparison = findMod(desc, kinds);
  step.after = after;
  return true;
}

bool ptxbench::emulator::useUndefinedWarp(const InstDesc &desc,
                                          UndefinedStep &step) {
  switch (desc.opcode) {
  case Opcode::mov:
    return useMove(desc, step);
  case Opcode::add_cc:
  case Opcode::addc:
  case Opcode::sub_cc:
  case Opcode::subc:
  case Opcode::mad_lo_cc:
  case Opcode::mad_hi_cc:
  case Opcode::madc_lo:
  case Opcode::madc_hi:
    return useCarry(desc, step);
  case Opcode::shfl_sync:
    return useExchange(desc, step);
  case Opcode::vote_sync:
    return useTogether(desc, step, "a", vote,
                       {Mod::all, Mod::any, Mod::uni, Mod::ballot});
  case Opcode::match:
    return useTogether(desc, step, "a", reduce, {});
  case Opcode::redux_sync:
    return useTogether(desc, step, "a", reduce,
                       {Mod::add, Mod::and_, Mod::or_, Mod::xor_});
  case Opcode::bar:
  case Opcode::barrier:
    return desc.has(Mod::red) && useTogether(desc, step, "c", reduce, {});
  default:
    return false;
  }
}
