//===- AsyncQueue.h - Operations that complete later ---------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread has issued and the machine does on its own: bulk copies,
// cp.async, wgmma. An operation moves its data when it completes, and the
// schedule says when that is.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MACHINE_ASYNCQUEUE_H
#define PTXBENCH_LIB_EMULATOR_MACHINE_ASYNCQUEUE_H

#include "ptxbench/Emulator/Emulator.h"

#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace ptxbench::emulator {

/// Operations that a wait instruction waits for together; they count down.
struct AsyncGroup {
  unsigned pending = 0;
  /// The last of its operations as the race checker counts them.
  uint32_t lastEpoch = 0;
};

struct AsyncOp {
  /// Moves the data and signals; called once.
  std::function<void()> complete;
  /// Groups that wait for it.
  std::vector<std::shared_ptr<AsyncGroup>> groups;
  /// Operations of one chain complete in the order in which they were issued;
  /// null: of none.
  const void *chain = nullptr;
  /// For whoever reads about a deadlock, and the line.
  const char *what = "";
  unsigned line = 0;
};

/// The operations of one cluster.
class AsyncQueue {
public:
  explicit AsyncQueue(const Schedule &schedule)
      : schedule(schedule), random(schedule.seed) {}

  /// Takes an operation; an eager schedule completes it at once.
  void issue(AsyncOp op);
  /// Completes one that the schedule chooses; false if there is none.
  bool completeOne();
  /// Called after each turn of a warp; true if an operation completed.
  bool turn();
  /// For random schedules: below `bound`.
  uint64_t draw(uint64_t bound) { return random() % bound; }
  bool isRandom() const { return schedule.kind == Schedule::Random; }
  bool isAdversarial() const { return schedule.kind == Schedule::Adversarial; }

private:
  void complete(size_t index);

  Schedule schedule;
  std::mt19937_64 random;
  std::vector<AsyncOp> pending;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MACHINE_ASYNCQUEUE_H
