//===- TimelineTest.cpp - Tests of windows, origins and floors ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records are written by hand, with the times in microseconds.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Timeline.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

constexpr uint64_t us = 1000;

DeviceWork kernel(uint32_t correlation, uint64_t begin, uint64_t end,
                  llvm::StringRef name = "k") {
  return {DeviceWork::Kind::Kernel, begin * us, end * us, correlation,
          name.str()};
}

DriverCall launch(uint32_t correlation, std::optional<unsigned> window,
                  WorkOwner owner = WorkOwner::Candidate) {
  return {correlation, owner, window, /*launched=*/true};
}

CallWindow window(uint64_t begin, uint64_t returned, uint64_t end,
                  WorkOwner owner = WorkOwner::Candidate) {
  return {owner, begin * us, returned * us, end * us};
}

TimelineResult sorted(llvm::ArrayRef<DeviceWork> works,
                      llvm::ArrayRef<DriverCall> calls,
                      llvm::ArrayRef<CallWindow> windows) {
  llvm::Expected<TimelineResult> result = sortTimeline(works, calls, windows);
  if (result)
    return *result;
  ADD_FAILURE() << llvm::toString(result.takeError());
  return {};
}

std::string failure(llvm::ArrayRef<DeviceWork> works,
                    llvm::ArrayRef<DriverCall> calls,
                    llvm::ArrayRef<CallWindow> windows) {
  llvm::Expected<TimelineResult> result = sortTimeline(works, calls, windows);
  return result ? "" : llvm::toString(result.takeError());
}

TEST(Timeline, OwnCopiesAreNoWorkWithoutRecords) {
  // Two copies of outputs, in turn and overlapping, behind calls of 100.
  auto tool = [](uint32_t correlation, unsigned window) {
    return DriverCall{correlation, WorkOwner::Tool, window, /*launched=*/false};
  };
  std::vector<DeviceWork> works = {
      kernel(1, 20, 120),
      {DeviceWork::Kind::Copy, 122 * us, 300 * us, 2, ""},
      {DeviceWork::Kind::Copy, 290 * us, 400 * us, 3, ""}};
  std::vector<DriverCall> calls = {launch(1, 0), tool(2, 0), tool(3, 0)};
  TimelineResult result = sorted(works, calls, {window(10, 15, 410)});
  ASSERT_EQ(result.windows.size(), 1u);
  EXPECT_DOUBLE_EQ(result.windows[0].spanMs, 0.1);
  EXPECT_EQ(result.windows[0].works(), 1u);
  EXPECT_NEAR(result.windows[0].tailMs, 0.012, 1e-9);
  EXPECT_FALSE(checkWindows(result.windows));
  // What ran without a record in front of them is seen all the same, and so is
  // what goes on behind them.
  for (uint64_t late : {0, 150}) {
    std::vector<DeviceWork> moved = works;
    for (DeviceWork &work : llvm::MutableArrayRef(moved).drop_front())
      work.begin += (150 - late) * us, work.end += (150 - late) * us;
    result = sorted(moved, calls, {window(10, 15, 560)});
    EXPECT_NEAR(result.windows[0].tailMs, 0.162, 1e-9);
    std::optional<Violation> violation = checkWindows(result.windows);
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->code, "UNRECORDED_WORK");
  }
}

TEST(Timeline, SetUpOnTheHostIsNoTime) {
  // The host prepares for 1000 before the first work, and 1000 behind the last.
  TimelineResult result =
      sorted({kernel(1, 1020, 1050)}, {launch(1, 0)}, {window(10, 2060, 2070)});
  ASSERT_EQ(result.windows.size(), 1u);
  EXPECT_DOUBLE_EQ(result.windows[0].spanMs, 0.03);
  EXPECT_DOUBLE_EQ(result.windows[0].hostMs, 2.05);
  // Set-up on the device is work of the call.
  result = sorted({kernel(1, 20, 30), kernel(2, 1020, 1050)},
                  {launch(1, 0), launch(2, 0)}, {window(10, 1060, 1070)});
  EXPECT_DOUBLE_EQ(result.windows[0].spanMs, 1.03);
}

TEST(Timeline, NamesOfKernels) {
  TimelineResult result =
      sorted({kernel(1, 20, 30, "a"), kernel(2, 30, 40, "b"),
              kernel(3, 40, 50, "a"), kernel(4, 120, 130, "b")},
             {launch(1, 0), launch(2, 0), launch(3, 0), launch(4, 1)},
             {window(10, 60, 70), window(110, 140, 150)});
  ASSERT_EQ(result.windows.size(), 2u);
  EXPECT_EQ(result.windows[0].names, (std::set<std::string>{"a", "b"}));
  EXPECT_EQ(result.windows[1].names, std::set<std::string>{"b"});
}

TEST(Timeline, WhatIsTimedIsWhatIsTraced) {
  std::set<std::string> both = {"a", "b"}, one = {"b"};
  EXPECT_FALSE(compareKernels({both}, both));
  EXPECT_FALSE(compareKernels({}, both));
  std::optional<Violation> violation = compareKernels({both, one}, both);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->code, "OTHER_KERNELS");
  EXPECT_EQ(violation->message,
            "the traced call ran other kernels ('a', 'b') than a timed call "
            "('b'): what executed is not what was timed");
  // Kernels that only the traced call has are other kernels, too.
  EXPECT_TRUE(compareKernels({one}, both));
  EXPECT_TRUE(compareKernels({both}, {}));
}

TEST(Timeline, TimesWorkOfAllStreams) {
  // Two that overlap, a gap, a third.
  TimelineResult result =
      sorted({kernel(1, 20, 50), kernel(2, 30, 70), kernel(3, 90, 100)},
             {launch(1, 0), launch(2, 0), launch(3, 0)}, {window(10, 60, 110)});
  ASSERT_EQ(result.windows.size(), 1u);
  const WindowTime &time = result.windows[0];
  EXPECT_DOUBLE_EQ(time.spanMs, 0.08);
  EXPECT_DOUBLE_EQ(time.busyMs, 0.06);
  EXPECT_DOUBLE_EQ(time.hostMs, 0.05);
  EXPECT_DOUBLE_EQ(time.tailMs, 0.01);
  EXPECT_EQ(time.kernels, 3u);
  EXPECT_FALSE(result.violation.has_value());
}

TEST(Timeline, TailBeginsWhenTheCallReturns) {
  TimelineResult result =
      sorted({kernel(1, 20, 50)}, {launch(1, 0)}, {window(10, 300, 310)});
  EXPECT_DOUBLE_EQ(result.windows[0].tailMs, 0.01);
}

TEST(Timeline, ToolAndBaselineAreNotTheCandidates) {
  TimelineResult result =
      sorted({kernel(1, 5, 8), kernel(2, 20, 30), kernel(3, 35, 40),
              kernel(4, 70, 90), kernel(5, 95, 99)},
             {{1, WorkOwner::Tool, std::nullopt, false},
              launch(2, 0),
              {3, WorkOwner::Tool, 0, false},
              launch(4, 1, WorkOwner::Baseline),
              // Between its windows the baseline may do what it likes.
              launch(5, std::nullopt, WorkOwner::Baseline)},
             {window(10, 32, 50), window(60, 70, 92, WorkOwner::Baseline)});
  EXPECT_FALSE(result.violation.has_value());
  EXPECT_DOUBLE_EQ(result.windows[0].spanMs, 0.01);
  EXPECT_DOUBLE_EQ(result.windows[1].spanMs, 0.02);
  EXPECT_EQ(result.owners[1], WorkOwner::Baseline);
}

TEST(Timeline, WorkBetweenCallsIsFound) {
  TimelineResult result =
      sorted({kernel(1, 20, 30), kernel(2, 60, 2060, "late")},
             {launch(1, 0), launch(2, std::nullopt)}, {window(10, 32, 50)});
  ASSERT_TRUE(result.violation.has_value());
  EXPECT_EQ(result.violation->code, "WORK_OUTSIDE_CALL");
  EXPECT_EQ(result.violation->message, "kernel 'late' of 2.000 ms was asked "
                                       "for outside of every call");
}

TEST(Timeline, WorkDuringTheBaselineIsFound) {
  TimelineResult result = sorted({kernel(1, 20, 30)}, {launch(1, 0)},
                                 {window(10, 32, 50, WorkOwner::Baseline)});
  ASSERT_TRUE(result.violation.has_value());
  EXPECT_NE(result.violation->message.find("during a call of the baseline"),
            std::string::npos);
}

TEST(Timeline, WorkThatOutlastsTheWaitIsFound) {
  // In another context, say, for which nobody waited.
  TimelineResult result =
      sorted({kernel(1, 20, 900)}, {launch(1, 0)}, {window(10, 32, 50)});
  ASSERT_TRUE(result.violation.has_value());
  EXPECT_NE(result.violation->message.find("after the device was waited for"),
            std::string::npos);
  // The clocks of host and device are apart by some microseconds.
  EXPECT_FALSE(sorted({kernel(1, 20, 55)}, {launch(1, 0)}, {window(10, 32, 50)})
                   .violation.has_value());
}

TEST(Timeline, WorkWithoutACallGoesByItsTime) {
  TimelineResult result = sorted({kernel(7, 20, 30)}, {}, {window(10, 32, 50)});
  EXPECT_FALSE(result.violation.has_value());
  EXPECT_EQ(result.windows[0].kernels, 1u);
  for (uint64_t begin : {2, 55})
    EXPECT_TRUE(sorted({kernel(7, begin, begin + 1)}, {}, {window(10, 32, 50)})
                    .violation.has_value());
}

TEST(Timeline, MissingRecordsAreAnError) {
  EXPECT_EQ(failure({kernel(1, 20, 30)}, {launch(1, 0), launch(2, 0)},
                    {window(10, 32, 50)}),
            "the profiler recorded no work for 1 of 2 kernel launches");
  // A call that was refused, or captured for a graph, leaves none.
  DriverCall captured = {2, WorkOwner::Candidate, 0, /*launched=*/false};
  EXPECT_EQ(failure({kernel(1, 20, 30)}, {launch(1, 0), captured},
                    {window(10, 32, 50)}),
            "");
}

TEST(Timeline, LaunchesOutsideNeedNoRecord) {
  // A thread launched it when the records had been collected.
  TimelineResult result =
      sorted({kernel(1, 20, 30)}, {launch(1, 0), launch(2, std::nullopt)},
             {window(10, 32, 50)});
  ASSERT_TRUE(result.violation.has_value());
  EXPECT_EQ(result.violation->message,
            "a kernel was launched outside of every call");
  // The tool's own is no matter.
  EXPECT_FALSE(sorted({kernel(1, 20, 30)},
                      {launch(1, 0), launch(2, std::nullopt, WorkOwner::Tool)},
                      {window(10, 32, 50)})
                   .violation.has_value());
}

TEST(Timeline, SeveralViolationsAreOne) {
  TimelineResult result = sorted(
      {kernel(1, 60, 61), kernel(2, 62, 63)},
      {launch(1, std::nullopt), launch(2, std::nullopt)}, {window(10, 32, 50)});
  ASSERT_TRUE(result.violation.has_value());
  EXPECT_NE(result.violation->message.find("; 1 more"), std::string::npos);
}

TEST(Timeline, IdleCallsAreFound) {
  WindowTime busy, idle;
  busy.kernels = 1;
  busy.spanMs = 1;
  EXPECT_FALSE(checkWindows({}).has_value());
  EXPECT_FALSE(checkWindows({busy, busy}).has_value());
  std::optional<Violation> found = checkWindows({busy, idle});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->code, "NO_DEVICE_WORK");
  EXPECT_EQ(found->message, "1 of 2 timed calls gave the device nothing to do");
  // A copy is work.
  idle.copies = 1;
  EXPECT_FALSE(checkWindows({busy, idle}).has_value());
}

TEST(Timeline, WorkWithoutRecordsIsFound) {
  WindowTime window;
  window.kernels = 1;
  window.spanMs = 0.005;
  window.tailMs = 0.01;
  EXPECT_FALSE(checkWindows({window, window, window}).has_value());
  WindowTime late = window;
  late.tailMs = 1;
  // Once is a disturbance of the machine.
  EXPECT_FALSE(checkWindows({window, late, window}).has_value());
  std::optional<Violation> found = checkWindows({late, window, late});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->code, "UNRECORDED_WORK");
}

TEST(Timeline, RoundTripsViolations) {
  Violation violation = {"CODE", "message"}, read;
  llvm::json::Path::Root root("violation");
  ASSERT_TRUE(fromJSON(toJSON(violation), read, root));
  EXPECT_EQ(read.code, "CODE");
  EXPECT_EQ(read.message, "message");
  EXPECT_FALSE(fromJSON(llvm::json::Value(3), read, root));
}

} // namespace
