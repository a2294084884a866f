//===- ResultTest.cpp - Tests of what results are worth -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Run.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

/// Of a run that passed, whose longest call took so long.
RunResult passedIn(double seconds) {
  RunResult result;
  result.status = RunStatus::Passed;
  result.stages = {{"emulate/init", 50},
                   {"emulate/candidate", seconds / 2},
                   {"emulate/candidate", seconds}};
  return result;
}

/// Of a run that did not end in time.
RunResult endedIn(const char *stage) {
  RunResult result;
  result.status = RunStatus::Timeout;
  result.stage = stage;
  return result;
}

TEST(Result, CallsThatEndOnlyUnwatchedAreNotTaken) {
  RunResult result = passedIn(0.02);
  refuseStalling(result, endedIn("candidate"), 6);
  EXPECT_EQ(result.status, RunStatus::Timeout);
  EXPECT_NE(result.reason.find("did not end in 6 s"), std::string::npos)
      << result.reason;
  EXPECT_NE(result.reason.find("0.020 s"), std::string::npos) << result.reason;
}

TEST(Result, CallsThatChecksHoldUpAreTaken) {
  RunResult result = passedIn(0.2);
  refuseStalling(result, endedIn("candidate"), 6);
  EXPECT_EQ(result.status, RunStatus::Passed);
  EXPECT_EQ(result.reason, "");
}

TEST(Result, OnlyCallsAreHeldAgainstTheCandidate) {
  RunResult result = passedIn(0.02);
  refuseStalling(result, endedIn("inputs"), 6);
  EXPECT_EQ(result.status, RunStatus::Passed);
  refuseStalling(result, endedIn("candidate"), 4);
  EXPECT_EQ(result.status, RunStatus::Passed);
  refuseStalling(result, RunResult(), 6);
  EXPECT_EQ(result.status, RunStatus::Passed);
}

TEST(Result, WhatFailedKeepsItsReason) {
  RunResult result = passedIn(0.02);
  result.status = RunStatus::RuntimeError;
  result.reason = "its own";
  refuseStalling(result, endedIn("candidate"), 6);
  EXPECT_EQ(result.status, RunStatus::RuntimeError);
  EXPECT_EQ(result.reason, "its own");
}

} // namespace
