//===- UndefinedStep.cpp - What goes with an instruction ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handler around instructions, which operands have to be defined, and rows
// of undefined bits.
//
//===----------------------------------------------------------------------===//

#include "UndefinedStep.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static bool isClear(const char *bits, unsigned bytes) {
  uint64_t any = 0;
  for (unsigned at = 0; at != bytes; at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bits + at, sizeof(word));
    any |= word;
  }
  return !any;
}

LaneMask ptxbench::emulator::undefinedLanes(const Warp &warp,
                                            const StepRow &row) {
  if (row.slot == noSlot || slotBase(row.slot) != unsigned(SlotBase::Frame))
    return 0;
  const char *bits = undefinedRow(warp, row.slot);
  if (row.bits == 1)
    return *undefinedRow<LaneMask>(warp, row.slot);
  if (isClear(bits, rowBytes(row.bits)))
    return 0;
  LaneMask lanes = 0;
  unsigned size = row.bits / 8;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (any_of(ArrayRef<char>(bits + lane * size, size),
               [](char byte) { return byte != 0; }))
      lanes |= LaneMask(1) << lane;
  return lanes;
}

static uint64_t readLane(const char *row, unsigned bits, unsigned lane) {
  if (bits == 1) {
    LaneMask mask;
    std::memcpy(&mask, row, sizeof(mask));
    return mask >> lane & 1;
  }
  uint64_t value = 0;
  std::memcpy(&value, row + lane * (bits / 8), std::min(bits / 8, 8u));
  return value;
}

uint64_t ptxbench::emulator::undefinedBitsOf(const Warp &warp,
                                             const StepRow &row,
                                             unsigned lane) {
  if (row.slot == noSlot)
    return 0;
  return readLane(undefinedRow(warp, row.slot), row.bits, lane);
}

uint64_t ptxbench::emulator::valueOf(Warp &warp, const StepRow &row,
                                     unsigned lane) {
  if (row.slot == noSlot)
    return 0;
  return readLane(emulator::row(warp, row.slot), row.bits, lane) ^ row.negated;
}

void ptxbench::emulator::setUndefined(Warp &warp, const StepRow &row,
                                      unsigned lane, uint64_t undefined) {
  if (row.slot == noSlot)
    return;
  if (row.bits == 1) {
    LaneMask &mask = *undefinedResult<LaneMask>(warp, row.slot);
    mask = (mask & ~(LaneMask(1) << lane)) | LaneMask(undefined & 1) << lane;
    return;
  }
  unsigned size = row.bits / 8;
  char *bits = undefinedResult(warp, row.slot) + lane * size;
  std::memcpy(bits, &undefined, std::min(size, 8u));
  if (size > 8)
    std::memset(bits + 8, undefined ? 0xff : 0, size - 8);
}

void ptxbench::emulator::setLanes(Warp &warp, const StepRow &row, LaneMask mask,
                                  LaneMask undefined) {
  if (row.slot == noSlot)
    return;
  if (!(undefined & mask))
    return define(warp, row, mask);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    setUndefined(warp, row, lane, undefined >> lane & 1 ? ~uint64_t(0) : 0);
  }
}

void ptxbench::emulator::define(Warp &warp, const StepRow &row, LaneMask mask) {
  if (row.slot == noSlot || slotBase(row.slot) != unsigned(SlotBase::Frame))
    return;
  if (row.bits == 1) {
    *undefinedResult<LaneMask>(warp, row.slot) &= ~mask;
    return;
  }
  char *bits = undefinedResult(warp, row.slot);
  if (mask == ~LaneMask(0)) {
    std::memset(bits, 0, rowBytes(row.bits));
    return;
  }
  if (isClear(bits, rowBytes(row.bits)))
    return;
  unsigned size = row.bits / 8;
  for (; mask; mask &= mask - 1)
    std::memset(bits + countr_zero(mask) * size, 0, size);
}

void ptxbench::emulator::setOrigin(Warp &warp, const UndefinedStep &step,
                                   const StepRow &result, const StepRow &source,
                                   LaneMask padding) {
  if (result.slot == noSlot)
    return;
  uint32_t origin = 0;
  if (source.slot != noSlot &&
      slotBase(source.slot) == unsigned(SlotBase::Frame))
    origin = originOf(*warp.frame, source.slot);
  if (!origin)
    origin = warp.launch->program->sourceOf(step.inst).line;
  originOf(*warp.frame, result.slot) = origin;
  if (result.bits != 1)
    paddingOf(*warp.frame, result.slot) = padding;
}

LaneMask ptxbench::emulator::paddingLanes(Warp &warp,
                                          const UndefinedStep &step) {
  LaneMask others = 0;
  for (const StepRow &source : step.sources)
    if (LaneMask lanes = undefinedLanes(warp, source))
      others |= source.bits == 1 ? lanes
                                 : lanes & ~paddingOf(*warp.frame, source.slot);
  return ~others;
}

StepRow ptxbench::emulator::undefinedSource(const Warp &warp,
                                            const UndefinedStep &step,
                                            LaneMask lanes) {
  for (const StepRow &source : step.sources)
    if (undefinedLanes(warp, source) & lanes)
      return source;
  return {};
}

//===----------------------------------------------------------------------===//
// The handler
//===----------------------------------------------------------------------===//

static void checkUse(Warp &warp, const Inst &inst, const StepRow &row,
                     const char *what, LaneMask lanes) {
  lanes &= undefinedLanes(warp, row);
  if (!lanes)
    return;
  reportUndefined(warp, inst, countr_zero(lanes), what,
                  originOf(*warp.frame, row.slot));
  define(warp, row, lanes);
}

/// Sets the undefined bits of the results as the rule for single lanes says.
static void applyRule(Warp &warp, const UndefinedStep &step, LaneMask mask) {
  LaneMask lanes = 0;
  for (const StepRow &source : step.sources)
    lanes |= undefinedLanes(warp, source);
  lanes &= mask;
  if (!step.rule || !lanes) {
    for (const StepRow &result : step.results)
      define(warp, result, mask);
    return;
  }
  // A result may be a source.
  constexpr unsigned maxResults = 2;
  uint64_t undefined[maxResults][warpSize];
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    StepLane sources;
    for (unsigned i = 0; i < step.sources.size(); ++i) {
      sources.value[i] = valueOf(warp, step.sources[i], lane);
      sources.undefined[i] = undefinedBitsOf(warp, step.sources[i], lane);
    }
    for (unsigned i = 0; i < step.results.size(); ++i)
      undefined[i][lane] = step.rule(step, sources, i);
  }
  StepRow from = undefinedSource(warp, step, lanes);
  LaneMask padding = step.moves ? paddingLanes(warp, step) : 0;
  for (unsigned i = 0; i < step.results.size(); ++i) {
    const StepRow &result = step.results[i];
    define(warp, result, mask & ~lanes);
    for (LaneMask rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = countr_zero(rest);
      setUndefined(warp, result, lane, undefined[i][lane]);
    }
    setOrigin(warp, step, result, from, padding);
  }
}

static Step executeWithStep(Warp &warp, const Inst &outer, LaneMask &mask) {
  const auto &step = static_cast<const UndefinedStep &>(*outer.extra);
  const Inst &inst = step.inst;
  if (inst.guard != noSlot)
    checkUse(warp, inst, {inst.guard, 1}, "the guard", warp.active);
  if (mask) {
    for (const UndefinedStep::Use &use : step.uses)
      checkUse(warp, inst, use.row, use.what, mask);
    if (step.before)
      step.before(warp, step, mask);
    else if (!step.after)
      applyRule(warp, step, mask);
  }
  if (inst.handler) {
    if (mask)
      inst.handler(warp, inst, mask);
    return Step::Next;
  }
  StepSaved saved;
  if (step.after)
    for (unsigned i = 0; i < std::min<size_t>(2, step.sources.size()); ++i)
      if (step.sources[i].slot != noSlot)
        std::memcpy(saved.rows[i], row(warp, step.sources[i].slot),
                    rowBytes(step.sources[i].bits));
  Step result = inst.control(warp, inst, mask);
  if (step.after && mask && result == Step::Next)
    step.after(warp, step, mask, saved);
  return result;
}

void ptxbench::emulator::attach(std::unique_ptr<UndefinedStep> step, Inst &inst,
                                OwnExtra &own) {
  if (!step)
    return;
  bool isEmpty = step->uses.empty() && step->results.empty() && !step->before &&
                 !step->after;
  if (isEmpty && inst.guard == noSlot)
    return;
  step->inst = inst;
  inst.handler = nullptr;
  inst.control = executeWithStep;
  inst.extra = step.get();
  own.push_back(std::move(step));
}

std::unique_ptr<UndefinedStep>
ptxbench::emulator::makeUseStep(StepRow row, const char *what) {
  auto step = std::make_unique<UndefinedStep>();
  step->uses.push_back({row, what});
  return step;
}

/// ops: the two rows; flags[0]: their width.
static void copyUndefinedRow(Warp &warp, const Inst &inst, LaneMask mask) {
  StepRow to{inst.ops[0], inst.flags[0]}, from{inst.ops[1], inst.flags[0]};
  LaneMask lanes = undefinedLanes(warp, from) & mask;
  define(warp, to, mask);
  if (!lanes)
    return;
  unsigned size = to.bits / 8;
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    if (to.bits == 1)
      setUndefined(warp, to, lane, 1);
    else
      std::memcpy(undefinedResult(warp, to.slot) + lane * size,
                  undefinedRow(warp, from.slot) + lane * size, size);
  }
  originOf(*warp.frame, to.slot) = originOf(*warp.frame, from.slot);
  if (to.bits != 1)
    paddingOf(*warp.frame, to.slot) = paddingOf(*warp.frame, from.slot);
}

void ptxbench::emulator::selectUndefinedCopy(unsigned bits, Slot from, Slot to,
                                             Inst &inst) {
  inst.handler = copyUndefinedRow;
  inst.flags[0] = bits;
  inst.ops[0] = to;
  inst.ops[1] = from;
}

//===----------------------------------------------------------------------===//
// Operands that have to be defined
//===----------------------------------------------------------------------===//

namespace {
struct NamedUse {
  StringLiteral name;
  const char *what;
};
} // namespace

/// The operands, but addresses, that decide what an instruction does.
static ArrayRef<NamedUse> namedUses(Opcode opcode) {
  static constexpr NamedUse members[] = {{"mask", "the membermask"}};
  static constexpr NamedUse barrier[] = {{"a", "the number of the barrier"},
                                         {"b", "the count of threads"}};
  static constexpr NamedUse mbarrier[] = {
      {"count", "the count"}, {"state", "the phase"}, {"parity", "the phase"}};
  static constexpr NamedUse cpAsync[] = {{"srcSize", "the size"},
                                         {"ignore", "the predicate"}};
  static constexpr NamedUse bulk[] = {{"size", "the size"},
                                      {"mask", "the mask"},
                                      {"byteMask", "the mask"},
                                      {"offsets", "an offset"}};
  static constexpr NamedUse wgmma[] = {{"b", "the descriptor of B"},
                                       {"scaleD", "scale-d"},
                                       {"meta", "the metadata"}};
  static constexpr NamedUse tensorMap[] = {{"value", "the value"},
                                           {"ord", "the dimension"}};
  static constexpr NamedUse wmma[] = {{"stride", "the stride"}};
  switch (opcode) {
  case Opcode::shfl_sync:
  case Opcode::vote_sync:
  case Opcode::match:
  case Opcode::redux_sync:
  case Opcode::elect_sync:
  case Opcode::bar_warp_sync:
    return members;
  case Opcode::bar:
  case Opcode::barrier:
    return barrier;
  case Opcode::mbarrier_init:
  case Opcode::mbarrier_arrive:
  case Opcode::mbarrier_arrive_drop:
  case Opcode::mbarrier_expect_tx:
  case Opcode::mbarrier_complete_tx:
  case Opcode::mbarrier_test_wait:
  case Opcode::mbarrier_try_wait:
    return mbarrier;
  case Opcode::cp_async:
    return cpAsync;
  case Opcode::cp_async_bulk:
  case Opcode::cp_reduce_async_bulk:
  case Opcode::cp_async_bulk_prefetch:
  case Opcode::cp_async_bulk_tensor:
  case Opcode::cp_reduce_async_bulk_tensor:
  case Opcode::cp_async_bulk_prefetch_tensor:
  case Opcode::st_bulk:
    return bulk;
  case Opcode::wgmma_mma_async:
    return wgmma;
  case Opcode::tensormap_replace:
    return tensorMap;
  case Opcode::wmma_load:
  case Opcode::wmma_store:
    return wmma;
  default:
    return {};
  }
}

static void addUses(const OperandDesc &operand, const char *what,
                    UndefinedStep &step) {
  StepRow row = stepRow(operand);
  if (row.slot != noSlot && !operand.isDef &&
      slotBase(row.slot) == unsigned(SlotBase::Frame) &&
      operand.symbol == OperandDesc::NoSymbol)
    step.uses.push_back({row, what});
  for (const OperandDesc &child : operand.children)
    addUses(child, what, step);
}

static void findUses(const InstDesc &desc, UndefinedStep &step) {
  // A hint does nothing.
  if (desc.opcode == Opcode::prefetch || desc.opcode == Opcode::prefetchu)
    return;
  for (const OperandDesc &operand : desc.operands)
    if (operand.kind == OperandDesc::Address)
      for (const auto &[index, child] : enumerate(operand.children))
        addUses(child, index ? "a coordinate" : "the address", step);
  for (const NamedUse &use : namedUses(desc.opcode))
    if (const OperandDesc *operand = desc.find(use.name))
      addUses(*operand, use.what, step);
  // A is a descriptor, or registers with numbers.
  if (desc.opcode == Opcode::wgmma_mma_async)
    if (const OperandDesc *a = desc.find("a"); a && a->isRow())
      addUses(*a, "the descriptor of A", step);
}

static void addResults(const OperandDesc &operand, UndefinedStep &step) {
  if (operand.isDef && operand.isRow() &&
      slotBase(operand.slot) == unsigned(SlotBase::Frame))
    step.results.push_back(stepRow(operand));
  for (const OperandDesc &child : operand.children)
    addResults(child, step);
}

std::unique_ptr<UndefinedStep>
ptxbench::emulator::makeUndefinedStep(const InstDesc &desc, const Inst &inst) {
  auto step = std::make_unique<UndefinedStep>();
  findUses(desc, *step);
  if (desc.opcode == Opcode::call) {
    if (inst.ops[0] != noSlot)
      step->uses.push_back({{inst.ops[0], 64}, "the callee"});
    return step;
  }
  if (useUndefinedRule(desc, *step) || useUndefinedMemory(desc, *step) ||
      useUndefinedWarp(desc, *step) || useUndefinedMatrix(desc, *step))
    return step;
  // Not known: the results are defined.
  for (const OperandDesc &operand : desc.operands)
    addResults(operand, *step);
  return step;
}
