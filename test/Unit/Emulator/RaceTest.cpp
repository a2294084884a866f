//===- RaceTest.cpp - Tests of the race checker ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that break a rule of synchronisation, each beside its repaired twin,
// under all schedules.
//
//===----------------------------------------------------------------------===//

#include "EmulatorTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// Two warps: `first` is executed by warp 0, `second` by warp 1, `both` by all
/// between the two. %r1: address of 1024 bytes of shared memory, %r2 of an
/// mbarrier, %d1 of 1024 bytes of global memory.
std::string makeKernel(const std::string &first, const std::string &both,
                       const std::string &second) {
  return R"(
.visible .entry k(.param .u64 global) {
  .reg .b32 %r<16>; .reg .b64 %d<4>; .reg .pred %p<4>;
  .shared .align 128 .b8 buffer[1024];
  .shared .align 8 .b64 barrier;
  ld.param.u64 %d1, [global];
  mov.u32 %r1, buffer;
  mov.u32 %r2, barrier;
  mov.u32 %r3, %tid.x;
  setp.lt.s32 %p1, %r3, 32;
  @!%p1 bra Both;
)" + first +
         "\nBoth:\n" + both + "\n@%p1 bra End;\n" + second + "\nEnd: ret;\n}\n";
}

/// The ids that the kernel is reported for under any of some schedules; the
/// launch must complete.
std::vector<std::string> findingsOf(const std::string &text,
                                    bool mustComplete = true) {
  std::vector<std::string> ids;
  std::vector<Schedule> schedules{
      {Schedule::Eager}, {Schedule::Lazy}, {Schedule::Adversarial}};
  for (uint64_t seed = 0; seed < 20; ++seed)
    schedules.push_back({Schedule::Random, seed});
  for (Schedule schedule : schedules) {
    TestMachine machine(text);
    machine.options.checks = true;
    machine.options.schedule = schedule;
    char *global = machine.allocate<char>(1024);
    LaunchOutcome outcome = machine.launch({1}, {64}, global);
    if (mustComplete) {
      EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    }
    for (const Finding &finding : outcome.findings) {
      // That nobody wrote what is copied does not matter here.
      if (finding.id == "undefined-value")
        continue;
      EXPECT_NE(finding.line, 0u);
      if (finding.id == "race") {
        EXPECT_NE(finding.otherLine, 0u);
      }
      if (std::find(ids.begin(), ids.end(), finding.id) == ids.end())
        ids.push_back(finding.id);
    }
  }
  return ids;
}

using Ids = std::vector<std::string>;

TEST(RaceTest, WriteThenRead) {
  std::string write = "st.shared.u32 [%r1], 1;";
  std::string read = "ld.shared.u32 %r4, [%r1];";
  EXPECT_EQ(findingsOf(makeKernel(write, "", read)), Ids{"race"});
  EXPECT_EQ(findingsOf(makeKernel(write, "bar.sync 0;", read)), Ids{});
}

TEST(RaceTest, ReadThenWrite) {
  std::string read = "ld.shared.u32 %r4, [%r1];";
  std::string write = "st.shared.u32 [%r1], 1;";
  EXPECT_EQ(findingsOf(makeKernel(read, "", write)), Ids{"race"});
  EXPECT_EQ(findingsOf(makeKernel(read, "barrier.sync 1, 64;", write)), Ids{});
  // Other bytes.
  EXPECT_EQ(findingsOf(makeKernel(read, "", "st.shared.u32 [%r1+4], 1;")),
            Ids{});
}

TEST(RaceTest, ArriveAndSync) {
  std::string write = "st.shared.u32 [%r1], 1;";
  std::string read = "ld.shared.u32 %r4, [%r1];";
  EXPECT_EQ(findingsOf(makeKernel(write + "bar.arrive 1, 64;", "",
                                  "bar.sync 1, 64;" + read)),
            Ids{});
  // The writer arrives too early.
  EXPECT_EQ(findingsOf(makeKernel("bar.arrive 1, 64;" + write, "",
                                  "bar.sync 1, 64;" + read)),
            Ids{"race"});
}

TEST(RaceTest, MBarrierInitialisation) {
  std::string init = "setp.lt.s32 %p2, %r3, 1;"
                     "@%p2 mbarrier.init.shared.b64 [%r2], 32;";
  std::string arrive = "mbarrier.arrive.shared.b64 _, [%r2];";
  EXPECT_EQ(findingsOf(makeKernel(init, "bar.sync 0;", arrive)), Ids{});
  // What warp 1 finds depends on the schedule: an mbarrier, or none yet.
  Ids wrong{"race", "mbarrier-uninitialised"};
  EXPECT_EQ(findingsOf(makeKernel(init, "bar.warp.sync -1;", arrive),
                       /*mustComplete=*/false),
            wrong);
}

TEST(RaceTest, MBarrierOrders) {
  std::string init = "setp.lt.s32 %p2, %r3, 1;"
                     "@%p2 mbarrier.init.shared.b64 [%r2], 32;";
  // Warp 1 writes and arrives, warp 0 waits and reads: text order is turned
  // round by a branch.
  auto kernel = [&](const std::string &wait) {
    return makeKernel(init,
                      "bar.sync 0; @!%p1 bra Writer;\n" + wait +
                          "\nld.shared.u32 %r4, [%r1]; bra End;\n"
                          "Writer:",
                      "st.shared.u32 [%r1], 1;"
                      "mbarrier.arrive.shared.b64 _, [%r2];");
  };
  EXPECT_EQ(findingsOf(kernel("W: mbarrier.try_wait.parity.shared.b64 %p3, "
                              "[%r2], 0; @!%p3 bra W;")),
            Ids{});
  EXPECT_EQ(findingsOf(kernel("")), Ids{"race"});
}

TEST(RaceTest, CpAsync) {
  std::string copy = "cp.async.ca.shared.global [%r1], [%d1], 16;";
  std::string read = "ld.shared.u32 %r4, [%r1];";
  // The same warp reads without waiting.
  EXPECT_EQ(findingsOf(makeKernel(copy + read, "", "")),
            Ids{"unfinished-destination"});
  EXPECT_EQ(findingsOf(makeKernel(copy + "cp.async.wait_all;" + read, "", "")),
            Ids{});
  // Waiting is no barrier.
  EXPECT_EQ(findingsOf(makeKernel(copy + "cp.async.wait_all;", "", read)),
            (Ids{"unfinished-destination", "race"}));
  EXPECT_EQ(
      findingsOf(makeKernel(copy + "cp.async.wait_all;", "bar.sync 0;", read)),
      Ids{});
}

TEST(RaceTest, AtomicsOrder) {
  std::string add = "red.shared.add.u32 [%r1], 1;";
  EXPECT_EQ(findingsOf(makeKernel(add, "", add)), Ids{});
}

TEST(RaceTest, BulkStoreNeedsAFence) {
  std::string write = "st.shared.v4.u32 [%r1], {%r3, %r3, %r3, %r3};";
  std::string store = "elect.sync _|%p2, -1;"
                      "@%p2 cp.async.bulk.global.shared::cta.bulk_group "
                      "[%d1], [%r1], 16;"
                      "cp.async.bulk.commit_group;"
                      "cp.async.bulk.wait_group 0;";
  std::string fence = "fence.proxy.async.shared::cta;";
  EXPECT_EQ(findingsOf(makeKernel(write, "bar.sync 0;", store)),
            Ids{"missing-proxy-fence"});
  EXPECT_EQ(findingsOf(makeKernel(write + fence, "bar.sync 0;", store)), Ids{});
  // A fence that comes before the write is none.
  EXPECT_EQ(findingsOf(makeKernel(fence + write, "bar.sync 0;", store)),
            Ids{"missing-proxy-fence"});
  // One without a barrier orders nothing.
  EXPECT_EQ(findingsOf(makeKernel(write + fence, "", store)),
            (Ids{"race", "source-in-use"}));
}

TEST(RaceTest, BulkStoreReadsUntilTheWait) {
  auto store = [](const std::string &wait) {
    return "elect.sync _|%p2, -1;"
           "@%p2 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 16;"
           "@%p2 cp.async.bulk.commit_group;" +
           wait + "st.shared.u32 [%r1], 1;";
  };
  EXPECT_EQ(findingsOf(makeKernel(store(""), "", "")), Ids{"source-in-use"});
  EXPECT_EQ(
      findingsOf(makeKernel(store("cp.async.bulk.wait_group.read 0;"), "", "")),
      Ids{});
  // One group may be left: that is the one.
  EXPECT_EQ(
      findingsOf(makeKernel(store("cp.async.bulk.wait_group.read 1;"), "", "")),
      Ids{"source-in-use"});
}

TEST(RaceTest, BulkLoadIsThereAfterTheWait) {
  std::string init = "setp.lt.s32 %p2, %r3, 1;"
                     "@%p2 mbarrier.init.shared.b64 [%r2], 1;"
                     "@%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 16;"
                     "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::"
                     "complete_tx::bytes [%r1], [%d1], 16, [%r2];";
  std::string wait = "W: mbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0;"
                     "@!%p3 bra W;";
  std::string read = "ld.shared.u32 %r4, [%r1];";
  EXPECT_EQ(findingsOf(makeKernel(init, "bar.sync 0;", wait + read)), Ids{});
  EXPECT_EQ(findingsOf(makeKernel(init, "bar.sync 0;", read)),
            Ids{"unfinished-destination"});
}

TEST(RaceTest, BulkLoadOverwrites) {
  // Warp 0 reads what warp 1 then loads over.
  std::string read = "ld.shared.u32 %r4, [%r1];";
  std::string load = "setp.lt.s32 %p2, %r3, 33;"
                     "@%p2 mbarrier.init.shared.b64 [%r2], 1;"
                     "@%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 16;"
                     "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::"
                     "complete_tx::bytes [%r1], [%d1], 16, [%r2];";
  std::string fence = "fence.proxy.async.shared::cta;";
  EXPECT_EQ(findingsOf(makeKernel(read + fence, "bar.sync 0;", load)), Ids{});
  EXPECT_EQ(findingsOf(makeKernel(read, "bar.sync 0;", load)),
            Ids{"missing-proxy-fence-after-read"});
  EXPECT_EQ(findingsOf(makeKernel(read, "", load)),
            (Ids{"race", "unfinished-destination"}));
}

TEST(RaceTest, Matrices) {
  std::string store = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r3};";
  std::string load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r1];";
  EXPECT_EQ(findingsOf(makeKernel(store, "", load)), Ids{"race"});
  EXPECT_EQ(findingsOf(makeKernel(store, "bar.sync 0;", load)), Ids{});
}

TEST(RaceTest, UnfinishedDestinationsAreSpoiled) {
  // What is read of the destination before and after the wait.
  const std::string text = makeKernel(
      "cp.async.ca.shared.global [%r1], [%d1], 16; ld.shared.u32 %r4, [%r1];"
      "cp.async.wait_all; ld.shared.u32 %r5, [%r1];"
      "st.global.v2.u32 [%d1+64], {%r4, %r5};",
      "", "");
  for (Schedule schedule : {Schedule{Schedule::Eager}, {Schedule::Lazy}}) {
    TestMachine machine(text);
    machine.options.checks = true;
    machine.options.schedule = schedule;
    auto *global = machine.allocate<uint32_t>(256);
    global[0] = 7;
    LaunchOutcome outcome = machine.launch({1}, {64}, global);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed);
    bool isLate = schedule.kind == Schedule::Lazy;
    EXPECT_EQ(global[16], isLate ? 0xffffffff : 7u);
    EXPECT_EQ(global[17], 7u);
    // What is read too early is nobody's value, too.
    ASSERT_EQ(outcome.findings.size(), isLate ? 2u : 1u);
    EXPECT_EQ(outcome.findings[0].id, "unfinished-destination");
    if (isLate) {
      EXPECT_EQ(outcome.findings[1].id, "undefined-value");
    }
  }
}

} // namespace
