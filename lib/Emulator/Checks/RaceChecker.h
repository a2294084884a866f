//===- RaceChecker.h - Accesses that nothing orders ----------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds accesses to shared and global memory that nothing orders, PTX ISA
// "Memory Consistency Model", those of different proxies without a proxy fence
// between them, "Proxies", and accesses to the shared memory of a CTA that may
// not have begun or may have ended.
//
// Agents are what accesses memory on its own: warps, and per warp its bulk
// copies (their reads and their writes apart), its cp.async and its wgmma, and
// per mbarrier the copies that it tracks. An access has a stamp: its agent and
// that agent's epoch (Shadow.h). A warp has a clock of what happened before
// what it does now (Clocks.h), which travels with what synchronises: barriers,
// mbarriers, groups of asynchronous operations; strong accesses that release
// and acquire, or between fences, as far as their scopes reach.
//
// An asynchronous operation counts from where it is issued, whatever the
// schedule does. Where it is not known exactly what orders what, more is taken
// to be ordered: a report is a fault of the program. Threads of one warp do not
// race with each other, and are one where they release and acquire.
//
// RaceChecker.cpp has the accesses, RaceOrder.cpp what orders them.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_RACECHECKER_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_RACECHECKER_H

#include "../Program.h"
#include "Access.h"
#include "Clocks.h"
#include "LaunchRaces.h"

namespace ptxbench::emulator {

struct Cluster;
struct Cta;
struct Launch;
struct Warp;

class RaceChecker {
public:
  explicit RaceChecker(Cluster &cluster);
  RaceChecker(const RaceChecker &) = delete;
  ~RaceChecker();

  //===--------------------------------------------------------------------===//
  // Accesses
  //===--------------------------------------------------------------------===//

  /// What lanes that follow each other access.
  struct Run {
    unsigned lane;
    const char *place;
    uint64_t bytes;
  };
  /// A warp accesses bytes of shared or global memory, `laneBytes` by each
  /// lane; others are ignored.
  void access(Warp &warp, const Inst &inst, AccessKind kind,
              llvm::ArrayRef<Run> runs, uint32_t laneBytes);
  /// An operation that `warp` issued does.
  void asyncAccess(Warp &warp, const Inst &inst, unsigned lane,
                   const AsyncAccess &how, const char *place, uint64_t bytes) {
    asyncAccess(warp, inst, lane, how, llvm::ArrayRef<const char *>(place),
                bytes);
  }
  /// The same of `bytes` at several places.
  void asyncAccess(Warp &warp, const Inst &inst, unsigned lane,
                   const AsyncAccess &how, llvm::ArrayRef<const char *> places,
                   uint64_t bytes);
  /// A warp uses an mbarrier, whose initialisation must come before.
  /// `byOperation`: something that it issues will, and is told of itself.
  void useBarrier(Warp &warp, const Inst &inst, unsigned lane,
                  const char *place, bool byOperation = false);
  /// A copy uses a tensor map in global memory.
  void useTensorMap(Warp &warp, const Inst &inst, unsigned lane,
                    const uint8_t *map, uint32_t bytes);
  /// All threads of the CTA have ended, the last by `inst`.
  void endCta(const Cta &cta, const Inst &inst);

  //===--------------------------------------------------------------------===//
  // Order
  //===--------------------------------------------------------------------===//

  /// A warp arrives at a barrier of its CTA or its cluster; `relaxed`: that
  /// says nothing of memory.
  void arrive(Warp &warp, const void *barrier, bool relaxed = false);
  /// All have arrived; a warp goes on behind it.
  void completeBarrier(const void *barrier);
  void passBarrier(Warp &warp, const void *barrier);

  /// The same of an mbarrier, with the order that the instruction has.
  void initBarrier(const void *place);
  void arriveAt(Warp &warp, const Inst &inst, const void *place);
  void endPhase(const void *place);
  void passPhase(Warp &warp, const Inst &inst, const void *place);

  /// membar, fence.
  void fence(Warp &warp, Scope scope);
  /// fence.proxy.async for accesses to shared or global memory.
  void fenceProxy(Warp &warp, bool shared, bool global);
  /// fence.proxy.tensormap: release or acquire.
  void fenceTensorMap(Warp &warp, bool release, Scope scope);

  /// The next asynchronous operation of a unit of the warp, or of those that an
  /// mbarrier tracks.
  AsyncStamp begin(Warp &warp, AsyncUnit unit);
  AsyncStamp begin(const void *mbarrier);
  /// The last one that a unit of the warp began.
  AsyncStamp latest(const Warp &warp, AsyncUnit unit) const;
  /// An operation is complete, and all that its agent began before, and an
  /// mbarrier says so.
  void complete(const void *mbarrier, AsyncStamp stamp);
  /// The warp has waited for all of a unit's operations up to an epoch.
  void waited(Warp &warp, AsyncUnit unit, uint32_t epoch);

  /// Calls `use(cell)` for the lines of shared memory.
  template <class Use> void forEachLine(Use use) {
    for (const std::vector<Cell> &lines : shadow)
      for (const Cell &line : lines)
        use(line);
  }

private:
  struct WarpState {
    Clocks now;
    uint32_t epoch = 1;
    /// By scope: what strong reads have seen that no fence has acquired.
    Clocks pending[4];
    /// What fences have released of `publishedFrom`.
    Clocks published[4], publishedFrom;
    /// CTAs of the cluster that are known to have begun.
    uint32_t begun = 0;
  };
  /// All bytes of one agent's access.
  struct Access {
    Warp &warp;
    const Inst &inst;
    /// Of the byte at `begin`; those behind it have `laneBytes` each.
    unsigned lane;
    uint64_t begin = 0;
    uint32_t laneBytes = 0;
    Stamp stamp;
    StampId id = 0;
    bool isRead = false, isWrite = false;
    /// A write of what is there: only one where nothing ever was.
    bool isSame = false;
    bool isShared = false;
    const char *what = "";
    /// What the access makes of cells that look like the last one.
    Cell last, lastChanged;
    bool isWarm = false;
  };
  /// Barriers of the CTA or cluster.
  struct Rendezvous {
    Clocks arriving, complete;
  };
  struct Phases {
    SyncObject arriving, complete;
  };
  /// The last access by an agent to the shared memory of another CTA.
  struct RemoteUse {
    uint32_t epoch = 0;
    Warp *warp = nullptr;
    const Inst *inst = nullptr;
    unsigned lane = 0;
  };
  static constexpr unsigned nowhere = ~0u;

  unsigned numberOf(const Warp &warp) const;
  unsigned agentOf(const Warp &warp, AsyncUnit unit) const;
  WarpState &stateOf(const Warp &warp) { return states[numberOf(warp)]; }
  Stamp stampOf(const Warp &warp, const Inst &inst);
  /// The CTA in whose shared memory a place is; nowhere if in none.
  unsigned rankOf(const Warp *warp, const char *place, uint64_t bytes) const;
  bool isGlobal(const char *place) const;

  void touch(Access &access, const char *place, uint64_t bytes);
  Cell change(Access &access, Cell cell, uint64_t at);
  void check(Access &access, const Stamp &prior, bool priorIsRead, uint64_t at);
  void reportOnce(Warp &warp, const Inst &inst, unsigned lane, const char *id,
                  uint32_t otherSource, const llvm::Twine &message);
  /// A warp or what it has issued accesses shared memory of another CTA.
  void noteRemote(Warp &warp, const Inst &inst, unsigned lane, unsigned rank,
                  unsigned agent, uint32_t epoch);

  /// What the warp does from now on is of a later epoch.
  void advance(WarpState &state, unsigned self);
  void acquire(WarpState &state, const Warp &warp, const SyncObject &object,
               MemoryOrder order, bool inTime);
  void acquirePending(WarpState &state, Scope scope);
  /// What is released or published there; true if all is released. `merges`:
  /// what all CTAs release to the GPU is one.
  bool release(Warp &warp, SyncObject &object, MemoryOrder order, bool merges);
  /// Whether an agent's epoch is over for all that is known of it.
  bool isPast(const Clocks &now, const Stamp &prior) const;
  void acquireAt(Warp &warp, const Inst &inst, const char *place);
  void releaseAt(Warp &warp, const Inst &inst, const char *place);

  Cluster &cluster;
  Launch &launch;
  LaunchRaces &common;
  uint32_t clusterNumber;
  std::vector<WarpState> states;
  /// The widest scope of a fence in the cluster so far.
  Scope hasFence = Scope::None;
  llvm::DenseMap<const void *, Rendezvous> barriers;
  llvm::DenseMap<const void *, Phases> mbarriers;
  /// What any thread of the cluster has seen strong writes of others to have
  /// known, by cluster and agent. To know that takes no fence, and to tell all
  /// clocks of it would cost too much.
  llvm::DenseMap<std::pair<uint32_t, unsigned>, Clocks> seen;
  /// What synchronises through shared memory.
  llvm::DenseMap<const void *, SyncObject> objects;
  /// Agents of mbarriers, numbered behind those of warps.
  llvm::DenseMap<const void *, unsigned> mbarrierAgents;
  std::vector<uint32_t> asyncEpochs;
  /// By CTA.
  std::vector<std::vector<Cell>> shadow;
  std::vector<llvm::DenseMap<unsigned, RemoteUse>> remoteUses;
  std::vector<const Inst *> ends;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_RACECHECKER_H
