//===- Clocks.h - What happened before what ------------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector clocks. Agents are what accesses memory on its own, numbered within a
// cluster; an agent counts epochs. A clock says of each agent up to which epoch
// everything is known to have happened. Clusters that never heard of each other
// share nothing, so a clock has the agents of its own cluster side by side and
// those of others only as far as something came from there.
//
// Clocks are values. Copies share what they hold until one of them changes, so
// that to keep the clock of some moment costs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_CLOCKS_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_CLOCKS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ptxbench::emulator {

/// Up to which epoch of each agent something is known.
class VectorClock {
public:
  uint32_t operator[](unsigned agent) const {
    return agent < epochs.size() ? epochs[agent] : 0;
  }
  void raise(unsigned agent, uint32_t epoch) {
    if (epochs.size() <= agent)
      epochs.resize(agent + 1);
    epochs[agent] = std::max(epochs[agent], epoch);
  }
  void join(const VectorClock &other) {
    if (epochs.size() < other.epochs.size())
      epochs.resize(other.epochs.size());
    for (size_t agent = 0; agent < other.epochs.size(); ++agent)
      epochs[agent] = std::max(epochs[agent], other.epochs[agent]);
  }
  /// Whether a join with `other` changes nothing.
  bool covers(const VectorClock &other) const {
    uint32_t missing = 0;
    size_t common = std::min(epochs.size(), other.epochs.size());
    for (size_t agent = 0; agent < common; ++agent)
      missing |= epochs[agent] < other.epochs[agent];
    for (size_t agent = common; agent < other.epochs.size(); ++agent)
      missing |= other.epochs[agent];
    return !missing;
  }

private:
  std::vector<uint32_t> epochs;
};

/// The ways in which one access can be known to come after another.
enum class Order : uint8_t {
  /// PTX ISA "Causality order".
  Causal,
  /// And a proxy fence made it visible to the asynchronous proxy, in shared or
  /// global memory.
  FencedShared,
  FencedGlobal,
  /// And a fence released it to the tensormap proxy; another one acquired it.
  MapReleased,
  MapAcquired,
  /// Only in time: by what synchronises at all, whatever its order or scope.
  InTime,
};
constexpr unsigned orderCount = 6;

/// The agents of one cluster.
struct ClusterClocks {
  std::array<VectorClock, orderCount> of;

  const VectorClock &operator[](Order order) const {
    return of[unsigned(order)];
  }
  VectorClock &operator[](Order order) { return of[unsigned(order)]; }
};

class Clocks {
public:
  Clocks() = default;
  explicit Clocks(uint32_t cluster)
      : cluster(cluster), local(std::make_shared<ClusterClocks>()) {}

  bool isEmpty() const { return !local; }
  uint32_t at(uint32_t ofCluster, Order order, unsigned agent) const {
    if (ofCluster == cluster && local)
      return (*local)[order][agent];
    const ClusterClocks *there = find(ofCluster);
    return there ? (*there)[order][agent] : 0;
  }
  /// Of the own cluster.
  void raise(Order order, unsigned agent, uint32_t epoch) {
    editLocal()[order].raise(agent, epoch);
  }
  /// Learns all that `other` knows; with `inTimeOnly` only when it was.
  void join(const Clocks &other, bool inTimeOnly = false);
  /// What is known in the order `from` is known in the order `to`.
  void joinOrder(Order to, Order from);

private:
  using Shared = std::shared_ptr<const ClusterClocks>;
  /// By cluster, ascending.
  using Others = std::vector<std::pair<uint32_t, Shared>>;

  const ClusterClocks *find(uint32_t ofCluster) const;
  ClusterClocks &editLocal();
  void joinCluster(uint32_t ofCluster, const Shared &other, bool inTimeOnly);
  Others &editOthers();

  uint32_t cluster = ~0u;
  std::shared_ptr<ClusterClocks> local;
  std::shared_ptr<Others> others;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_CLOCKS_H
