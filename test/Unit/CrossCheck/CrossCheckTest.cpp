//===- CrossCheckTest.cpp - Tests of the cross-check ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction of one kernel, launched with 4 CTAs of 64 threads unless the
// test says otherwise: each cell of the table of rules, then the restrictions.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/CrossCheck/CrossCheck.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {
class CrossCheckTest : public ::testing::Test {
protected:
  CrossCheckTest() {
    verdict.family = "wgmma";
    verdict.opcode = "wgmma.mma_async";
    verdict.line = 10;
    verdict.column = 2;

    LaunchRecord launch;
    launch.kernel = "k";
    launch.grid = {4, 1, 1};
    launch.block = {64, 1, 1};
    launch.count = 2;
    kernel.name = "k";
    kernel.launches = {launch};

    count.line = 10;
    count.column = 2;
    count.opcode = "wgmma.mma_async";
    count.sass = SassState::Present;
    count.pcs = {0x100};
    count.warpsExact = count.threadsExact = true;
  }

  TargetAgreement check(Reach reach,
                        std::optional<uint64_t> warps = std::nullopt,
                        std::optional<uint64_t> threads = std::nullopt) {
    verdict.reach = reach;
    count.executed.reset();
    if (warps || threads)
      count.executed = ExecutionCount{warps, threads};
    return check();
  }

  TargetAgreement check() {
    EntryVerdicts entry;
    entry.name = "k";
    entry.assumptions = assumptions;
    entry.targets = {verdict};
    KernelTrace recorded = kernel;
    recorded.targets = {count};
    Trace trace;
    trace.source = "cupti";
    trace.ptxSha256 = "aa";
    trace.kernels = {recorded};
    result = crossCheck(entry, trace, options);
    return result.entries.at(0).targets.at(0);
  }

  TargetVerdict verdict;
  TargetCount count;
  KernelTrace kernel;
  LaunchAssumptions assumptions;
  CrossCheckOptions options;
  CrossCheckResult result;
};
} // namespace

TEST_F(CrossCheckTest, Never) {
  EXPECT_EQ(check(Reach::Never, 0, 0).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Never, 1, 32).agreement, Agreement::Refuted);
  EXPECT_FALSE(result.sound());
  // Issued with no lane on: not executed.
  EXPECT_EQ(check(Reach::Never, 4, 0).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Never).agreement, Agreement::Unobservable);
}

TEST_F(CrossCheckTest, NeverWithoutMachineCode) {
  count.sass = SassState::Absent;
  count.pcs.clear();
  TargetAgreement agreement = check(Reach::Never);
  EXPECT_EQ(agreement.agreement, Agreement::Confirmed);
  EXPECT_EQ(agreement.sass, SassState::Absent);
  count.reason = "ptxas left nothing";
  agreement = check(Reach::Some);
  EXPECT_EQ(agreement.agreement, Agreement::Unobservable);
  EXPECT_EQ(agreement.reason, "ptxas left nothing");
  count.sass = SassState::Unobservable;
  EXPECT_EQ(check(Reach::Never).agreement, Agreement::Unobservable);
}

TEST_F(CrossCheckTest, AllAndSome) {
  for (Reach reach : {Reach::All, Reach::Some}) {
    EXPECT_EQ(check(reach, 16, 512).agreement, Agreement::Confirmed);
    EXPECT_EQ(check(reach, 0, 0).agreement, Agreement::Refuted);
    EXPECT_EQ(check(reach).agreement, Agreement::Unobservable);
  }
}

TEST_F(CrossCheckTest, Maybe) {
  EXPECT_EQ(check(Reach::Maybe, 1, 32).agreement, Agreement::UndecidedExecuted);
  EXPECT_EQ(check(Reach::Maybe, 0, 0).agreement, Agreement::UndecidedIdle);
  EXPECT_EQ(check(Reach::Maybe).agreement, Agreement::Unobservable);
  EXPECT_EQ(result.totals.unobservable, 1u);
}

TEST_F(CrossCheckTest, WarpsAloneTellOnlyWithoutAGuard) {
  EXPECT_EQ(check(Reach::Some, 16).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Never, 16).agreement, Agreement::Refuted);
  count.warpsExact = false;
  EXPECT_EQ(check(Reach::Some, 16).agreement, Agreement::Unobservable);
  EXPECT_EQ(check(Reach::Never, 16).agreement, Agreement::Unobservable);
  EXPECT_EQ(check(Reach::Never, 0).agreement, Agreement::Confirmed);
}

TEST_F(CrossCheckTest, NotLaunched) {
  kernel.launches.clear();
  TargetAgreement agreement = check(Reach::All, 16, 512);
  EXPECT_EQ(agreement.agreement, Agreement::Unobservable);
  EXPECT_EQ(agreement.reason, "kernel was not launched");
  kernel.name = "other";
  EXPECT_EQ(check(Reach::Never, 0, 0).reason, "kernel was not launched");
}

TEST_F(CrossCheckTest, AbortedChecksNeverOnly) {
  kernel.aborted = true;
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Refuted);
  EXPECT_EQ(check(Reach::Never, 0, 0).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Some, 0, 0).agreement, Agreement::Unobservable);
  EXPECT_EQ(check(Reach::All, 1, 1).agreement, Agreement::Unobservable);
  EXPECT_EQ(check(Reach::Maybe, 1, 1).agreement, Agreement::UndecidedExecuted);
}

TEST_F(CrossCheckTest, IncompleteZeroIsUnknown) {
  count.complete = false;
  EXPECT_EQ(check(Reach::Never, 0, 0).agreement, Agreement::Unobservable);
  EXPECT_EQ(check(Reach::Some, 0, 0).agreement, Agreement::Unobservable);
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Refuted);
  EXPECT_EQ(check(Reach::Some, 1, 1).agreement, Agreement::Confirmed);
}

TEST_F(CrossCheckTest, SharedCodeDoesNotRefuteNever) {
  count.exclusive = false;
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Unobservable);
  EXPECT_EQ(check(Reach::Never, 0, 0).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Some, 0, 0).agreement, Agreement::Refuted);
}

TEST_F(CrossCheckTest, Predictions) {
  verdict.predicted.emplace();
  verdict.predicted->launch = ExecutionCount{8, 256};
  // Two launches were recorded.
  EXPECT_EQ(check(Reach::Some, 16, 512).agreement, Agreement::Confirmed);
  TargetAgreement agreement = check(Reach::Some, 17, 512);
  EXPECT_EQ(agreement.agreement, Agreement::Refuted);
  EXPECT_EQ(agreement.reason,
            "predicted 16 executions by warps but counted 17");
  EXPECT_EQ(check(Reach::Some, 16, 511).agreement, Agreement::Refuted);
  EXPECT_EQ(check(Reach::Maybe, 16, 511).agreement, Agreement::Refuted);
  // Not compared where they are not exact.
  count.warpsExact = count.threadsExact = false;
  agreement = check(Reach::Some, 17, 511);
  EXPECT_EQ(agreement.agreement, Agreement::Confirmed);
  EXPECT_EQ(agreement.reason,
            "the predicted 16 executions by warps and the counted 17 were not "
            "compared: its machine code need not execute once for each "
            "execution of the PTX instruction");
  EXPECT_EQ(check(Reach::Some, 16, 512).reason, "");
}

TEST_F(CrossCheckTest, PredictionsPerCTA) {
  verdict.predicted.emplace();
  verdict.predicted->perCTA.warps = 2;
  EXPECT_EQ(check(Reach::Some, 16, 512).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Some, 14, 448).agreement, Agreement::Refuted);
}

TEST_F(CrossCheckTest, NumbersOfAllAndSome) {
  // 2 launches of 4 CTAs of 64 threads.
  EXPECT_EQ(check(Reach::All, 16, 511).agreement, Agreement::Refuted);
  EXPECT_EQ(check(Reach::All, 32, 1024).agreement, Agreement::Confirmed);
  verdict.scope = Scope::CTA;
  EXPECT_EQ(check(Reach::Some, 8, 8).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Some, 7, 224).agreement, Agreement::Refuted);
  verdict.scope = Scope::Grid;
  EXPECT_EQ(check(Reach::Some, 2, 2).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Some, 1, 1).agreement, Agreement::Refuted);
  verdict.scope = Scope::Cluster;
  kernel.launches[0].cluster = {2, 1, 1};
  EXPECT_EQ(check(Reach::Some, 4, 4).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Some, 3, 3).agreement, Agreement::Refuted);
}

TEST_F(CrossCheckTest, OverflowingSumsAreNotCompared) {
  kernel.launches[0].count = ~uint64_t(0);
  EXPECT_EQ(check(Reach::All, 1, 1).agreement, Agreement::Confirmed);
}

TEST_F(CrossCheckTest, LaunchAssumptions) {
  assumptions.grid = Dim3{4, 1, 1};
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Refuted);
  assumptions.block = Dim3{128, 1, 1};
  TargetAgreement agreement = check(Reach::Never, 1, 1);
  EXPECT_EQ(agreement.agreement, Agreement::Unobservable);
  EXPECT_EQ(agreement.reason, "the trace has a launch with block 64x1x1 but "
                              "the verdicts assume 128x1x1");
}

TEST_F(CrossCheckTest, ParameterAssumptions) {
  ParamAssumption param;
  param.index = 1;
  param.bytes = {5, 0, 0, 0};
  assumptions.params = {param};
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Unobservable);
  assumptions.params[0].address = 8;
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Unobservable);
  kernel.launches[0].params = {0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0};
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Refuted);
  (*kernel.launches[0].params)[8] = 6;
  EXPECT_EQ(check(Reach::Never, 1, 1).reason,
            "the trace has a launch with other bytes of parameter 1 than the "
            "verdicts assume");
  // Places far outside are no reason to read there.
  assumptions.params[0].address = ~uint64_t(0);
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Unobservable);
  assumptions.params[0].address = 8;
  assumptions.params[0].offset = ~uint64_t(0);
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Unobservable);
}

TEST_F(CrossCheckTest, LaunchesOfTwoShapesInOneSum) {
  // 2 x 4 CTAs of 64 threads and one launch of 1 CTA of 32, counted together.
  LaunchRecord other = kernel.launches[0];
  other.grid = {1, 1, 1};
  other.block = {32, 1, 1};
  other.count = 1;
  kernel.launches.push_back(other);
  // Without assumptions the sum is compared: 9 CTAs, 544 threads.
  EXPECT_EQ(check(Reach::All, 17, 544).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::All, 17, 543).agreement, Agreement::Refuted);
  // Under the first shape alone the sum says nothing, but zero does.
  assumptions.grid = Dim3{4, 1, 1};
  assumptions.block = Dim3{64, 1, 1};
  verdict.predicted = Prediction{{}, {2, 64}};
  for (Reach reach : {Reach::Never, Reach::Some, Reach::All, Reach::Maybe}) {
    TargetAgreement agreement = check(reach, 17, 544);
    EXPECT_EQ(agreement.agreement, Agreement::Unobservable);
    EXPECT_EQ(agreement.reason, "the trace has a launch with grid 1x1x1 but "
                                "the verdicts assume 4x1x1");
  }
  EXPECT_EQ(check(Reach::Never, 0, 0).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Some, 0, 0).agreement, Agreement::Refuted);
  EXPECT_EQ(check(Reach::Maybe, 0, 0).agreement, Agreement::UndecidedIdle);
}

TEST_F(CrossCheckTest, UnrecordedLaunches) {
  kernel.launchesComplete = false;
  // More executions than the recorded launches explain.
  EXPECT_EQ(check(Reach::All, 99, 1).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Refuted);
  EXPECT_EQ(check(Reach::Some, 0, 0).agreement, Agreement::Refuted);
  assumptions.block = Dim3{64, 1, 1};
  EXPECT_EQ(check(Reach::Never, 1, 1).reason,
            "the trace does not record every launch that it counts");
  EXPECT_EQ(check(Reach::Never, 0, 0).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::All, 1, 1).agreement, Agreement::Unobservable);
  // Not one launch is recorded.
  assumptions = {};
  kernel.launches.clear();
  EXPECT_EQ(check(Reach::Some, 1, 1).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Refuted);
  EXPECT_EQ(check(Reach::Some, 0, 0).agreement, Agreement::Unobservable);
  kernel.launchesComplete = true;
  EXPECT_EQ(check(Reach::Some, 1, 1).reason, "kernel was not launched");
}

TEST_F(CrossCheckTest, WhichExecutionsAreOfAnAssumedLaunch) {
  EXPECT_TRUE(mayCover(kernel, {}));
  assumptions.grid = Dim3{8, 1, 1};
  EXPECT_FALSE(mayCover(kernel, assumptions));
  // One sum, of two launches.
  kernel.launches.push_back(kernel.launches[0]);
  kernel.launches[1].grid = {8, 1, 1};
  EXPECT_TRUE(mayCover(kernel, assumptions));
  kernel.launches.clear();
  EXPECT_FALSE(mayCover(kernel, assumptions));
  kernel.launchesComplete = false;
  EXPECT_TRUE(mayCover(kernel, assumptions));
}

TEST_F(CrossCheckTest, OtherText) {
  options.ptxSha256 = "aa";
  EXPECT_EQ(check(Reach::Never, 0, 0).agreement, Agreement::Confirmed);
  options.ptxSha256 = "bb";
  EXPECT_EQ(check(Reach::Never, 0, 0).reason,
            "the trace is of another PTX text");
}

TEST_F(CrossCheckTest, NoRecord) {
  count.column = 3;
  TargetAgreement agreement = check(Reach::Never, 0, 0);
  EXPECT_EQ(agreement.agreement, Agreement::Unobservable);
  EXPECT_EQ(agreement.reason, "the trace has no record of this instruction");
}

TEST_F(CrossCheckTest, EmulatorTracesHaveNoMachineCode) {
  count.sass.reset();
  count.pcs.clear();
  EXPECT_EQ(check(Reach::Some, 16, 512).agreement, Agreement::Confirmed);
  EXPECT_EQ(check(Reach::Never, 1, 1).agreement, Agreement::Refuted);
}

TEST_F(CrossCheckTest, SeveralTracesOfOneKernel) {
  verdict.reach = Reach::Never;
  EntryVerdicts free, assuming;
  free.name = assuming.name = "k";
  free.targets = assuming.targets = {verdict};
  assuming.assumptions.grid = Dim3{8, 1, 1};
  Trace trace;
  count.executed = ExecutionCount{0, 0};
  kernel.targets = {count};
  trace.kernels = {kernel, kernel};
  trace.kernels[1].launches[0].grid = {8, 1, 1};
  trace.kernels[1].targets[0].executed = ExecutionCount{3, 96};
  result = crossCheck(std::vector<EntryVerdicts>{free, assuming}, trace);
  // Idle in one launch, executed in the other: the second refutes both.
  EXPECT_EQ(result.entries[0].targets[0].agreement, Agreement::Refuted);
  EXPECT_EQ(result.entries[0].targets[0].executed->threads, 96u);
  EXPECT_EQ(result.entries[1].targets[0].agreement, Agreement::Refuted);
  EXPECT_EQ(result.totals.refuted, 2u);
  // What is not known in one is not known.
  trace.kernels[1].targets[0].executed.reset();
  result = crossCheck(std::vector<EntryVerdicts>{free, assuming}, trace);
  EXPECT_EQ(result.entries[0].targets[0].agreement, Agreement::Unobservable);
  EXPECT_FALSE(result.entries[0].targets[0].executed);
  // The assumption selects the launch.
  assuming.assumptions.grid = Dim3{4, 1, 1};
  result = crossCheck(assuming, trace);
  EXPECT_EQ(result.entries[0].targets[0].agreement, Agreement::Confirmed);
}

TEST(CrossCheckSpellings, RoundTrip) {
  for (Agreement agreement :
       {Agreement::Confirmed, Agreement::Refuted, Agreement::UndecidedExecuted,
        Agreement::UndecidedIdle, Agreement::Unobservable})
    EXPECT_EQ(symbolizeAgreement(stringifyAgreement(agreement)), agreement);
  EXPECT_FALSE(symbolizeAgreement("undecided"));
}
