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
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <functional>
#include <thread>

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
/// How often in a row instructions may give up waiting with nothing gained.
static constexpr unsigned maxTimeOuts = 3;

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
    if (launch.options->checks)
      cta->sharedUndefined.assign(cta->shared.size(), char(0xff));
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

/// Describes what the threads of a cluster wait for.
static std::string describeWaits(const Cluster &cluster) {
  std::string text;
  unsigned shown = 0, left = 0;
  for (const auto &cta : cluster.ctas)
    for (const Warp &warp : cta->warps) {
      auto add = [&](uint32_t pc, const Wait &wait) {
        if (shown == 4) {
          ++left;
          return;
        }
        const Program &program = *cluster.launch->program;
        text += (shown++ ? "; warp " : "warp ") + std::to_string(warp.index) +
                " of CTA (" + std::to_string(cta->index[0]) + ", " +
                std::to_string(cta->index[1]) + ", " +
                std::to_string(cta->index[2]) + ") in line " +
                std::to_string(program.sourceOf(program.code[pc]).line) +
                " for " + (wait.what ? wait.what : "its turn");
      };
      if (warp.active)
        add(warp.pc, warp.wait);
      for (const Group &group : warp.parked)
        add(group.pc, group.wait);
    }
  if (left)
    text += "; and " + std::to_string(left) + " more";
  return text;
}

static void stop(Launch &launch, LaunchStatus status, std::string reason) {
  std::lock_guard<std::mutex> lock(launch.mutex);
  if (launch.stopped.exchange(true))
    return;
  launch.status = status;
  launch.reason = std::move(reason);
}

/// Lets instructions that may give up waiting do so; false if there is none.
static bool timeOut(Cluster &cluster) {
  bool any = false;
  auto timeOut = [&](Warp &warp, Wait &wait) {
    if (!wait || !wait.mayTimeOut)
      return;
    wait = Wait();
    warp.timedOut = any = true;
    warp.limit = 0;
  };
  for (auto &cta : cluster.ctas)
    for (Warp &warp : cta->warps) {
      if (warp.active)
        timeOut(warp, warp.wait);
      for (Group &group : warp.parked)
        timeOut(warp, group.wait);
    }
  return any;
}

namespace {

/// The clusters that one host thread runs.
class Runner {
public:
  using Take = std::function<std::unique_ptr<Cluster>()>;

  /// `take` hands out the clusters of the grid, and null after the last; at
  /// most `most` are there at once.
  Runner(Launch &launch, uint64_t most, Take take)
      : launch(launch), most(most), take(std::move(take)) {}

  void run() {
    while (!isStopped()) {
      if (resident.empty() && !admit())
        return;
      uint64_t progress = totalProgress();
      bool moved = runAll();
      if (isStopped())
        return;
      // What completed behind a warp's turn is seen in its next one.
      bool progressed = totalProgress() != progress;
      if (progressed)
        idle = timeOuts = 0;
      else
        ++idle;
      if (progressed || (moved && idle < idleRounds) || resident.empty())
        continue;
      // Nothing runs, or what runs gains nothing: it may be waiting for an
      // asynchronous operation, for a cluster that has not begun, for its own
      // patience to end.
      idle = 0;
      if (completeOne() || admitMore() || moved)
        continue;
      if (timeOuts++ < maxTimeOuts && giveUpWaits())
        continue;
      return stop(launch, LaunchStatus::Deadlock,
                  "every thread waits for another one: " +
                      describeWaits(*resident.front()));
    }
  }

private:
  bool isStopped() const {
    return launch.stopped.load(std::memory_order_relaxed);
  }

  bool admit() {
    std::unique_ptr<Cluster> next = take();
    if (!next)
      return false;
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
      finishedProgress += cluster.progress + 1;
      resident.erase(resident.begin() + i);
    }
    uint64_t limit = launch.options->maxInstructions;
    if (limit && launch.instructions.fetch_add(executed) + executed > limit)
      stop(launch, LaunchStatus::TooLong,
           "the launch executes more than " + std::to_string(limit) +
               " instructions");
    return moved;
  }

  bool completeOne() {
    for (auto &cluster : resident)
      if (cluster->async.completeOne()) {
        ++cluster->progress;
        return true;
      }
    return false;
  }

  bool giveUpWaits() {
    bool any = false;
    for (auto &cluster : resident)
      any |= timeOut(*cluster);
    return any;
  }

  Launch &launch;
  uint64_t most;
  Take take;
  std::vector<std::unique_ptr<Cluster>> resident;
  /// Of clusters that have ended, and one for each that ended or began.
  uint64_t finishedProgress = 0;
  unsigned idle = 0, timeOuts = 0;
};

} // namespace

void ptxbench::emulator::runGrid(Launch &launch,
                                 std::vector<ExecutionCounter> &counters) {
  const LaunchConfig &config = *launch.config;
  uint64_t count = config.grid.volume() / config.cluster.volume();
  unsigned threads = launch.options->hostThreads
                         ? launch.options->hostThreads
                         : std::max(1u, std::thread::hardware_concurrency());
  threads = std::min<uint64_t>(threads, count);
  std::atomic<uint64_t> next{0};
  std::vector<std::vector<ExecutionCounter>> perThread(
      threads, std::vector<ExecutionCounter>(launch.program->sources.size()));
  uint64_t clusterCtas = config.cluster.volume();
  uint64_t most =
      std::min(residentCtas / clusterCtas,
               residentThreads / (clusterCtas * config.block.volume()));
  most = std::max<uint64_t>(1, (most + threads - 1) / threads);
  auto work = [&](unsigned thread) {
    Runner(launch, most, [&]() -> std::unique_ptr<Cluster> {
      uint64_t number = next.fetch_add(1);
      if (number >= count)
        return nullptr;
      return makeCluster(launch, number, perThread[thread]);
    }).run();
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
