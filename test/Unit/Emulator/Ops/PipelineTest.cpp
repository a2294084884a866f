//===- PipelineTest.cpp - A pipeline of tensor copies ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp-specialised kernel: one thread loads tiles into two stages, two warps
// add them up, and the sum is stored as a tile. It is right under any schedule;
// its broken twins are told apart from it.
//
//===----------------------------------------------------------------------===//

#include "BulkTestUtils.h"

#include <optional>

using namespace ptxbench;
using namespace ptxbench::emulator;

/// Tiles of 16 rows of 32 words; a full mbarrier per stage for the bytes, an
/// empty one for the 64 consumers.
static const char *const pipeline = R"(
.visible .entry k(.param .align 64 .b8 in[128], .param .align 64 .b8 out[128],
                  .param .u32 count) {
  .shared .align 1024 .b8 stages[4096];
  .shared .align 1024 .b8 sum[2048];
  .shared .align 8 .b8 full[16];
  .shared .align 8 .b8 empty[16];
  .reg .b32 %r<24>; .reg .b32 %s<8>; .reg .b32 %t<8>;
  .reg .b64 %d<3>; .reg .pred %p<5>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, stages;
  mov.u32 %r3, full;
  mov.u32 %r4, empty;
  ld.param.u32 %r5, [count];
  setp.lt.s32 %p1, %r1, 1;
  @%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
  @%p1 mbarrier.init.shared::cta.b64 [%r3+8], 1;
  @%p1 mbarrier.init.shared::cta.b64 [%r4], 64;
  @%p1 mbarrier.init.shared::cta.b64 [%r4+8], 64;
  @%p1 fence.mbarrier_init.release.cluster;
  bar.sync 0;
  // %r6: the tile, %r7: its stage, %r8: the parity of the waits.
  mov.u32 %r6, 0;
  mov.u32 %r7, 0;
  setp.lt.s32 %p2, %r1, 32;
  @!%p2 bra Consumer;
  @!%p1 bra Done;
  mov.b64 %d1, in;
  mov.u32 %r8, 1;
Produce:
  setp.lt.s32 %p3, %r6, %r5;
  @!%p3 bra Done;
  shl.b32 %r10, %r7, 3;
  add.u32 %r11, %r3, %r10;
  add.u32 %r12, %r4, %r10;
  shl.b32 %r13, %r7, 11;
  add.u32 %r14, %r2, %r13;
  shl.b32 %r15, %r6, 4;
WaitEmpty:
  mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r12], %r8;
  @!%p4 bra WaitEmpty;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r11], 2048;
  cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
    [%r14], [%d1, {0, %r15}], [%r11];
  add.u32 %r6, %r6, 1;
  xor.b32 %r7, %r7, 1;
  xor.b32 %r16, %r7, 1;
  xor.b32 %r8, %r8, %r16;
  bra Produce;
Consumer:
  // Each adds up a word in every second row.
  sub.u32 %r9, %r1, 32;
  shl.b32 %r9, %r9, 2;
  mov.u32 %r8, 0;
  mov.u32 %s0, 0; mov.u32 %s1, 0; mov.u32 %s2, 0; mov.u32 %s3, 0;
  mov.u32 %s4, 0; mov.u32 %s5, 0; mov.u32 %s6, 0; mov.u32 %s7, 0;
Consume:
  setp.lt.s32 %p3, %r6, %r5;
  @!%p3 bra Store;
  shl.b32 %r10, %r7, 3;
  add.u32 %r11, %r3, %r10;
  add.u32 %r12, %r4, %r10;
  shl.b32 %r13, %r7, 11;
  add.u32 %r14, %r2, %r13;
  add.u32 %r14, %r14, %r9;
WaitFull:
  mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r11], %r8;
  @!%p4 bra WaitFull;
  ld.shared.u32 %t0, [%r14];
  ld.shared.u32 %t1, [%r14+256];
  ld.shared.u32 %t2, [%r14+512];
  ld.shared.u32 %t3, [%r14+768];
  ld.shared.u32 %t4, [%r14+1024];
  ld.shared.u32 %t5, [%r14+1280];
  ld.shared.u32 %t6, [%r14+1536];
  ld.shared.u32 %t7, [%r14+1792];
  mbarrier.arrive.shared::cta.b64 _, [%r12];
  add.u32 %s0, %s0, %t0; add.u32 %s1, %s1, %t1;
  add.u32 %s2, %s2, %t2; add.u32 %s3, %s3, %t3;
  add.u32 %s4, %s4, %t4; add.u32 %s5, %s5, %t5;
  add.u32 %s6, %s6, %t6; add.u32 %s7, %s7, %t7;
  add.u32 %r6, %r6, 1;
  xor.b32 %r7, %r7, 1;
  xor.b32 %r16, %r7, 1;
  xor.b32 %r8, %r8, %r16;
  bra Consume;
Store:
  mov.u32 %r17, sum;
  add.u32 %r18, %r17, %r9;
  st.shared.u32 [%r18], %s0;
  st.shared.u32 [%r18+256], %s1;
  st.shared.u32 [%r18+512], %s2;
  st.shared.u32 [%r18+768], %s3;
  st.shared.u32 [%r18+1024], %s4;
  st.shared.u32 [%r18+1280], %s5;
  st.shared.u32 [%r18+1536], %s6;
  st.shared.u32 [%r18+1792], %s7;
  fence.proxy.async.shared::cta;
  bar.sync 1, 64;
  setp.lt.s32 %p3, %r1, 33;
  @!%p3 bra Done;
  mov.b64 %d2, out;
  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
    [%d2, {0, 0}], [%r17];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
Done:
  ret;
}
)";

namespace {
/// A version of the pipeline with its tensors.
class Pipeline {
public:
  static constexpr unsigned tiles = 9, words = 16 * 32;

  explicit Pipeline(std::string text)
      : text(std::move(text)), machine(this->text) {
    std::vector<uint32_t> values(tiles * words);
    expected.resize(words);
    for (unsigned i = 0; i < values.size(); ++i) {
      values[i] = i * 2654435761u;
      expected[i % words] += values[i];
    }
    // Swizzled on both ways, which no one sees.
    in = makeMap(machine.upload(values), TensorElementType::U32,
                 {32, tiles * 16}, {32, 16}, TensorSwizzle::Bytes128);
    sum = machine.allocate<uint32_t>(words);
    out = makeMap(sum, TensorElementType::U32, {32, 16}, {32, 16},
                  TensorSwizzle::Bytes128);
    machine.options.maxInstructions = 1 << 20;
  }

  LaunchOutcome run(const Schedule &schedule, bool checks = false) {
    machine.options.schedule = schedule;
    machine.options.checks = checks;
    std::fill_n(sum, words, 0);
    return machine.launch({1}, {96}, MapArgument(in), MapArgument(out), tiles);
  }
  bool isRight() const {
    return std::equal(sum, sum + words, expected.begin());
  }

  std::string text;

private:
  TestMachine machine;
  std::vector<uint32_t> expected;
  TensorMap in, out;
  uint32_t *sum = nullptr;
};
} // namespace

TEST(PipelineTest, RightUnderEverySchedule) {
  Pipeline right(pipeline);
  for (const Schedule &schedule : allSchedules(20)) {
    LaunchOutcome outcome = right.run(schedule);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed)
        << nameOf(schedule) << ": " << outcome.reason;
    EXPECT_TRUE(right.isRight()) << nameOf(schedule);
  }
}

static std::string firstFinding(const LaunchOutcome &outcome) {
  if (outcome.findings.empty())
    return "";
  const Finding &finding = outcome.findings.front();
  return finding.id + " in line " + std::to_string(finding.line) +
         ", other line " + std::to_string(finding.otherLine);
}

/// The race checker follows mbarriers, proxy fences and barriers.
TEST(PipelineTest, RacesAreFound) {
  Pipeline right(pipeline);
  std::string bulkStore =
      std::to_string(lineOf(pipeline, "cp.async.bulk.tensor.2d.global"));
  std::string fence = "  fence.proxy.async.shared::cta;\n";
  std::string barrier = "  bar.sync 1, 64;\n";
  // As long as the lines stay.
  Pipeline unfenced(replaced(pipeline, fence, "\n"));
  Pipeline unordered(replaced(pipeline, barrier, "\n"));
  std::string wait = "  @!%p4 bra WaitEmpty;\n";
  std::string tryWait =
      "  mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r12], %r8;\n";
  Pipeline overwriting(replaced(pipeline, tryWait + wait, "\n\n"));
  Pipeline early(
      replaced(pipeline,
               "  mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r11], %r8;\n"
               "  @!%p4 bra WaitFull;\n",
               "\n\n"));
  for (const Schedule &schedule : allSchedules(20)) {
    EXPECT_EQ(firstFinding(right.run(schedule, true)), "") << nameOf(schedule);
    EXPECT_EQ(firstFinding(unfenced.run(schedule, true)),
              "missing-proxy-fence in line " + bulkStore + ", other line " +
                  std::to_string(lineOf(pipeline, "st.shared.u32 [%r18], %s0")))
        << nameOf(schedule);
    // What is read before it is there is undefined, too.
    LaunchOutcome read = unordered.run(schedule, true);
    EXPECT_TRUE(std::any_of(
        read.findings.begin(), read.findings.end(),
        [](const Finding &finding) { return finding.id == "race"; }))
        << nameOf(schedule);
    // With eager loads the phases are over before anyone waits for them.
    LaunchOutcome overwritten = overwriting.run(schedule, true);
    if (schedule.kind == Schedule::Eager) {
      EXPECT_EQ(overwritten.status, LaunchStatus::Deadlock);
    } else {
      EXPECT_NE(firstFinding(overwritten), "") << nameOf(schedule);
    }
    EXPECT_NE(firstFinding(early.run(schedule, true)), "") << nameOf(schedule);
  }
}

/// 16 bytes more come than are expected: no phase ends.
TEST(PipelineTest, WrongByteCount) {
  Pipeline broken(replaced(pipeline, "[%r11], 2048", "[%r11], 2032"));
  std::string line = "in line " +
                     std::to_string(lineOf(pipeline, "%p4, [%r11]")) +
                     " for a phase of an mbarrier";
  for (const Schedule &schedule : allSchedules(20)) {
    LaunchOutcome outcome = broken.run(schedule);
    EXPECT_EQ(outcome.status, LaunchStatus::Deadlock) << nameOf(schedule);
    EXPECT_NE(outcome.reason.find(line), std::string::npos) << outcome.reason;
  }
}

/// The producer overwrites stages that are not empty. A schedule that completes
/// loads late lets it arrive at a full mbarrier whose phase is not over.
TEST(PipelineTest, MissingWaitForEmpty) {
  std::string wait =
      "  mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r12], %r8;\n"
      "  @!%p4 bra WaitEmpty;\n";
  ASSERT_NE(lineOf(pipeline, wait), 0u);
  Pipeline broken(replaced(pipeline, wait, ""));
  std::string arrival = "mbarrier.arrive.expect_tx";
  for (Schedule::Kind kind : {Schedule::Lazy, Schedule::Adversarial})
    EXPECT_TRUE(isFault(broken.run({kind, 0}), broken.text, arrival,
                        "mbarrier-overflow", "where 0 are pending"));
  // No other one gives the right sum by luck.
  for (const Schedule &schedule : allSchedules(20)) {
    LaunchOutcome outcome = broken.run(schedule);
    EXPECT_FALSE(outcome.status == LaunchStatus::Completed && broken.isRight())
        << nameOf(schedule);
  }
}

/// A try_wait may give up: without the loop a random schedule finds that out.
TEST(PipelineTest, MissingLoopAroundWait) {
  Pipeline broken(replaced(pipeline, "  @!%p4 bra WaitFull;\n", ""));
  unsigned found = 0;
  for (const Schedule &schedule : allSchedules(20)) {
    LaunchOutcome outcome = broken.run(schedule);
    found += outcome.status != LaunchStatus::Completed || !broken.isRight();
  }
  EXPECT_GE(found, 15u);
}

TEST(PipelineTest, MissingInit) {
  Pipeline broken(replaced(
      pipeline, "  @%p1 mbarrier.init.shared::cta.b64 [%r3+8], 1;\n", ""));
  for (const Schedule &schedule : allSchedules(20)) {
    LaunchOutcome outcome = broken.run(schedule);
    ASSERT_EQ(outcome.status, LaunchStatus::Fault) << nameOf(schedule);
    EXPECT_EQ(outcome.findings.front().id, "mbarrier-uninitialised");
    unsigned line = outcome.findings.front().line;
    EXPECT_TRUE(line == lineOf(broken.text, "mbarrier.arrive.expect_tx") ||
                line == lineOf(broken.text, "%p4, [%r11]"))
        << outcome.reason;
  }
}
