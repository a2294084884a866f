//===- Barrier.cpp - Barriers, fences, cluster barriers -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "bar, barrier", "bar.warp.sync", "barrier.cluster", "membar, fence".
// The threads of a cluster run one after the other; fences order what threads
// of the host do.
//
//===----------------------------------------------------------------------===//

#include "../Checks/RaceChecker.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <atomic>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
/// Of Inst::flags.
enum BarrierFlags { Action, Aligned, Reduction, NegatedInput, Relaxed };
/// Of fences: the memory that a proxy fence is for.
enum FenceFlags { ForShared, ForGlobal };
enum BarrierAction : uint8_t { SyncAction, ArriveAction, RedAction };
enum BarrierReductionKind : uint8_t { Popc, AndReduction, OrReduction };
} // namespace

//===----------------------------------------------------------------------===//
// What a deadlock is reported with
//===----------------------------------------------------------------------===//

static bool ctaBarrierReady(Warp &warp, const Wait &wait) {
  NamedBarrier &barrier = warp.cta->barriers[wait.a];
  if (barrier.generation == wait.b)
    return false;
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->passBarrier(warp, &barrier);
  return true;
}

static bool clusterBarrierReady(Warp &warp, const Wait &wait) {
  Cluster &cluster = *warp.cta->cluster;
  if (cluster.barrier.generation <= wait.a)
    return false;
  if (cluster.races)
    cluster.races->passBarrier(warp, &cluster.barrier);
  return true;
}

/// Of a group at a `bar.warp.sync`: those that it waits for find it.
static bool hasNotMet(Warp &, const Wait &) { return false; }

static bool waitsAtBarrier(const Wait &wait) {
  return wait.ready == ctaBarrierReady || wait.ready == clusterBarrierReady ||
         wait.ready == hasNotMet || wait.ready == neverReady;
}

namespace {
/// Where the threads are that a barrier lacks.
class MissingThreads {
public:
  explicit MissingThreads(const Warp &waiting) : waiting(waiting) {}

  /// `ended`: a thread that has ended is missing, too.
  void add(const Warp &warp, LaneMask arrived, bool ended) {
    auto isMissing = [&](LaneMask lanes) { return (lanes & ~arrived) != 0; };
    if (isMissing(warp.running()))
      runningThreads += warpSize;
    if (ended && warp.finished() && !arrived) {
      say(warp, "has ended");
      return;
    }
    auto look = [&](LaneMask lanes, uint32_t pc, const Wait &wait) {
      if (!isMissing(lanes))
        return;
      onlyAtBarriers &= bool(wait) && waitsAtBarrier(wait);
      const Program &program = *warp.launch->program;
      say(warp, "is in line " +
                    std::to_string(program.sourceOf(program.code[pc]).line));
    };
    if (warp.active)
      look(warp.active, warp.pc, warp.wait);
    for (const Group &group : warp.parked)
      look(group.mask, group.pc, group.wait);
  }

  /// Whether nothing but barriers keeps them.
  bool onlyAtBarriers = true;
  /// Threads of warps that may still come.
  uint64_t runningThreads = 0;
  std::string text() const {
    return places + (left ? " and " + std::to_string(left) + " more" : "");
  }

private:
  void say(const Warp &warp, const std::string &where) {
    if (shown++ >= 4) {
      ++left;
      return;
    }
    places += places.empty() ? "; warp " : ", warp ";
    places += std::to_string(warp.index);
    if (warp.cta != waiting.cta)
      places += " of the CTA of rank " + std::to_string(warp.cta->rank);
    places += " " + where;
  }

  const Warp &waiting;
  unsigned shown = 0, left = 0;
  std::string places;
};
} // namespace

static LaneMask gone(const Warp &warp) { return warp.exited | ~warp.threads; }

static void explainCtaBarrier(Warp &warp, const Wait &wait,
                              WaitReport &report) {
  Cta &cta = *warp.cta;
  const NamedBarrier &barrier = cta.barriers[wait.a];
  uint64_t here = barrier.arrivedThreads(
      cta.warps.size(), [&](unsigned i) { return gone(cta.warps[i]); });
  uint32_t expected = barrier.expectedThreads();
  MissingThreads missing(warp);
  for (const Warp &other : cta.warps)
    missing.add(other, barrier.arrived(other.index), expected != 0);
  report.detail = " " + std::to_string(wait.a) + ", to which " +
                  std::to_string(here) + " of " +
                  std::to_string(expected ? expected : cta.threads) +
                  " threads have come" + missing.text();
  if (missing.onlyAtBarriers || here + missing.runningThreads < expected)
    report.id = "barrier-incomplete";
}

static void explainClusterBarrier(Warp &warp, const Wait &,
                                  WaitReport &report) {
  Cluster &cluster = *warp.cta->cluster;
  MissingThreads missing(warp);
  unsigned perCta = warp.cta->warps.size();
  for (const auto &cta : cluster.ctas)
    for (const Warp &other : cta->warps)
      missing.add(other,
                  cluster.barrier.arrived(cta->rank * perCta + other.index),
                  /*ended=*/false);
  report.detail = " at its barrier" + missing.text();
  report.id = "cluster-barrier-incomplete";
}

//===----------------------------------------------------------------------===//
// bar, barrier
//===----------------------------------------------------------------------===//

/// PTX ISA: where `.aligned` is, all threads of the warp execute the
/// instruction.
static void checkAligned(Warp &warp, const Inst &inst, LaneMask mask) {
  if (mask != warp.running())
    report(warp, inst, countr_zero(mask), "divergent-barrier",
           "all threads of a warp execute a barrier that is aligned, but the "
           "guard is false in " +
               Twine(popcount(warp.running() & ~mask)) + " of them");
}

/// The lanes of `mask` that name the barrier and the count of the first one.
static LaneMask sameBarrier(Warp &warp, const Inst &inst, LaneMask mask) {
  LaneMask party = mask;
  for (unsigned operand : {0, 1}) {
    if (inst.ops[operand] == noSlot)
      continue;
    const uint32_t *values = row<uint32_t>(warp, inst.ops[operand]);
    uint32_t first = values[countr_zero(mask)];
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      if (values[countr_zero(rest)] != first)
        party &= ~(rest & -rest);
  }
  return party;
}

/// The threads that take part, in whole warps; 0: all.
static uint32_t checkedCount(Warp &warp, const Inst &inst, unsigned lane,
                             const NamedBarrier &barrier) {
  const Cta &cta = *warp.cta;
  uint32_t all = (cta.threads + warpSize - 1) / warpSize * warpSize;
  uint32_t count = 0;
  auto wrong = [&](const Twine &why, unsigned otherLine = 0) {
    report(warp, inst, lane, "barrier-count", why, otherLine);
  };
  if (inst.ops[1] != noSlot) {
    count = row<uint32_t>(warp, inst.ops[1])[lane];
    if (count == 0)
      wrong("a barrier of 0 threads; all of the CTA are taken");
    else if (count % warpSize)
      wrong("a barrier of " + Twine(count) +
            " threads, which is no multiple of 32");
    count = (uint64_t(count) + warpSize - 1) / warpSize * warpSize;
  }
  if (barrier.isUsed()) {
    uint32_t before = barrier.expectedThreads();
    if ((before ? before : all) != (count ? count : all))
      wrong("a barrier of " + Twine(count ? count : all) +
                " threads, at which others wait for " +
                Twine(before ? before : all),
            warp.launch->program->sourceOf(*barrier.firstArrival()).line);
  }
  return count;
}

/// Lanes of `mask` whose `barrier.red` is complete read the result; false if
/// there are none.
static bool finishReduction(Warp &warp, const Inst &inst, LaneMask &mask) {
  const uint32_t *names = row<uint32_t>(warp, inst.ops[0]);
  LaneMask done = 0;
  uint32_t name = 0;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    if (!warp.redGeneration[lane] || (done && names[lane] != name) ||
        warp.cta->barriers[names[lane]].generation < warp.redGeneration[lane])
      continue;
    name = names[lane];
    done |= 1u << lane;
  }
  if (!done)
    return false;
  if (done != mask)
    park(warp, mask & ~done, warp.pc);
  mask = done;
  const BarrierReduction &result = warp.cta->barriers[name].lastReduction;
  bool value = inst.flags[Reduction] == AndReduction ? result.all : result.any;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    warp.redGeneration[countr_zero(rest)] = 0;
    if (inst.flags[Reduction] == Popc)
      row<uint32_t>(warp, inst.ops[2])[countr_zero(rest)] = result.count;
  }
  if (inst.flags[Reduction] != Popc)
    setPredicate(warp, inst.ops[2], value ? ~LaneMask(0) : 0, mask);
  return true;
}

/// ops: the barrier, the count of threads or none, the result and the
/// predicate of a reduction.
static Step executeBarrier(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  // A second execution by lanes whose reduction is complete.
  bool isRed = inst.flags[Action] == RedAction;
  if (isRed && finishReduction(warp, inst, mask))
    return Step::Next;
  if (inst.flags[Aligned]) {
    if (!converge(warp, warp.running()))
      return Step::Retry;
    checkAligned(warp, inst, mask);
  }
  unsigned lane = countr_zero(mask);
  uint32_t name = row<uint32_t>(warp, inst.ops[0])[lane];
  if (name >= warp.cta->barriers.size()) {
    fault(warp, inst, lane, "barrier-name",
          "barrier " + Twine(name) + " of 16 barriers");
    return Step::Ended;
  }
  NamedBarrier &barrier = warp.cta->barriers[name];
  if (LaneMask others = mask & ~sameBarrier(warp, inst, mask)) {
    if (inst.flags[Aligned])
      report(warp, inst, countr_zero(others), "divergent-barrier",
             "threads of one warp name different barriers or counts");
    park(warp, others, warp.pc);
    mask &= ~others;
  }
  uint32_t expected = checkedCount(warp, inst, lane, barrier);
  if (isRed) {
    LaneMask input = predicate(warp, inst.ops[3]);
    if (inst.flags[NegatedInput])
      input = ~input;
    barrier.reduction.count += popcount(input & mask);
    barrier.reduction.all &= (input & mask) == mask;
    barrier.reduction.any |= (input & mask) != 0;
  }
  uint64_t generation = barrier.generation;
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->arrive(warp, &barrier);
  barrier.arrive(warp.index, mask, expected, inst);
  ++warp.cta->cluster->progress;
  completeBarriers(*warp.cta);
  if (inst.flags[Action] == ArriveAction)
    return Step::Next;
  warp.wait = Wait();
  warp.wait.ready = ctaBarrierReady;
  warp.wait.explain = explainCtaBarrier;
  warp.wait.what = "the other threads of barrier";
  warp.wait.a = name;
  warp.wait.b = generation;
  if (!isRed)
    return Step::Wait;
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    warp.redGeneration[countr_zero(rest)] = generation + 1;
  return Step::Retry;
}

//===----------------------------------------------------------------------===//
// bar.warp.sync
//===----------------------------------------------------------------------===//

/// The lanes of a group that waits at a `bar.warp.sync` with that membermask.
static LaneMask lanesWith(Warp &warp, const Group &group, LaneMask members) {
  Slot slot = warp.launch->program->code[group.pc].ops[0];
  const uint32_t *masks = slotBase(slot) == unsigned(SlotBase::Frame)
                              ? reinterpret_cast<const uint32_t *>(
                                    group.frame->rows.data() + slotOffset(slot))
                              : row<uint32_t>(warp, slot);
  LaneMask lanes = 0;
  for (LaneMask rest = group.mask; rest; rest &= rest - 1)
    if (masks[countr_zero(rest)] == members)
      lanes |= rest & -rest;
  return lanes;
}

/// Whether all that `members` names are at a `bar.warp.sync`, wherever it
/// stands; the others then go on, too.
static bool meet(Warp &warp, LaneMask members) {
  LaneMask missing = members & warp.running() & ~warp.active;
  if (!missing)
    return true;
  for (const Group &group : warp.parked)
    if (group.wait.ready == hasNotMet)
      missing &= ~lanesWith(warp, group, members);
  if (missing)
    return false;
  SmallVector<Group, 2> released;
  for (Group &group : warp.parked) {
    if (group.wait.ready != hasNotMet)
      continue;
    if (LaneMask lanes = lanesWith(warp, group, members)) {
      released.push_back({lanes, group.pc + 1, group.frame, Wait()});
      group.mask &= ~lanes;
    }
  }
  erase_if(warp.parked, [](const Group &group) { return !group.mask; });
  warp.parked.append(released.begin(), released.end());
  warp.limit = 0;
  return true;
}

static Step executeBarWarpSync(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  const uint32_t *masks = row<uint32_t>(warp, inst.ops[0]);
  for (LaneMask rest = mask; rest;) {
    LaneMask members = masks[countr_zero(rest)], party = 0;
    if (slotBase(inst.ops[0]) == unsigned(SlotBase::Constant))
      party = rest;
    else
      for (LaneMask each = rest; each; each &= each - 1)
        if (masks[countr_zero(each)] == members)
          party |= each & -each;
    rest &= ~party;
    if (!meet(warp, members))
      continue;
    if (LaneMask strangers = party & ~members)
      report(warp, inst, countr_zero(strangers), "membermask",
             "lane " + Twine(countr_zero(strangers)) +
                 " waits with the membermask 0x" + utohexstr(members, true) +
                 ", which does not name it");
    // Lanes with other masks wait on their own.
    if (party != mask)
      park(warp, mask & ~party, warp.pc);
    mask = party;
    return Step::Next;
  }
  warp.wait = Wait();
  warp.wait.ready = hasNotMet;
  warp.wait.what = "lanes of its warp";
  warp.wait.a = masks[countr_zero(mask)] & warp.running() & ~warp.active;
  warp.wait.inWarp = true;
  return Step::Retry;
}

//===----------------------------------------------------------------------===//
// barrier.cluster
//===----------------------------------------------------------------------===//

static unsigned clusterWarp(const Warp &warp) {
  return warp.cta->rank * warp.cta->warps.size() + warp.index;
}

static Step executeClusterArrive(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  if (inst.flags[Aligned]) {
    if (!converge(warp, warp.running()))
      return Step::Retry;
    checkAligned(warp, inst, mask);
  }
  NamedBarrier &barrier = warp.cta->cluster->barrier;
  if (LaneMask again = mask & warp.clusterArrived)
    report(warp, inst, countr_zero(again), "cluster-barrier-order",
           "the thread arrives at the barrier of the cluster again before it "
           "waits");
  warp.clusterArrived |= mask;
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    warp.clusterArrival[countr_zero(rest)] = barrier.generation;
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->arrive(warp, &barrier, inst.flags[Relaxed]);
  barrier.arrive(clusterWarp(warp), mask, 0, inst);
  ++warp.cta->cluster->progress;
  completeBarriers(*warp.cta);
  return Step::Next;
}

static Step executeClusterWait(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  if (inst.flags[Aligned]) {
    if (!converge(warp, warp.running()))
      return Step::Retry;
    checkAligned(warp, inst, mask);
  }
  if (LaneMask others = mask & ~warp.clusterArrived)
    report(warp, inst, countr_zero(others), "cluster-barrier-order",
           "the thread waits at the barrier of the cluster and has not "
           "arrived");
  warp.clusterArrived &= ~mask;
  warp.wait = Wait();
  warp.wait.ready = clusterBarrierReady;
  warp.wait.explain = explainClusterBarrier;
  warp.wait.what = "the other threads of the cluster";
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    warp.wait.a = std::max(warp.wait.a, warp.clusterArrival[countr_zero(rest)]);
  return Step::Wait;
}

//===----------------------------------------------------------------------===//
// Fences, and selection
//===----------------------------------------------------------------------===//

static void fenceHost(Warp &warp) {
  if (warp.launch->options->hostThreads != 1)
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

static void executeFence(Warp &warp, const Inst &inst, LaneMask) {
  fenceHost(warp);
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->fence(warp, MemoryOrder::unpack(inst.flags[orderFlag]).scope);
}

static void executeAliasFence(Warp &warp, const Inst &, LaneMask) {
  fenceHost(warp);
}

static void executeProxyFence(Warp &warp, const Inst &inst, LaneMask) {
  fenceHost(warp);
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->fenceProxy(warp, inst.flags[ForShared], inst.flags[ForGlobal]);
}

static void executeTensorMapFence(Warp &warp, const Inst &inst, LaneMask) {
  fenceHost(warp);
  MemoryOrder order = MemoryOrder::unpack(inst.flags[orderFlag]);
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->fenceTensorMap(warp, order.releases, order.scope);
}

static bool selectFence(const InstDesc &desc, Inst &inst) {
  MemoryOrder order = memoryOrderOf(desc, Scope::Gpu);
  inst.flags[orderFlag] = order.pack();
  if (desc.has(Mod::alias)) {
    inst.handler = executeAliasFence;
  } else if (desc.has(Mod::tensormap__generic)) {
    inst.handler = executeTensorMapFence;
  } else if (desc.has(Mod::async) || desc.has(Mod::async__generic)) {
    bool shared = desc.has(Mod::shared__cta) || desc.has(Mod::shared__cluster);
    inst.flags[ForShared] = !desc.has(Mod::global);
    inst.flags[ForGlobal] = !shared;
    inst.handler = executeProxyFence;
  } else {
    inst.handler = executeFence;
  }
  return true;
}

static bool selectBar(const InstDesc &desc, Inst &inst) {
  inst.flags[Aligned] = desc.opcode == Opcode::bar || desc.has(Mod::aligned);
  inst.flags[Action] = desc.has(Mod::red)      ? RedAction
                       : desc.has(Mod::arrive) ? ArriveAction
                                               : SyncAction;
  inst.flags[Reduction] = desc.has(Mod::popc)   ? Popc
                          : desc.has(Mod::and_) ? AndReduction
                                                : OrReduction;
  auto use = [&](StringRef name, Slot &slot) {
    const OperandDesc *operand = desc.find(name);
    if (!operand)
      return true;
    slot = operand->slot;
    return operand->isRow();
  };
  if (!use("a", inst.ops[0]) || !use("b", inst.ops[1]) ||
      !use("d", inst.ops[2]) || !use("c", inst.ops[3]))
    return false;
  if (const OperandDesc *input = desc.find("c"))
    inst.flags[NegatedInput] = input->negated;
  inst.control = executeBarrier;
  return true;
}

bool ptxbench::emulator::selectBarrier(const InstDesc &desc, Inst &inst,
                                       OwnExtra &) {
  switch (desc.opcode) {
  case Opcode::bar:
  case Opcode::barrier:
    return selectBar(desc, inst);
  case Opcode::bar_warp_sync:
    inst.control = executeBarWarpSync;
    return useRows(desc, inst);
  case Opcode::barrier_cluster_arrive:
    inst.flags[Aligned] = desc.has(Mod::aligned);
    inst.flags[Relaxed] = desc.has(Mod::relaxed);
    inst.control = executeClusterArrive;
    return true;
  case Opcode::barrier_cluster_wait:
    inst.flags[Aligned] = desc.has(Mod::aligned);
    inst.control = executeClusterWait;
    return true;
  case Opcode::membar:
  case Opcode::fence:
  case Opcode::fence_mbarrier_init:
  case Opcode::fence_proxy:
    return selectFence(desc, inst);
  default:
    return false;
  }
}
