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
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ptxbench::emulator {

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
  /// And a fence of that scope, by whoever knew of it, has released it.
  PublishedCta,
  PublishedCluster,
  PublishedGpu,
  /// Only in time: by what synchronises at all, whatever its order or scope.
  InTime,
};
constexpr unsigned orderCount = 9;

/// The agents of one cluster: up to which epoch each is known, in each order.
class ClusterClocks {
public:
  uint32_t at(Order order, unsigned agent) const {
    size_t place = indexOf(order, agent);
    return place < epochs.size() ? epochs[place] : 0;
  }
  void raise(Order order, unsigned agent, uint32_t epoch) {
    size_t place = indexOf(order, agent);
    if (place >= epochs.size())
      epochs.resize((agent + 1) * orderCount);
    epochs[place] = std::max(epochs[place], epoch);
  }
  void join(const ClusterClocks &other, bool inTimeOnly);
  /// Whether that join changes nothing.
  bool covers(const ClusterClocks &other, bool inTimeOnly) const;
  void joinOrder(Order to, Order from);
  bool coversOrder(Order to, Order from) const;
  /// Forgets what is not known in the order `to`, but when it was.
  void limit(Order to);

private:
  static size_t indexOf(Order order, unsigned agent) {
    return size_t(agent) * orderCount + unsigned(order);
  }
  /// By agent, and there by order.
  std::vector<uint32_t> epochs;
};

class Clocks {
public:
  Clocks() = default;
  explicit Clocks(uint32_t cluster)
      : cluster(cluster), local(std::make_shared<ClusterClocks>()) {}

  bool isEmpty() const { return !local; }
  /// Whether both are copies of one that has not changed.
  bool isSame(const Clocks &other) const {
    return local == other.local && others == other.others;
  }
  uint32_t at(uint32_t ofCluster, Order order, unsigned agent) const {
    if (ofCluster == cluster && local)
      return local->at(order, agent);
    const ClusterClocks *there = find(ofCluster);
    return there ? there->at(order, agent) : 0;
  }
  /// Of the own cluster.
  void raise(Order order, unsigned agent, uint32_t epoch) {
    editLocal().raise(order, agent, epoch);
  }
  /// Learns all that `other` knows; with `inTimeOnly` only when it was.
  void join(const Clocks &other, bool inTimeOnly = false);
  /// What is known in the order `from` is known in the order `to`.
  void joinOrder(Order to, Order from);
  /// What of it is known in the order `to`, and when the rest was.
  Clocks limited(Order to) const;

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
