//===- ProtocolTest.cpp - Rules of synchronisation within a CTA -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that breaks the rule, and one that differs only by what was
// missing. Nothing depends on the schedule.
//
//===----------------------------------------------------------------------===//

#include "CheckTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// Each of 64 threads fills 16 bytes of the buffer.
const std::string fill = R"(
  shl.b32 %r6, %r3, 4;
  add.u32 %r6, %r6, %r1;
  st.shared.v4.u32 [%r6], {%r3, %r3, %r3, %r3};
)";
const std::string fence = "fence.proxy.async.shared::cta;";

/// Thread 0 stores the box at the beginning of the buffer.
const std::string storeBox = R"(
  @%p2 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
    [%d2, {%r0, %r0}], [%r1];
  @%p2 cp.async.bulk.commit_group;
  @%p2 cp.async.bulk.wait_group 0;
)";

/// Thread 0 makes the mbarrier %r2 with that count.
std::string init(const std::string &count) {
  return "  @%p2 mbarrier.init.shared::cta.b64 [%r2], " + count +
         ";\n  bar.sync 0;\n";
}
/// Thread 0 loads `bytes` at the beginning of the buffer.
std::string load(const std::string &bytes) {
  return "  @%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], " + bytes +
         ";\n"
         "  @%p2 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
         "[%r1], [%d1], " +
         bytes + ", [%r2];\n";
}

/// A is at the beginning of the buffer, 64 x 16 of bf16, B 2048 bytes behind
/// it, 8 x 16. Of canonical layouts without swizzling: leading offset 128,
/// stride 256.
const std::string makeDescriptors = R"(
  shr.u32 %r20, %r1, 4;
  and.b32 %r20, %r20, 16383;
  mov.u32 %r21, 16;
  or.b32 %r22, %r20, 524288;
  mov.b64 %d5, {%r22, %r21};
  add.s64 %d6, %d5, 128;
  setp.ne.s32 %p8, %r0, %r0;
)";
const std::string product = R"(
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
    {%f0, %f1, %f2, %f3}, %d5, %d6, %p8, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
)";
/// Threads of 128 fill A and B.
const std::string fillOperands = R"(
  shl.b32 %r6, %r3, 5;
  add.u32 %r6, %r6, %r1;
  st.shared.v4.u32 [%r6], {%r3, %r3, %r3, %r3};
  st.shared.v4.u32 [%r6+16], {%r3, %r3, %r3, %r3};
)";

const CheckedLaunch warpgroup{{1, 1, 1}, {128, 1, 1}, {1, 1, 1}};

} // namespace

TEST(ProtocolTest, Rule1FenceBeforeTensorStore) {
  expectRule(fill + "FIX\n bar.sync 0;" + storeBox, fence,
             {"missing-proxy-fence"});
  // One for the other memory is none.
  expectFound(
      checkedKernel(fill + "fence.proxy.async.global; bar.sync 0;" + storeBox),
      {"missing-proxy-fence"});
  // With the fence and without the barrier.
  expectRule(fill + fence + "FIX" + storeBox, "bar.sync 0;",
             {"race", "source-in-use"});
}

TEST(ProtocolTest, Rule2FenceBeforeWgmma) {
  expectRule(makeDescriptors + fillOperands + "FIX\n bar.sync 0;" + product +
                 "wgmma.wait_group.sync.aligned 0;",
             fence, {"missing-proxy-fence"}, warpgroup);
}

TEST(ProtocolTest, Rule4FenceBetweenReadAndLoad) {
  expectRule(init("1") + R"(
  shl.b32 %r6, %r3, 2;
  add.u32 %r6, %r6, %r1;
  ld.shared.u32 %r7, [%r6];
  FIX
  bar.sync 0;
)" + load("256") +
                 waitFor("%r2", "0", "Full"),
             fence, {"missing-proxy-fence-after-read"});
}

TEST(ProtocolTest, Rule5FenceOnPathsWithoutTrips) {
  // The loop is over before it begins.
  expectRule(fill + R"(
  ld.global.u32 %r8, [%d0];
Loop:
  setp.le.s32 %p7, %r8, 0;
  @%p7 bra Through;
  st.shared.u32 [%r6], %r8;
  fence.proxy.async.shared::cta;
  sub.s32 %r8, %r8, 1;
  bra Loop;
Through:
  FIX
  bar.sync 0;
)" + storeBox,
             fence, {"missing-proxy-fence"});
}

TEST(ProtocolTest, Rule6InitVisibleBeforeUse) {
  // What the others find depends on the schedule: an mbarrier, or none yet.
  expectRule(R"(
  @%p2 mbarrier.init.shared::cta.b64 [%r2], 64;
  FIX
  mbarrier.arrive.shared::cta.b64 _, [%r2];
)",
             "bar.sync 0;", {"race", "mbarrier-uninitialised"});
}

TEST(ProtocolTest, Rule15SlotIsEmptyBeforeItIsReused) {
  // Warp 1 publishes two values in one slot.
  const std::string body = R"(
  @%p2 mbarrier.init.shared::cta.b64 [%r2], 32;
  @%p2 mbarrier.init.shared::cta.b64 [%r2+8], 32;
  bar.sync 0;
  add.u32 %r10, %r2, 8;
  @%p1 bra Consumer;
  st.shared.u32 [%r1], 1;
  mbarrier.arrive.shared::cta.b64 _, [%r2];
  FIX
  st.shared.u32 [%r1], 2;
  bra End;
Consumer:
)" + waitFor("%r2", "0", "Full") +
                           R"(
  ld.shared.u32 %r7, [%r1];
  mbarrier.arrive.shared::cta.b64 _, [%r10];
)";
  expectRule(body, waitFor("%r10", "0", "Empty"), {"race"});
}

TEST(ProtocolTest, Rule16WaitDominatesTheConsumer) {
  expectRule(makeDescriptors + init("1") + load("2560") + "FIX" + product +
                 "wgmma.wait_group.sync.aligned 0;" +
                 waitFor("%r2", "0", "Late"),
             waitFor("%r2", "0", "Full"),
             {"unfinished-destination", "source-in-use"}, warpgroup);
}

TEST(ProtocolTest, Rule16WaitsMayGiveUp) {
  // A try_wait whose result is not looked at.
  const std::string body =
      init("1") + load("1024") +
      "mbarrier.try_wait.parity.shared::cta.b64 %p7, [%r2], 0;"
      "FIX ld.shared.u32 %r7, [%r1];";
  std::string broken = body;
  broken.erase(broken.find("FIX"), 3);
  bool isFound = false;
  forEachSchedule(checkedKernel(broken), {},
                  [&](const Schedule &schedule, const CheckedOutcome &result) {
                    if (schedule.kind == Schedule::Adversarial)
                      isFound = result.has("unfinished-destination");
                  });
  EXPECT_TRUE(isFound);
  std::string repaired = body;
  repaired.replace(repaired.find("FIX"), 3, waitFor("%r2", "0", "Full"));
  expectClean(checkedKernel(repaired));
}

/// Four warps multiply and say so; thread 128 loads over the operands.
static std::string reusedStage(const std::string &between) {
  return makeDescriptors + R"(
  @%p2 mbarrier.init.shared::cta.b64 [%r2], 1;
  @%p2 mbarrier.init.shared::cta.b64 [%r2+8], 4;
  add.u32 %r10, %r2, 8;
  bar.sync 0;
  setp.ge.s32 %p5, %r3, 128;
  @%p5 bra Producer;
)" + product +
         between +
         R"(
  and.b32 %r11, %r3, 31;
  setp.eq.s32 %p6, %r11, 0;
  @%p6 mbarrier.arrive.shared::cta.b64 _, [%r10];
  wgmma.wait_group.sync.aligned 0;
  bra End;
Producer:
  setp.eq.s32 %p2, %r3, 128;
  @!%p2 bra End;
)" + waitFor("%r10", "0", "Empty") +
         load("2560") + waitFor("%r2", "0", "Full");
}

TEST(ProtocolTest, Rule17WaitBeforeTheStageIsReleased) {
  const CheckedLaunch how{{1, 1, 1}, {160, 1, 1}, {1, 1, 1}};
  expectFound(checkedKernel(reusedStage("")), {"source-in-use"}, how);
  expectClean(checkedKernel(reusedStage("wgmma.wait_group.sync.aligned 0;")),
              how);
}

TEST(ProtocolTest, Rule18WaitIsForItsOwnWarpgroup) {
  // The first of two warpgroups overwrites what both read.
  expectRule(makeDescriptors + product + R"(
  wgmma.wait_group.sync.aligned 0;
  FIX
  setp.ge.s32 %p5, %r3, 128;
  @%p5 bra End;
  @%p2 st.shared.u32 [%r1+2048], 1;
)",
             "bar.sync 0;", {"source-in-use", "race"},
             {{1, 1, 1}, {256, 1, 1}, {1, 1, 1}});
}

TEST(ProtocolTest, Rule19MoreBuffersThanWgmmaInFlight) {
  // One may be in flight, and there is one buffer.
  auto body = [](const std::string &left) {
    return makeDescriptors + product + "wgmma.wait_group.sync.aligned " + left +
           ";\n bar.sync 0;\n" + fillOperands + fence + "\n bar.sync 0;\n" +
           product + "wgmma.wait_group.sync.aligned 0;";
  };
  expectFound(checkedKernel(body("1")), {"source-in-use"}, warpgroup);
  expectClean(checkedKernel(body("0")), warpgroup);
}

/// One thread stores from two stages in turn, and leaves so many groups.
static std::string twoStages(const std::string &left, const std::string &late) {
  return checkedKernel(R"(
  @!%p2 bra End;
  mov.u32 %r6, 0;
Loop:
  and.b32 %r7, %r6, 1;
  shl.b32 %r7, %r7, 7;
  add.u32 %r7, %r7, %r1;
  add.u32 %r8, %r6, 1;
  st.shared.u32 [%r7], %r8;
  fence.proxy.async.shared::cta;
  cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r7], 128;
  cp.async.bulk.commit_group;
)" + left + R"(
  add.u32 %r6, %r6, 1;
  setp.lt.s32 %p5, %r6, 4;
  @%p5 bra Loop;
)" + late);
}

TEST(ProtocolTest, Rule21FewerGroupsThanStages) {
  expectFound(twoStages("cp.async.bulk.wait_group.read 2;", ""),
              {"source-in-use"});
  expectClean(twoStages("cp.async.bulk.wait_group.read 1;", ""));
}

TEST(ProtocolTest, Rule22WaitAtThePointOfReuse) {
  expectFound(twoStages("", "cp.async.bulk.wait_group.read 0;"),
              {"source-in-use"});
  expectClean(twoStages("cp.async.bulk.wait_group.read 0;", ""));
}

/// Thread 0 copies the map to global memory and loads a box with the copy.
static std::string changedMap(const std::string &fences) {
  return init("1") + R"(
  @!%p2 bra End;
  add.s64 %d3, %d1, 4096;
  mov.u32 %r6, 0;
Copy:
  cvt.u64.u32 %d4, %r6;
  add.s64 %d7, %d2, %d4;
  ld.param.u64 %d8, [%d7];
  add.s64 %d7, %d3, %d4;
  st.global.u64 [%d7], %d8;
  add.u32 %r6, %r6, 8;
  setp.lt.s32 %p5, %r6, 128;
  @%p5 bra Copy;
)" + fences +
         R"(
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 1024;
  cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
    [%r1], [%d3, {%r0, %r0}], [%r2];
)" + waitFor("%r2", "0", "Full");
}

TEST(ProtocolTest, Rule23FencesBehindAChangedTensorMap) {
  const std::string release = "fence.proxy.tensormap::generic.release.gpu;\n";
  const std::string acquire =
      "fence.proxy.tensormap::generic.acquire.gpu [%d3], 128;\n";
  for (const std::string &some : {std::string(), release, acquire})
    expectFound(checkedKernel(changedMap(some)), {"missing-tensormap-fence"});
  expectClean(checkedKernel(changedMap(release + acquire)));
}
