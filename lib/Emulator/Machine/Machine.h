//===- Machine.h - Warps, CTAs, clusters, launches --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a running launch. All of it is explicit (no host stack belongs
// to a warp), so that any warp can be left at any instruction.
//
// A warp consists of groups: lanes at the same place of the same frame. One is
// current, the others are parked; groups that meet become one again. The
// current group is the one in the innermost frame and there the one that is
// furthest behind in the text, which makes structured control flow meet again
// at once; a group that goes round a loop for long gives way, which is the
// forward progress that independent thread scheduling guarantees.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MACHINE_MACHINE_H
#define PTXBENCH_LIB_EMULATOR_MACHINE_MACHINE_H

#include "../Checks/RaceChecker.h"
#include "../Memory/GlobalMemory.h"
#include "../Program.h"
#include "AsyncQueue.h"
#include "NamedBarrier.h"
#include "ptxbench/Emulator/Emulator.h"
#include "llvm/ADT/Twine.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace ptxbench::emulator {

struct Cluster;
struct Cta;
struct Launch;
struct WarpAsyncGroups;

/// Memory for rows, aligned so that they are whole vectors.
struct RowBuffer {
  RowBuffer() = default;
  explicit RowBuffer(size_t bytes);

  char *data() const { return memory.get(); }

private:
  struct Free {
    void operator()(char *memory) const;
  };
  std::unique_ptr<char, Free> memory;
};

/// A function that lanes of a warp are in.
struct Frame {
  Frame *parent = nullptr;
  const Function *function = nullptr;
  const CallExtra *call = nullptr;
  RowBuffer rows;
  /// Where undefined values are looked for (Checks/UndefinedValues.h): the
  /// undefined bits of the rows, and the lines that they come from.
  RowBuffer undefined, origins;
  /// Lanes that are in it or in one it called.
  LaneMask lanes = 0;
  uint32_t returnPc = 0;
  /// Where its local memory begins.
  uint32_t localBase = 0;
  unsigned depth = 0;
};

/// What a group waits for.
struct Wait {
  /// Whether it is over; null: the group does not wait.
  bool (*ready)(Warp &warp, const Wait &wait) = nullptr;
  /// For whoever reads about a deadlock: "bar.sync 0".
  const char *what = nullptr;
  uint64_t a = 0, b = 0, c = 0;
  /// The instruction is done and not to be executed again.
  bool advance = false;
  /// Whether only other groups of the warp can end it.
  bool inWarp = false;
  /// Whether the instruction may give up: it is executed again with
  /// Warp::timedOut set when nothing else can go on.
  bool mayTimeOut = false;

  explicit operator bool() const { return ready; }
};

struct Group {
  LaneMask mask = 0;
  uint32_t pc = 0;
  Frame *frame = nullptr;
  Wait wait;
};

struct ExecutionCounter {
  uint64_t warps = 0, threads = 0;
};

struct Warp {
  /// By SlotBase.
  char *bases[3] = {};
  /// The current group.
  LaneMask active = 0;
  uint32_t pc = 0;
  /// The warp attends to its groups before it executes an instruction at or
  /// behind this one; 0: at once.
  uint32_t limit = 0;
  Frame *frame = nullptr;
  Wait wait;
  /// Of the host thread that runs the warp, by Inst::source.
  ExecutionCounter *counters = nullptr;

  Cta *cta = nullptr;
  Launch *launch = nullptr;
  unsigned index = 0;
  llvm::SmallVector<Group, 2> parked;
  /// Lanes that are threads of the CTA; those of them that have ended.
  LaneMask threads = 0, exited = 0;
  /// Jumps backwards since the group became the current one.
  unsigned backwardJumps = 0;
  /// The instruction that is executed again has waited long enough.
  bool timedOut = false;
  /// The generation of the barrier after whose completion the results of a
  /// `barrier.red` are read; 0: none is under way.
  uint64_t redGeneration = 0;
  /// The generation of the cluster's barrier in which each lane arrived.
  uint64_t clusterArrival[warpSize] = {};
  /// What Ops/AsyncGroups.h keeps, made when it is first needed.
  std::shared_ptr<WarpAsyncGroups> asyncGroups;
  /// The allocation that was accessed last.
  AddressRange recentAllocation;
  /// Local memory of the lanes, one after the other.
  std::vector<char> local;
  /// Its undefined bits, if such values are looked for; those of CC.CF.
  std::vector<char> localUndefined;
  LaneMask carryUndefined = 0;
  RowBuffer special;
  std::vector<std::unique_ptr<Frame>> frames, freeFrames;

  LaneMask running() const { return threads & ~exited; }
  bool finished() const { return running() == 0; }
};

/// The row of a slot.
template <class T = char> inline T *row(Warp &warp, Slot slot) {
  return reinterpret_cast<T *>(warp.bases[slotBase(slot)] + slotOffset(slot));
}
inline LaneMask &predicate(Warp &warp, Slot slot) {
  return *row<LaneMask>(warp, slot);
}

struct Cta {
  Cluster *cluster = nullptr;
  uint32_t index[3] = {};
  /// In the cluster.
  uint32_t rank = 0;
  std::vector<char> shared;
  /// Its undefined bits; empty unless such values are looked for.
  std::vector<char> sharedUndefined;
  std::vector<Warp> warps;
  std::array<NamedBarrier, 16> barriers;
  unsigned threads = 0, exitedThreads = 0;

  bool finished() const { return exitedThreads == threads; }
};

/// CTAs that run at the same time on one host thread.
struct Cluster {
  explicit Cluster(Launch &launch);

  Launch *launch = nullptr;
  std::vector<std::unique_ptr<Cta>> ctas;
  /// Of `barrier.cluster`.
  NamedBarrier barrier;
  AsyncQueue async;
  /// Null unless misuse is looked for.
  std::unique_ptr<RaceChecker> races;
  /// Counts what can let a waiting group go on: writes to memory, arrivals,
  /// completions.
  uint64_t progress = 0;
  /// What `%clock` reads.
  uint64_t clock = 0;
  /// Instructions of warps so far.
  uint64_t instructions = 0;
  std::vector<ExecutionCounter> *counters = nullptr;

  bool finished() const {
    for (const auto &cta : ctas)
      if (!cta->finished())
        return false;
    return true;
  }
};

/// One launch of a kernel.
struct Launch {
  const Program *program = nullptr;
  const LaunchConfig *config = nullptr;
  const EmulatorOptions *options = nullptr;
  GlobalMemory *memory = nullptr;
  uint64_t gridId = 0;

  /// Set once the launch cannot go on.
  std::atomic<bool> stopped{false};
  std::atomic<uint64_t> instructions{0};
  std::mutex mutex;
  /// Guarded by `mutex`.
  LaunchStatus status = LaunchStatus::Completed;
  std::string reason;
  std::vector<Finding> findings;
};

//===----------------------------------------------------------------------===//
// For handlers
//===----------------------------------------------------------------------===//

/// Ends the launch because of what `inst` did in `lane`.
void fault(Warp &warp, const Inst &inst, unsigned lane, llvm::StringRef id,
           const llvm::Twine &message,
           LaunchStatus status = LaunchStatus::Fault);
/// Reports what `inst` did in `lane` and goes on.
void report(Warp &warp, const Inst &inst, unsigned lane, llvm::StringRef id,
            const llvm::Twine &message, unsigned otherLine = 0);

/// The current group goes to `target` (an index into Program::code).
void jump(Warp &warp, uint32_t target);
/// Parks lanes of the current group at `pc`; some remain.
void park(Warp &warp, LaneMask lanes, uint32_t pc);
/// Completes barriers for which everyone who is expected has arrived.
void completeBarriers(Cta &cta);
/// The threads of `lanes` end.
Step endThreads(Warp &warp, LaneMask lanes);
/// Lets the group wait until all lanes of `members` that have not ended have
/// come to the current instruction; true if they are here already. Sets
/// Warp::wait if not: the handler returns Step::Retry then.
bool converge(Warp &warp, LaneMask members);

/// The address of an offset in the CTA's shared memory.
inline uint32_t sharedAddress(const Cta &cta, uint32_t offset) {
  return cta.rank << sharedRankShift | offset;
}
/// The bytes at an address of `.shared::cluster`; null outside of shared
/// memory.
inline char *clusterSharedBytes(Cta &cta, uint32_t address, uint32_t bytes) {
  uint32_t rank = address >> sharedRankShift;
  uint32_t offset = address & ((1u << sharedRankShift) - 1);
  if (rank >= cta.cluster->ctas.size())
    return nullptr;
  std::vector<char> &shared = cta.cluster->ctas[rank]->shared;
  if (uint64_t(offset) + bytes > shared.size())
    return nullptr;
  return shared.data() + offset;
}
/// The same for `.shared::cta`, whose addresses may also lack the rank.
inline char *sharedBytes(Cta &cta, uint32_t address, uint32_t bytes) {
  uint32_t offset = address - (cta.rank << sharedRankShift);
  if (uint64_t(offset) + bytes > cta.shared.size())
    offset = address;
  if (uint64_t(offset) + bytes > cta.shared.size())
    return nullptr;
  return cta.shared.data() + offset;
}

/// The call and the return from a function.
Step executeCall(Warp &warp, const Inst &inst, LaneMask &mask);
Step executeReturn(Warp &warp, const Inst &inst, LaneMask &mask);

//===----------------------------------------------------------------------===//
// For the scheduler
//===----------------------------------------------------------------------===//

/// Puts a warp at the beginning of the entry.
void startWarp(Warp &warp, Cta &cta, unsigned index);

/// Executes at most `quantum` instructions of a warp; returns how many it
/// executed. Fewer mean that the warp waits, gave way, or has ended.
uint64_t runWarp(Warp &warp, uint64_t quantum);

/// Runs the whole grid; the result stands in the launch, the counts in
/// `counters`.
void runGrid(Launch &launch, std::vector<ExecutionCounter> &counters);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MACHINE_MACHINE_H
