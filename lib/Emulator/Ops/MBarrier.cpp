//===- MBarrier.cpp - mbarrier instructions -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "mbarrier.init" to "mbarrier.try_wait".
//
//===----------------------------------------------------------------------===//

#include "MBarrier.h"
#include "../Checks/RaceChecker.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "MemoryAccess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
/// Slots of Inst::ops behind the address.
enum { StateSlot = 1, CountSlot = 2, ResultSlot = 3 };
/// Of Inst::flags behind those of the address.
enum { Kind = 2, ByParity = 3 };
enum ArriveKind : uint8_t {
  Arrive,
  ArriveDrop,
  ExpectTx,
  CompleteTx,
  ArriveExpect,
  ArriveDropExpect
};
} // namespace

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static MBarrierTable::Entry *findEntry(const Cluster &cluster,
                                       const char *place) {
  if (!cluster.mbarriers)
    return nullptr;
  auto it = cluster.mbarriers->entries.find(place);
  return it == cluster.mbarriers->entries.end() ? nullptr : &it->second;
}

static uint64_t wordAt(const char *place) {
  uint64_t word;
  std::memcpy(&word, place, sizeof(word));
  return word;
}

std::string ptxbench::emulator::whyNoMBarrier(const Cluster &cluster,
                                              const char *place) {
  const MBarrierTable::Entry *entry = findEntry(cluster, place);
  if (!entry)
    return "the mbarrier is not initialised";
  if (entry->inval)
    return "the mbarrier of line " + std::to_string(entry->init) +
           " has been invalidated by line " + std::to_string(entry->inval);
  if (entry->word != wordAt(place))
    return "the mbarrier of line " + std::to_string(entry->init) +
           " has been overwritten by what is no operation on mbarriers";
  return "";
}

bool ptxbench::emulator::loadMBarrier(Warp &warp, const Inst &inst,
                                      unsigned lane, const char *place,
                                      MBarrier &barrier) {
  const MBarrierTable::Entry *entry = findEntry(*warp.cta->cluster, place);
  if (entry && !entry->inval && entry->word == wordAt(place)) {
    barrier = MBarrier::unpack(entry->word);
    return true;
  }
  fault(warp, inst, lane, "mbarrier-uninitialised",
        whyNoMBarrier(*warp.cta->cluster, place));
  return false;
}

/// Threads may wait for the current phase or the one before: who has not seen
/// that one end by now has missed it.
static void checkWaiting(Warp &warp, const Inst &inst, const char *place,
                         bool endedParity);

void ptxbench::emulator::storeMBarrier(Warp &warp, const Inst &inst,
                                       char *place, const MBarrier &barrier,
                                       bool ended) {
  uint64_t word = barrier.pack();
  if (ended)
    checkWaiting(warp, inst, place, !barrier.parity);
  std::memcpy(place, &word, sizeof(word));
  if (MBarrierTable::Entry *entry = findEntry(*warp.cta->cluster, place))
    entry->word = word;
}

void ptxbench::emulator::checkMBarriersAtEnd(Cluster &cluster) {
  if (!cluster.mbarriers)
    return;
  const MBarrierTable::Entry *first = nullptr;
  for (const auto &[place, entry] : cluster.mbarriers->entries)
    if (!entry.inval && entry.word == wordAt(place) &&
        MBarrier::unpack(entry.word).bytes < 0 &&
        (!first || entry.init < first->init))
      first = &entry;
  if (!first)
    return;
  const Program &program = *cluster.launch->program;
  for (const Inst &inst : program.code)
    if (inst.source && program.sourceOf(inst).line == first->init)
      return report(cluster.ctas.front()->warps.front(), inst, 0,
                    "mbarrier-tx-mismatch",
                    Twine(-MBarrier::unpack(first->word).bytes) +
                        " bytes more than expected came to an mbarrier that "
                        "is initialised here");
}

//===----------------------------------------------------------------------===//
// Arrivals
//===----------------------------------------------------------------------===//

static bool addBytes(Warp &warp, const Inst &inst, unsigned lane,
                     MBarrier &barrier, int64_t bytes) {
  int64_t sum = barrier.bytes + bytes;
  if (sum > MBarrier::maxBytes || sum < -MBarrier::maxBytes) {
    fault(warp, inst, lane, "mbarrier-tx-overflow",
          "the tx-count of the mbarrier becomes " + Twine(sum) +
              "; it is at most " + Twine(MBarrier::maxBytes));
    return false;
  }
  barrier.bytes = sum;
  return true;
}

bool ptxbench::emulator::endPhase(Warp &warp, MBarrier &barrier,
                                  const char *place) {
  if (!barrier.tryComplete())
    return false;
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->endPhase(place);
  return true;
}

bool ptxbench::emulator::completeBytes(Warp &warp, const Inst &inst,
                                       unsigned lane, char *place,
                                       int64_t bytes) {
  MBarrier barrier;
  if (!loadMBarrier(warp, inst, lane, place, barrier) ||
      !addBytes(warp, inst, lane, barrier, -bytes))
    return false;
  bool ended = endPhase(warp, barrier, place);
  storeMBarrier(warp, inst, place, barrier, ended);
  ++warp.cta->cluster->progress;
  return true;
}

static unsigned lineOf(const Warp &warp, const Inst &inst) {
  return warp.launch->program->sourceOf(inst).line;
}

AsyncStamp ptxbench::emulator::beginAsync(Warp &warp, const Inst &inst,
                                          unsigned lane, const char *barrier,
                                          const char *place, uint32_t bytes) {
  RaceChecker *races = warp.cta->cluster->races.get();
  if (!races)
    return {};
  races->useBarrier(warp, inst, lane, barrier, /*byOperation=*/true);
  AsyncAccess access;
  access.stamp = races->begin(barrier);
  access.isWrite = true;
  access.isProxy = false;
  access.scope = Scope::Cluster;
  races->asyncAccess(warp, inst, lane, access, place, bytes);
  return access.stamp;
}

void ptxbench::emulator::completeAsync(Warp &warp, const Inst &inst,
                                       unsigned lane, char *barrier,
                                       AsyncStamp stamp, int64_t bytes) {
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->complete(barrier, stamp);
  completeBytes(warp, inst, lane, barrier, bytes);
}

static void executeInit(Warp &warp, const Inst &inst, LaneMask mask) {
  Cluster &cluster = *warp.cta->cluster;
  if (!cluster.mbarriers)
    cluster.mbarriers = std::make_shared<MBarrierTable>();
  const uint32_t *counts = row<uint32_t>(warp, inst.ops[CountSlot]);
  forEachAddress(warp, inst, mask, 8, [&](unsigned lane, char *place) {
    if (counts[lane] == 0 || counts[lane] > MBarrier::maxCount)
      return fault(warp, inst, lane, "mbarrier-count",
                   "the count of an mbarrier is 1 to " +
                       Twine(MBarrier::maxCount) + " but is " +
                       Twine(counts[lane]));
    MBarrierTable::Entry &entry = cluster.mbarriers->entries[place];
    // Undefined, but common where one kernel has two phases of its own.
    if (warp.launch->options->checks && entry.init && !entry.inval &&
        entry.word == wordAt(place))
      report(warp, inst, lane, "mbarrier-reinitialised",
             "the mbarrier is initialised again without mbarrier.inval",
             entry.init);
    MBarrier barrier;
    barrier.pending = barrier.expected = counts[lane];
    entry.init = lineOf(warp, inst);
    entry.inval = 0;
    storeMBarrier(warp, inst, place, barrier, /*ended=*/false);
    watch(warp, inst, lane, AccessKind::Write, place, 8);
    if (RaceChecker *races = warp.cta->cluster->races.get())
      races->initBarrier(place);
  });
  ++warp.cta->cluster->progress;
}

static void executeInval(Warp &warp, const Inst &inst, LaneMask mask) {
  forEachAddress(warp, inst, mask, 8, [&](unsigned lane, char *place) {
    MBarrier barrier;
    if (!loadMBarrier(warp, inst, lane, place, barrier))
      return;
    std::memset(place, 0, 8);
    MBarrierTable::Entry *entry = findEntry(*warp.cta->cluster, place);
    entry->word = 0;
    entry->inval = lineOf(warp, inst);
  });
}

/// Arrivals and tx-counts.
static void executeArrive(Warp &warp, const Inst &inst, LaneMask mask) {
  uint64_t *states = inst.ops[StateSlot] == noSlot
                         ? nullptr
                         : row<uint64_t>(warp, inst.ops[StateSlot]);
  const uint32_t *counts = inst.ops[CountSlot] == noSlot
                               ? nullptr
                               : row<uint32_t>(warp, inst.ops[CountSlot]);
  auto kind = ArriveKind(inst.flags[Kind]);
  // Where an arrival of this instruction ended a phase.
  SmallVector<char *, 1> ended;
  // The lanes arrive together, unless a phase ends between them.
  const char *arrivedAt = nullptr;
  // So they have one state, that before the first of them.
  const char *firstPlace = nullptr;
  MBarrier first;
  auto stateBefore = [&](const char *place, const MBarrier &barrier) {
    if (place != firstPlace || first.parity != barrier.parity) {
      firstPlace = place;
      first = barrier;
    }
    return first.pack();
  };
  forEachAddress(warp, inst, mask, 8, [&](unsigned lane, char *place) {
    MBarrier barrier;
    if (!loadMBarrier(warp, inst, lane, place, barrier))
      return;
    if (RaceChecker *races = warp.cta->cluster->races.get()) {
      races->useBarrier(warp, inst, lane, place);
      if (kind != ExpectTx && kind != CompleteTx && place != arrivedAt)
        races->arriveAt(warp, inst, place);
      arrivedAt = place;
    }
    if (states)
      states[lane] = stateBefore(place, barrier);
    bool expects =
        kind == ExpectTx || kind == ArriveExpect || kind == ArriveDropExpect;
    if (expects && !addBytes(warp, inst, lane, barrier, counts[lane]))
      return;
    if (kind == CompleteTx &&
        !addBytes(warp, inst, lane, barrier, -int64_t(counts[lane])))
      return;
    if (kind != ExpectTx && kind != CompleteTx) {
      uint32_t arrivals = counts && !expects ? counts[lane] : 1;
      if (arrivals == 0 || arrivals > MBarrier::maxCount)
        return fault(warp, inst, lane, "mbarrier-count",
                     "the count of an arrival is 1 to " +
                         Twine(MBarrier::maxCount) + " but is " +
                         Twine(arrivals));
      if (is_contained(ended, place))
        report(warp, inst, lane, "mbarrier-overrun",
               "arrivals of one instruction end more than one phase of the "
               "mbarrier: it expects " +
                   Twine(barrier.expected) + " in a phase",
               findEntry(*warp.cta->cluster, place)->init);
      if (arrivals > barrier.pending)
        return fault(warp, inst, lane, "mbarrier-overflow",
                     Twine(arrivals) + " arrivals at an mbarrier where " +
                         Twine(barrier.pending) + " are pending");
      barrier.pending -= arrivals;
      if (kind == ArriveDrop || kind == ArriveDropExpect)
        barrier.expected -= arrivals;
    }
    // Bytes that came before they were expected may be the last thing missing.
    bool ends = endPhase(warp, barrier, place);
    if (ends) {
      ended.push_back(place);
      arrivedAt = nullptr;
    }
    storeMBarrier(warp, inst, place, barrier, ends);
  });
  ++warp.cta->cluster->progress;
}

/// Whether the phase that a lane waits for is over.
static bool isComplete(const Inst &inst, const MBarrier &barrier,
                       uint64_t stateOrParity) {
  bool parity = inst.flags[ByParity] ? stateOrParity & 1 : stateOrParity >> 63;
  return barrier.parity != parity;
}

/// The lanes of `mask` whose phase is over.
static LaneMask testLanesOf(Warp &warp, const Inst &inst, LaneMask mask) {
  LaneMask done = 0;
  forEachAddress(warp, inst, mask, 8, [&](unsigned lane, char *place) {
    MBarrier barrier;
    if (!loadMBarrier(warp, inst, lane, place, barrier))
      return;
    uint64_t argument = inst.flags[ByParity]
                            ? row<uint32_t>(warp, inst.ops[StateSlot])[lane]
                            : row<uint64_t>(warp, inst.ops[StateSlot])[lane];
    RaceChecker *races = warp.cta->cluster->races.get();
    if (races)
      races->useBarrier(warp, inst, lane, place);
    if (!isComplete(inst, barrier, argument))
      return;
    done |= 1u << lane;
    if (races)
      races->passPhase(warp, inst, place);
  });
  return done;
}

static void executeTestWait(Warp &warp, const Inst &inst, LaneMask mask) {
  setPredicate(warp, inst.ops[ResultSlot], testLanesOf(warp, inst, mask), mask);
}

static bool anyPhaseOver(Warp &warp, const Wait &wait) {
  const Inst &inst = warp.launch->program->code[wait.a];
  // The registers of the lanes are as they were; rows of the frame may not be
  // those of the current group, so what is awaited stands in `wait`.
  MBarrier barrier = MBarrier::load(reinterpret_cast<const char *>(wait.b));
  return isComplete(inst, barrier, wait.c);
}

static void checkWaiting(Warp &warp, const Inst &inst, const char *place,
                         bool endedParity) {
  auto look = [&](Warp &other, LaneMask lanes, uint32_t pc, const Wait &wait) {
    if (wait.ready != anyPhaseOver ||
        reinterpret_cast<const char *>(wait.b) != place)
      return;
    const Inst &waiting = warp.launch->program->code[pc];
    bool parity = waiting.flags[ByParity] ? wait.c & 1 : wait.c >> 63;
    if (parity != endedParity)
      report(other, waiting, countr_zero(lanes), "mbarrier-phase-missed",
             "the phase that the thread waits for has ended, and the next one "
             "ends before the thread has seen it",
             lineOf(warp, inst));
  };
  for (auto &cta : warp.cta->cluster->ctas)
    for (Warp &other : cta->warps) {
      if (other.active && other.wait)
        look(other, other.active, other.pc, other.wait);
      for (const Group &group : other.parked)
        look(other, group.mask, group.pc, group.wait);
    }
}

/// For a deadlock: what the phase lacks.
static void explainPhase(Warp &warp, const Wait &wait, WaitReport &report) {
  auto *place = reinterpret_cast<const char *>(wait.b);
  const Inst &inst = warp.launch->program->code[wait.a];
  MBarrier barrier = MBarrier::load(place);
  bool parity = inst.flags[ByParity] ? wait.c & 1 : wait.c >> 63;
  std::string where;
  for (const auto &cta : warp.cta->cluster->ctas)
    if (place >= cta->shared.data() &&
        place < cta->shared.data() + cta->shared.size())
      where = utohexstr(sharedAddress(*cta, place - cta->shared.data()), true);
  report.detail = " at shared address 0x" + where + ": parity " +
                  std::to_string(parity) + "; " +
                  std::to_string(barrier.pending) + " of " +
                  std::to_string(barrier.expected) +
                  " arrivals are pending, and its tx-count is " +
                  std::to_string(barrier.bytes);
  if (const MBarrierTable::Entry *entry = findEntry(*warp.cta->cluster, place))
    report.otherLine = entry->init;
  if (barrier.pending == 0 || barrier.bytes < 0)
    report.id = "mbarrier-tx-mismatch";
  else if (barrier.pending < barrier.expected)
    report.id = "mbarrier-arrivals-missing";
}

/// Waits until the phase of any lane is over. PTX ISA lets it give up after a
/// time that depends on the system: here when nothing else can go on, by chance
/// under a random schedule, and once in each wait under an adversarial one.
static Step executeTryWait(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  LaneMask done = testLanesOf(warp, inst, mask);
  if (warp.launch->stopped)
    return Step::Ended;
  bool timedOut = std::exchange(warp.timedOut, false);
  Cluster &cluster = *warp.cta->cluster;
  timedOut |= !cluster.patient && cluster.async.isRandom() &&
              cluster.async.draw(4) == 0;
  if (done)
    warp.hasGivenUp = false;
  else if (!cluster.patient && cluster.async.isAdversarial())
    timedOut |= !std::exchange(warp.hasGivenUp, true);
  if (done || timedOut) {
    setPredicate(warp, inst.ops[ResultSlot], done, mask);
    return Step::Next;
  }
  // All lanes nearly always wait for one phase; others look again with it.
  unsigned lane = countr_zero(mask);
  char *place = resolve(warp, inst, lane, Space(inst.flags[0]),
                        laneAddress(warp, inst, lane), 8);
  warp.wait = Wait();
  warp.wait.ready = anyPhaseOver;
  warp.wait.explain = explainPhase;
  warp.wait.what = "a phase of an mbarrier";
  warp.wait.a = warp.pc;
  warp.wait.b = reinterpret_cast<uint64_t>(place);
  warp.wait.c = inst.flags[ByParity]
                    ? row<uint32_t>(warp, inst.ops[StateSlot])[lane]
                    : row<uint64_t>(warp, inst.ops[StateSlot])[lane];
  warp.wait.mayTimeOut = true;
  return Step::Retry;
}

namespace {
struct PendingCount {
  static PTXBENCH_INLINE uint32_t apply(uint64_t state) {
    return state & MBarrier::maxCount;
  }
};
} // namespace

bool ptxbench::emulator::selectMBarrier(const InstDesc &desc, Inst &inst,
                                        OwnExtra &) {
  if (desc.opcode == Opcode::mbarrier_pending_count) {
    inst.handler = mapLanes<PendingCount, uint32_t, uint64_t>;
    return useRows(desc, inst);
  }
  const OperandDesc *address = desc.find("a");
  auto use = [&](StringRef name, unsigned slot) {
    const OperandDesc *operand = desc.find(name);
    if (!operand || operand->kind == OperandDesc::Sink)
      return;
    inst.ops[slot] = operand->slot;
  };
  auto arrive = [&](ArriveKind kind) {
    inst.handler = executeArrive;
    inst.flags[Kind] = kind;
    use("state", StateSlot);
  };
  bool expects = desc.has(Mod::expect_tx);
  switch (desc.opcode) {
  case Opcode::mbarrier_init:
    inst.handler = executeInit;
    break;
  case Opcode::mbarrier_inval:
    inst.handler = executeInval;
    break;
  case Opcode::mbarrier_expect_tx:
    arrive(ExpectTx);
    break;
  case Opcode::mbarrier_complete_tx:
    arrive(CompleteTx);
    break;
  case Opcode::mbarrier_arrive:
    arrive(expects ? ArriveExpect : Arrive);
    break;
  case Opcode::mbarrier_arrive_drop:
    arrive(expects ? ArriveDropExpect : ArriveDrop);
    break;
  case Opcode::mbarrier_test_wait:
  case Opcode::mbarrier_try_wait:
    if (desc.opcode == Opcode::mbarrier_try_wait)
      inst.control = executeTryWait;
    else
      inst.handler = executeTestWait;
    inst.flags[ByParity] = desc.has(Mod::parity);
    use(inst.flags[ByParity] ? "parity" : "state", StateSlot);
    use("p", ResultSlot);
    break;
  default:
    return false;
  }
  use("count", CountSlot);
  // PTX ISA: what says nothing releases or acquires. Which scope that has is
  // left to the reader; here it is one that holds whoever uses the mbarrier.
  MemoryOrder order = memoryOrderOf(desc, Scope::Gpu);
  order.acquires = order.releases = !desc.has(Mod::relaxed);
  inst.flags[orderFlag] = order.pack();
  return address && useAddress(desc, *address, inst);
}
