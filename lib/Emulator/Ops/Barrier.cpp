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

static bool ctaBarrierReady(Warp &warp, const Wait &wait) {
  NamedBarrier &barrier = warp.cta->barriers[wait.a];
  if (barrier.generation == wait.b)
    return false;
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->passBarrier(warp, &barrier);
  return true;
}

/// ops: the barrier, the count of threads or none, the result and the
/// predicate of a reduction.
static Step executeBarrier(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  if (inst.flags[Aligned] && !converge(warp, warp.running()))
    return Step::Retry;
  unsigned lane = countr_zero(mask);
  uint32_t name = row<uint32_t>(warp, inst.ops[0])[lane];
  uint32_t expected =
      inst.ops[1] == noSlot ? 0 : row<uint32_t>(warp, inst.ops[1])[lane];
  if (name >= warp.cta->barriers.size()) {
    fault(warp, inst, lane, "barrier-name",
          "barrier " + Twine(name) + " of 16 barriers");
    return Step::Ended;
  }
  NamedBarrier &barrier = warp.cta->barriers[name];
  // A second execution by lanes whose reduction is complete.
  if (inst.flags[Action] == RedAction && warp.redGeneration &&
      barrier.generation >= warp.redGeneration) {
    warp.redGeneration = 0;
    const BarrierReduction &result = barrier.lastReduction;
    if (inst.flags[Reduction] == Popc) {
      uint32_t *d = row<uint32_t>(warp, inst.ops[2]);
      for (LaneMask rest = mask; rest; rest &= rest - 1)
        d[countr_zero(rest)] = result.count;
    } else {
      bool value =
          inst.flags[Reduction] == AndReduction ? result.all : result.any;
      setPredicate(warp, inst.ops[2], value ? ~LaneMask(0) : 0, mask);
    }
    return Step::Next;
  }
  if (inst.flags[Action] == RedAction) {
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
  barrier.arrive(warp.index, mask, expected);
  ++warp.cta->cluster->progress;
  completeBarriers(*warp.cta);
  if (inst.flags[Action] == ArriveAction)
    return Step::Next;
  warp.wait = Wait();
  warp.wait.ready = ctaBarrierReady;
  warp.wait.what = "the other threads of a barrier";
  warp.wait.a = name;
  warp.wait.b = generation;
  if (inst.flags[Action] == RedAction) {
    warp.redGeneration = generation + 1;
    return Step::Retry;
  }
  return Step::Wait;
}

static Step executeBarWarpSync(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  LaneMask members = row<uint32_t>(warp, inst.ops[0])[countr_zero(mask)];
  return converge(warp, members) ? Step::Next : Step::Retry;
}

static unsigned clusterWarp(const Warp &warp) {
  return warp.cta->rank * warp.cta->warps.size() + warp.index;
}

static Step executeClusterArrive(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  if (inst.flags[Aligned] && !converge(warp, warp.running()))
    return Step::Retry;
  NamedBarrier &barrier = warp.cta->cluster->barrier;
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    warp.clusterArrival[countr_zero(rest)] = barrier.generation;
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->arrive(warp, &barrier, inst.flags[Relaxed]);
  barrier.arrive(clusterWarp(warp), mask, 0);
  ++warp.cta->cluster->progress;
  completeBarriers(*warp.cta);
  return Step::Next;
}

static bool clusterBarrierReady(Warp &warp, const Wait &wait) {
  Cluster &cluster = *warp.cta->cluster;
  if (cluster.barrier.generation <= wait.a)
    return false;
  if (cluster.races)
    cluster.races->passBarrier(warp, &cluster.barrier);
  return true;
}

static Step executeClusterWait(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  if (inst.flags[Aligned] && !converge(warp, warp.running()))
    return Step::Retry;
  warp.wait = Wait();
  warp.wait.ready = clusterBarrierReady;
  warp.wait.what = "the other threads of the cluster";
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    warp.wait.a = std::max(warp.wait.a, warp.clusterArrival[countr_zero(rest)]);
  return Step::Wait;
}

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
