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
class LaunchRaces;
class RaceChecker;

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

/// Zeroed memory that is the process's only where it is used.
class LazyBytes {
public:
  LazyBytes() = default;
  /// data() is null if the process has no more.
  explicit LazyBytes(size_t bytes);

  char *data() const { return memory.get(); }
  size_t size() const { return bytes; }

private:
  struct Free {
    void operator()(char *memory) const;
  };
  std::unique_ptr<char, Free> memory;
  size_t bytes = 0;
};

/// Local memory of a thread, at most: that of sm_90.
constexpr size_t maxLocalBytes = 512 * 1024;

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

struct Wait;
/// What is said about a wait that never ends (Deadlock.cpp).
struct WaitReport {
  /// "deadlock" unless the wait itself shows what is wrong.
  const char *id = "deadlock";
  /// More about what is awaited: ", of which ...".
  std::string detail;
  unsigned otherLine = 0;
};

/// What a group waits for.
struct Wait {
  /// Whether it is over; null: the group does not wait.
  bool (*ready)(Warp &warp, const Wait &wait) = nullptr;
  /// For whoever reads about a deadlock: "a phase of an mbarrier".
  const char *what = nullptr;
  /// Says more; null: there is no more to say.
  void (*explain)(Warp &warp, const Wait &wait, WaitReport &report) = nullptr;
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
  /// An adversarial schedule has let the wait at hand give up.
  bool hasGivenUp = false;
  /// Bytes of all frames.
  size_t frameBytes = 0;
  /// The generation of the barrier after whose completion each lane reads the
  /// result of its `barrier.red`; 0: none is under way.
  uint64_t redGeneration[warpSize] = {};
  /// The generation of the cluster's barrier in which each lane arrived, and
  /// the lanes that have arrived and not waited.
  uint64_t clusterArrival[warpSize] = {};
  LaneMask clusterArrived = 0;
  /// Per thread, as `setmaxnreg` counts; 0: not known. How many of them the
  /// warp has executed.
  uint32_t registers = 0, registerChanges = 0;
  /// What Ops/AsyncGroups.h keeps, made when it is first needed.
  std::shared_ptr<WarpAsyncGroups> asyncGroups;
  /// The allocation that was accessed last.
  AddressRange recentAllocation;
  /// Local memory of the lanes, one after the other.
  LazyBytes local;
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
  /// Where in it begins what the program may use.
  uint32_t sharedBegin = 0;
  /// Its undefined bits; empty unless such values are looked for.
  std::vector<char> sharedUndefined;
  std::vector<Warp> warps;
  std::array<NamedBarrier, 16> barriers;
  /// Registers that `setmaxnreg` can give to warps, and per warpgroup the
  /// `setmaxnreg` that its warps have executed.
  uint32_t freeRegisters = 0;
  std::vector<std::vector<const Inst *>> registerChanges;
  unsigned threads = 0, exitedThreads = 0;

  bool finished() const { return exitedThreads == threads; }
};

struct MBarrierTable;

/// CTAs that run at the same time on one host thread.
struct Cluster {
  explicit Cluster(Launch &launch);
  ~Cluster();

  Launch *launch = nullptr;
  std::vector<std::unique_ptr<Cta>> ctas;
  /// Of `barrier.cluster`.
  NamedBarrier barrier;
  AsyncQueue async;
  /// Null unless misuse is looked for.
  std::unique_ptr<RaceChecker> races;
  /// The mbarriers there are (Ops/MBarrier.h), made with the first.
  std::shared_ptr<MBarrierTable> mbarriers;
  /// Counts what can let a waiting group go on: arrivals, completions, writes
  /// to memory that others see.
  uint64_t progress = 0;
  /// Counts stores to memory that others see, and to local memory.
  uint64_t stores = 0, localStores = 0;
  /// Whether stores that change nothing are told from others; these count as
  /// progress then. Set where many rounds have done nothing but store.
  bool exactStores = false;
  /// Whether an instruction gives up waiting only where it is told to.
  bool patient = false;
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
  Launch();
  ~Launch();

  const Program *program = nullptr;
  const LaunchConfig *config = nullptr;
  const EmulatorOptions *options = nullptr;
  GlobalMemory *memory = nullptr;
  uint64_t gridId = 0;
  /// Null unless misuse is looked for.
  std::unique_ptr<LaunchRaces> races;

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
/// What fault and report add to the outcome.
Finding makeFinding(Warp &warp, const Inst &inst, unsigned lane,
                    llvm::StringRef id, const llvm::Twine &message);

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
/// For the ready function of a wait that only other groups of the warp, or the
/// end of lanes, end.
bool neverReady(Warp &warp, const Wait &wait);

/// The address of an offset in the CTA's shared memory.
inline uint32_t sharedAddress(const Cta &cta, uint32_t offset) {
  return cta.rank << sharedRankShift | offset;
}
/// Whether `bytes` at `offset` are the program's: in shared memory and not in
/// its reserved beginning.
inline bool isShared(const Cta &cta, uint32_t offset, uint64_t bytes) {
  return uint64_t(uint32_t(offset - cta.sharedBegin)) + bytes <=
         cta.shared.size() - cta.sharedBegin;
}
/// The bytes at an address of `.shared::cluster`; null outside of shared
/// memory.
inline char *clusterSharedBytes(Cta &cta, uint32_t address, uint32_t bytes) {
  uint32_t rank = address >> sharedRankShift;
  uint32_t offset = address & ((1u << sharedRankShift) - 1);
  if (rank >= cta.cluster->ctas.size())
    return nullptr;
  Cta &owner = *cta.cluster->ctas[rank];
  return isShared(owner, offset, bytes) ? owner.shared.data() + offset
                                        : nullptr;
}
/// The same for `.shared::cta`, whose addresses may also lack the rank.
inline char *sharedBytes(Cta &cta, uint32_t address, uint32_t bytes) {
  uint32_t offset = address - (cta.rank << sharedRankShift);
  if (!isShared(cta, offset, bytes))
    offset = address;
  return isShared(cta, offset, bytes) ? cta.shared.data() + offset : nullptr;
}

/// Whether an address of `.shared::cluster` names another CTA than this one.
inline bool isOfPeer(const Cta &cta, uint64_t address) {
  uint64_t rank = address >> sharedRankShift;
  return rank != 0 && rank != cta.rank && rank < cta.cluster->ctas.size();
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
