//===- AsyncGroups.cpp - Committing to and waiting for groups -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commit and wait instructions of cp.async, bulk copies and wgmma.
//
//===----------------------------------------------------------------------===//

#include "AsyncGroups.h"
#include "../Checks/RaceChecker.h"
#include "InstDesc.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

WarpAsyncGroups &ptxbench::emulator::asyncGroupsOf(Warp &warp) {
  if (!warp.asyncGroups)
    warp.asyncGroups = std::make_shared<WarpAsyncGroups>();
  return *warp.asyncGroups;
}

namespace {
enum GroupKind : uint8_t { CpAsync, Bulk, Wgmma, BulkRead };
} // namespace

/// The groups of kind `kind` that the lanes of `mask` have.
template <class Use>
static void forEachGroups(Warp &warp, uint8_t kind, LaneMask mask, Use use) {
  WarpAsyncGroups &groups = asyncGroupsOf(warp);
  if (kind == Wgmma)
    return use(groups.wgmma);
  for (; mask; mask &= mask - 1) {
    unsigned lane = countr_zero(mask);
    use(kind == CpAsync ? groups.cpAsync[lane]
        : kind == Bulk  ? groups.bulk[lane]
                        : groups.bulkRead[lane]);
  }
}

static Step executeCommit(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  if (inst.flags[0] == Wgmma && !converge(warp, warp.running()))
    return Step::Retry;
  forEachGroups(warp, inst.flags[0], mask,
                [](AsyncGroups &groups) { groups.commit(); });
  if (inst.flags[0] == Wgmma)
    ++asyncGroupsOf(warp).wgmmaCommits;
  if (inst.flags[0] == Bulk)
    forEachGroups(warp, BulkRead, mask,
                  [](AsyncGroups &groups) { groups.commit(); });
  return Step::Next;
}

/// Tells the race checker what a wait has waited for.
static void noteWait(RaceChecker &races, Warp &warp, uint8_t kind,
                     uint32_t epoch) {
  switch (kind) {
  case CpAsync:
    return races.waited(warp, AsyncUnit::CpAsync, epoch);
  case Wgmma:
    return races.waited(warp, AsyncUnit::Wgmma, epoch);
  case Bulk:
    races.waited(warp, AsyncUnit::BulkWrite, epoch);
    [[fallthrough]];
  default:
    return races.waited(warp, AsyncUnit::Bulk, epoch);
  }
}

/// Whether the lanes need not wait.
static bool areComplete(Warp &warp, uint8_t kind, LaneMask mask,
                        uint64_t allowed) {
  bool complete = true;
  uint32_t epoch = 0;
  forEachGroups(warp, kind, mask, [&](AsyncGroups &groups) {
    complete &= groups.isComplete(allowed);
    epoch = std::max(epoch, groups.coveredEpoch(allowed));
  });
  RaceChecker *races = warp.cta->cluster->races.get();
  if (complete && races)
    noteWait(*races, warp, kind, epoch);
  return complete;
}

static bool groupsReady(Warp &warp, const Wait &wait) {
  return areComplete(warp, wait.c, wait.b, wait.a);
}

/// imm: how many groups may be left.
static Step executeWait(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  uint8_t kind = inst.flags[0];
  if (kind == Wgmma && !converge(warp, warp.running()))
    return Step::Retry;
  if (kind == Wgmma)
    asyncGroupsOf(warp).coverWgmma(inst.imm);
  if (areComplete(warp, kind, mask, inst.imm))
    return Step::Next;
  static constexpr const char *names[] = {"copies of cp.async", "bulk copies",
                                          "wgmma of all four warps",
                                          "reads of bulk copies"};
  warp.wait = Wait();
  warp.wait.ready = groupsReady;
  warp.wait.what = names[kind];
  warp.wait.a = inst.imm;
  warp.wait.b = mask;
  warp.wait.c = kind;
  return Step::Wait;
}

bool ptxbench::emulator::selectAsyncGroups(const InstDesc &desc, Inst &inst,
                                           OwnExtra &) {
  auto commit = [&](GroupKind kind) {
    inst.flags[0] = kind;
    inst.control = executeCommit;
    return true;
  };
  auto wait = [&](GroupKind kind) {
    inst.flags[0] = kind;
    inst.control = executeWait;
    if (const OperandDesc *count = desc.find("count"))
      inst.imm = count->value;
    return true;
  };
  switch (desc.opcode) {
  case Opcode::cp_async_commit_group:
    return commit(CpAsync);
  case Opcode::cp_async_bulk_commit_group:
    return commit(Bulk);
  case Opcode::wgmma_commit_group:
    return commit(Wgmma);
  case Opcode::cp_async_wait_group:
    return wait(CpAsync);
  case Opcode::cp_async_bulk_wait_group:
    return wait(desc.has(Mod::read) ? BulkRead : Bulk);
  case Opcode::wgmma_wait_group:
    return wait(Wgmma);
  case Opcode::cp_async_wait_all:
    // PTX ISA: `commit_group` and then `wait_group 0`.
    inst.flags[0] = CpAsync;
    inst.control = [](Warp &warp, const Inst &inst, LaneMask &mask) {
      if (mask)
        executeCommit(warp, inst, mask);
      return executeWait(warp, inst, mask);
    };
    return true;
  default:
    return false;
  }
}
