//===- BarrierRulesTest.cpp - Rules of barriers and warpgroups ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One violation and its repaired twin for each rule about arrivals, byte
// counts, wgmma.fence, setmaxnreg and barriers of CTAs and clusters.
//
//===----------------------------------------------------------------------===//

#include "BarrierTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

TEST(BarrierRulesTest, ExpectedBytesAreThoseDelivered) {
  std::string body =
      makeBarriers("1") +
      "@%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], FIX;\n"
      "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r1], [%d1], 2048, [%r2];\n" +
      waitFor("%r2", "0", "W", "BAD");
  expectRule(body, "1024", "2048", "mbarrier-tx-mismatch", {},
             "0 of 1 arrivals are pending, and its tx-count is -1024");
  expectRule(body, "4096", "2048", "mbarrier-tx-mismatch", {},
             "its tx-count is 2048");
}

// The first copy ends the phase; nobody waits for the second.
TEST(BarrierRulesTest, BytesLeftAtTheEnd) {
  std::string body =
      "@%p2 mbarrier.init.shared.b64 [%r2], 1; // BAD\n"
      "bar.sync 0;\n"
      "@%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], FIX;\n"
      "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r1], [%d1], 1024, [%r2];\n"
      "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r1+1024], [%d1+1024], 1024, [%r2];\n" +
      waitFor("%r2", "0", "W");
  expectFound(replaced(body, "FIX", "1024"), "mbarrier-tx-mismatch");
  expectClean(replaced(body, "FIX", "2048"));
}

TEST(BarrierRulesTest, CountIsThatOfArrivals) {
  // Too many are expected.
  std::string body = makeBarriers("FIX") +
                     "@%p2 mbarrier.arrive.shared.b64 _, [%r2];\n" +
                     waitFor("%r2", "0", "W", "BAD");
  expectRule(body, "32", "1", "mbarrier-arrivals-missing", {},
             "31 of 32 arrivals are pending");
  // Too few are: the lanes of one warp end 32 phases.
  body = makeBarriers("FIX") +
         "@!%p1 bra Second;\n"
         "mbarrier.arrive.shared.b64 _, [%r2]; // BAD\n"
         "bra End;\n"
         "Second:\n" +
         waitFor("%r2", "0", "W");
  expectRule(body, "1", "32", "mbarrier-overrun");
}

// A thread that waits for a phase while that and the next one end. Under a
// random schedule it may be quick enough.
TEST(BarrierRulesTest, PhaseIsMissed) {
  std::string body = makeBarriers("1") +
                     "@!%p1 bra Second;\n"
                     "mov.u32 %r10, 0;\n"
                     "Delay: add.u32 %r10, %r10, 1;\n"
                     "setp.lt.u32 %p5, %r10, 5000;\n"
                     "@%p5 bra Delay;\n"
                     "@%p2 mbarrier.arrive.shared.b64 _, [%r2];\n"
                     "FIX\n"
                     "@%p2 mbarrier.arrive.shared.b64 _, [%r2]; // OTHER\n"
                     "bra End;\n"
                     "Second:\n" +
                     waitFor("%r2", "0", "W", "BAD") + "FIX\n";
  expectClean(replaced(body, "FIX", "bar.sync 2, 64;"));
  std::string text = waitingKernel(replaced(body, "FIX", ""));
  forEachSchedule(text, {},
                  [&](const Schedule &schedule, const LaunchOutcome &outcome,
                      const char *) {
                    const Finding *finding =
                        findingOf(outcome, "mbarrier-phase-missed");
                    if (schedule.kind == Schedule::Random &&
                        outcome.status == LaunchStatus::Completed)
                      return;
                    ASSERT_TRUE(finding)
                        << nameOf(schedule) << ": " << allFindings(outcome);
                    EXPECT_EQ(finding->line, lineOf(text, "BAD"));
                    EXPECT_EQ(finding->otherLine, lineOf(text, "OTHER"));
                  });
}

/// A pipeline of one stage: `release` is where the consumer frees it.
std::string pipelineOfOne(const std::string &before, const std::string &after) {
  return makeBarriers("1", 2) +
         "mov.u32 %r10, 0;\n"
         "@!%p1 bra Consumer;\n"
         "@!%p2 bra End;\n"
         "Produce:\n"
         "xor.b32 %r12, %r10, 1;\n" +
         waitFor("%r2+8", "%r12", "Empty") +
         "mbarrier.arrive.shared.b64 _, [%r2];\n"
         "xor.b32 %r10, %r10, 1;\n"
         "add.u32 %r11, %r11, 1;\n"
         "setp.lt.u32 %p5, %r11, 4;\n"
         "@%p5 bra Produce;\n"
         "bra End;\n"
         "Consumer:\n"
         "@!%p3 bra End;\n" +
         waitFor("%r2", "0", "First") + "Consume:\n" + before +
         "add.u32 %r11, %r11, 1;\n"
         "setp.ge.u32 %p5, %r11, 4;\n"
         "@%p5 bra End;\n"
         "xor.b32 %r10, %r10, 1;\n" +
         waitFor("%r2", "%r10", "Full", "BAD") + after + "bra Consume;\n";
}

// The consumer waits for the next stage before it releases this one.
TEST(BarrierRulesTest, CyclicWait) {
  std::string release = "mbarrier.arrive.shared.b64 _, [%r2+8];\n";
  expectFound(replaced(pipelineOfOne("", release), "mov.u32 %r10, 0;",
                       "mov.u32 %r10, 0; mov.u32 %r11, 0;"),
              "deadlock", {}, "1 of 1 arrivals are pending");
  expectClean(replaced(pipelineOfOne(release, ""), "mov.u32 %r10, 0;",
                       "mov.u32 %r10, 0; mov.u32 %r11, 0;"));
}

TEST(BarrierRulesTest, WhatIsNoMBarrier) {
  // Bits that look like one.
  expectRule("@%p2 mov.b64 %d2, {-1, -1};\n"
             "@%p2 FIX\n"
             "bar.sync 0;\n"
             "@%p2 mbarrier.arrive.shared.b64 _, [%r2]; // BAD",
             "st.shared.b64 [%r2], %d2;", "mbarrier.init.shared.b64 [%r2], 1;",
             "mbarrier-uninitialised");
  expectRule("@%p2 mbarrier.init.shared.b64 [%r2], 1; FIX\n"
             "@%p2 mbarrier.arrive.shared.b64 _, [%r2]; // BAD",
             "@%p2 mbarrier.inval.shared.b64 [%r2];", "",
             "mbarrier-uninitialised", {}, "has been invalidated by line");
  expectRule("@%p2 mbarrier.init.shared.b64 [%r2], 1; FIX\n"
             "@%p2 mbarrier.arrive.shared.b64 _, [%r2]; // BAD",
             "@%p2 st.shared.b32 [%r2], %r1;", "", "mbarrier-uninitialised", {},
             "has been overwritten");
  expectRule("@%p2 mbarrier.init.shared.b64 [%r2], 1; // OTHER\n"
             "FIX\n"
             "@%p2 mbarrier.init.shared.b64 [%r2], 2; // BAD",
             "", "@%p2 mbarrier.inval.shared.b64 [%r2];",
             "mbarrier-reinitialised");
}

TEST(BarrierRulesTest, CountOfArrivals) {
  std::string body = makeBarriers("2") +
                     "mov.u32 %r10, FIX;\n"
                     "@%p2 mbarrier.arrive.shared.b64 _, [%r2], %r10; // BAD";
  expectRule(body, "0", "2", "mbarrier-count");
  expectRule(body, "1048576", "2", "mbarrier-count");
  expectRule(body, "3", "2", "mbarrier-overflow");
}

//===----------------------------------------------------------------------===//
// wgmma.fence
//===----------------------------------------------------------------------===//

/// wgmma m64n8k16 on %f1 to %f4 with descriptors of zeroed shared memory.
const std::string product =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
    "{%f1, %f2, %f3, %f4}, %d2, %d2, %p10, 1, 1, 0, 0;";
const std::string descriptor = "setp.ne.u32 %p10, %r1, 0;\n"
                               "shr.u32 %r10, %r1, 4;\n"
                               "or.b32 %r10, %r10, 0x80000;\n"
                               "mov.b64 %d2, {%r10, 8};\n";
const std::string fence = "wgmma.fence.sync.aligned;\n";
const std::string waitForProduct = "wgmma.commit_group.sync.aligned;\n"
                                   "wgmma.wait_group.sync.aligned 0;\n";
const WaitingLaunch warpgroup{{1, 1, 1}, {128, 1, 1}, {1, 1, 1}, "", "", 1};

TEST(BarrierRulesTest, FirstWgmmaNeedsAFence) {
  expectRule(descriptor + "FIX" + product + " // BAD\n" + waitForProduct, "",
             fence, "missing-wgmma-fence", warpgroup);
}

TEST(BarrierRulesTest, WgmmaNeedsAFenceAfterAWrite) {
  expectRule(descriptor + fence + product + "\n" + waitForProduct +
                 "add.f32 %f3, %f3, %f3; // OTHER\n" + "FIX" + product +
                 " // BAD\n" + waitForProduct,
             "", fence, "missing-wgmma-fence", warpgroup);
  // A chain needs none, nor does a read of what was waited for.
  expectClean(descriptor + fence + product + "\n" + product + "\n" +
                  waitForProduct + "add.f32 %f10, %f3, %f3;\n" + product +
                  "\n" + waitForProduct,
              warpgroup);
  // Nor does a copy, which compilers put anywhere.
  expectClean(descriptor + fence + "mov.f32 %f3, 0f00000000;\n" + product +
                  "\n" + waitForProduct,
              warpgroup);
  // Registers of A.
  std::string fromRegisters =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
      "{%f1, %f2, %f3, %f4}, {%r20, %r21, %r22, %r23}, %d2, %p10, 1, 1, 0;";
  expectRule(descriptor + fence + "xor.b32 %r21, %r3, 5; // OTHER\nFIX" +
                 fromRegisters + " // BAD\n" + waitForProduct,
             "", fence, "missing-wgmma-fence", warpgroup);
  // Another shape.
  std::string wider =
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
      "{%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, %d2, %d2, %p10, 1, 1, 0, 0;";
  expectRule(descriptor + fence + product + " // OTHER\n" + waitForProduct +
                 "FIX" + wider + " // BAD\n" + waitForProduct,
             "", fence, "missing-wgmma-fence", warpgroup);
}

TEST(BarrierRulesTest, WarpgroupHasOneDescriptor) {
  expectRule(descriptor + "setp.eq.u32 %p5, %r4, FIX;\n" +
                 "@%p5 add.s64 %d2, %d2, 16;\n" + fence + product +
                 " // BAD\n" + waitForProduct,
             "2", "9", "wgmma-descriptor-differs", warpgroup);
}

//===----------------------------------------------------------------------===//
// setmaxnreg
//===----------------------------------------------------------------------===//

WaitingLaunch threeWarpgroups(const std::string &directives) {
  return {{1, 1, 1}, {384, 1, 1}, {1, 1, 1}, directives, "", 1};
}

TEST(BarrierRulesTest, RegistersFitIntoThePool) {
  // 168 each at the start, 504 in all.
  std::string body = "setp.lt.u32 %p5, %r3, 128;\n"
                     "@%p5 bra Producer;\n"
                     "setmaxnreg.inc.sync.aligned.u32 240; // BAD\n"
                     "bra End;\n"
                     "Producer: setmaxnreg.dec.sync.aligned.u32 FIX;\n";
  WaitingLaunch how = threeWarpgroups(".maxntid 384, 1, 1 .minnctapersm 1");
  expectRule(body, "40", "24", "setmaxnreg-pool", how,
             "its 168 per thread are to be 240");
  // Half a pool less.
  expectFound(replaced(body, "FIX", "24"), "setmaxnreg-pool",
              threeWarpgroups(".maxntid 384, 1, 1 .maxnreg 160"));
  // Without directives ptxas ignores it.
  expectClean(replaced(body, "FIX", "40"), threeWarpgroups(""));
}

TEST(BarrierRulesTest, AllWarpsSetMaxnreg) {
  WaitingLaunch how = threeWarpgroups(".maxntid 384, 1, 1 .minnctapersm 1");
  expectRule("setp.eq.u32 %p5, %r4, FIX;\n"
             "@%p5 bra End;\n"
             "setmaxnreg.dec.sync.aligned.u32 40; // BAD\n",
             "2", "99", "setmaxnreg-warpgroup", how);
  expectRule("setp.eq.u32 %p5, %r4, FIX;\n"
             "@%p5 bra Other;\n"
             "setmaxnreg.dec.sync.aligned.u32 40;\n"
             "bra End;\n"
             "Other: setmaxnreg.dec.sync.aligned.u32 40;\n",
             "2", "99", "setmaxnreg-warpgroup", how);
  expectRule("setp.lt.u32 %p5, %r3, 128;\n"
             "@%p5 bra First;\n"
             "setmaxnreg.inc.sync.aligned.u32 168;\n"
             "bra End;\n"
             "First: setmaxnreg.inc.sync.aligned.u32 FIX; // BAD\n",
             "40", "168", "setmaxnreg-direction", how);
}

//===----------------------------------------------------------------------===//
// Barriers of the CTA
//===----------------------------------------------------------------------===//

TEST(BarrierRulesTest, AllCountedThreadsCome) {
  expectRule("FIX\n"
             "bar.sync 1, 64; // BAD\n",
             "@%p1 bra End;", "", "barrier-incomplete", {},
             "barrier 1, to which 32 of 64 threads have come; warp 0 has "
             "ended");
  // Warp 0 comes to another one.
  expectRule("@%p1 bra First;\n"
             "bar.sync 1, 64; // BAD\n"
             "bra End;\n"
             "First: bar.sync FIX, 64;\n",
             "2", "1", "barrier-incomplete");
}

TEST(BarrierRulesTest, OneBarrierInTwoBranches) {
  expectRule("setp.lt.u32 %p5, %r5, FIX;\n"
             "@%p5 bra Low;\n"
             "bar.sync 0; // BAD\n"
             "bra End;\n"
             "Low: bar.sync 0; // OTHER\n",
             "16", "0", "divergent-barrier");
  // A guard that is not the same in all lanes.
  expectRule("setp.ge.u32 %p5, %r5, FIX;\n"
             "@%p5 bar.sync 0; // BAD\n",
             "1", "0", "divergent-barrier");
  expectRule("setp.ge.u32 %p5, %r5, FIX;\n"
             "selp.u32 %r10, 3, 4, %p5;\n"
             "bar.sync %r10; // BAD\n",
             "1", "0", "divergent-barrier");
}

TEST(BarrierRulesTest, CountsOfBarriers) {
  std::string body = "mov.u32 %r10, FIX;\n"
                     "bar.sync 1, %r10; // BAD\n";
  expectRule(body, "48", "64", "barrier-count", {}, "no multiple of 32");
  expectRule(body, "0", "64", "barrier-count");
  expectRule(body, "96", "64", "barrier-incomplete", {},
             "64 of 96 threads have come");
  // Two counts at one barrier.
  std::string text = "setp.eq.u32 %p5, %r4, 2;\n"
                     "@%p5 bra End;\n"
                     "@%p1 bra First;\n"
                     "bar.sync 1, FIX;\n"
                     "bra End;\n"
                     "First: bar.sync 1, 64;\n";
  WaitingLaunch how;
  how.block = {96, 1, 1};
  expectFound(replaced(text, "FIX", "96"), "barrier-count", how,
              "at which others wait for");
  expectClean(replaced(text, "FIX", "64"), how);
}

// bar.arrive does not wait: one warp may come twice.
TEST(BarrierRulesTest, ArrivesTwice) {
  expectClean("@%p1 bra First;\n"
              "bar.sync 1, 96;\n"
              "bra End;\n"
              "First:\n"
              "bar.arrive 1, 96;\n"
              "bar.arrive 1, 96;\n");
}

// Parts of a warp that reduce at different places get their results.
TEST(BarrierRulesTest, ReductionInBranches) {
  std::string text = waitingKernel("setp.lt.u32 %p5, %r5, 16;\n"
                                   "setp.ne.u32 %p6, %r1, 0;\n"
                                   "@%p5 bra Low;\n"
                                   "barrier.red.popc.u32 %r10, 1, %p6;\n"
                                   "bra Store;\n"
                                   "Low: barrier.red.popc.u32 %r10, 1, %p6;\n"
                                   "Store:\n"
                                   "mul.wide.u32 %d2, %r3, 4;\n"
                                   "add.s64 %d2, %d2, %d1;\n"
                                   "st.global.u32 [%d2], %r10;\n");
  forEachSchedule(text, {},
                  [&](const Schedule &schedule, const LaunchOutcome &outcome,
                      const char *global) {
                    EXPECT_EQ(outcome.status, LaunchStatus::Completed)
                        << nameOf(schedule) << ": " << allFindings(outcome);
                    for (unsigned i = 0; i < 64; ++i)
                      EXPECT_EQ(reinterpret_cast<const uint32_t *>(global)[i],
                                64u);
                  });
}

//===----------------------------------------------------------------------===//
// Barriers of the cluster
//===----------------------------------------------------------------------===//

const WaitingLaunch twoCtas{{2, 1, 1}, {64, 1, 1}, {2, 1, 1}, "", "", 1};

TEST(BarrierRulesTest, AllThreadsComeToTheClusterBarrier) {
  std::string body = makeBarriers("1") +
                     "@!%p1 bra Second;\n"
                     "barrier.cluster.arrive;\n"
                     "barrier.cluster.wait; // BAD\n"
                     "@%p2 mbarrier.arrive.shared.b64 _, [%r2];\n"
                     "bra End;\n"
                     "Second:\n"
                     "FIX\n" +
                     waitFor("%r2", "0", "W");
  expectRule(body, "", "barrier.cluster.arrive; barrier.cluster.wait;",
             "cluster-barrier-incomplete", twoCtas);
}

TEST(BarrierRulesTest, ArriveAndWaitTakeTurns) {
  expectRule("barrier.cluster.arrive;\nFIX\n"
             "barrier.cluster.arrive; // BAD\n"
             "barrier.cluster.wait;\n",
             "", "barrier.cluster.wait;", "cluster-barrier-order", twoCtas);
  expectRule("barrier.cluster.arrive;\n"
             "barrier.cluster.wait;\nFIX\n"
             "barrier.cluster.wait; // BAD\n",
             "", "barrier.cluster.arrive;", "cluster-barrier-order", twoCtas);
}

//===----------------------------------------------------------------------===//
// Lanes of a warp
//===----------------------------------------------------------------------===//

TEST(BarrierRulesTest, WarpBarriersMeet) {
  // In different branches.
  expectClean("setp.lt.u32 %p5, %r5, 16;\n"
              "@%p5 bra Low;\n"
              "st.shared.u32 [%r1], 1;\n"
              "bar.warp.sync -1;\n"
              "bar.warp.sync -1;\n"
              "bra End;\n"
              "Low:\n"
              "bar.warp.sync -1;\n"
              "bar.warp.sync -1;\n",
              {{1, 1, 1}, {32, 1, 1}, {1, 1, 1}, "", "", 1});
  // Each half on its own, and one of them later.
  expectClean("setp.lt.u32 %p5, %r5, 16;\n"
              "selp.b32 %r10, 0xffff, 0xffff0000, %p5;\n"
              "setp.lt.u32 %p6, %r5, 8;\n"
              "@%p6 bra Low;\n"
              "bar.warp.sync %r10;\n"
              "bra End;\n"
              "Low: add.u32 %r11, %r3, 1;\n"
              "bar.warp.sync %r10;\n");
  // Lanes that have ended are not waited for.
  expectClean("@%p3 bra End;\n"
              "bar.warp.sync -1;\n");
}

TEST(BarrierRulesTest, OneInstructionForAllLanes) {
  for (const char *instruction :
       {"shfl.sync.idx.b32 %r10, %r3, 0, 31, -1;",
        "vote.sync.ballot.b32 %r10, %p2, -1;",
        "match.any.sync.b32 %r10, %r3, -1;",
        "redux.sync.add.s32 %r10, %r3, -1;", "bar.warp.sync -1;"}) {
    std::string body =
        std::string("setp.lt.u32 %p5, %r5, FIX;\n"
                    "@%p5 bra Low;\n"
                    "shfl.sync.idx.b32 %r10, %r3, 0, 31, -1; // BAD\n"
                    "bra End;\n"
                    "Low: ") +
        instruction + " // OTHER\n";
    expectRule(body, "16", "0", "divergent-sync");
  }
}

} // namespace
