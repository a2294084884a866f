//===- Metrics.h - What many samples say together ---------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rates over the samples that could be judged; those that could not are counted
// apart and are in no denominator.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_EVALUATION_METRICS_H
#define PTXBENCH_EVALUATION_METRICS_H

#include "ptxbench/Evaluation/Record.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <array>

namespace ptxbench {

/// The probability that one of `k` samples passes that are drawn without
/// replacement from `samples`, of which `passed` do: 1 - C(n-c, k) / C(n, k)
/// (Chen et al., "Evaluating Large Language Models Trained on Code", 2021,
/// equation 1). Absent if there are fewer than `k` samples.
std::optional<double> passAtK(uint64_t samples, uint64_t passed, uint64_t k);

/// The speedups for which fast_p is given.
constexpr std::array<double, 5> fastThresholds{0, 0.25, 0.5, 0.75, 1};

/// Of one task or, as means over tasks of equal weight, of all.
struct TaskMetrics {
  uint64_t judged = 0, notJudged = 0, passed = 0, correct = 0;
  /// By k; only those for which there are enough samples of every task.
  std::map<uint64_t, double> passAt;
  /// Shares of the judged samples: right numbers; right numbers and all
  /// required families executed.
  std::optional<double> correctRate, targetRate;
  /// Shares of the judged samples that pass and are at least so fast as
  /// fastThresholds says, relative to the baseline. Absent if nothing was
  /// timed: of a task of which nothing passed, if nothing of any task was.
  std::optional<std::array<double, fastThresholds.size()>> fast;
  /// How many samples reached each milestone.
  std::array<uint64_t, milestoneCount> funnel{};
  std::map<std::string, uint64_t> statuses;
  /// Of the stages that were reached, how often each verdict was given: which
  /// stage loses how many.
  std::map<std::string, std::map<std::string, uint64_t>> stages;
  /// By the number of turns: the best speedup of a trajectory within them, as a
  /// mean over the trajectories of which a turn could be judged, 0 where none
  /// passed. Empty without turns, and where `fast` is absent.
  std::map<int64_t, double> bestSpeedup;
};

/// The names of the stages in their order, "extract" to "performance".
llvm::ArrayRef<llvm::StringLiteral> stageOrder();

struct Metrics {
  std::map<std::string, TaskMetrics> tasks;
  TaskMetrics all;
};

Metrics computeMetrics(llvm::ArrayRef<Record> records);

/// For people.
void writeMetrics(const Metrics &metrics, llvm::raw_ostream &os);
/// `ptxbench.metrics.v1`.
llvm::json::Value toJSON(const Metrics &metrics);

} // namespace ptxbench

#endif // PTXBENCH_EVALUATION_METRICS_H
