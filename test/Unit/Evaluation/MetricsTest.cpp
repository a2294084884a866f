//===- MetricsTest.cpp - Tests of rates over samples ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against counts by hand and, for pass@k, against all draws.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/Metrics.h"
#include "gtest/gtest.h"

using namespace ptxbench;

TEST(PassAtKTest, AllDraws) {
  // Every subset of k of n samples, of which the first c pass.
  for (unsigned n = 1; n <= 8; ++n)
    for (unsigned c = 0; c <= n; ++c)
      for (unsigned k = 1; k <= n; ++k) {
        unsigned draws = 0, good = 0;
        for (unsigned set = 0; set < 1u << n; ++set) {
          if (unsigned(__builtin_popcount(set)) != k)
            continue;
          ++draws;
          good += (set & ((1u << c) - 1)) != 0;
        }
        std::optional<double> value = passAtK(n, c, k);
        ASSERT_TRUE(value.has_value());
        EXPECT_NEAR(*value, double(good) / draws, 1e-12)
            << n << " " << c << " " << k;
      }
  EXPECT_FALSE(passAtK(3, 1, 4).has_value());
  EXPECT_FALSE(passAtK(3, 1, 0).has_value());
}

static Record record(const std::string &task, Status status,
                     std::optional<double> speedup = std::nullopt) {
  Record out;
  out.task = task;
  out.status = status;
  out.speedup = speedup;
  out.reached = milestoneOf(status, speedup.has_value());
  return out;
}

TEST(MetricsTest, RatesAndFunnel) {
  Metrics metrics = computeMetrics(
      {record("a", Status::Passed, 1.2), record("a", Status::Passed, 0.6),
       record("a", Status::TargetNotExecuted, 2),
       record("a", Status::IncorrectNumerical),
       record("a", Status::CompileError), record("a", Status::ExtractionError),
       record("a", Status::NotRun), record("b", Status::Passed, 0.1)});
  const TaskMetrics &a = metrics.tasks["a"];
  EXPECT_EQ(a.judged, 6u);
  EXPECT_EQ(a.notJudged, 1u);
  EXPECT_EQ(a.passed, 2u);
  EXPECT_DOUBLE_EQ(*a.correctRate, 3.0 / 6);
  EXPECT_DOUBLE_EQ(*a.targetRate, 2.0 / 6);
  // A fast one whose targets did not execute is not fast.
  std::array<double, 5> fast{2.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6, 1.0 / 6};
  EXPECT_EQ(*a.fast, fast);
  std::array<uint64_t, milestoneCount> funnel{6, 5, 5, 4, 4, 3, 2, 2};
  EXPECT_EQ(a.funnel, funnel);
  EXPECT_DOUBLE_EQ(a.passAt.at(1), 2.0 / 6);
  EXPECT_EQ(a.passAt.count(10), 0u);
  // Means over tasks of equal weight.
  EXPECT_DOUBLE_EQ(*metrics.all.targetRate, (2.0 / 6 + 1) / 2);
  EXPECT_DOUBLE_EQ((*metrics.all.fast)[4], (1.0 / 6 + 0) / 2);
  EXPECT_EQ(metrics.all.passAt.count(5), 0u);
  EXPECT_EQ(metrics.all.statuses.at("PASSED"), 3u);
}

TEST(MetricsTest, NothingIsNotZero) {
  Metrics metrics = computeMetrics({record("a", Status::NotRun)});
  const TaskMetrics &a = metrics.tasks["a"];
  EXPECT_FALSE(a.correctRate.has_value());
  EXPECT_FALSE(a.fast.has_value());
  EXPECT_TRUE(a.passAt.empty());
  EXPECT_FALSE(metrics.all.targetRate.has_value());
  // Not timed is not slow.
  Metrics untimed = computeMetrics({record("a", Status::Passed)});
  EXPECT_FALSE(untimed.tasks["a"].fast.has_value());
  EXPECT_EQ(untimed.tasks["a"].passed, 1u);
}

TEST(MetricsTest, TurnsOfTrajectories) {
  std::vector<Record> records;
  auto add = [&](const char *trajectory, int turn, Status status,
                 std::optional<double> speedup = std::nullopt) {
    records.push_back(record("a", status, speedup));
    records.back().trajectory = trajectory;
    records.back().turn = turn;
  };
  add("x", 1, Status::CompileError);
  add("x", 2, Status::Passed, 0.5);
  add("x", 3, Status::Passed, 0.4);
  add("y", 1, Status::Passed, 0.2);
  add("y", 3, Status::IncorrectNumerical, 9);
  Metrics metrics = computeMetrics(records);
  std::map<int64_t, double> best{
      {1, 0.2 / 2}, {2, (0.5 + 0.2) / 2}, {3, (0.5 + 0.2) / 2}};
  EXPECT_EQ(metrics.tasks["a"].bestSpeedup, best);
}

TEST(MetricsTest, TurnsOfNothingJudged) {
  std::vector<Record> records;
  auto add = [&](const char *task, const char *trajectory, int turn,
                 Status status, std::optional<double> speedup = std::nullopt) {
    records.push_back(record(task, status, speedup));
    records.back().trajectory = trajectory;
    records.back().turn = turn;
  };
  add("a", "x", 1, Status::Passed, 0.5);
  // Nothing is known of y; of z only the second turn counts.
  add("a", "y", 1, Status::NotRun);
  add("a", "y", 2, Status::NotRun);
  add("a", "z", 1, Status::NotRun);
  add("a", "z", 2, Status::Passed, 0.3);
  // Of b nothing passed, so that nothing could be timed; it has no turn 2.
  add("b", "x", 1, Status::CompileError);
  add("c", "x", 1, Status::NotRun);
  Metrics metrics = computeMetrics(records);
  std::map<int64_t, double> a{{1, 0.5 / 2}, {2, (0.5 + 0.3) / 2}}, b{{1, 0}},
      all{{1, 0.5 / 4}, {2, (0.5 + 0.3) / 4}};
  EXPECT_EQ(metrics.tasks["a"].bestSpeedup, a);
  EXPECT_EQ(metrics.tasks["b"].bestSpeedup, b);
  EXPECT_TRUE(metrics.tasks["c"].bestSpeedup.empty());
  EXPECT_EQ(metrics.all.bestSpeedup, all);
  ASSERT_TRUE(metrics.all.fast.has_value());
  EXPECT_DOUBLE_EQ(metrics.all.fast->front(), 0.5);
  EXPECT_TRUE(toJSON(metrics).getAsObject()->getObject("all")->getObject(
      "best_speedup_within_turns"));
}

TEST(MetricsTest, WordsForPeople) {
  Record passed = record("a", Status::Passed, 0.6);
  passed.stages = {{"correctness", "passed"}, {"other-workload", "failed"}};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeMetrics(computeMetrics({passed}), os);
  for (const char *line :
       {"\n  fast_0 100.0 %\n  fast_0.25 100.0 %\n  fast_0.5 100.0 %\n"
        "  fast_0.75 0.0 %\n  fast_1 0.0 %\n",
        "\n  stage correctness: passed 1\n  stage other-workload: failed 1\n"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}
