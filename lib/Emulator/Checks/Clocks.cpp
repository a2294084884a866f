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

using Epochs = std::vector<uint32_t>;

/// Every `Step`-th from `first` on.
template <size_t Step>
static void joinEpochs(Epochs &mine, const Epochs &others, size_t first) {
  for (size_t i = first; i < others.size(); i += Step)
    mine[i] = std::max(mine[i], others[i]);
}

template <size_t Step>
static bool coversEpochs(const Epochs &mine, const Epochs &others,
                         size_t first) {
  size_t common = std::min(mine.size(), others.size()), i = first;
  uint32_t missing = 0;
  for (; i < common; i += Step)
    missing |= mine[i] < others[i];
  for (; i < others.size(); i += Step)
    missing |= others[i];
  return !missing;
}

void ClusterClocks::join(const ClusterClocks &other, bool inTimeOnly) {
  if (epochs.size() < other.epochs.size())
    epochs.resize(other.epochs.size());
  if (inTimeOnly)
    joinEpochs<orderCount>(epochs, other.epochs, unsigned(Order::InTime));
  else
    joinEpochs<1>(epochs, other.epochs, 0);
}

bool ClusterClocks::covers(const ClusterClocks &other, bool inTimeOnly) const {
  return inTimeOnly ? coversEpochs<orderCount>(epochs, other.epochs,
                                               unsigned(Order::InTime))
                    : coversEpochs<1>(epochs, other.epochs, 0);
}

void ClusterClocks::joinOrder(Order to, Order from) {
  for (size_t i = 0; i < epochs.size(); i += orderCount)
    epochs[i + unsigned(to)] =
        std::max(epochs[i + unsigned(to)], epochs[i + unsigned(from)]);
}

bool ClusterClocks::coversOrder(Order to, Order from) const {
  for (size_t i = 0; i < epochs.size(); i += orderCount)
    if (epochs[i + unsigned(to)] < epochs[i + unsigned(from)])
      return false;
  return true;
}

void ClusterClocks::limit(Order to) {
  for (size_t i = 0; i < epochs.size(); i += orderCount)
    for (unsigned order = 0; order < unsigned(Order::InTime); ++order)
      epochs[i + order] = std::min(epochs[i + order], epochs[i + unsigned(to)]);
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
    if (local != other && !local->covers(*other, inTimeOnly))
      editLocal().join(*other, inTimeOnly);
    return;
  }
  const ClusterClocks *known = find(ofCluster);
  if (known == other.get() || (known && known->covers(*other, inTimeOnly)))
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
  } else if (!inTimeOnly && other->covers(*known, /*inTimeOnly=*/false)) {
    it->second = other;
    return;
  }
  auto joined = known ? std::make_shared<ClusterClocks>(*known)
                      : std::make_shared<ClusterClocks>();
  joined->join(*other, inTimeOnly);
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
  // Nothing of others is known here: it is what the other one knows.
  if (!others && other.others && !inTimeOnly && !other.find(cluster))
    others = other.others;
  joinCluster(other.cluster, other.local, inTimeOnly);
  if (other.others && other.others != others)
    for (const auto &entry : *other.others)
      joinCluster(entry.first, entry.second, inTimeOnly);
}

void Clocks::joinOrder(Order to, Order from) {
  if (isEmpty())
    return;
  if (!local->coversOrder(to, from))
    editLocal().joinOrder(to, from);
  if (!others)
    return;
  for (size_t i = 0; i < others->size(); ++i) {
    const Shared known = (*others)[i].second;
    if (known->coversOrder(to, from))
      continue;
    auto changed = std::make_shared<ClusterClocks>(*known);
    changed->joinOrder(to, from);
    editOthers()[i].second = std::move(changed);
  }
}

Clocks Clocks::limited(Order to) const {
  Clocks result = *this;
  if (isEmpty())
    return result;
  result.editLocal().limit(to);
  if (others)
    for (auto &entry : result.editOthers()) {
      auto changed = std::make_shared<ClusterClocks>(*entry.second);
      changed->limit(to);
      entry.second = std::move(changed);
    }
  return result;
}
