//===- Scheduler.cpp - Running the CTAs of a grid -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clusters are taken by host threads in the order of their indices. A host
// thread runs one cluster at a time, warp after warp in rounds. Where rounds
// gain nothing the cluster may be waiting for another one: the next cluster
// then joins the rounds, and so on until all are there.
//
// Where nothing is left that could come from elsewhere, each warp is looked at
// (Livelock.h): if all wait or repeat themselves, instructions that may give up
// waiting do so; if that leads to the state before, the launch has ended in a
// deadlock. A warp that does neither computes, or looks at a clock; the clocks
// then run faster, since only time can pass.
//
//===----------------------------------------------------------------------===//

#include "../Checks/RaceChecker.h"
#include "../Ops/MBarrier.h"
#include "../Ops/RegisterPool.h"
#include "Deadlock.h"

#include <functional>
#include <iterator>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// How many instructions a warp executes before the next has its turn.
static constexpr uint64_t quantum = 2048;
/// After so many rounds without progress an asynchronous operation completes,
/// and where there is none another cluster joins.
static constexpr unsigned idleRounds = 16;
/// What is on the largest sm_90 device at once. Clusters beyond that never meet
/// on a GPU, either, and a grid that deadlocks must not fill the host's memory.
static constexpr uint64_t residentThreads = 132 * 2048;
static constexpr uint64_t residentCtas = 132 * 32;
/// How often in a row instructions may give up waiting with nothing gained but
/// registers that change: loops that count how often they tried may end.
static constexpr unsigned maxTimeOuts = 1 << 18;
/// After so many rounds in which nothing but stores is done it is looked at
/// whether they change anything.
static constexpr unsigned storingRounds = 256;
/// Instructions in which the state of a warp is to come back, the first time
/// that is looked at and at most.
static constexpr uint64_t minExamined = 1 << 13, maxExamined = 1 << 20;
/// How often there is to be nothing left but threads before that.
static constexpr uint64_t periodsBefore = 16;
/// By how much a clock goes on at once, at most: a difference of 32 bits must
/// not be jumped over.
static constexpr uint64_t maxLeap = 1 << 30;

static void fillSpecialRows(Warp &warp) {
  const Cta &cta = *warp.cta;
  const Cluster &cluster = *cta.cluster;
  const LaunchConfig &config = *warp.launch->config;
  auto fill32 = [&](SpecialRow which, auto value) {
    auto *lanes = reinterpret_cast<uint32_t *>(warp.special.data() +
                                               specialRowOffset(which));
    for (unsigned lane = 0; lane < warpSize; ++lane)
      lanes[lane] = value(lane);
  };
  auto fill = [&](SpecialRow which, uint32_t value) {
    fill32(which, [=](unsigned) { return value; });
  };
  auto fill3 = [&](SpecialRow first, uint32_t x, uint32_t y, uint32_t z) {
    fill(first, x);
    fill(SpecialRow(unsigned(first) + 1), y);
    fill(SpecialRow(unsigned(first) + 2), z);
  };
  const Dim3 &block = config.block, &grid = config.grid,
             &shape = config.cluster;
  auto thread = [&](unsigned lane) { return warp.index * warpSize + lane; };
  fill32(SpecialRow::TidX, [&](unsigned l) { return thread(l) % block.x; });
  fill32(SpecialRow::TidY,
         [&](unsigned l) { return thread(l) / block.x % block.y; });
  fill32(SpecialRow::TidZ,
         [&](unsigned l) { return thread(l) / block.x / block.y; });
  fill3(SpecialRow::NtidX, block.x, block.y, block.z);
  fill3(SpecialRow::CtaidX, cta.index[0], cta.index[1], cta.index[2]);
  fill3(SpecialRow::NctaidX, grid.x, grid.y, grid.z);
  fill3(SpecialRow::ClusteridX, cta.index[0] / shape.x, cta.index[1] / shape.y,
        cta.index[2] / shape.z);
  fill3(SpecialRow::NclusteridX, grid.x / shape.x, grid.y / shape.y,
        grid.z / shape.z);
  fill3(SpecialRow::ClusterCtaidX, cta.index[0] % shape.x,
        cta.index[1] % shape.y, cta.index[2] % shape.z);
  fill3(SpecialRow::ClusterNctaidX, shape.x, shape.y, shape.z);
  fill(SpecialRow::ClusterCtarank, cta.rank);
  fill(SpecialRow::ClusterNctarank, cluster.ctas.size());
  fill32(SpecialRow::Laneid, [](unsigned lane) { return lane; });
  fill(SpecialRow::Warpid, warp.index);
  fill(SpecialRow::Nwarpid, cta.warps.size());
  fill(SpecialRow::Smid, 0);
  fill(SpecialRow::Nsmid, 1);
  fill32(SpecialRow::LanemaskEq, [](unsigned lane) { return 1u << lane; });
  fill32(SpecialRow::LanemaskLt,
         [](unsigned lane) { return (1u << lane) - 1; });
  fill32(SpecialRow::LanemaskLe,
         [](unsigned lane) { return (2u << lane) - 1; });
  fill32(SpecialRow::LanemaskGe,
         [](unsigned lane) { return ~((1u << lane) - 1); });
  fill32(SpecialRow::LanemaskGt,
         [](unsigned lane) { return ~((2u << lane) - 1); });
  fill(SpecialRow::DynamicSmemSize, config.dynamicSharedBytes);
  // The reserved bytes do not count, PTX ISA "%total_smem_size".
  fill(SpecialRow::TotalSmemSize, cta.shared.size() - reservedSharedBytes);
  fill(SpecialRow::AggrSmemSize, cta.shared.size());
  fill(SpecialRow::Envreg1, config.gridWorkspace >> 32);
  fill(SpecialRow::Envreg2, uint32_t(config.gridWorkspace));
  auto *gridId = reinterpret_cast<uint64_t *>(
      warp.special.data() + specialRowOffset(SpecialRow::Gridid));
  std::fill_n(gridId, warpSize, warp.launch->gridId);
  *reinterpret_cast<LaneMask *>(warp.special.data() + explicitClusterOffset) =
      cluster.ctas.size() > 1 ? ~LaneMask(0) : 0;
}

/// Builds the cluster of that number; x runs fastest.
static std::unique_ptr<Cluster>
makeCluster(Launch &launch, uint64_t number,
            std::vector<ExecutionCounter> &counters) {
  const LaunchConfig &config = *launch.config;
  const Dim3 &shape = config.cluster;
  uint64_t nx = config.grid.x / shape.x, ny = config.grid.y / shape.y;
  uint64_t x = number % nx, y = number / nx % ny, z = number / nx / ny;
  auto cluster = std::make_unique<Cluster>(launch);
  cluster->counters = &counters;
  for (uint32_t rank = 0; rank < shape.volume(); ++rank) {
    auto cta = std::make_unique<Cta>();
    cta->cluster = cluster.get();
    cta->rank = rank;
    cta->index[0] = x * shape.x + rank % shape.x;
    cta->index[1] = y * shape.y + rank / shape.x % shape.y;
    cta->index[2] = z * shape.z + rank / shape.x / shape.y;
    cta->threads = config.block.volume();
    cta->shared.resize(launch.program->sharedBytes + config.dynamicSharedBytes);
    cta->sharedBegin =
        launch.program->usesReservedShared ? 0 : reservedSharedBytes;
    if (launch.options->checks) {
      // The system's part is zeroed by it.
      cta->sharedUndefined.assign(cta->shared.size(), char(0xff));
      std::fill_n(cta->sharedUndefined.begin(), reservedSharedBytes, 0);
    }
    cluster->ctas.push_back(std::move(cta));
  }
  for (auto &cta : cluster->ctas) {
    cta->warps.resize((cta->threads + warpSize - 1) / warpSize);
    for (unsigned i = 0; i < cta->warps.size(); ++i) {
      startWarp(cta->warps[i], *cta, i);
      fillSpecialRows(cta->warps[i]);
    }
  }
  if (launch.options->checks)
    cluster->races = std::make_unique<RaceChecker>(*cluster);
  return cluster;
}

/// Memory of the process that a cluster takes, without what calls need.
/// It takes less as long as it does not touch its local memory.
static uint64_t bytesOfCluster(const Launch &launch) {
  const LaunchConfig &config = *launch.config;
  const Function &entry = launch.program->functions.front();
  uint64_t warps = (config.block.volume() + warpSize - 1) / warpSize;
  uint64_t perWarp = entry.frameBytes + uint64_t(entry.localBytes) * warpSize +
                     specialAreaBytes + sizeof(Warp);
  uint64_t perCta =
      warps * perWarp + launch.program->sharedBytes + config.dynamicSharedBytes;
  return config.cluster.volume() * perCta;
}

/// Memory of the process for clusters that are there at once: half of what the
/// host has. One is there in any case.
static uint64_t residentBytes() {
  constexpr uint64_t least = uint64_t(2) << 30;
#if defined(_SC_PHYS_PAGES)
  long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && bytes > 0)
    return std::max(least, uint64_t(pages) * uint64_t(bytes) / 2);
#endif
  return least;
}

/// Gives every warp of the cluster a turn. Returns whether any executed an
/// instruction.
static bool runRound(Cluster &cluster) {
  bool computed = false;
  for (auto &cta : cluster.ctas)
    for (Warp &warp : cta->warps) {
      if (warp.finished())
        continue;
      // Random schedules also part the warps at random places.
      uint64_t turn =
          cluster.async.isRandom() ? 1 + cluster.async.draw(64) : quantum;
      uint64_t executed = runWarp(warp, turn);
      cluster.instructions += executed;
      if (cluster.async.turn())
        ++cluster.progress;
      computed |= executed > 0;
      if (cluster.launch->stopped.load(std::memory_order_relaxed))
        return true;
    }
  return computed;
}

static void stop(Launch &launch, LaunchStatus status, std::string reason,
                 std::vector<Finding> findings = {}) {
  std::lock_guard<std::mutex> lock(launch.mutex);
  if (launch.stopped.exchange(true))
    return;
  launch.status = status;
  launch.reason = std::move(reason);
  launch.findings.insert(launch.findings.begin(),
                         std::make_move_iterator(findings.begin()),
                         std::make_move_iterator(findings.end()));
}

static bool mayTimeOut(const Warp &warp) {
  auto may = [](const Wait &wait) { return wait && wait.mayTimeOut; };
  return (warp.active && may(warp.wait)) ||
         llvm::any_of(warp.parked,
                      [&](const Group &group) { return may(group.wait); });
}

/// Lets the instructions of a warp that may give up waiting do so.
static void timeOut(Warp &warp) {
  auto timeOut = [&](Wait &wait) {
    if (!wait || !wait.mayTimeOut)
      return;
    wait = Wait();
    warp.timedOut = true;
    warp.limit = 0;
  };
  if (warp.active)
    timeOut(warp.wait);
  for (Group &group : warp.parked)
    timeOut(group.wait);
}

namespace {

/// What the host threads of a launch know of each other: whether a thread has
/// been found to be at an end while memory was as it is now.
class EndVote {
public:
  explicit EndVote(unsigned threads) : votes(threads) {}

  uint64_t now() const { return changes; }
  void noteChange(unsigned thread) {
    votes[thread] = 0;
    ++changes;
  }
  /// The thread cannot go on by itself, since `moment`. True if nobody can.
  bool vote(unsigned thread, uint64_t moment) {
    votes[thread] = moment + 1;
    for (const auto &other : votes)
      if (other != left && other != moment + 1)
        return false;
    return changes == moment;
  }
  void withdraw(unsigned thread) { votes[thread] = 0; }
  void leave(unsigned thread) { votes[thread] = left; }

private:
  static constexpr uint64_t left = ~uint64_t(0);
  std::atomic<uint64_t> changes{0};
  std::vector<std::atomic<uint64_t>> votes;
};

/// The clusters that one host thread runs.
class Runner {
public:
  using Take = std::function<std::unique_ptr<Cluster>()>;

  /// `take` hands out the clusters of the grid, and null after the last; at
  /// most `most` are there at once.
  Runner(Launch &launch, uint64_t most, bool lacksMemory, EndVote &ends,
         unsigned thread, Take take)
      : launch(launch), most(most), lacksMemory(lacksMemory), ends(ends),
        thread(thread), take(std::move(take)) {}

  void run() {
    while (!isStopped()) {
      if (resident.empty() && !admit())
        break;
      runOnce();
    }
    ends.leave(thread);
  }

private:
  bool isStopped() const {
    return launch.stopped.load(std::memory_order_relaxed);
  }

  void runOnce() {
    uint64_t progress = totalProgress(), stores = totalStores();
    bool moved = runAll();
    if (isStopped())
      return;
    // What completed behind a warp's turn is seen in its next one.
    bool progressed = totalProgress() != progress;
    bool stored = totalStores() != stores;
    if (progressed || stored) {
      noteProgress(progressed);
    } else {
      ++idle;
      if (leap > 1)
        passTime();
    }
    if (progressed || stored || (moved && idle < idleRounds) ||
        resident.empty())
      return;
    // Nothing runs, or what runs gains nothing: it may be waiting for an
    // asynchronous operation, for a cluster that has not begun, for its own
    // patience to end.
    idle = 0;
    if (!completeOne() && !admitMore())
      look(moved);
  }

  void noteProgress(bool progressed) {
    idle = 0;
    ends.noteChange(thread);
    if (!progressed) {
      // Stores that change nothing are none. Where they do change something
      // they are progress, and looked at less often.
      if (++roundsOfStores >= storingRounds * storePatience)
        setExactStores(true);
      return;
    }
    if (exactStores && storePatience < 1024)
      storePatience *= 2;
    setExactStores(false);
    roundsOfStores = 0;
    periods = examinations = timeOuts = 0;
    leap = 1;
    statesBefore.clear();
  }

  void setExactStores(bool exact) {
    exactStores = exact;
    for (auto &cluster : resident)
      cluster->exactStores = exact;
  }

  bool admit() {
    std::unique_ptr<Cluster> next = take();
    if (!next)
      return false;
    next->exactStores = exactStores;
    finishedProgress += 1;
    resident.push_back(std::move(next));
    return true;
  }

  /// As many clusters as are there already, so that a grid in which all wait
  /// for the last one is together after few rounds.
  bool admitMore() {
    size_t before = resident.size();
    uint64_t wanted = std::min<uint64_t>(before, most - before);
    while (wanted-- && admit())
      continue;
    return resident.size() != before;
  }

  uint64_t totalProgress() const {
    uint64_t sum = finishedProgress;
    for (const auto &cluster : resident)
      sum += cluster->progress;
    return sum;
  }
  uint64_t totalStores() const {
    uint64_t sum = finishedStores;
    for (const auto &cluster : resident)
      sum += cluster->stores;
    return sum;
  }

  /// One round of every cluster; whether any warp executed something.
  bool runAll() {
    bool moved = false;
    uint64_t executed = 0;
    for (size_t i = 0; i < resident.size();) {
      Cluster &cluster = *resident[i];
      uint64_t before = cluster.instructions;
      moved |= runRound(cluster);
      executed += cluster.instructions - before;
      if (isStopped())
        return true;
      if (!cluster.finished()) {
        ++i;
        continue;
      }
      // What its threads did not wait for completes all the same.
      while (cluster.async.completeOne())
        continue;
      for (auto &cta : cluster.ctas)
        checkRegistersAtEnd(*cta);
      if (launch.options->checks)
        checkMBarriersAtEnd(cluster);
      finishedProgress += cluster.progress + 1;
      finishedStores += cluster.stores;
      resident.erase(resident.begin() + i);
    }
    countInstructions(executed);
    return moved;
  }

  void countInstructions(uint64_t executed) {
    uint64_t limit = launch.options->maxInstructions;
    if (limit && launch.instructions.fetch_add(executed) + executed > limit)
      stop(launch, LaunchStatus::TooLong,
           "the launch executes more than " + std::to_string(limit) +
               " instructions");
  }

  bool completeOne() {
    for (auto &cluster : resident)
      if (cluster->async.completeOne()) {
        ++cluster->progress;
        return true;
      }
    return false;
  }

  void passTime() {
    for (auto &cluster : resident)
      cluster->clock += leap;
  }

  /// Only threads are left to change anything: whether any can.
  void look(bool moved) {
    ends.withdraw(thread);
    leap = std::min(leap * 2, maxLeap);
    // Long computations are not looked at often.
    if (moved && ++periods < periodsBefore << examinations)
      return;
    uint64_t moment = ends.now();
    std::vector<RepeatingWarp> repeating;
    std::vector<Warp *> patient;
    if (!examineAll(repeating, patient)) {
      periods = 0;
      examinations = std::min(examinations + 1, 16u);
      return;
    }
    if (isStopped())
      return;
    if (!patient.empty() && timeOuts < maxTimeOuts && giveUpWaits(patient))
      return;
    // What waits for threads of its own cluster needs no other host thread.
    bool alone = repeating.empty() && patient.empty();
    if (!alone && !ends.vote(thread, moment)) {
      std::this_thread::yield();
      return;
    }
    std::vector<Finding> findings;
    std::vector<Cluster *> clusters;
    for (auto &cluster : resident)
      clusters.push_back(cluster.get());
    std::string reason = describeDeadlock(clusters, repeating, findings);
    if (lacksMemory && resident.size() >= most)
      reason += "; the memory of the host holds no more than " +
                std::to_string(most) + " clusters at once";
    stop(launch, LaunchStatus::Deadlock, std::move(reason),
         std::move(findings));
  }

  /// Whether every warp waits or repeats itself.
  bool examineAll(std::vector<RepeatingWarp> &repeating,
                  std::vector<Warp *> &patient) {
    uint64_t limit = std::min(minExamined << examinations, maxExamined);
    uint64_t executed = 0;
    bool allStuck = true;
    for (auto &cluster : resident) {
      uint64_t before = cluster->instructions;
      for (auto &cta : cluster->ctas)
        for (Warp &warp : cta->warps) {
          if (warp.finished() || !allStuck)
            continue;
          RepeatingWarp one{&warp, {}};
          Course course = examine(warp, limit, one.loops);
          allStuck = course != Course::GoesOn;
          if (course == Course::Repeats)
            repeating.push_back(std::move(one));
          if (mayTimeOut(warp))
            patient.push_back(&warp);
        }
      executed += cluster->instructions - before;
    }
    countInstructions(executed);
    return allStuck;
  }

  /// Lets waits end that may; false if that was of no use before.
  bool giveUpWaits(ArrayRef<Warp *> patient) {
    std::vector<uint64_t> states;
    for (Warp *warp : patient)
      states.push_back(stateOf(*warp));
    if (states == statesBefore)
      return false;
    statesBefore = std::move(states);
    ++timeOuts;
    for (Warp *warp : patient)
      timeOut(*warp);
    return true;
  }

  Launch &launch;
  uint64_t most;
  /// Whether more could be there if the host had more memory.
  bool lacksMemory;
  EndVote &ends;
  unsigned thread;
  Take take;
  std::vector<std::unique_ptr<Cluster>> resident;
  /// Of clusters that have ended, and one for each that ended or began.
  uint64_t finishedProgress = 0, finishedStores = 0;
  unsigned idle = 0, timeOuts = 0;
  /// Rounds that did nothing but store, and how many are let be.
  uint64_t roundsOfStores = 0, storePatience = 1;
  bool exactStores = false;
  /// Since the last progress: how often there was nothing left but threads, and
  /// how often their warps were looked at in vain.
  uint64_t periods = 0;
  unsigned examinations = 0;
  /// By how much clocks go on.
  uint64_t leap = 1;
  /// Of the warps that gave up waiting the last time.
  std::vector<uint64_t> statesBefore;
};

} // namespace

void ptxbench::emulator::runGrid(Launch &launch,
                                 std::vector<ExecutionCounter> &counters) {
  const LaunchConfig &config = *launch.config;
  uint64_t count = config.grid.volume() / config.cluster.volume();
  unsigned threads = launch.options->hostThreads
                         ? launch.options->hostThreads
                         : std::max(1u, std::thread::hardware_concurrency());
  if (launch.options->checks) {
    launch.races = std::make_unique<LaunchRaces>();
    threads = 1;
  }
  threads = std::min<uint64_t>(threads, count);
  std::atomic<uint64_t> next{0};
  std::vector<std::vector<ExecutionCounter>> perThread(
      threads, std::vector<ExecutionCounter>(launch.program->sources.size()));
  uint64_t clusterCtas = config.cluster.volume();
  uint64_t most =
      std::min(residentCtas / clusterCtas,
               residentThreads / (clusterCtas * config.block.volume()));
  uint64_t fitting = residentBytes() / bytesOfCluster(launch);
  bool lacksMemory = fitting < std::min(most, count);
  most = std::min(most, fitting);
  most = std::max<uint64_t>(1, (most + threads - 1) / threads);
  EndVote ends(threads);
  auto work = [&](unsigned thread) {
    Runner(launch, most, lacksMemory, ends, thread,
           [&]() -> std::unique_ptr<Cluster> {
             uint64_t number = next.fetch_add(1);
             if (number >= count)
               return nullptr;
             return makeCluster(launch, number, perThread[thread]);
           })
        .run();
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < threads; ++i)
    helpers.emplace_back(work, i);
  work(0);
  for (std::thread &helper : helpers)
    helper.join();
  counters.assign(launch.program->sources.size(), ExecutionCounter());
  for (const auto &part : perThread)
    for (size_t i = 0; i < part.size(); ++i) {
      counters[i].warps += part[i].warps;
      counters[i].threads += part[i].threads;
    }
}
