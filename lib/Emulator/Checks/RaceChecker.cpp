//===- RaceChecker.cpp - Accesses that nothing orders ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an access makes of the bytes' cells, and what is wrong with it.
//
//===----------------------------------------------------------------------===//

#include "RaceChecker.h"
#include "../Machine/Machine.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// Asynchronous units of a warp (AsyncUnit).
static constexpr unsigned unitsPerWarp = 4;

RaceChecker::RaceChecker(Cluster &cluster)
    : cluster(cluster), launch(*cluster.launch), common(*launch.races),
      clusterNumber(common.nextCluster++) {
  unsigned warps = 0;
  for (const auto &cta : cluster.ctas) {
    warps += cta->warps.size();
    shadow.emplace_back((cta->shared.size() + lineBytes - 1) / lineBytes);
  }
  remoteUses.resize(cluster.ctas.size());
  ends.resize(cluster.ctas.size());
  states.resize(warps);
  for (unsigned warp = 0; warp < warps; ++warp) {
    states[warp].now = Clocks(clusterNumber);
    states[warp].now.raise(Order::Causal, warp, 1);
    states[warp].now.raise(Order::InTime, warp, 1);
  }
  asyncEpochs.resize(warps * (1 + unitsPerWarp));
  common.clusters.push_back(this);
}

RaceChecker::~RaceChecker() {
  for (std::vector<Cell> &lines : shadow)
    for (Cell &line : lines)
      common.cells.release(line);
  llvm::erase(common.clusters, this);
}

//===----------------------------------------------------------------------===//
// Agents and places
//===----------------------------------------------------------------------===//

unsigned RaceChecker::numberOf(const Warp &warp) const {
  return warp.cta->rank * warp.cta->warps.size() + warp.index;
}

unsigned RaceChecker::agentOf(const Warp &warp, AsyncUnit unit) const {
  // The four warps of a warpgroup issue a wgmma together.
  unsigned owner = numberOf(warp);
  if (unit == AsyncUnit::Wgmma)
    owner -= warp.index % 4;
  return states.size() + owner * unitsPerWarp + unsigned(unit);
}

Stamp RaceChecker::stampOf(const Warp &warp, const Inst &inst) {
  Stamp stamp;
  stamp.cluster = clusterNumber;
  stamp.agent = numberOf(warp);
  stamp.epoch = states[stamp.agent].epoch;
  stamp.source = inst.source;
  stamp.rank = warp.cta->rank;
  return stamp;
}

unsigned RaceChecker::rankOf(const Warp *warp, const char *place,
                             uint64_t bytes) const {
  auto isIn = [&](const Cta &cta) {
    return place >= cta.shared.data() &&
           place + bytes <= cta.shared.data() + cta.shared.size();
  };
  if (warp && isIn(*warp->cta))
    return warp->cta->rank;
  for (const auto &cta : cluster.ctas)
    if (isIn(*cta))
      return cta->rank;
  return nowhere;
}

bool RaceChecker::isGlobal(const char *place) const {
  return launch.memory->reserves(reinterpret_cast<uint64_t>(place));
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

void RaceChecker::access(Warp &warp, const Inst &inst, AccessKind kind,
                         ArrayRef<Run> runs, uint32_t laneBytes) {
  using Kind = AccessKind;
  if (kind == Kind::StrongRead || kind == Kind::Atomic)
    for (const Run &run : runs)
      acquireAt(warp, inst, run.place);
  Access access{warp, inst, 0};
  access.stamp = stampOf(warp, inst);
  if (kind >= Kind::StrongRead)
    access.stamp.scope = MemoryOrder::unpack(inst.flags[orderFlag]).scope;
  access.laneBytes = laneBytes;
  access.isWrite = kind == Kind::Write || kind == Kind::SameWrite ||
                   kind == Kind::StrongWrite || kind == Kind::StrongSameWrite ||
                   kind == Kind::AtomicChange || kind == Kind::AtomicSame;
  access.isRead = !access.isWrite;
  access.isSame = kind == Kind::SameWrite || kind == Kind::StrongSameWrite ||
                  kind == Kind::AtomicSame;
  access.what = access.isWrite ? "write" : "read";
  common.collectIfDue();
  access.id = common.stamps.add(access.stamp);
  for (const Run &run : runs) {
    access.lane = run.lane;
    touch(access, run.place, run.bytes);
  }
  if (kind >= Kind::StrongRead && access.isWrite)
    for (const Run &run : runs)
      releaseAt(warp, inst, run.place);
}

void RaceChecker::asyncAccess(Warp &warp, const Inst &inst, unsigned lane,
                              const AsyncAccess &how,
                              ArrayRef<const char *> places, uint64_t bytes) {
  Access access{warp, inst, lane};
  access.stamp = stampOf(warp, inst);
  access.stamp.agent = how.stamp.agent;
  access.stamp.epoch = how.stamp.epoch;
  access.stamp.scope = how.scope;
  access.stamp.isAsync = true;
  access.stamp.isProxy = how.isProxy;
  access.laneBytes = bytes;
  access.isWrite = how.isWrite;
  access.isRead = !how.isWrite;
  access.what = how.isWrite ? "write" : "read";
  common.collectIfDue();
  access.id = common.stamps.add(access.stamp);
  for (const char *place : places)
    touch(access, place, bytes);
}

void RaceChecker::touch(Access &access, const char *place, uint64_t bytes) {
  if (!bytes)
    return;
  auto visit = [&](Cell cell, uint64_t at) {
    if (!access.isWarm || !(cell == access.last)) {
      access.last = cell;
      access.lastChanged = change(access, cell, at);
      access.isWarm = true;
    }
    return access.lastChanged;
  };
  unsigned rank = rankOf(&access.warp, place, bytes);
  if (rank != nowhere) {
    access.isShared = true;
    access.begin = place - cluster.ctas[rank]->shared.data();
    if (rank != access.warp.cta->rank)
      noteRemote(access.warp, access.inst, access.lane, rank,
                 access.stamp.agent, access.stamp.epoch);
    common.cells.update(shadow[rank].data(), access.begin, access.begin + bytes,
                        visit);
  } else if (isGlobal(place)) {
    // Who writes what host or device have put there changes nothing.
    if (access.isSame)
      return;
    access.begin = reinterpret_cast<uint64_t>(place);
    common.updateGlobal(access.begin, access.begin + bytes, visit);
  }
}

Cell RaceChecker::change(Access &access, Cell cell, uint64_t at) {
  // Shared memory has no value before the first write.
  if (access.isSame && cell.write)
    return cell;
  if (cell.write)
    check(access, common.stamps[cell.write], /*priorIsRead=*/false, at);
  if (access.isWrite) {
    for (StampId read : common.stamps.members(cell.reads))
      check(access, common.stamps[read], /*priorIsRead=*/true, at);
    return {access.id, 0};
  }
  // A read that is known to this one says nothing more, if it is as strong and
  // of the same proxy.
  const Clocks &now = stateOf(access.warp).now;
  for (StampId read : common.stamps.members(cell.reads)) {
    const Stamp &prior = common.stamps[read];
    if (prior.isSameAgent(access.stamp) && prior.epoch == access.stamp.epoch &&
        prior.scope == access.stamp.scope)
      return cell;
  }
  auto isObsolete = [&](const Stamp &prior) {
    if (prior.isSameAgent(access.stamp))
      return prior.scope == access.stamp.scope;
    return prior.isProxy == access.stamp.isProxy &&
           prior.scope == access.stamp.scope && !access.stamp.isAsync &&
           now.at(prior.cluster, Order::Causal, prior.agent) >= prior.epoch;
  };
  return {cell.write, common.stamps.insert(cell.reads, access.id, isObsolete)};
}

/// PTX ISA "Morally-strong operations": both are strong, and each scope holds
/// both threads.
static bool areMorallyStrong(const Stamp &a, const Stamp &b) {
  Scope needed = a.cluster != b.cluster ? Scope::Gpu
                 : a.rank != b.rank     ? Scope::Cluster
                                        : Scope::Cta;
  return a.scope >= needed && b.scope >= needed;
}

void RaceChecker::check(Access &access, const Stamp &prior, bool priorIsRead,
                        uint64_t at) {
  if (prior.isSameAgent(access.stamp) || areMorallyStrong(prior, access.stamp))
    return;
  const Clocks &now = stateOf(access.warp).now;
  auto isOrdered = [&](Order order) {
    return now.at(prior.cluster, order, prior.agent) >= prior.epoch;
  };
  unsigned lane = access.lane + (at - access.begin) / access.laneBytes;
  const SourceInst &source = launch.program->sources[prior.source];
  auto report = [&](const char *id, const Twine &message) {
    reportOnce(access.warp, access.inst, lane, id, prior.source, message);
  };
  auto first = [&] {
    return std::string(priorIsRead ? "read" : "write") + " by the " +
           source.name.str() + " in line " + std::to_string(source.line);
  };
  if (!isOrdered(Order::Causal)) {
    bool inTime = isPast(now, prior);
    // A copy or wgmma that was waited for reads no more.
    if (inTime && prior.isAsync && priorIsRead)
      return;
    // What a strong access has shown to a weak one or seen of it is behind.
    if (inTime &&
        (prior.scope == Scope::None) != (access.stamp.scope == Scope::None))
      return;
    if (inTime)
      return report("missing-release-acquire",
                    "the " + Twine(access.what) + " comes after the " +
                        first() +
                        " in time only: what is between them is relaxed, or "
                        "has a scope that does not hold both threads");
    if (prior.isAsync && priorIsRead)
      return report("source-in-use", "the " + Twine(access.what) +
                                         " is not ordered behind the " +
                                         first() + ", which may still read");
    if (prior.isAsync)
      return report("unfinished-destination",
                    "the " + Twine(access.what) +
                        " is not ordered behind the " + first() +
                        ", which may not be complete");
    return report("race", "the " + Twine(access.what) +
                              " is not ordered behind the " + first());
  }
  if (!access.stamp.isProxy || prior.isProxy ||
      (priorIsRead && !access.isShared) ||
      isOrdered(access.isShared ? Order::FencedShared : Order::FencedGlobal))
    return;
  report(priorIsRead ? "missing-proxy-fence-after-read" : "missing-proxy-fence",
         "the " + Twine(access.what) +
             " by the asynchronous proxy follows the " + first() +
             " by the generic proxy without fence.proxy.async for " +
             (access.isShared ? "shared" : "global") + " memory");
}

void RaceChecker::reportOnce(Warp &warp, const Inst &inst, unsigned lane,
                             const char *id, uint32_t otherSource,
                             const Twine &message) {
  if (common.isNew(inst.source, otherSource, id))
    emulator::report(warp, inst, lane, id, message,
                     launch.program->sources[otherSource].line);
}

void RaceChecker::useBarrier(Warp &warp, const Inst &inst, unsigned lane,
                             const char *place, bool byOperation) {
  unsigned rank = rankOf(&warp, place, sizeof(uint64_t));
  if (rank == nowhere)
    return;
  Access access{warp, inst, lane};
  access.stamp = stampOf(warp, inst);
  access.what = "use of the mbarrier";
  access.isShared = true;
  access.begin = place - cluster.ctas[rank]->shared.data();
  access.laneBytes = sizeof(uint64_t);
  if (rank != warp.cta->rank && !byOperation)
    noteRemote(warp, inst, lane, rank, access.stamp.agent, access.stamp.epoch);
  common.cells.update(shadow[rank].data(), access.begin,
                      access.begin + sizeof(uint64_t),
                      [&](Cell cell, uint64_t at) {
                        if (cell.write)
                          check(access, common.stamps[cell.write],
                                /*priorIsRead=*/false, at);
                        return cell;
                      });
}

void RaceChecker::useTensorMap(Warp &warp, const Inst &inst, unsigned lane,
                               const uint8_t *map, uint32_t bytes) {
  if (!isGlobal(reinterpret_cast<const char *>(map)))
    return;
  Access access{warp, inst, lane};
  access.stamp = stampOf(warp, inst);
  access.what = "use of the tensor map";
  access.begin = reinterpret_cast<uint64_t>(map);
  access.laneBytes = bytes;
  const Clocks &now = stateOf(warp).now;
  common.updateGlobal(
      access.begin, access.begin + bytes, [&](Cell cell, uint64_t at) {
        if (!cell.write)
          return cell;
        const Stamp prior = common.stamps[cell.write];
        auto isOrdered = [&](Order order) {
          return now.at(prior.cluster, order, prior.agent) >= prior.epoch;
        };
        if (!isOrdered(Order::Causal))
          check(access, prior, /*priorIsRead=*/false, at);
        else if (!isOrdered(Order::MapAcquired)) {
          const SourceInst &source = launch.program->sources[prior.source];
          reportOnce(warp, inst, lane, "missing-tensormap-fence", prior.source,
                     "the use of the tensor map follows the write by the " +
                         source.name + " in line " + Twine(source.line) +
                         " without fence.proxy.tensormap::generic: " +
                         (isOrdered(Order::MapReleased) ? "an .acquire"
                                                        : "a .release") +
                         " is missing");
        }
        return cell;
      });
}

//===----------------------------------------------------------------------===//
// Other CTAs of the cluster
//===----------------------------------------------------------------------===//

static std::string nameOf(const Cta &cta) {
  return "CTA (" + std::to_string(cta.index[0]) + ", " +
         std::to_string(cta.index[1]) + ", " + std::to_string(cta.index[2]) +
         ")";
}

void RaceChecker::noteRemote(Warp &warp, const Inst &inst, unsigned lane,
                             unsigned rank, unsigned agent, uint32_t epoch) {
  const Cta &peer = *cluster.ctas[rank];
  WarpState &state = stateOf(warp);
  if (!(state.begun >> rank & 1)) {
    unsigned first = rank * peer.warps.size(), last = first + peer.warps.size();
    for (unsigned other = first; other < last; ++other)
      if (state.now.at(clusterNumber, Order::InTime, other))
        state.begun |= 1u << rank;
    if (!(state.begun >> rank & 1))
      reportOnce(warp, inst, lane, "peer-not-started", 0,
                 "the shared memory of " + Twine(nameOf(peer)) +
                     " is accessed, but nothing (such as a barrier of the "
                     "cluster) says that the CTA has begun");
  }
  if (ends[rank])
    return reportOnce(warp, inst, lane, "exit-before-peer", ends[rank]->source,
                      "the shared memory of " + Twine(nameOf(peer)) +
                          " is accessed, whose threads have ended");
  remoteUses[rank][agent] = {epoch, &warp, &inst, lane};
}

void RaceChecker::endCta(const Cta &cta, const Inst &inst) {
  ends[cta.rank] = &inst;
  for (const auto &entry : remoteUses[cta.rank]) {
    const RemoteUse &use = entry.second;
    bool isKnown = false;
    for (const Warp &warp : cta.warps)
      isKnown |= stateOf(warp).now.at(clusterNumber, Order::InTime,
                                      entry.first) >= use.epoch;
    if (!isKnown)
      reportOnce(*use.warp, *use.inst, use.lane, "exit-before-peer",
                 inst.source,
                 "the shared memory of " + Twine(nameOf(cta)) +
                     " is accessed, whose threads may have ended: they do not "
                     "wait for it");
  }
  remoteUses[cta.rank].clear();
}
