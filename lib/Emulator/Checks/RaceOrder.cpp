//===- RaceOrder.cpp - What orders accesses -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Release and Acquire Patterns", "Synchronizes", barriers, mbarriers,
// fences, and the completion of asynchronous operations.
//
//===----------------------------------------------------------------------===//

#include "../Machine/Machine.h"
#include "RaceChecker.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

static constexpr Scope scopes[] = {Scope::Cta, Scope::Cluster, Scope::Gpu};

static Order publishedIn(Scope scope) {
  return scope == Scope::Cta       ? Order::PublishedCta
         : scope == Scope::Cluster ? Order::PublishedCluster
                                   : Order::PublishedGpu;
}

void RaceChecker::advance(WarpState &state, unsigned self) {
  ++state.epoch;
  state.now.raise(Order::Causal, self, state.epoch);
  state.now.raise(Order::InTime, self, state.epoch);
}

//===----------------------------------------------------------------------===//
// Releasing and acquiring
//===----------------------------------------------------------------------===//

void RaceChecker::acquire(WarpState &state, const Warp &warp,
                          const SyncObject &object, MemoryOrder order,
                          bool inTime) {
  object.forEach(clusterNumber, warp.cta->rank, order.scope,
                 [&](const Clocks &clocks, Scope needed) {
                   bool reaches = needed != Scope::None;
                   if (inTime || (reaches && order.acquires))
                     state.now.join(clocks, !(reaches && order.acquires));
                   // A fence that follows may acquire it.
                   if (reaches && !order.acquires)
                     state.pending[unsigned(needed)].join(clocks);
                 });
}

void RaceChecker::acquirePending(WarpState &state, Scope scope) {
  for (Scope one : scopes)
    if (one <= scope && !state.pending[unsigned(one)].isEmpty()) {
      state.now.join(state.pending[unsigned(one)]);
      state.pending[unsigned(one)] = Clocks();
    }
}

bool RaceChecker::release(Warp &warp, SyncObject &object, MemoryOrder order,
                          bool merges) {
  WarpState &state = stateOf(warp);
  auto add = [&](Scope scope, const Clocks &clocks) {
    bool isOne = merges && scope == Scope::Gpu;
    object.add(isOne ? SyncObject::everyone : clusterNumber,
               isOne ? 0 : warp.cta->rank, scope, clocks);
  };
  if (order.releases) {
    add(order.scope, state.now);
    return true;
  }
  if (hasFence == Scope::None)
    return false;
  // What fences have released before.
  if (!state.publishedFrom.isSame(state.now)) {
    state.publishedFrom = state.now;
    for (Scope scope : scopes)
      state.published[unsigned(scope)] = state.now.limited(publishedIn(scope));
  }
  for (Scope scope : scopes)
    if (scope <= order.scope && hasFence >= scope)
      add(scope, state.published[unsigned(scope)]);
  return false;
}

bool RaceChecker::isPast(const Clocks &now, const Stamp &prior) const {
  auto knows = [&](const Clocks &clocks) {
    return clocks.at(prior.cluster, Order::InTime, prior.agent) >= prior.epoch;
  };
  return knows(now) ||
         any_of(seen, [&](const auto &entry) { return knows(entry.second); });
}

void RaceChecker::acquireAt(Warp &warp, const Inst &inst, const char *place) {
  const SyncObject *object = nullptr;
  if (rankOf(&warp, place, 1) != nowhere) {
    auto it = objects.find(place);
    object = it == objects.end() ? nullptr : &it->second;
  } else if (isGlobal(place)) {
    object = common.findObject(place);
  }
  if (!object)
    return;
  for (const SyncObject::Writer &writer : object->lastWriters()) {
    Clocks &known = seen[{writer.cluster, writer.agent}];
    if (!known.isSame(writer.clocks))
      known = writer.clocks;
  }
  if (!object->isEmpty())
    acquire(stateOf(warp), warp, *object,
            MemoryOrder::unpack(inst.flags[orderFlag]), /*inTime=*/false);
}

void RaceChecker::releaseAt(Warp &warp, const Inst &inst, const char *place) {
  bool isShared = rankOf(&warp, place, 1) != nowhere;
  if (!isShared && !isGlobal(place))
    return;
  SyncObject &object = isShared ? objects[place] : common.objectAt(place);
  unsigned self = numberOf(warp);
  object.addWriter(
      {clusterNumber, uint8_t(warp.cta->rank), self, states[self].now});
  if (release(warp, object, MemoryOrder::unpack(inst.flags[orderFlag]),
              /*merges=*/true))
    advance(states[self], self);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void RaceChecker::arrive(Warp &warp, const void *barrier, bool relaxed) {
  unsigned self = numberOf(warp);
  WarpState &state = states[self];
  // Programs have one thread look at a flag and all of them go on behind a
  // barrier, without a fence.
  acquirePending(state, Scope::Gpu);
  Clocks &arriving = barriers[barrier].arriving;
  if (relaxed)
    arriving.join(state.now.limited(Order::PublishedCluster));
  else
    arriving.join(state.now);
  advance(state, self);
}

void RaceChecker::completeBarrier(const void *barrier) {
  Rendezvous &one = barriers[barrier];
  one.complete = std::move(one.arriving);
  one.arriving = Clocks();
}

void RaceChecker::passBarrier(Warp &warp, const void *barrier) {
  stateOf(warp).now.join(barriers[barrier].complete);
}

void RaceChecker::initBarrier(const void *place) { mbarriers.erase(place); }

void RaceChecker::arriveAt(Warp &warp, const Inst &inst, const void *place) {
  unsigned self = numberOf(warp);
  WarpState &state = states[self];
  SyncObject &arriving = mbarriers[place].arriving;
  if (!release(warp, arriving, MemoryOrder::unpack(inst.flags[orderFlag]),
               /*merges=*/false))
    arriving.entry(clusterNumber, warp.cta->rank, Scope::None)
        .clocks.join(state.now, /*inTimeOnly=*/true);
  advance(state, self);
}

void RaceChecker::endPhase(const void *place) {
  Phases &phases = mbarriers[place];
  phases.complete.add(phases.arriving);
  phases.arriving.clear();
}

void RaceChecker::passPhase(Warp &warp, const Inst &inst, const void *place) {
  auto it = mbarriers.find(place);
  if (it != mbarriers.end())
    acquire(stateOf(warp), warp, it->second.complete,
            MemoryOrder::unpack(inst.flags[orderFlag]), /*inTime=*/true);
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

void RaceChecker::fence(Warp &warp, Scope scope) {
  unsigned self = numberOf(warp);
  WarpState &state = states[self];
  acquirePending(state, scope);
  for (Scope one : scopes)
    if (one <= scope)
      state.now.joinOrder(publishedIn(one), Order::Causal);
  hasFence = std::max(hasFence, scope);
  // What follows is of a later epoch and not published.
  advance(state, self);
}

void RaceChecker::fenceProxy(Warp &warp, bool shared, bool global) {
  unsigned self = numberOf(warp);
  WarpState &state = states[self];
  if (shared)
    state.now.joinOrder(Order::FencedShared, Order::Causal);
  if (global)
    state.now.joinOrder(Order::FencedGlobal, Order::Causal);
  advance(state, self);
}

void RaceChecker::fenceTensorMap(Warp &warp, bool release, Scope scope) {
  Clocks &now = stateOf(warp).now;
  if (release)
    now.joinOrder(Order::MapReleased, Order::Causal);
  fence(warp, scope);
  if (!release)
    now.joinOrder(Order::MapAcquired, Order::MapReleased);
}

//===----------------------------------------------------------------------===//
// Asynchronous operations
//===----------------------------------------------------------------------===//

AsyncStamp RaceChecker::begin(Warp &warp, AsyncUnit unit) {
  unsigned agent = agentOf(warp, unit);
  return {agent, ++asyncEpochs[agent]};
}

AsyncStamp RaceChecker::latest(const Warp &warp, AsyncUnit unit) const {
  unsigned agent = agentOf(warp, unit);
  return {agent, asyncEpochs[agent]};
}

AsyncStamp RaceChecker::begin(const void *mbarrier) {
  // Beyond what a stamp can hold all are one agent.
  unsigned next = std::min<size_t>(asyncEpochs.size(), UINT16_MAX);
  auto [it, isNew] = mbarrierAgents.insert({mbarrier, next});
  if (isNew && next == asyncEpochs.size())
    asyncEpochs.push_back(0);
  return {it->second, ++asyncEpochs[it->second]};
}

void RaceChecker::complete(const void *mbarrier, AsyncStamp stamp) {
  unsigned rank = rankOf(nullptr, static_cast<const char *>(mbarrier), 8);
  SyncObject &arriving = mbarriers[mbarrier].arriving;
  Clocks &clocks = arriving.entry(clusterNumber, rank, Scope::Gpu).clocks;
  if (clocks.isEmpty())
    clocks = Clocks(clusterNumber);
  clocks.raise(Order::Causal, stamp.agent, stamp.epoch);
  clocks.raise(Order::InTime, stamp.agent, stamp.epoch);
}

void RaceChecker::waited(Warp &warp, AsyncUnit unit, uint32_t epoch) {
  Clocks &now = stateOf(warp).now;
  unsigned agent = agentOf(warp, unit);
  if (now.at(clusterNumber, Order::Causal, agent) >= epoch)
    return;
  now.raise(Order::Causal, agent, epoch);
  now.raise(Order::InTime, agent, epoch);
}
