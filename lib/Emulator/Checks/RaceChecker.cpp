//===- RaceChecker.cpp - Races in shared memory ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clocks and stamps.
//
//===----------------------------------------------------------------------===//

#include "RaceChecker.h"
#include "../Machine/Machine.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// Asynchronous units of a warp (AsyncUnit).
static constexpr unsigned unitsPerWarp = 3;

RaceChecker::RaceChecker(Cluster &cluster) : cluster(cluster) {
  unsigned warps = 0;
  for (const auto &cta : cluster.ctas) {
    warps += cta->warps.size();
    shadow.emplace_back(cta->shared.size());
  }
  clocks.resize(warps);
  for (unsigned warp = 0; warp < warps; ++warp)
    clocks[warp].all.raise(warp, 1);
  asyncEpochs.resize(warps * (1 + unitsPerWarp));
}

unsigned RaceChecker::numberOf(const Warp &warp) const {
  return warp.cta->rank * warp.cta->warps.size() + warp.index;
}

unsigned RaceChecker::agentOf(const Warp &warp, AsyncUnit unit) const {
  // The four warps of a warpgroup issue a wgmma together.
  unsigned owner = numberOf(warp);
  if (unit == AsyncUnit::Wgmma)
    owner -= warp.index % 4;
  return clocks.size() + owner * unitsPerWarp + unsigned(unit);
}

RaceChecker::Byte *RaceChecker::shadowOf(const char *place, uint32_t bytes) {
  for (unsigned rank = 0; rank < shadow.size(); ++rank) {
    const std::vector<char> &shared = cluster.ctas[rank]->shared;
    if (place >= shared.data() &&
        place + bytes <= shared.data() + shared.size())
      return shadow[rank].data() + (place - shared.data());
  }
  return nullptr;
}

void RaceChecker::check(Warp &warp, const Inst &inst, unsigned lane,
                        const Stamp &stamp, const char *first,
                        const char *second, bool needsFence, unsigned self) {
  if (stamp.epoch == 0 || stamp.agent == self)
    return;
  const Clocks &now = clocks[numberOf(warp)];
  if (now.all[stamp.agent] < stamp.epoch)
    return report(warp, inst, lane, "race",
                  Twine(second) + " is not ordered behind the " + first +
                      " in line " + Twine(stamp.line),
                  stamp.line);
  if (needsFence && now.fenced[stamp.agent] < stamp.epoch)
    report(warp, inst, lane, "missing-proxy-fence",
           Twine(second) + " by the asynchronous proxy follows the " + first +
               " in line " + Twine(stamp.line) +
               " by the generic proxy without fence.proxy.async",
           stamp.line);
}

void RaceChecker::access(Warp &warp, const Inst &inst, unsigned lane,
                         AccessKind kind, const char *place, uint32_t bytes) {
  if (kind == AccessKind::Sync)
    acquire(warp, shadowOf(place, bytes) ? place : nullptr);
  if (Byte *shadow = shadowOf(place, bytes)) {
    unsigned self = numberOf(warp);
    Stamp stamp{clocks[self].all[self], uint16_t(self), false,
                warp.launch->program->sourceOf(inst).line};
    for (Byte *byte = shadow; byte != shadow + bytes; ++byte) {
      if (kind != AccessKind::Write)
        check(warp, inst, lane, byte->write, "write", "the read", false, self);
      if (kind == AccessKind::Read) {
        byte->read = stamp;
        continue;
      }
      if (kind == AccessKind::Write) {
        check(warp, inst, lane, byte->write, "write", "the write", false, self);
        check(warp, inst, lane, byte->read, "read", "the write", false, self);
        check(warp, inst, lane, byte->proxyRead, "read", "the write", false,
              self);
        *byte = Byte();
        byte->write = stamp;
      }
    }
  }
  if (kind == AccessKind::Sync)
    release(warp, shadowOf(place, bytes) ? place : nullptr);
}

void RaceChecker::useBarrier(Warp &warp, const Inst &inst, unsigned lane,
                             const char *place) {
  if (Byte *shadow = shadowOf(place, sizeof(uint64_t)))
    check(warp, inst, lane, shadow->write, "initialisation",
          "the use of the mbarrier", false, numberOf(warp));
}

void RaceChecker::release(Warp &warp, const void *object) {
  unsigned self = numberOf(warp);
  Clocks &mine = clocks[self], &theirs = objects[object];
  theirs.all.join(mine.all);
  theirs.fenced.join(mine.fenced);
  mine.all.raise(self, mine.all[self] + 1);
}

void RaceChecker::acquire(Warp &warp, const void *object) {
  auto it = objects.find(object);
  if (it == objects.end())
    return;
  Clocks &mine = clocks[numberOf(warp)];
  mine.all.join(it->second.all);
  mine.fenced.join(it->second.fenced);
}

void RaceChecker::fenceProxy(Warp &warp) {
  unsigned self = numberOf(warp);
  Clocks &mine = clocks[self];
  mine.fenced.join(mine.all);
  // What follows is of a later epoch and not fenced.
  mine.all.raise(self, mine.all[self] + 1);
}

AsyncStamp RaceChecker::begin(Warp &warp, AsyncUnit unit) {
  unsigned agent = agentOf(warp, unit);
  return {agent, ++asyncEpochs[agent]};
}

AsyncStamp RaceChecker::latest(const Warp &warp, AsyncUnit unit) const {
  unsigned agent = agentOf(warp, unit);
  return {agent, asyncEpochs[agent]};
}

AsyncStamp RaceChecker::begin(const void *mbarrier) {
  auto [it, isNew] = mbarriers.insert({mbarrier, asyncEpochs.size()});
  if (isNew)
    asyncEpochs.push_back(0);
  return {it->second, ++asyncEpochs[it->second]};
}

void RaceChecker::asyncAccess(Warp &warp, const Inst &inst, unsigned lane,
                              AsyncStamp async, bool isWrite, bool isProxy,
                              const char *place, uint32_t bytes) {
  Byte *shadow = shadowOf(place, bytes);
  if (!shadow)
    return;
  Stamp stamp{async.epoch, uint16_t(async.agent), isProxy,
              warp.launch->program->sourceOf(inst).line};
  for (Byte *byte = shadow; byte != shadow + bytes; ++byte) {
    // Operations of one unit or mbarrier may overlap: what they do to a byte
    // is no order that this can tell.
    bool needsFence = isProxy && !byte->write.isProxy;
    check(warp, inst, lane, byte->write, "write",
          isWrite ? "the write" : "the read", needsFence, async.agent);
    if (!isWrite) {
      (isProxy ? byte->proxyRead : byte->read) = stamp;
      continue;
    }
    check(warp, inst, lane, byte->read, "read", "the write", false,
          async.agent);
    check(warp, inst, lane, byte->proxyRead, "read", "the write", false,
          async.agent);
    *byte = Byte();
    byte->write = stamp;
  }
}

void RaceChecker::complete(const void *mbarrier, AsyncStamp stamp) {
  objects[mbarrier].all.raise(stamp.agent, stamp.epoch);
}

void RaceChecker::waited(Warp &warp, AsyncUnit unit, uint32_t epoch) {
  clocks[numberOf(warp)].all.raise(agentOf(warp, unit), epoch);
}
