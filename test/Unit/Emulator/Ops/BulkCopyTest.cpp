//===- BulkCopyTest.cpp - Tests of cp.async.bulk and cp.reduce ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every direction of the bulk copies, their completion by mbarriers and by
// groups, and operands that are wrong.
//
//===----------------------------------------------------------------------===//

#include "BulkTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

/// The first thread of each CTA of a cluster loads 256 bytes from `in`, waits,
/// and executes `body`. %d1: in; %d2: out; %r2: data; %r3: the mbarrier, for
/// which everyone has waited once; %r4: the rank; %h1: mask.
static std::string bulkKernel(const std::string &body,
                              const std::string &size = "256") {
  std::string text = R"(
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 mask) {
  .shared .align 128 .b8 data[512];
  .shared .align 8 .b64 bar;
  .reg .b16 %h<2>; .reg .b32 %r<12>; .reg .b64 %d<6>; .reg .pred %p<6>;
  ld.param.u64 %d1, [in];
  ld.param.u64 %d2, [out];
  ld.param.b16 %h1, [mask];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, data;
  mov.u32 %r3, bar;
  mov.u32 %r4, %cluster_ctarank;
  setp.lt.s32 %p1, %r1, 1;
  @!%p1 bra Done;
  mbarrier.init.shared::cta.b64 [%r3], 1;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 256;
  mov.u32 %r5, SIZE;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
    [%r2], [%d1], %r5, [%r3];
Wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
  @!%p2 bra Wait;
BODY
Done:
  ret;
}
)";
  return replaced(replaced(text, "SIZE", size), "BODY", body);
}

/// Stores shared memory, all 512 bytes.
static const std::string storeAll = R"(
  cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r2], 512;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
)";

static std::vector<uint32_t> words(unsigned count, uint32_t first = 1) {
  std::vector<uint32_t> values(count);
  for (unsigned i = 0; i < count; ++i)
    values[i] = first + i;
  return values;
}

TEST(BulkCopyTest, LoadsAndStores) {
  for (std::string space : {"shared::cluster", "shared::cta"}) {
    TestMachine machine(replaced(bulkKernel(storeAll), "shared::cluster.global",
                                 space + ".global"));
    auto *in = machine.upload(words(64));
    auto *out = machine.allocate<uint32_t>(128);
    std::vector<uint32_t> expected = words(64);
    expected.resize(128);
    for (const Schedule &schedule : allSchedules()) {
      machine.options.schedule = schedule;
      std::fill_n(out, 128, 77);
      LaunchOutcome outcome = machine.launch({1}, {64}, in, out, 0);
      ASSERT_EQ(outcome.status, LaunchStatus::Completed)
          << nameOf(schedule) << ": " << outcome.reason;
      EXPECT_EQ(std::vector<uint32_t>(out, out + 128), expected);
    }
  }
}

/// Groups complete on their own: what `wait_group 1` leaves is the younger one.
/// Without a wait the bytes come before the launch ends.
TEST(BulkCopyTest, Groups) {
  TestMachine machine(bulkKernel(R"(
  cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r2], 16;
  cp.async.bulk.commit_group;
  cp.async.bulk.global.shared::cta.bulk_group [%d2+16], [%r2], 16;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 1;
  ld.global.u32 %r6, [%d2];
  st.global.u32 [%d2+32], %r6;
)"));
  auto *in = machine.upload(words(64));
  auto *out = machine.allocate<uint32_t>(9);
  for (const Schedule &schedule : allSchedules()) {
    machine.options.schedule = schedule;
    std::fill_n(out, 9, 0);
    LaunchOutcome outcome = machine.launch({1}, {32}, in, out, 0);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    EXPECT_EQ(std::vector<uint32_t>(out, out + 9),
              (std::vector<uint32_t>{1, 2, 3, 4, 1, 2, 3, 4, 1}))
        << nameOf(schedule);
  }
}

/// `.read` lets the source be used again; the destination is written later.
TEST(BulkCopyTest, WaitForReads) {
  std::string body = R"(
  cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r2], 16;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;
  st.shared.u32 [%r2], 99;
  ld.global.u32 %r6, [%d2];
  st.global.u32 [%d2+32], %r6;
)";
  TestMachine reads(bulkKernel(body));
  TestMachine all(bulkKernel(replaced(body, ".read", "")));
  for (const Schedule &schedule : allSchedules()) {
    for (TestMachine *machine : {&reads, &all}) {
      auto *in = machine->upload(words(64));
      auto *out = machine->upload(std::vector<uint32_t>(9, 55));
      machine->options.schedule = schedule;
      LaunchOutcome outcome = machine->launch({1}, {32}, in, out, 0);
      ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
      EXPECT_EQ(out[0], 1u) << nameOf(schedule);
      if (schedule.kind == Schedule::Random && machine == &reads)
        continue;
      bool isWritten = machine == &all || schedule.kind == Schedule::Eager;
      EXPECT_EQ(out[8], isWritten ? 1u : 55u) << nameOf(schedule);
    }
  }
}

/// Copies of nothing behind the last element, which complete as others do.
TEST(BulkCopyTest, NoBytes) {
  TestMachine machine(bulkKernel(R"(
  cp.async.bulk.global.shared::cta.bulk_group [%d2+512], [%r2], 0;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 0;
  cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
    [%r2], [%d2+512], 0, [%r3];
Again:
  mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 1;
  @!%p3 bra Again;
)" + storeAll));
  auto *in = machine.upload(words(64));
  auto *out = machine.allocate<uint32_t>(128);
  for (const Schedule &schedule : allSchedules()) {
    machine.options.schedule = schedule;
    LaunchOutcome outcome = machine.launch({1}, {32}, in, out, 0);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    EXPECT_EQ(out[63], 64u);
  }
}

/// Rank 0 sends its 256 bytes to the second half of rank 1.
static std::string clusterBody(const std::string &send) {
  return R"(
  add.u32 %r6, %r2, 256;
  mov.u32 %r7, 0x01000000;
  or.b32 %r6, %r6, %r7;
  or.b32 %r7, %r3, %r7;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  setp.lt.s32 %p3, %r4, 1;
  @%p3 bra Send;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 256;
Receive:
  mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3], 1;
  @!%p4 bra Receive;
)" + storeAll +
         "  bra Done;\nSend:\n  " + send + "\n";
}
static const std::string sendCopy =
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
    "[%r6], [%r2], 256, [%r7];";

TEST(BulkCopyTest, ToAnotherCta) {
  // One thread per CTA: the barrier of the cluster is for all.
  TestMachine machine(bulkKernel(clusterBody(sendCopy)));
  machine.config.cluster = {2};
  auto *in = machine.upload(words(64));
  auto *out = machine.allocate<uint32_t>(128);
  std::vector<uint32_t> expected = words(64), half = expected;
  expected.insert(expected.end(), half.begin(), half.end());
  for (const Schedule &schedule : allSchedules()) {
    machine.options.schedule = schedule;
    std::fill_n(out, 128, 0);
    LaunchOutcome outcome = machine.launch({2}, {1}, in, out, 0);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    EXPECT_EQ(std::vector<uint32_t>(out, out + 128), expected)
        << nameOf(schedule);
  }
}

TEST(BulkCopyTest, ReductionsInACluster) {
  const struct {
    const char *op;
    uint32_t before, operand, after, afterHigh;
  } cases[] = {
      {"and.b32", 0xff, 0x3c, 0x3c, 0x3c},
      {"or.b32", 0xf0, 0x0f, 0xff, 0xff},
      {"xor.b32", 0xff, 0x0f, 0xf0, 0xf0},
      {"add.u32", 7, 0xffffffff, 6, 6},
      {"add.s32", 7, 0xffffffff, 6, 6},
      {"add.u64", 7, 0xffffffff, 6, 7},
      {"inc.u32", 3, 3, 0, 0},
      {"dec.u32", 0, 3, 3, 3},
      {"min.u32", 1, 0xffffffff, 1, 1},
      {"min.s32", 1, 0xffffffff, 0xffffffff, 0xffffffff},
      {"max.u32", 1, 0xffffffff, 0xffffffff, 0xffffffff},
      {"max.s32", 1, 0xffffffff, 1, 1},
  };
  for (const auto &test : cases) {
    // Rank 1 reduces into its first half.
    std::string send = "cp.reduce.async.bulk.shared::cluster.shared::cta"
                       ".mbarrier::complete_tx::bytes." +
                       std::string(test.op) + " [%r6], [%r2], 256, [%r7];";
    std::string body =
        replaced(clusterBody(send), "%r2, 256;\n  mov", "%r2, 0;\n  mov");
    std::string text = replaced(bulkKernel(body), "  mov.u32 %r5, 256;",
                                "  mov.u32 %r5, 256;\n"
                                "  setp.lt.s32 %p5, %r4, 1;\n"
                                "  @%p5 add.u64 %d1, %d1, 256;");
    TestMachine machine(text);
    machine.config.cluster = {2};
    std::vector<uint32_t> values(64, test.before);
    values.resize(128, test.operand);
    auto *in = machine.upload(values);
    auto *out = machine.allocate<uint32_t>(128);
    LaunchOutcome outcome = machine.launch({2}, {1}, in, out, 0);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    for (unsigned i = 0; i < 64; ++i)
      ASSERT_EQ(out[i], i % 2 ? test.afterHigh : test.after) << test.op;
  }
}

TEST(BulkCopyTest, ReductionsInGlobalMemory) {
  // Pairs of words; every CTA of four reduces once.
  using Pair = std::array<uint32_t, 2>;
  const struct {
    const char *op;
    Pair before, operand, after;
  } cases[] = {
      {"and.b64", {0xff, 1}, {0x3c, 3}, {0x3c, 1}},
      {"or.b32", {0xf0, 1}, {0x0f, 2}, {0xff, 3}},
      {"xor.b32", {0xff, 1}, {0x0f, 2}, {0xff, 1}},
      {"add.u32", {7, 1}, {0xffffffff, 1}, {3, 5}},
      {"add.s32", {7, 1}, {0xffffffff, 1}, {3, 5}},
      {"add.u64", {7, 1}, {0xffffffff, 0}, {3, 5}},
      {"add.f32", {0x3fc00000, 0}, {0x3e800000, 0}, {0x40200000, 0}},
      {"add.f64", {0, 0x3ff80000}, {0, 0x3fd00000}, {0, 0x40040000}},
      {"add.noftz.f16", {0x3c003c00, 0}, {0x3400, 0}, {0x3c004000, 0}},
      {"add.noftz.bf16", {0x3fc03fc0, 0}, {0x3e80, 0}, {0x3fc04020, 0}},
      {"inc.u32", {1, 0}, {2, 9}, {2, 4}},
      {"dec.u32", {1, 0}, {2, 9}, {0, 6}},
      {"min.s64", {1, 0}, {5, 0xffffffff}, {5, 0xffffffff}},
      {"max.u64", {1, 0}, {5, 0xffffffff}, {5, 0xffffffff}},
      {"min.f16", {0x3c003c00, 0}, {0xbc003800, 0}, {0xbc003800, 0}},
      {"max.bf16", {0x3f803f80, 0}, {0xbf804000, 0}, {0x3f804000, 0}},
  };
  for (const auto &test : cases) {
    TestMachine machine(
        bulkKernel("  cp.reduce.async.bulk.global.shared::cta.bulk_group." +
                   std::string(test.op) +
                   " [%d2], [%r2], 256;\n  cp.async.bulk.commit_group;\n"
                   "  cp.async.bulk.wait_group 0;\n"));
    machine.options.hostThreads = 2;
    auto *in = machine.upload(std::vector<Pair>(32, test.operand));
    auto *out = machine.upload(std::vector<Pair>(32, test.before));
    LaunchOutcome outcome = machine.launch({4}, {32}, in, out, 0);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    EXPECT_EQ(std::vector<Pair>(out, out + 32),
              std::vector<Pair>(32, test.after))
        << test.op;
  }
}

TEST(BulkCopyTest, Multicast) {
  // Rank 0 loads the second half of both.
  std::string text = bulkKernel(R"(
  setp.lt.s32 %p3, %r4, 1;
  add.u32 %r6, %r2, 256;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 256;
  @%p3 cp.async.bulk.shared::cluster.global
    .mbarrier::complete_tx::bytes.multicast::cluster
    [%r6], [%d1], 256, [%r3], %h1;
Second:
  mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3], 1;
  @!%p4 bra Second;
  @!%p3 add.u64 %d2, %d2, 512;
)" + storeAll);
  TestMachine machine(text);
  machine.config.cluster = {2};
  auto *in = machine.upload(words(64));
  auto *out = machine.allocate<uint32_t>(256);
  for (const Schedule &schedule : allSchedules()) {
    machine.options.schedule = schedule;
    std::fill_n(out, 256, 0);
    LaunchOutcome outcome = machine.launch({2}, {1}, in, out, 3);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    for (unsigned i = 0; i < 256; ++i)
      ASSERT_EQ(out[i], 1 + i % 64) << nameOf(schedule);
  }
  LaunchOutcome outcome = machine.launch({2}, {1}, in, out, 4);
  EXPECT_TRUE(isFault(outcome, text, "@%p3 cp.async.bulk", "multicast-mask",
                      "the mask 0x4 names CTAs beyond the 2"));
}

/// What sm_100 adds.
TEST(BulkCopyTest, ByteMasksAndFills) {
  std::string text = bulkKernel(R"(
  st.bulk.weak.shared::cta [%r2+16], 16, 0;
  cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%d2], [%r2], 32, %h1;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
)");
  TestMachine machine(".version 9.0\n.target sm_100a\n.address_size 64\n" +
                      text);
  auto *in = machine.upload(std::vector<uint32_t>(64, 0x44332211));
  auto *out = machine.upload(std::vector<uint32_t>(8, 0xeeeeeeee));
  LaunchOutcome outcome = machine.launch({1}, {32}, in, out, 0x80f6);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(
      std::vector<uint32_t>(out, out + 8),
      (std::vector<uint32_t>{0xee3322ee, 0x44332211, 0xeeeeeeee, 0x44eeeeee,
                             0xee0000ee, 0, 0xeeeeeeee, 0x00eeeeee}));
}

TEST(BulkCopyTest, Prefetch) {
  std::string text =
      bulkKernel("  cp.async.bulk.prefetch.L2.global [%d1], %r5;\n" + storeAll);
  TestMachine machine(text);
  auto *in = machine.upload(words(64));
  auto *out = machine.allocate<uint32_t>(128);
  LaunchOutcome outcome = machine.launch({1}, {32}, in, out, 0);
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(out[63], 64u);
}

TEST(BulkCopyTest, Faults) {
  auto faults = [](const std::string &text, unsigned inOffset,
                   unsigned outOffset, const std::string &piece,
                   const std::string &id, const std::string &message) {
    TestMachine machine(text);
    auto *in = reinterpret_cast<char *>(machine.upload(words(64)));
    auto *out = reinterpret_cast<char *>(machine.allocate<uint32_t>(128));
    return isFault(machine.launch({1}, {32}, in + inOffset, out + outOffset, 0),
                   text, piece, id, message);
  };
  const std::string load = "cp.async.bulk.shared::cluster.global",
                    store = "cp.async.bulk.global";
  std::string right = bulkKernel(storeAll);
  EXPECT_TRUE(faults(right, 8, 0, load, "misaligned", "the source, address"));
  EXPECT_TRUE(faults(right, 16, 0, load, "out-of-bounds",
                     "the source: the 256 bytes at global address 0x"));
  EXPECT_TRUE(
      faults(right, 0, 4, store, "misaligned", "the destination, address"));
  EXPECT_TRUE(faults(right, 0, 16, store, "out-of-bounds",
                     "the destination: the 512 bytes at global address 0x"));
  EXPECT_TRUE(faults(bulkKernel(storeAll, "250"), 0, 0, load, "bulk-size",
                     "a multiple of 16 but is 250"));
  EXPECT_TRUE(faults(replaced(right, "[%r2], [%d1]", "[%r2+8], [%d1]"), 0, 0,
                     load, "misaligned", "the destination, address 0x408"));
  EXPECT_TRUE(faults(replaced(right, "[%r2], [%d1]", "[%r2+512], [%d1]"), 0, 0,
                     load, "out-of-bounds",
                     "the destination: the 256 bytes at shared::cluster "
                     "address 0x600 are not in shared memory"));
  // Of a CTA that the cluster does not have.
  EXPECT_TRUE(faults(replaced(right, "[%r2], [%d1]", "[%r2+0x1000000], [%d1]"),
                     0, 0, load, "out-of-bounds",
                     "shared::cluster address 0x1000400"));
  EXPECT_TRUE(faults(replaced(right, "%r5, [%r3]", "%r5, [%r2]"), 0, 0, load,
                     "mbarrier-uninitialised", "is not initialised"));
  EXPECT_TRUE(faults(replaced(right, "[%d2], [%r2]", "[%d2], [%r2+128]"), 0, 0,
                     store, "out-of-bounds",
                     "the source: the 512 bytes at shared address 0x480"));
  EXPECT_TRUE(faults(bulkKernel("  cp.async.bulk.prefetch.L2.global [%d1+8], "
                                "%r5;"),
                     0, 0, "prefetch", "misaligned", "the source"));
}

TEST(BulkCopyTest, MBarrierOfAnotherCta) {
  std::string send = replaced(sendCopy, "[%r7]", "[%r3]");
  std::string text = bulkKernel(clusterBody(send));
  TestMachine machine(text);
  machine.config.cluster = {2};
  auto *in = machine.upload(words(64));
  auto *out = machine.allocate<uint32_t>(128);
  LaunchOutcome outcome = machine.launch({2}, {1}, in, out, 0);
  EXPECT_TRUE(isFault(outcome, text, send, "bulk-mbarrier",
                      "the mbarrier is in the CTA of rank 0 but the "
                      "destination is in that of rank 1"));
}
