//===- CpAsync.cpp - cp.async ---------------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "cp.async", "cp.async.mbarrier.arrive". The copies of a warp complete
// in the order in which it issued them.
//
//===----------------------------------------------------------------------===//

#include "../Checks/RaceChecker.h"
#include "../Checks/UndefinedValues.h"
#include "AsyncGroups.h"
#include "InstDesc.h"
#include "MBarrier.h"
#include "MemoryAccess.h"
#include "llvm/ADT/bit.h"

#include <array>
#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
/// ops behind the destination's address.
enum { SourceSlot = 1, SizeSlot = 2, IgnoreSlot = 3 };
/// Of Inst::flags behind those of the destination's address.
enum { SourceIs32 = 2, Bytes = 3, Incremented = 2 };

struct LaneCopy {
  char *to;
  const char *from;
  uint32_t bytes;
};
} // namespace

/// imm2: the offset of the source.
static void executeCpAsync(Warp &warp, const Inst &inst, LaneMask mask) {
  uint32_t size = inst.flags[Bytes];
  auto copies = std::make_shared<SmallVector<LaneCopy, warpSize>>();
  AsyncOp op;
  LaneMask ignored = inst.ops[IgnoreSlot] == noSlot
                         ? 0
                         : predicate(warp, inst.ops[IgnoreSlot]);
  RaceChecker *races = warp.cta->cluster->races.get();
  AsyncStamp stamp;
  if (races)
    stamp = races->begin(warp, AsyncUnit::CpAsync);
  bool failed = false;
  forEachAddress(warp, inst, mask, size, [&](unsigned lane, char *to) {
    uint64_t from = (inst.flags[SourceIs32]
                         ? row<uint32_t>(warp, inst.ops[SourceSlot])[lane]
                         : row<uint64_t>(warp, inst.ops[SourceSlot])[lane]) +
                    int32_t(inst.imm2);
    uint32_t bytes = inst.ops[SizeSlot] == noSlot
                         ? size
                         : row<uint32_t>(warp, inst.ops[SizeSlot])[lane];
    if (bytes > size) {
      report(warp, inst, lane, "cp-async-size",
             "src-size is " + Twine(bytes) + " but cp-size is " + Twine(size));
      bytes = size;
    }
    if (ignored >> lane & 1)
      bytes = 0;
    char *source = nullptr;
    // Nothing is read where no byte is to be copied.
    if (bytes &&
        !(source = resolve(warp, inst, lane, Space::Global, from, size))) {
      failed = true;
      return;
    }
    copies->push_back({to, source, bytes});
    op.groups.push_back(asyncGroupsOf(warp).cpAsync[lane].open());
    op.groups.back()->lastEpoch = stamp.epoch;
    if (races) {
      AsyncAccess access{stamp, /*isWrite=*/true, /*isProxy=*/false};
      races->asyncAccess(warp, inst, lane, access, to, size);
      access.isWrite = false;
      if (bytes)
        races->asyncAccess(warp, inst, lane, access, source, bytes);
      poison(warp, to, size);
    }
  });
  if (failed)
    return;
  op.complete = [copies, size, &cluster = *warp.cta->cluster] {
    for (const LaneCopy &copy : *copies) {
      std::memcpy(copy.to, copy.from, copy.bytes);
      std::memset(copy.to + copy.bytes, 0, size - copy.bytes);
      defineShared(cluster, copy.to, size);
    }
  };
  op.chain = asyncGroupsOf(warp).cpAsync;
  op.what = "cp.async";
  op.line = warp.launch->program->sourceOf(inst).line;
  warp.cta->cluster->async.issue(std::move(op));
}

/// Arrives when all copies that the thread has issued are complete.
static void executeArrive(Warp &warp, const Inst &inst, LaneMask mask) {
  forEachAddress(warp, inst, mask, 8, [&](unsigned lane, char *place) {
    MBarrier barrier;
    if (!loadMBarrier(warp, inst, lane, place, barrier))
      return;
    // Without `.noinc` the arrival is one more than those expected.
    if (inst.flags[Incremented]) {
      if (barrier.pending == MBarrier::maxCount)
        return fault(warp, inst, lane, "mbarrier-overflow",
                     "the pending count of the mbarrier becomes " +
                         Twine(MBarrier::maxCount + 1));
      ++barrier.pending;
      storeMBarrier(warp, inst, place, barrier, /*ended=*/false);
    }
    RaceChecker *races = warp.cta->cluster->races.get();
    AsyncStamp stamp;
    if (races) {
      races->useBarrier(warp, inst, lane, place);
      races->arriveAt(warp, inst, place);
      stamp = races->latest(warp, AsyncUnit::CpAsync);
    }
    AsyncOp op;
    op.chain = asyncGroupsOf(warp).cpAsync;
    op.what = "cp.async.mbarrier.arrive";
    op.line = warp.launch->program->sourceOf(inst).line;
    op.complete = [&warp, &inst, lane, place, races, stamp] {
      if (races)
        races->complete(place, stamp);
      MBarrier barrier;
      if (!loadMBarrier(warp, inst, lane, place, barrier))
        return;
      if (barrier.pending == 0)
        return fault(warp, inst, lane, "mbarrier-overflow",
                     "an arrival at an mbarrier where none is pending");
      --barrier.pending;
      bool ended = endPhase(warp, barrier, place);
      storeMBarrier(warp, inst, place, barrier, ended);
      ++warp.cta->cluster->progress;
    };
    warp.cta->cluster->async.issue(std::move(op));
  });
}

bool ptxbench::emulator::selectCpAsync(const InstDesc &desc, Inst &inst,
                                       OwnExtra &) {
  if (desc.opcode == Opcode::cp_async_mbarrier_arrive) {
    inst.handler = executeArrive;
    inst.flags[Incremented] = !desc.has(Mod::noinc);
    inst.flags[orderFlag] = MemoryOrder{Scope::Gpu, false, true}.pack();
    return useAddress(desc, *desc.find("a"), inst);
  }
  if (desc.opcode != Opcode::cp_async)
    return false;
  const OperandDesc &to = *desc.find("dst"), &from = *desc.find("src");
  if (!useAddress(desc, to, inst) || from.children.empty() ||
      !from.children[0].isRow())
    return false;
  // Both spaces stand among the modifiers.
  inst.flags[0] = uint8_t(Space::SharedCta);
  inst.ops[SourceSlot] = from.children[0].slot;
  inst.flags[SourceIs32] = from.children[0].bits == 32;
  inst.imm2 = uint32_t(from.offset);
  inst.flags[Bytes] = desc.find("size")->value;
  if (const OperandDesc *size = desc.find("srcSize"))
    inst.ops[SizeSlot] = size->slot;
  if (const OperandDesc *ignore = desc.find("ignore")) {
    if (ignore->negated)
      return false;
    inst.ops[IgnoreSlot] = ignore->slot;
  }
  inst.handler = executeCpAsync;
  return true;
}
