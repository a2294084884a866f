//===- BaselineTuningTest.cpp - Choosing a baseline without a device ------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workers that answer by what they are told to: a plan that ends its process is
// left out, and whatever else goes wrong is a reason for no baseline.
//
//===----------------------------------------------------------------------===//

#include "CUDA/BaselineTuning.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

/// The end of a worker that wrote these events.
WorkerOutcome ending(llvm::ArrayRef<llvm::json::Object> events,
                     std::optional<RunStatus> problem = std::nullopt) {
  WorkerOutcome outcome;
  for (const llvm::json::Object &event : events) {
    std::string line;
    llvm::raw_string_ostream(line)
        << llvm::json::Value(llvm::json::Object(event)) << '\n';
    outcome.events.feed(line);
  }
  outcome.events.finish();
  outcome.problem = problem;
  if (problem) {
    outcome.code = "CUDA_ERROR_ILLEGAL_ADDRESS";
    outcome.reason = "an illegal memory access was encountered";
  }
  return outcome;
}

llvm::json::Object result(llvm::StringRef key, llvm::json::Value value) {
  return llvm::json::Object{
      {"event", "result"}, {"key", key}, {"value", std::move(value)}};
}

llvm::json::Object chosen(llvm::StringRef proposal, double ms) {
  return result("baseline", llvm::json::Object{{"name", "cuDNN 9.19.0"},
                                               {"proposal", proposal},
                                               {"ms", ms}});
}

RunRequest attention() {
  RunRequest request;
  request.baseline = "cudnn_attention_forward";
  return request;
}

TEST(BaselineTuning, TakesTheFastest) {
  RunRequest request = attention();
  BaselineTuning tuning =
      tuneBaseline(request, [](llvm::StringRef job, const RunRequest &) {
        EXPECT_EQ(job, "baseline");
        return ending({result("trying", ""), chosen("eng2", 2.5)});
      });
  EXPECT_EQ(tuning.reason, "");
  EXPECT_EQ(tuning.name, "cuDNN 9.19.0");
  EXPECT_EQ(tuning.ms, 2.5);
  EXPECT_EQ(request.baselineProposal, "eng2");
  EXPECT_EQ(request.baseline, "cudnn_attention_forward");
}

TEST(BaselineTuning, LeavesOutWhatEndsTheProcess) {
  RunRequest request = attention();
  unsigned starts = 0;
  BaselineTuning tuning =
      tuneBaseline(request, [&](llvm::StringRef, const RunRequest &now) {
        ++starts;
        // Two of three plans are bad.
        for (const char *bad : {"eng1", "eng2"})
          if (!llvm::is_contained(now.baselineSkip, bad))
            return ending({result("trying", bad)}, RunStatus::InternalError);
        return ending({result("trying", ""), chosen("eng3", 4)});
      });
  EXPECT_EQ(starts, 3u);
  EXPECT_EQ(tuning.reason, "");
  EXPECT_EQ(request.baselineProposal, "eng3");
  EXPECT_EQ(request.baselineSkip, (std::vector<std::string>{"eng1", "eng2"}));
}

TEST(BaselineTuning, EndsWhereNothingRuns) {
  RunRequest request = attention();
  unsigned starts = 0;
  auto every = [&](llvm::StringRef, const RunRequest &) {
    return ending({result("trying", "eng" + std::to_string(starts++))},
                  RunStatus::InternalError);
  };
  BaselineTuning tuning = tuneBaseline(request, every);
  EXPECT_LT(starts, 20u);
  EXPECT_EQ(tuning.reason, "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory "
                           "access was encountered");
  EXPECT_EQ(request.baseline, "");
  // One that fails though it was left out.
  request = attention();
  starts = 0;
  tuning = tuneBaseline(request, [&](llvm::StringRef, const RunRequest &) {
    ++starts;
    return ending({result("trying", "eng1")}, RunStatus::InternalError);
  });
  EXPECT_EQ(starts, 2u);
  EXPECT_EQ(request.baseline, "");
}

TEST(BaselineTuning, AFailureOfNoPlanIsNotTriedAgain) {
  for (bool allTried : {false, true}) {
    std::vector<llvm::json::Object> events;
    if (allTried)
      events.push_back(result("trying", ""));
    RunRequest request = attention();
    unsigned starts = 0;
    BaselineTuning tuning =
        tuneBaseline(request, [&](llvm::StringRef, const RunRequest &) {
          ++starts;
          return ending(events, RunStatus::InternalError);
        });
    EXPECT_EQ(starts, 1u);
    EXPECT_NE(tuning.reason, "");
    EXPECT_EQ(request.baseline, "");
  }
}

TEST(BaselineTuning, AnAnswerWithoutATimeIsNone) {
  for (double ms : {0.0, -1.0}) {
    RunRequest request = attention();
    BaselineTuning tuning =
        tuneBaseline(request, [&](llvm::StringRef, const RunRequest &) {
          return ending({chosen("eng2", ms)});
        });
    EXPECT_EQ(tuning.reason, "nothing was reported of it");
    EXPECT_EQ(request.baseline, "");
  }
}

TEST(BaselineTuning, ATaskWithoutOneStartsNothing) {
  RunRequest request;
  BaselineTuning tuning =
      tuneBaseline(request, [](llvm::StringRef, const RunRequest &) {
        ADD_FAILURE();
        return WorkerOutcome();
      });
  EXPECT_EQ(tuning.reason, "the task names none");
  RunTiming timing;
  timing.candidate.ms = {1, 1};
  checkBaselineTime(timing, tuning);
  EXPECT_FALSE(timing.pairedSpeedup().has_value());
  EXPECT_EQ(timing.warnings,
            std::vector<std::string>{"no baseline: the task names none"});
}

TEST(BaselineTuning, ABaselineThatTheCandidateHindersIsNone) {
  auto after = [](double median, double alone) {
    RunTiming timing;
    timing.candidate.ms = {1};
    timing.baseline.ms = {median};
    timing.baselineName = "cuDNN 9.19.0";
    checkBaselineTime(timing, {"", "cuDNN 9.19.0", alone});
    return timing;
  };
  // Other clocks, and the noise of short calls.
  EXPECT_TRUE(after(1.2, 1).pairedSpeedup().has_value());
  EXPECT_TRUE(after(0.02, 0.01).pairedSpeedup().has_value());
  EXPECT_TRUE(after(0.5, 1).pairedSpeedup().has_value());
  EXPECT_TRUE(after(1.2, 1).warnings.empty());
  RunTiming slow = after(2, 1);
  EXPECT_FALSE(slow.pairedSpeedup().has_value());
  EXPECT_EQ(slow.baselineName, "");
  EXPECT_EQ(slow.warnings,
            std::vector<std::string>{
                "no baseline: cuDNN 9.19.0 took 2.000 ms beside the candidate "
                "and 1.000 ms by itself"});
}

} // namespace
