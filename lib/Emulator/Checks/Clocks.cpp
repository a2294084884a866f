//===- Clocks.cpp - What happened before what -----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins, and copies where something shared is to change.
//
//===----------------------------------------------------------------------===//

#include "Clocks.h"

using namespace ptxbench::emulator;

static bool covers(const ClusterClocks &a, const ClusterClocks &b,
                   bool inTimeOnly) {
  for (unsigned order = 0; order < orderCount; ++order)
    if ((!inTimeOnly || Order(order) == Order::InTime) &&
        !a.of[order].covers(b.of[order]))
      return false;
  return true;
}

static void joinInto(ClusterClocks &a, const ClusterClocks &b,
                     bool inTimeOnly) {
  for (unsigned order = 0; order < orderCount; ++order)
    if (!inTimeOnly || Order(order) == Order::InTime)
      a.of[order].join(b.of[order]);
}

ClusterClocks &Clocks::editLocal() {
  if (local.use_count() > 1)
    local = std::make_shared<ClusterClocks>(*local);
  return *local;
}

Clocks::Others &Clocks::editOthers() {
  if (!others)
    others = std::make_shared<Others>();
  else if (others.use_count() > 1)
    others = std::make_shared<Others>(*others);
  return *others;
}

const ClusterClocks *Clocks::find(uint32_t ofCluster) const {
  if (!others)
    return nullptr;
  auto it = std::lower_bound(
      others->begin(), others->end(), ofCluster,
      [](const auto &entry, uint32_t key) { return entry.first < key; });
  return it != others->end() && it->first == ofCluster ? it->second.get()
                                                       : nullptr;
}

void Clocks::joinCluster(uint32_t ofCluster, const Shared &other,
                         bool inTimeOnly) {
  if (ofCluster == cluster) {
    if (local != other && !covers(*local, *other, inTimeOnly))
      joinInto(editLocal(), *other, inTimeOnly);
    return;
  }
  const ClusterClocks *known = find(ofCluster);
  if (known == other.get() || (known && covers(*known, *other, inTimeOnly)))
    return;
  Others &all = editOthers();
  auto it = std::lower_bound(
      all.begin(), all.end(), ofCluster,
      [](const auto &entry, uint32_t key) { return entry.first < key; });
  if (!known) {
    it = all.insert(it, {ofCluster, nullptr});
    if (!inTimeOnly) {
      it->second = other;
      return;
    }
  } else if (!inTimeOnly && covers(*other, *known, false)) {
    it->second = other;
    return;
  }
  auto joined = known ? std::make_shared<ClusterClocks>(*known)
                      : std::make_shared<ClusterClocks>();
  joinInto(*joined, *other, inTimeOnly);
  it->second = std::move(joined);
}

void Clocks::join(const Clocks &other, bool inTimeOnly) {
  if (other.isEmpty())
    return;
  if (isEmpty() && !inTimeOnly) {
    *this = other;
    return;
  }
  if (isEmpty())
    *this = Clocks(other.cluster);
  joinCluster(other.cluster, other.local, inTimeOnly);
  if (other.others && other.others != others)
    for (const auto &entry : *other.others)
      joinCluster(entry.first, entry.second, inTimeOnly);
}

void Clocks::joinOrder(Order to, Order from) {
  if (isEmpty())
    return;
  if (!(*local)[to].covers((*local)[from])) {
    ClusterClocks &mine = editLocal();
    mine[to].join(mine[from]);
  }
  if (!others)
    return;
  for (size_t i = 0; i < others->size(); ++i) {
    const Shared known = (*others)[i].second;
    if ((*known)[to].covers((*known)[from]))
      continue;
    auto changed = std::make_shared<ClusterClocks>(*known);
    (*changed)[to].join((*changed)[from]);
    editOthers()[i].second = std::move(changed);
  }
}
