//===- LivelockTest.cpp - Loops that nothing ends -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that wait for what never comes, each beside one that looks like it and
// ends.
//
//===----------------------------------------------------------------------===//

#include "BarrierTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// The launch ends as a livelock whose loop has the lines of BAD and OTHER.
void expectLivelock(const std::string &body, const WaitingLaunch &how = {}) {
  std::string text = waitingKernel(body, how);
  forEachSchedule(
      text, how,
      [&](const Schedule &schedule, const LaunchOutcome &outcome,
          const char *) {
        EXPECT_EQ(outcome.status, LaunchStatus::Deadlock)
            << nameOf(schedule) << ": " << allFindings(outcome);
        bool found = false;
        for (const Finding &finding : outcome.findings)
          found |= finding.id == "livelock" &&
                   finding.line == lineOf(text, "BAD") &&
                   finding.otherLine == lineOf(text, "OTHER");
        EXPECT_TRUE(found) << nameOf(schedule) << ": " << allFindings(outcome)
                           << text;
      },
      2);
}

void expectEnds(const std::string &body, const WaitingLaunch &how = {}) {
  std::string text = waitingKernel(body, how);
  forEachSchedule(
      text, how,
      [&](const Schedule &schedule, const LaunchOutcome &outcome,
          const char *) {
        EXPECT_EQ(outcome.status, LaunchStatus::Completed)
            << nameOf(schedule) << ": " << allFindings(outcome) << text;
      },
      1);
}

TEST(LivelockTest, FlagThatNobodySets) {
  std::string wait = "Spin:\n"
                     "ld.relaxed.gpu.global.u32 %r10, [%d1]; // BAD\n"
                     "setp.eq.u32 %p5, %r10, 0;\n"
                     "@%p5 bra Spin; // OTHER\n";
  expectLivelock(wait);
  // By the last CTA.
  std::string set = "mov.u32 %r11, %ctaid.x;\n"
                    "setp.eq.u32 %p5, %r11, 12;\n"
                    "@%p5 st.relaxed.gpu.global.u32 [%d1], 1;\n";
  expectEnds(set + wait, {{13, 1, 1}, {64, 1, 1}, {1, 1, 1}, "", "", 1});
  expectEnds(set + wait, {{13, 1, 1}, {64, 1, 1}, {1, 1, 1}, "", "", 3});
  expectLivelock(wait, {{13, 1, 1}, {64, 1, 1}, {1, 1, 1}, "", "", 3});
}

TEST(LivelockTest, LanesOfOneWarp) {
  // Half of the warp in each loop.
  expectLivelock("setp.lt.u32 %p5, %r5, 16;\n"
                 "@%p5 bra Low;\n"
                 "High:\n"
                 "ld.volatile.global.u32 %r10, [%d1]; // BAD\n"
                 "setp.eq.u32 %p6, %r10, 0;\n"
                 "@%p6 bra High; // OTHER\n"
                 "bra End;\n"
                 "Low:\n"
                 "ld.volatile.global.u32 %r10, [%d1+4];\n"
                 "setp.eq.u32 %p6, %r10, 0;\n"
                 "@%p6 bra Low;\n");
  // One lane sets what the others wait for.
  expectEnds("@%p3 bra Set;\n"
             "Spin:\n"
             "ld.volatile.global.u32 %r10, [%d1];\n"
             "setp.eq.u32 %p6, %r10, 0;\n"
             "@%p6 bra Spin;\n"
             "bra End;\n"
             "Set: st.volatile.global.u32 [%d1], 1;\n");
}

TEST(LivelockTest, LockOfAThreadThatHasEnded) {
  std::string body = "@%p2 atom.global.exch.b32 %r10, [%d1], 1;\n"
                     "@%p2 bra End;\n"
                     "bar.sync 0;\n"
                     "@%p1 bra End;\n"
                     "@!%p3 bra End;\n"
                     "Lock:\n"
                     "atom.global.cas.b32 %r10, [%d1], 0, 1; // BAD\n"
                     "setp.ne.u32 %p5, %r10, 0;\n"
                     "@%p5 bra Lock; // OTHER\n";
  expectLivelock(body);
  expectEnds(replaced(body, "@%p2 bra End;\n",
                      "@%p2 st.volatile.global.u32 [%d1], 0;\n"));
  // An exchange that puts there what is there.
  expectLivelock(replaced(body, "cas.b32 %r10, [%d1], 0, 1", //
                          "exch.b32 %r10, [%d1], 1"));
}

TEST(LivelockTest, TestWait) {
  std::string body = makeBarriers("FIX") +
                     "@%p2 mbarrier.arrive.shared.b64 _, [%r2];\n"
                     "Spin:\n"
                     "mbarrier.test_wait.parity.shared.b64 %p5, [%r2], 0;"
                     " // BAD\n"
                     "@!%p5 bra Spin; // OTHER\n";
  expectLivelock(replaced(body, "FIX", "2"));
  expectEnds(replaced(body, "FIX", "1"));
}

// What does not change memory is no progress.
TEST(LivelockTest, StoresOfWhatIsThere) {
  std::string body = "Spin:\n"
                     "st.global.u32 [%d1+64], 0; // BAD\n"
                     "st.local.u32 [spill], %r3;\n"
                     "ld.local.u32 %r11, [spill];\n"
                     "ld.volatile.global.u32 %r10, [%d1];\n"
                     "setp.eq.u32 %p5, %r10, 0;\n"
                     "@%p5 bra Spin; // OTHER\n";
  expectLivelock(body);
  expectEnds("bar.sync 0;\n"
             "@!%p2 bra Spin;\n"
             "nanosleep.u32 1000;\n"
             "nanosleep.u32 1000;\n"
             "st.volatile.global.u32 [%d1], 1;\n" +
             body);
}

// One warp goes round, another one waits for it.
TEST(LivelockTest, OthersWait) {
  std::string body = makeBarriers("1") +
                     "@!%p1 bra Second;\n"
                     "Spin:\n"
                     "nanosleep.u32 20; // BAD\n"
                     "ld.volatile.shared.u32 %r10, [%r1];\n"
                     "setp.eq.u32 %p5, %r10, 0;\n"
                     "@%p5 bra Spin; // OTHER\n"
                     "Second:\n" +
                     waitFor("%r2", "0", "W");
  std::string text = waitingKernel(body);
  expectLivelock(body);
  forEachSchedule(
      text, {},
      [&](const Schedule &, const LaunchOutcome &outcome, const char *) {
        ASSERT_TRUE(findingOf(outcome, "deadlock"));
        EXPECT_EQ(findingOf(outcome, "deadlock")->line,
                  lineOf(text, "mbarrier.try_wait"));
      });
}

// A loop in a function is one, too.
TEST(LivelockTest, LoopWithACall) {
  WaitingLaunch how;
  how.module = R"(
.func (.reg .b32 %result) look(.reg .b64 %at) {
  ld.volatile.global.u32 %result, [%at];
  ret;
}
)";
  std::string text = waitingKernel("Spin:\n"
                                   "call (%r10), look, (%d1); // BAD\n"
                                   "setp.eq.u32 %p5, %r10, 0;\n"
                                   "@%p5 bra Spin;\n",
                                   how);
  forEachSchedule(
      text, how,
      [&](const Schedule &, const LaunchOutcome &outcome, const char *) {
        EXPECT_EQ(outcome.status, LaunchStatus::Deadlock)
            << allFindings(outcome);
        EXPECT_TRUE(findingOf(outcome, "livelock")) << allFindings(outcome);
      },
      2);
}

//===----------------------------------------------------------------------===//
// What ends
//===----------------------------------------------------------------------===//

TEST(LivelockTest, Clocks) {
  expectEnds("mov.u32 %r10, %clock;\n"
             "Spin:\n"
             "mov.u32 %r11, %clock;\n"
             "sub.u32 %r11, %r11, %r10;\n"
             "setp.lt.u32 %p5, %r11, 2000000000;\n"
             "@%p5 bra Spin;\n");
  // A minute of an H200.
  expectEnds("mov.u64 %d3, %clock64;\n"
             "Spin:\n"
             "mov.u64 %d4, %clock64;\n"
             "sub.u64 %d4, %d4, %d3;\n"
             "ld.volatile.global.u32 %r10, [%d1];\n"
             "setp.ne.u32 %p6, %r10, 0;\n"
             "@%p6 bra End;\n"
             "setp.lt.u64 %p5, %d4, 100000000000;\n"
             "@%p5 bra Spin;\n");
  // A millisecond.
  expectEnds("mov.u64 %d3, %globaltimer;\n"
             "Spin:\n"
             "nanosleep.u32 100;\n"
             "mov.u64 %d4, %globaltimer;\n"
             "sub.u64 %d4, %d4, %d3;\n"
             "setp.lt.u64 %p5, %d4, 1000000;\n"
             "@%p5 bra Spin;\n");
}

TEST(LivelockTest, Counters) {
  expectEnds("mov.u32 %r10, 0;\n"
             "Spin:\n"
             "nanosleep.u32 100;\n"
             "ld.volatile.global.u32 %r11, [%d1];\n"
             "add.u32 %r10, %r10, 1;\n"
             "setp.lt.u32 %p5, %r10, 30000;\n"
             "@%p5 bra Spin;\n");
  // A tick of the outer loop is far longer than what is looked at.
  expectEnds("mov.u32 %r10, 0;\n"
             "Outer: mov.u32 %r11, 0;\n"
             "Inner: add.u32 %r11, %r11, 1;\n"
             "setp.lt.u32 %p5, %r11, 60000;\n"
             "@%p5 bra Inner;\n"
             "add.u32 %r10, %r10, 1;\n"
             "setp.lt.u32 %p5, %r10, 3;\n"
             "@%p5 bra Outer;\n");
}

// Giving up after so many tries.
TEST(LivelockTest, BoundedTryWait) {
  std::string body = makeBarriers("2") +
                     "mov.u32 %r10, 0;\n"
                     "Try:\n"
                     "mbarrier.try_wait.parity.shared.b64 %p5, [%r2], 0;\n"
                     "@%p5 bra End;\n"
                     "add.u32 %r10, %r10, 1;\n"
                     "setp.lt.u32 %p6, %r10, 1000;\n"
                     "@%p6 bra Try;\n"
                     "st.global.u32 [%d1], %r10;\n";
  std::string text = waitingKernel(body);
  forEachSchedule(
      text, {},
      [&](const Schedule &schedule, const LaunchOutcome &outcome,
          const char *global) {
        EXPECT_EQ(outcome.status, LaunchStatus::Completed)
            << nameOf(schedule) << ": " << allFindings(outcome);
        EXPECT_EQ(*reinterpret_cast<const uint32_t *>(global), 1000u);
      },
      3);
}

// A thread that gives up lets another one go on.
TEST(LivelockTest, GivingUpHelps) {
  expectEnds(makeBarriers("1") +
             "@!%p1 bra Second;\n"
             "Try:\n"
             "mbarrier.try_wait.parity.shared.b64 %p5, [%r2], 0;\n"
             "@%p2 st.volatile.shared.u32 [%r1], 1;\n"
             "@!%p5 bra Try;\n"
             "bra End;\n"
             "Second:\n"
             "ld.volatile.shared.u32 %r10, [%r1];\n"
             "setp.eq.u32 %p5, %r10, 0;\n"
             "@%p5 bra Second;\n"
             "@%p3 mbarrier.arrive.shared.b64 _, [%r2];\n");
}

} // namespace
