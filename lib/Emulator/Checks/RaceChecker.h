//===- RaceChecker.h - Races in shared memory ----------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds accesses to shared memory that nothing orders, PTX ISA "Memory
// Consistency Model", and those of different proxies without a proxy fence
// between them, "Proxies".
//
// Agents are what accesses memory on its own: warps, and per warp its bulk
// copies, its cp.async and its wgmma, and per mbarrier the copies that it
// tracks. An access has a stamp: its agent and that agent's epoch. A warp has a
// vector clock: up to which epoch of each agent everything happened before what
// the warp does now; and a second one of what a proxy fence has made visible to
// the asynchronous proxy. Both travel with what synchronises: barriers,
// mbarriers, groups of asynchronous operations, strong accesses.
//
// An asynchronous operation counts from where it is issued, whatever the
// schedule does. Where it is not known exactly what orders what, more is taken
// to be ordered: a report is a fault of the program. Per byte the last write
// and the last reads of either proxy are known, so that not every race is
// found; threads of one warp do not race with each other.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_RACECHECKER_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_RACECHECKER_H

#include "../Program.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <vector>

namespace ptxbench::emulator {

struct Cluster;
struct Warp;

/// Up to which epoch of each agent something is known.
class VectorClock {
public:
  uint32_t operator[](unsigned agent) const {
    return agent < epochs.size() ? epochs[agent] : 0;
  }
  void raise(unsigned agent, uint32_t epoch) {
    if (epochs.size() <= agent)
      epochs.resize(agent + 1);
    if (epochs[agent] < epoch)
      epochs[agent] = epoch;
  }
  void join(const VectorClock &other) {
    for (unsigned agent = 0; agent < other.epochs.size(); ++agent)
      raise(agent, other.epochs[agent]);
  }

private:
  std::vector<uint32_t> epochs;
};

/// What belongs to a warp and works on its own; wgmma belong to a warpgroup.
enum class AsyncUnit : uint8_t { Bulk, CpAsync, Wgmma };

/// An asynchronous operation as an agent at an epoch.
struct AsyncStamp {
  unsigned agent = 0;
  uint32_t epoch = 0;
};

enum class AccessKind : uint8_t {
  Read,
  Write,
  /// An atomic or strong access, which orders what comes before and after.
  Sync
};

class RaceChecker {
public:
  explicit RaceChecker(Cluster &cluster);

  /// A warp accesses bytes of shared memory; others are ignored.
  void access(Warp &warp, const Inst &inst, unsigned lane, AccessKind kind,
              const char *place, uint32_t bytes);

  /// A warp uses an mbarrier, whose initialisation must come before.
  void useBarrier(Warp &warp, const Inst &inst, unsigned lane,
                  const char *place);

  /// What a warp did so far is ordered before what acquires `object`.
  void release(Warp &warp, const void *object);
  void acquire(Warp &warp, const void *object);
  /// fence.proxy.async.
  void fenceProxy(Warp &warp);

  /// The next asynchronous operation of a unit of the warp, or of those that an
  /// mbarrier tracks.
  AsyncStamp begin(Warp &warp, AsyncUnit unit);
  AsyncStamp begin(const void *mbarrier);
  /// The last one that a unit of the warp began.
  AsyncStamp latest(const Warp &warp, AsyncUnit unit) const;
  /// An operation that `warp` issued accesses shared memory. `isProxy`: by the
  /// asynchronous proxy, as all but cp.async do.
  void asyncAccess(Warp &warp, const Inst &inst, unsigned lane,
                   AsyncStamp stamp, bool isWrite, bool isProxy,
                   const char *place, uint32_t bytes);
  /// An operation is complete, and all that its agent began before, and an
  /// mbarrier says so.
  void complete(const void *mbarrier, AsyncStamp stamp);
  /// The warp has waited for all of a unit's operations up to an epoch.
  void waited(Warp &warp, AsyncUnit unit, uint32_t epoch);

private:
  struct Stamp {
    uint32_t epoch = 0; // 0: none.
    uint16_t agent = 0;
    bool isProxy = false;
    uint32_t line = 0;
  };
  struct Byte {
    Stamp write, read, proxyRead;
  };
  struct Clocks {
    VectorClock all, fenced;
  };

  unsigned numberOf(const Warp &warp) const;
  unsigned agentOf(const Warp &warp, AsyncUnit unit) const;
  /// The shadow of a place; null if it is not in shared memory.
  Byte *shadowOf(const char *place, uint32_t bytes);
  /// Whether an access by `warp` at its present clocks comes after `stamp`;
  /// `isProxy`: that access is one of the asynchronous proxy. Reports if not.
  void check(Warp &warp, const Inst &inst, unsigned lane, const Stamp &stamp,
             const char *first, const char *second, bool needsFence,
             unsigned self);

  Cluster &cluster;
  std::vector<Clocks> clocks;
  llvm::DenseMap<const void *, Clocks> objects;
  /// Agents of mbarriers, numbered behind those of warps.
  llvm::DenseMap<const void *, unsigned> mbarriers;
  std::vector<uint32_t> asyncEpochs;
  std::vector<std::vector<Byte>> shadow;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_RACECHECKER_H
