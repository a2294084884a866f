//===- Warp.cpp - Executing instructions of a warp ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter's loop, and groups: how lanes part, wait and meet.
//
//===----------------------------------------------------------------------===//

#include "../Checks/RaceChecker.h"
#include "../Checks/UndefinedValues.h"
#include "../Ops/AsyncGroups.h"
#include "../Ops/RegisterPool.h"
#include "../Ops/Wgmma.h"
#include "Machine.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// After so many jumps backwards a group gives way to the others of the warp.
static constexpr unsigned patience = 256;

InstExtra::~InstExtra() = default;

Cluster::Cluster(Launch &launch)
    : launch(&launch), async(launch.options->schedule) {}

Cluster::~Cluster() = default;

Launch::Launch() = default;
Launch::~Launch() = default;

RowBuffer::RowBuffer(size_t bytes) {
  constexpr size_t alignment = 64;
  bytes = std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
  memory.reset(static_cast<char *>(std::aligned_alloc(alignment, bytes)));
  std::memset(memory.get(), 0, bytes);
}

void RowBuffer::Free::operator()(char *memory) const { std::free(memory); }

LazyBytes::LazyBytes(size_t bytes)
    : memory(static_cast<char *>(std::calloc(bytes, 1))), bytes(bytes) {}

void LazyBytes::Free::operator()(char *memory) const { std::free(memory); }

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

Finding ptxbench::emulator::makeFinding(Warp &warp, const Inst &inst,
                                        unsigned lane, StringRef id,
                                        const Twine &message) {
  Finding finding;
  finding.id = id.str();
  finding.message = message.str();
  const SourceInst &source = warp.launch->program->sourceOf(inst);
  finding.line = source.line;
  finding.column = source.column;
  const uint32_t *cta = warp.cta->index;
  finding.cta = {cta[0], cta[1], cta[2]};
  const Dim3 &block = warp.launch->config->block;
  unsigned thread = warp.index * warpSize + lane;
  finding.thread = {thread % block.x, thread / block.x % block.y,
                    thread / block.x / block.y};
  return finding;
}

void ptxbench::emulator::fault(Warp &warp, const Inst &inst, unsigned lane,
                               StringRef id, const Twine &message,
                               LaunchStatus status) {
  Launch &launch = *warp.launch;
  std::lock_guard<std::mutex> lock(launch.mutex);
  warp.limit = 0;
  if (launch.stopped.exchange(true))
    return;
  Finding finding = makeFinding(warp, inst, lane, id, message);
  launch.status = status;
  launch.reason =
      "line " + std::to_string(finding.line) + ": " + finding.message;
  launch.findings.insert(launch.findings.begin(), std::move(finding));
}

void ptxbench::emulator::report(Warp &warp, const Inst &inst, unsigned lane,
                                StringRef id, const Twine &message,
                                unsigned otherLine) {
  Launch &launch = *warp.launch;
  Finding finding = makeFinding(warp, inst, lane, id, message);
  finding.otherLine = otherLine;
  std::lock_guard<std::mutex> lock(launch.mutex);
  // One per instruction and kind; the first thread stands for the others.
  for (const Finding &known : launch.findings)
    if (known.id == finding.id && known.line == finding.line &&
        known.column == finding.column && known.otherLine == otherLine)
      return;
  launch.findings.push_back(std::move(finding));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void ptxbench::emulator::park(Warp &warp, LaneMask lanes, uint32_t pc) {
  warp.parked.push_back({lanes, pc, warp.frame, Wait()});
  warp.active &= ~lanes;
  warp.limit = 0;
}

void ptxbench::emulator::jump(Warp &warp, uint32_t target) {
  if (target <= warp.pc && !warp.parked.empty() &&
      ++warp.backwardJumps > patience)
    warp.limit = 0;
  warp.pc = target;
}

static void setFrame(Warp &warp, Frame *frame) {
  warp.frame = frame;
  warp.bases[unsigned(SlotBase::Frame)] = frame->rows.data();
}

/// Makes the group current that is to go on; false if all wait or none is
/// left.
static bool selectGroup(Warp &warp) {
  auto &groups = warp.parked;
  bool gaveWay = warp.backwardJumps > patience;
  warp.backwardJumps = 0;
  // The fast way: nothing but the current group.
  if (groups.empty() && !warp.wait) {
    warp.limit = ~0u;
    return warp.active != 0;
  }
  if (warp.active)
    groups.push_back({warp.active, warp.pc, warp.frame, warp.wait});
  warp.active = 0;
  warp.wait = Wait();

  for (Group &group : groups)
    if (group.wait && group.wait.ready(warp, group.wait)) {
      if (group.wait.advance)
        ++group.pc;
      group.wait = Wait();
    }
  // Groups that met are one. One that waits for the others at a place is
  // joined by those that come there, and looks again.
  for (unsigned i = 0; i < groups.size(); ++i)
    for (unsigned j = i + 1; j < groups.size();) {
      Group &a = groups[i], &b = groups[j];
      if (a.pc != b.pc || a.frame != b.frame || (a.wait && !a.wait.inWarp) ||
          (b.wait && !b.wait.inWarp)) {
        ++j;
        continue;
      }
      a.mask |= b.mask;
      a.wait = Wait();
      groups.erase(groups.begin() + j);
    }

  auto isBehind = [](const Group &a, const Group &b) {
    if (a.frame->depth != b.frame->depth)
      return a.frame->depth > b.frame->depth;
    return a.pc < b.pc;
  };
  Group *best = nullptr;
  unsigned runnable = 0;
  for (Group &group : groups)
    if (!group.wait) {
      ++runnable;
      if (!best || isBehind(group, *best))
        best = &group;
    }
  if (!best)
    return false;
  // The one that gave way was the last in the list and the first in the order.
  if (gaveWay && runnable > 1)
    for (Group &group : groups)
      if (!group.wait) {
        best = &group;
        break;
      }
  warp.active = best->mask;
  warp.pc = best->pc;
  setFrame(warp, best->frame);
  groups.erase(best);
  warp.limit = ~0u;
  for (Group &group : groups)
    if (group.frame == warp.frame && group.pc > warp.pc &&
        (!group.wait || group.wait.inWarp))
      warp.limit = std::min(warp.limit, group.pc);
  return true;
}

bool ptxbench::emulator::neverReady(Warp &, const Wait &) { return false; }

bool ptxbench::emulator::converge(Warp &warp, LaneMask members) {
  LaneMask missing = members & warp.running() & ~warp.active;
  if (!missing)
    return true;
  warp.wait = Wait();
  // It is over when the groups of the missing lanes come here (selectGroup).
  warp.wait.ready = neverReady;
  warp.wait.what = "lanes of its warp";
  warp.wait.a = missing;
  warp.wait.inWarp = true;
  return false;
}

void ptxbench::emulator::completeBarriers(Cta &cta) {
  auto complete = [&](NamedBarrier &barrier, unsigned warps, auto warpAt) {
    if (barrier.tryComplete(warps, [&](unsigned i) {
          Warp &warp = warpAt(i);
          return warp.exited | ~warp.threads;
        })) {
      ++cta.cluster->progress;
      if (RaceChecker *races = cta.cluster->races.get())
        races->completeBarrier(&barrier);
    }
  };
  for (NamedBarrier &barrier : cta.barriers)
    if (barrier.isUsed())
      complete(barrier, cta.warps.size(),
               [&](unsigned i) -> Warp & { return cta.warps[i]; });
  Cluster &cluster = *cta.cluster;
  unsigned perCta = cta.warps.size();
  complete(cluster.barrier, perCta * cluster.ctas.size(),
           [&](unsigned i) -> Warp & {
             return cluster.ctas[i / perCta]->warps[i % perCta];
           });
}

Step ptxbench::emulator::endThreads(Warp &warp, LaneMask lanes) {
  warp.exited |= lanes;
  warp.active &= ~lanes;
  for (Frame *frame = warp.frame; frame; frame = frame->parent)
    frame->lanes &= ~lanes;
  warp.cta->exitedThreads += popcount(lanes);
  ++warp.cta->cluster->progress;
  RaceChecker *races = warp.cta->cluster->races.get();
  if (races && warp.cta->finished())
    races->endCta(*warp.cta, warp.launch->program->code[warp.pc]);
  completeBarriers(*warp.cta);
  // Groups that wait for these lanes look again.
  for (Group &group : warp.parked)
    if (group.wait.inWarp)
      group.wait = Wait();
  if (!warp.active) {
    warp.limit = 0;
    return Step::Ended;
  }
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The bytes of local memory of a lane.
static char *localBytes(Warp &warp, unsigned lane, uint32_t offset) {
  size_t perLane = warp.local.size() / warpSize;
  return warp.local.data() + lane * perLane + offset;
}

/// Makes room for `bytes` of local memory per lane; false if there is none.
static bool growLocal(Warp &warp, uint64_t bytes) {
  size_t old = warp.local.size() / warpSize;
  if (bytes <= old)
    return true;
  if (bytes > maxLocalBytes)
    return false;
  LazyBytes grown(
      std::min<size_t>(std::max<size_t>(bytes, 2 * old), maxLocalBytes) *
      warpSize);
  if (!grown.data())
    return false;
  size_t now = grown.size() / warpSize;
  auto copyLanes = [&](const char *from, char *to) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::copy_n(from + lane * old, old, to + lane * now);
  };
  copyLanes(warp.local.data(), grown.data());
  warp.local = std::move(grown);
  if (watchesUndefined(warp)) {
    std::vector<char> undefined(now * warpSize, char(0xff));
    copyLanes(warp.localUndefined.data(), undefined.data());
    warp.localUndefined = std::move(undefined);
  }
  return true;
}

/// Null if there is no local memory for it.
static Frame *makeFrame(Warp &warp, const Function &function, Frame *parent) {
  std::unique_ptr<Frame> frame;
  for (auto &candidate : warp.freeFrames)
    if (candidate->function == &function) {
      frame = std::move(candidate);
      std::swap(candidate, warp.freeFrames.back());
      warp.freeFrames.pop_back();
      break;
    }
  if (!frame) {
    frame = std::make_unique<Frame>();
    frame->function = &function;
    frame->rows = RowBuffer(function.frameBytes);
    warp.frameBytes += sizeof(Frame) + function.frameBytes;
  }
  frame->parent = parent;
  frame->depth = parent ? parent->depth + 1 : 0;
  frame->localBase =
      parent ? parent->localBase + parent->function->localBytes : 0;
  frame->lanes = 0;
  if (!growLocal(warp, uint64_t(frame->localBase) + function.localBytes))
    return nullptr;
  for (const AddressRow &address : function.addresses) {
    uint32_t value = address.space == AddressRow::Local
                         ? frame->localBase + address.offset
                         : sharedAddress(*warp.cta, address.offset);
    char *place = frame->rows.data() + slotOffset(address.slot);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (address.bits == 32)
        reinterpret_cast<uint32_t *>(place)[lane] = value;
      else
        reinterpret_cast<uint64_t *>(place)[lane] = value;
  }
  if (watchesUndefined(warp))
    undefineRows(*frame);
  warp.frames.push_back(std::move(frame));
  return warp.frames.back().get();
}

/// What two lists of parameters differ in; empty: nothing.
static std::string compareParams(const char *what,
                                 const std::vector<ParamPlace> &given,
                                 const std::vector<ParamPlace> &wanted) {
  auto bitsOf = [](const ParamPlace &place) {
    return place.slot == noSlot ? uint64_t(place.bytes) * 8 : place.bits;
  };
  if (given.size() != wanted.size())
    return ("the call has " + Twine(given.size()) + " " + what +
            " but the function has " + Twine(wanted.size()))
        .str();
  for (size_t i = 0; i < given.size(); ++i)
    // A sink has no size of its own.
    if (bitsOf(given[i]) && bitsOf(given[i]) != bitsOf(wanted[i]))
      return (Twine(what) + ": number " + Twine(i + 1) + " of the call has " +
              Twine(bitsOf(given[i])) + " bits but that of the function " +
              Twine(bitsOf(wanted[i])))
          .str();
  return "";
}

/// Copies arguments or results between two frames, for `lanes`.
static void copyParams(Warp &warp, LaneMask lanes,
                       const std::vector<ParamPlace> &from, Frame &fromFrame,
                       const std::vector<ParamPlace> &to, Frame &toFrame) {
  auto rowOf = [&](const ParamPlace &place, Frame &frame) {
    if (slotBase(place.slot) == unsigned(SlotBase::Frame))
      return frame.rows.data() + slotOffset(place.slot);
    return row(warp, place.slot);
  };
  if (watchesUndefined(warp))
    copyUndefinedParams(warp, lanes, from, fromFrame, to, toFrame);
  for (size_t i = 0; i < std::min(from.size(), to.size()); ++i)
    for (LaneMask rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = countr_zero(rest);
      auto pointer = [&](const ParamPlace &place, Frame &frame) {
        if (place.slot == noSlot)
          return localBytes(warp, lane, frame.localBase + place.localOffset);
        return rowOf(place, frame) + lane * (place.bits / 8);
      };
      auto size = [](const ParamPlace &place) {
        return place.slot == noSlot ? place.bytes : place.bits / 8;
      };
      if (from[i].bits == 1 && to[i].bits == 1) {
        LaneMask &mask = *reinterpret_cast<LaneMask *>(rowOf(to[i], toFrame));
        LaneMask bits =
            *reinterpret_cast<LaneMask *>(rowOf(from[i], fromFrame));
        mask = (mask & ~lanes) | (bits & lanes);
        break;
      }
      std::memcpy(pointer(to[i], toFrame), pointer(from[i], fromFrame),
                  std::min(size(from[i]), size(to[i])));
    }
}

Step ptxbench::emulator::executeCall(Warp &warp, const Inst &inst,
                                     LaneMask &mask) {
  if (!mask)
    return Step::Next;
  const Program &program = *warp.launch->program;
  const auto &call = static_cast<const CallExtra &>(*inst.extra);
  unsigned callee;
  if (call.callee) {
    callee = *call.callee;
  } else {
    // An indirect call: lanes with one target go together, the others follow.
    const uint64_t *targets = row<uint64_t>(warp, inst.ops[0]);
    uint64_t target = targets[countr_zero(mask)];
    LaneMask same = 0;
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      if (targets[countr_zero(rest)] == target)
        same |= rest & -rest;
    if (same != mask)
      park(warp, mask & ~same, warp.pc);
    mask = same;
    // Function addresses are numbers from 1.
    if (target == 0 || target > program.functions.size() - 1) {
      fault(warp, inst, countr_zero(mask), "invalid-callee",
            "the callee of an indirect call is no function but " +
                Twine(target));
      return Step::Ended;
    }
    callee = target;
  }
  const Function &function = program.functions[callee];
  if (!call.callee) {
    std::string wrong = compareParams("arguments", call.args, function.params);
    if (wrong.empty())
      wrong = compareParams("results", call.results, function.results);
    if (!wrong.empty()) {
      fault(warp, inst, countr_zero(mask), "call-prototype",
            "an indirect call of '" + function.name + "': " + wrong);
      return Step::Ended;
    }
  }
  // Registers of calls in one another are in local memory on a GPU.
  constexpr size_t maxFrameBytes = maxLocalBytes * warpSize;
  if (warp.frameBytes > maxFrameBytes) {
    fault(warp, inst, countr_zero(mask), "stack-overflow",
          "the registers of " + Twine(warp.frame->depth) +
              " calls in one another need more than the " +
              Twine(maxLocalBytes) + " bytes of local memory of a thread");
    return Step::Ended;
  }
  uint32_t returnPc = warp.pc + 1;
  if (warp.active != mask)
    park(warp, warp.active & ~mask, returnPc);
  Frame *caller = warp.frame, *frame = nullptr;
  // Lanes that came by the same call before share the frame.
  for (Group &group : warp.parked)
    for (Frame *other = group.frame; other; other = other->parent)
      if (other->parent == caller && other->function == &function &&
          other->returnPc == returnPc && other->lanes)
        frame = other;
  if (!frame && !(frame = makeFrame(warp, function, caller))) {
    fault(warp, inst, countr_zero(mask), "stack-overflow",
          "the call of '" + function.name + "' needs more than the " +
              Twine(maxLocalBytes) + " bytes of local memory of a thread");
    return Step::Ended;
  }
  frame->call = &call;
  frame->returnPc = returnPc;
  frame->lanes |= mask;
  if (watchesUndefined(warp))
    undefineLocal(warp, *frame, mask);
  copyParams(warp, mask, call.args, *caller, function.params, *frame);
  setFrame(warp, frame);
  warp.pc = function.codeBegin;
  warp.limit = 0;
  return Step::Jumped;
}

Step ptxbench::emulator::executeReturn(Warp &warp, const Inst &inst,
                                       LaneMask &mask) {
  if (!mask)
    return Step::Next;
  Frame *frame = warp.frame;
  if (!frame->parent)
    return endThreads(warp, mask);
  // The registers of the frame end with it.
  completeWgmma(warp);
  copyParams(warp, mask, frame->function->results, *frame, frame->call->results,
             *frame->parent);
  if (warp.active != mask)
    park(warp, warp.active & ~mask, warp.pc + 1);
  frame->lanes &= ~mask;
  uint32_t returnPc = frame->returnPc;
  setFrame(warp, frame->parent);
  if (!frame->lanes)
    for (auto &candidate : warp.frames)
      if (candidate.get() == frame) {
        warp.freeFrames.push_back(std::move(candidate));
        std::swap(candidate, warp.frames.back());
        warp.frames.pop_back();
        break;
      }
  warp.pc = returnPc;
  warp.limit = 0;
  return Step::Jumped;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void ptxbench::emulator::startWarp(Warp &warp, Cta &cta, unsigned index) {
  Launch &launch = *cta.cluster->launch;
  warp.cta = &cta;
  warp.launch = &launch;
  warp.index = index;
  unsigned first = index * warpSize;
  unsigned count = std::min(warpSize, cta.threads - first);
  warp.threads = count == warpSize ? ~0u : (1u << count) - 1;
  warp.active = warp.threads;
  warp.counters = cta.cluster->counters->data();
  warp.bases[unsigned(SlotBase::Constant)] =
      const_cast<char *>(launch.program->constants.data());
  warp.special = RowBuffer(specialAreaBytes);
  warp.bases[unsigned(SlotBase::Special)] = warp.special.data();
  const Function &entry = launch.program->functions.front();
  startRegisters(warp);
  // Watches what is written to the registers of wgmma.
  if (launch.options->checks)
    asyncGroupsOf(warp).watchesRegisters = true;
  Frame *frame = makeFrame(warp, entry, nullptr);
  if (!frame) {
    fault(warp, launch.program->code[entry.codeBegin], 0, "out-of-memory",
          "no memory is left for the local memory of a warp");
    warp.exited = warp.threads;
    warp.active = 0;
    return;
  }
  frame->lanes = warp.threads;
  setFrame(warp, frame);
  warp.pc = entry.codeBegin;
}

uint64_t ptxbench::emulator::runWarp(Warp &warp, uint64_t quantum) {
  const Inst *code = warp.launch->program->code.data();
  uint64_t executed = 0;
  while (executed < quantum) {
    if (warp.pc >= warp.limit || !warp.active || warp.wait) {
      if (warp.launch->stopped.load(std::memory_order_relaxed) ||
          !selectGroup(warp))
        return executed;
    }
    const Inst &inst = code[warp.pc];
    LaneMask mask = warp.active;
    if (inst.guard != noSlot) {
      LaneMask guard = predicate(warp, inst.guard);
      mask &= inst.guardNegated ? ~guard : guard;
    }
    if (inst.handler) {
      if (mask) {
        ExecutionCounter &counter = warp.counters[inst.source];
        ++counter.warps;
        counter.threads += popcount(mask);
        inst.handler(warp, inst, mask);
      }
      ++warp.pc;
      ++executed;
      continue;
    }
    ExecutionCounter *counter = &warp.counters[inst.source];
    Step step = inst.control(warp, inst, mask);
    if (step == Step::Retry)
      continue;
    ++executed;
    if (mask) {
      ++counter->warps;
      counter->threads += popcount(mask);
    }
    switch (step) {
    case Step::Next:
      ++warp.pc;
      break;
    case Step::Yield:
      ++warp.pc;
      return executed;
    case Step::Wait:
      warp.wait.advance = true;
      break;
    case Step::Jumped:
    case Step::Ended:
    case Step::Retry:
      break;
    }
  }
  return executed;
}
