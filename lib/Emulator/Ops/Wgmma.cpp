//===- Wgmma.cpp - wgmma --------------------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "wgmma.mma_async", "wgmma.mma_async.sp", "wgmma.fence". Each warp of
// a warpgroup issues its part, 16 rows of A and D. When all four have, it is
// one asynchronous operation, so that a wait of one warp waits for the reads of
// all: programs have one thread say that shared memory may be overwritten. The
// operations of a warpgroup complete in the order in which they were issued.
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"
#include "../Checks/RaceChecker.h"
#include "WgmmaOperands.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

//===----------------------------------------------------------------------===//
// Registers in flight
//===----------------------------------------------------------------------===//

namespace {
struct CheckExtra : InstExtra {
  /// All that the instruction names, and those it writes.
  RowSlots slots, written;
};
} // namespace

void WgmmaRegisters::add(const InstDesc &desc) {
  for (StringRef name : {"d", "a"})
    if (const OperandDesc *operand = desc.find(name))
      for (const OperandDesc &element : operand->children)
        if (element.kind == OperandDesc::Register)
          slots.insert(element.slot);
}

static void findSlots(const OperandDesc &operand,
                      const WgmmaRegisters &registers, CheckExtra &found) {
  if (operand.kind == OperandDesc::Register &&
      registers.contains(operand.slot)) {
    found.slots.push_back(operand.slot);
    if (operand.isDef)
      found.written.push_back(operand.slot);
  }
  for (const OperandDesc &child : operand.children)
    findSlots(child, registers, found);
}

static const WgmmaExtra &extraOf(const WgmmaInFlight &one) {
  return static_cast<const WgmmaExtra &>(*one.inst->extra);
}

void ptxbench::emulator::completeWgmma(Warp &warp) {
  if (!warp.asyncGroups || warp.asyncGroups->wgmmaInFlight.empty())
    return;
  // Only of this warp: the others may not have come so far.
  for (const std::shared_ptr<WgmmaPart> &part : warp.asyncGroups->wgmmaParts)
    part->multiply();
  warp.asyncGroups->wgmmaParts.clear();
  warp.asyncGroups->wgmmaInFlight.clear();
}

/// Reports that `inst` accesses a register of `one`, and gives it what it
/// would find after a wait.
static void endFlight(Warp &warp, const Inst &inst, LaneMask mask,
                      const WgmmaInFlight &one) {
  const Program &program = *warp.launch->program;
  unsigned line = program.sourceOf(*one.inst).line;
  report(warp, inst, countr_zero(mask), "wgmma-register-in-flight",
         program.sourceOf(inst).name +
             " accesses a register of the wgmma.mma_async of line " +
             Twine(line) + ", which no wgmma.wait_group has waited for",
         line);
  completeWgmma(warp);
}

/// The latest that has one of `slots` in flight.
static const WgmmaInFlight *findInFlight(Warp &warp, ArrayRef<Slot> slots) {
  for (const WgmmaInFlight &one : reverse(warp.asyncGroups->wgmmaInFlight)) {
    if (one.rows != warp.bases[unsigned(SlotBase::Frame)])
      continue;
    const WgmmaExtra &extra = extraOf(one);
    for (Slot slot : slots)
      if (is_contained(extra.d, slot) || is_contained(extra.aRegisters, slot))
        return &one;
  }
  return nullptr;
}

/// In front of an instruction of the text.
static void checkRegisters(Warp &warp, const Inst &inst, LaneMask mask) {
  WarpAsyncGroups *groups = warp.asyncGroups.get();
  if (!groups || (groups->wgmmaInFlight.empty() && !groups->watchesRegisters))
    return;
  const auto &extra = static_cast<const CheckExtra &>(*inst.extra);
  const Inst &checked = warp.launch->program->code[warp.pc + 1];
  if (const WgmmaInFlight *one = findInFlight(warp, extra.slots))
    endFlight(warp, checked, mask, *one);
  if (groups->watchesRegisters)
    for (Slot slot : extra.written)
      groups->writtenRegisters[{warp.bases[unsigned(SlotBase::Frame)], slot}] =
          &checked;
}

/// In front of a move that the text does not have.
static void checkMove(Warp &warp, const Inst &inst, LaneMask) {
  if (!warp.asyncGroups || warp.asyncGroups->wgmmaInFlight.empty())
    return;
  const auto &extra = static_cast<const CheckExtra &>(*inst.extra);
  if (findInFlight(warp, extra.slots))
    completeWgmma(warp);
}

bool WgmmaRegisters::selectCheck(const InstDesc &desc, Inst &check,
                                 OwnExtra &own) const {
  if (slots.empty())
    return false;
  auto extra = std::make_unique<CheckExtra>();
  for (const OperandDesc &operand : desc.operands)
    findSlots(operand, *this, *extra);
  // Copies, and loads of variables in local memory, which a compiler may put
  // between a fence and the wgmma, carry what was there before.
  bool isLoadOfVariable =
      desc.opcode == Opcode::ld && !desc.has(Mod::global) &&
      !desc.has(Mod::shared) && !desc.has(Mod::shared__cta) &&
      !desc.has(Mod::shared__cluster) && !desc.has(Mod::const_);
  if (desc.opcode == Opcode::mov || isLoadOfVariable)
    extra->written.clear();
  if (extra->slots.empty())
    return false;
  check.handler = checkRegisters;
  check.extra = extra.get();
  own.push_back(std::move(extra));
  return true;
}

bool WgmmaRegisters::selectCheck(Slot from, Slot to, Inst &check,
                                 OwnExtra &own) const {
  if (!contains(from) && !contains(to))
    return false;
  auto extra = std::make_unique<CheckExtra>();
  extra->slots = {from, to};
  check.handler = checkMove;
  check.extra = extra.get();
  own.push_back(std::move(extra));
  return true;
}

/// PTX ISA: instructions with the same accumulators and the same shape may
/// follow each other; all other accesses need a wait.
static void checkOwnRegisters(Warp &warp, const Inst &inst, LaneMask mask) {
  const auto &extra = static_cast<const WgmmaExtra &>(*inst.extra);
  auto overlap = [](ArrayRef<Slot> a, ArrayRef<Slot> b) {
    return any_of(a, [&](Slot slot) { return is_contained(b, slot); });
  };
  for (const WgmmaInFlight &one : reverse(warp.asyncGroups->wgmmaInFlight)) {
    if (one.inst == &inst || one.rows != warp.bases[unsigned(SlotBase::Frame)])
      continue;
    const WgmmaExtra &other = extraOf(one);
    bool same = extra.d == other.d;
    if ((!same && overlap(extra.d, other.d)) ||
        overlap(extra.aRegisters, other.d) ||
        (!same && overlap(other.aRegisters, extra.d)))
      return endFlight(warp, inst, mask, one);
  }
}

//===----------------------------------------------------------------------===//
// The instructions
//===----------------------------------------------------------------------===//

/// ops of the instruction.
enum { SlotA, SlotB, SlotScaleD, SlotMetadata };
/// Of Inst::flags.
enum { ScaleNegated };

static Warp &firstOfWarpgroup(Warp &warp) {
  return warp.cta->warps[warp.index / 4 * 4];
}

/// Whether the four warps of the warpgroup are there, or had their part before
/// they ended.
static bool isWholeWarpgroup(Warp &warp, const Inst &inst) {
  Cta &cta = *warp.cta;
  unsigned first = warp.index / 4 * 4, whole = 0;
  uint64_t number = asyncGroupsOf(warp).wgmmaIssued;
  for (unsigned i = first; i < first + 4 && i < cta.warps.size(); ++i) {
    Warp &other = cta.warps[i];
    bool hadItsPart =
        other.finished() && asyncGroupsOf(other).wgmmaIssued > number;
    whole += other.threads == ~LaneMask(0) && (!other.exited || hadItsPart);
  }
  if (whole == 4)
    return true;
  fault(warp, inst, 0, "partial-warpgroup",
        warp.launch->program->sourceOf(inst).name +
            " is executed by the 128 threads of a warpgroup together, but of "
            "the four warps from " +
            Twine(first) + " on only " + Twine(whole) + " are whole");
  return false;
}

/// The value of a register that is to be the same in all lanes.
static uint64_t sharedValue(Warp &warp, const Inst &inst, Slot slot,
                            char operand) {
  const uint64_t *values = row<uint64_t>(warp, slot);
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (values[lane] != values[0]) {
      report(warp, inst, lane, "wgmma-descriptor-differs",
             "the descriptor of " + Twine(operand) +
                 " is not the same in all threads of the warp; that of the "
                 "first counts");
      break;
    }
  return values[0];
}

/// All four warps have issued their parts: the operation begins.
static void begin(Warp &warp, const Inst &inst, FormingWgmma forming) {
  AsyncOp op;
  for (const std::shared_ptr<WgmmaPart> &part : forming.parts) {
    // From here on it is the operation that is pending.
    --part->group->pending;
    op.groups.push_back(part->group);
  }
  op.complete = [forming = std::move(forming)] {
    for (const std::shared_ptr<WgmmaPart> &part : forming.parts)
      part->multiply();
  };
  op.chain = &asyncGroupsOf(firstOfWarpgroup(warp)).wgmma;
  op.what = "wgmma.mma_async";
  op.line = warp.launch->program->sourceOf(inst).line;
  warp.cta->cluster->async.issue(std::move(op));
}

/// PTX ISA "wgmma.fence": one stands before the first wgmma, and between a
/// write to a register of A or of the accumulators and a wgmma on it; only
/// wgmma of one shape may follow each other on the same accumulators.
static void checkFence(Warp &warp, const Inst &inst, const WgmmaExtra &extra) {
  WarpAsyncGroups &groups = *warp.asyncGroups;
  char *rows = warp.bases[unsigned(SlotBase::Frame)];
  const Program &program = *warp.launch->program;
  auto check = [&](Slot slot, bool isAccumulator) {
    auto it = groups.writtenRegisters.find({rows, slot});
    if (it == groups.writtenRegisters.end())
      return true;
    const Inst &writer = *it->second;
    if (writer.control == inst.control) {
      const auto &other = static_cast<const WgmmaExtra &>(*writer.extra);
      if (isAccumulator && other.n == extra.n && other.k == extra.k)
        return true;
    }
    report(warp, inst, 0, "missing-wgmma-fence",
           program.sourceOf(writer).name +
               " writes a register that wgmma.mma_async accesses, and no "
               "wgmma.fence stands between",
           program.sourceOf(writer).line);
    return false;
  };
  if (!std::exchange(groups.hadFence, true))
    report(warp, inst, 0, "missing-wgmma-fence",
           "no wgmma.fence stands before the first wgmma.mma_async");
  else if (all_of(extra.d, [&](Slot slot) { return check(slot, true); }))
    (void)all_of(extra.aRegisters,
                 [&](Slot slot) { return check(slot, false); });
  for (Slot slot : extra.d)
    groups.writtenRegisters[{rows, slot}] = &inst;
}

/// Whether the parts are of the same instruction with the same operands.
static bool isSame(Warp &warp, const WgmmaPart &part,
                   const FormingWgmma &forming) {
  for (const std::shared_ptr<WgmmaPart> &other : forming.parts) {
    if (!other)
      continue;
    if (other->inst == part.inst) {
      auto differs = [&](StringRef id, const Twine &what) {
        report(warp, *part.inst, 0, id,
               what + " is not the same in warps " + Twine(other->warp->index) +
                   " and " + Twine(warp.index) + " of the warpgroup");
      };
      if (other->descriptorA != part.descriptorA)
        differs("wgmma-descriptor-differs", "the descriptor of A");
      if (other->descriptorB != part.descriptorB)
        differs("wgmma-descriptor-differs", "the descriptor of B");
      if (other->accumulate != part.accumulate)
        differs("wgmma-scale-differs", "scale-d");
      continue;
    }
    fault(warp, *part.inst, 0, "warpgroup-differs",
          "the warps of a warpgroup execute the same wgmma.mma_async, but "
          "warp " +
              Twine(other->warp->index) + " executes that of line " +
              Twine(warp.launch->program->sourceOf(*other->inst).line));
    return false;
  }
  return true;
}

static Step executeWgmma(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  if (!isWholeWarpgroup(warp, inst))
    return Step::Ended;
  const auto &extra = static_cast<const WgmmaExtra &>(*inst.extra);
  WarpAsyncGroups &groups = asyncGroupsOf(warp);
  if (!groups.wgmmaInFlight.empty())
    checkOwnRegisters(warp, inst, mask);
  if (groups.watchesRegisters)
    checkFence(warp, inst, extra);

  auto part = std::make_shared<WgmmaPart>();
  part->warp = &warp;
  part->inst = &inst;
  part->extra = &extra;
  part->rows = warp.bases[unsigned(SlotBase::Frame)];
  part->frame = warp.frame;
  if (extra.aRegisters.empty())
    part->descriptorA = sharedValue(warp, inst, inst.ops[SlotA], 'A');
  part->descriptorB = sharedValue(warp, inst, inst.ops[SlotB], 'B');
  LaneMask scale = predicate(warp, inst.ops[SlotScaleD]);
  if (scale != 0 && scale != ~LaneMask(0))
    report(warp, inst, countr_zero(~scale), "wgmma-scale-differs",
           "scale-d is not the same in all threads of the warp; that of the "
           "first counts");
  part->accumulate = (scale & 1) != inst.flags[ScaleNegated];
  if (extra.sparse)
    std::copy_n(row<uint32_t>(warp, inst.ops[SlotMetadata]), warpSize,
                part->metadata);

  // Of an instruction in a loop the last execution is enough to know.
  erase_if(groups.wgmmaInFlight, [&](const WgmmaInFlight &one) {
    return one.inst == &inst && one.rows == part->rows;
  });
  groups.wgmmaInFlight.push_back({&inst, part->rows, groups.wgmmaCommits});
  while (!groups.wgmmaParts.empty() && groups.wgmmaParts.front()->done)
    groups.wgmmaParts.pop_front();
  groups.wgmmaParts.push_back(part);
  part->group = groups.wgmma.open();
  ++part->group->pending;

  WarpAsyncGroups &together = asyncGroupsOf(firstOfWarpgroup(warp));
  uint64_t number = groups.wgmmaIssued++;
  part->group->lastEpoch = number + 1;
  if (RaceChecker *races = warp.cta->cluster->races.get()) {
    // The four parts are one operation.
    AsyncStamp stamp = races->latest(warp, AsyncUnit::Wgmma);
    stamp.epoch = number + 1;
    part->watch(*races, stamp);
  }
  // All four issue them in this order.
  size_t place = number - together.wgmmaFormed;
  if (place == together.forming.size())
    together.forming.emplace_back();
  FormingWgmma &forming = together.forming[place];
  if (!isSame(warp, *part, forming))
    return Step::Ended;
  forming.parts[warp.index % 4] = std::move(part);
  ++warp.cta->cluster->progress;
  if (++forming.count == 4) {
    FormingWgmma whole = std::move(forming);
    together.forming.pop_front();
    ++together.wgmmaFormed;
    begin(warp, inst, std::move(whole));
  }
  return Step::Next;
}

/// Orders accesses to registers and shared memory before wgmma that follow;
/// here they are in order.
static Step executeFence(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  if (warp.asyncGroups) {
    warp.asyncGroups->hadFence = true;
    warp.asyncGroups->writtenRegisters.clear();
  }
  return Step::Next;
}

static bool selectProduct(const InstDesc &desc, Inst &inst, OwnExtra &own) {
  auto extra = std::make_unique<WgmmaExtra>();
  std::optional<MatrixShape> shape = shapeOf(desc);
  std::optional<Element> a = elementOf(desc, "a"), b = elementOf(desc, "b");
  std::optional<Mod> d = desc.slot("d");
  const OperandDesc *operandD = desc.find("d"), *operandA = desc.find("a"),
                    *operandB = desc.find("b"), *scaleD = desc.find("scaleD");
  if (!shape || !a || !b || !d || !operandD || !operandA || !operandB ||
      !scaleD || !operandB->isRow() || operandB->bits != 64 ||
      !scaleD->isRow() || scaleD->bits != 1)
    return false;
  extra->n = shape->n;
  extra->k = shape->k;
  extra->a = *a;
  extra->b = *b;
  extra->accumulator = *a == Element::B1 ? WgmmaExtra::Bit
                       : *d == Mod::s32  ? WgmmaExtra::Integer
                       : *d == Mod::f16  ? WgmmaExtra::Half
                                         : WgmmaExtra::Float;
  extra->sparse = desc.has(Mod::sp);
  extra->saturate = desc.has(Mod::satfinite);
  auto immediate = [&](StringRef name, int absent) {
    const OperandDesc *operand = desc.find(name);
    return operand ? int32_t(operand->value) : absent;
  };
  extra->negate = immediate("scaleA", 1) * immediate("scaleB", 1) < 0;
  extra->majorA = immediate("transA", 0) ? Major::MN : Major::K;
  extra->majorB = immediate("transB", 0) ? Major::MN : Major::K;
  extra->selector = immediate("selector", 0);
  if (!useVector(*operandD, 32, extra->d) ||
      extra->d.size() !=
          shape->n / (extra->accumulator == WgmmaExtra::Half ? 4 : 2) ||
      any_of(extra->d, [](Slot slot) {
        return slotBase(slot) != unsigned(SlotBase::Frame);
      }))
    return false;
  if (operandA->kind == OperandDesc::Vector) {
    if (!useVector(*operandA, 32, extra->aRegisters) ||
        any_of(extra->aRegisters, [](Slot slot) {
          return slotBase(slot) != unsigned(SlotBase::Frame);
        }))
      return false;
  } else {
    if (!operandA->isRow() || operandA->bits != 64)
      return false;
    inst.ops[SlotA] = operandA->slot;
  }
  inst.ops[SlotB] = operandB->slot;
  inst.ops[SlotScaleD] = scaleD->slot;
  inst.flags[ScaleNegated] = scaleD->negated;
  if (extra->sparse) {
    const OperandDesc *metadata = desc.find("meta");
    if (!metadata || !metadata->isRow() || metadata->bits != 32)
      return false;
    inst.ops[SlotMetadata] = metadata->slot;
  }
  inst.control = executeWgmma;
  inst.extra = extra.get();
  own.push_back(std::move(extra));
  return true;
}

bool ptxbench::emulator::selectWgmma(const InstDesc &desc, Inst &inst,
                                     OwnExtra &own) {
  switch (desc.opcode) {
  case Opcode::wgmma_mma_async:
    return selectProduct(desc, inst, own);
  case Opcode::wgmma_fence:
    inst.control = executeFence;
    return true;
  default:
    return false;
  }
}
