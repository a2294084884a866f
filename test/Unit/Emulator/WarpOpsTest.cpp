//===- WarpOpsTest.cpp - Tests of exchange and votes in a warp ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against the pseudocode of the manual, with whole and partial warps, parted
// groups, and lanes that have ended.
//
//===----------------------------------------------------------------------===//

#include "EmulatorTestUtils.h"

#include <algorithm>
#include <functional>

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// Runs `body` by `threads` threads of one warp with four words of input and
/// of output each.
struct WarpRun {
  WarpRun(const std::string &body, unsigned threads,
          const std::vector<uint32_t> &in)
      : machine(threadKernel(body, 4, 4)) {
    uint32_t *device = machine.upload(in);
    out = machine.upload(std::vector<uint32_t>(4 * 32, 0xcafe));
    outcome = machine.launch({1}, {threads}, device, out);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  }
  uint32_t word(unsigned thread, unsigned index) const {
    return out[4 * thread + index];
  }
  uint64_t threadsOf(llvm::StringRef opcode) const {
    uint64_t sum = 0;
    for (const InstructionCount &count : outcome.counts)
      if (count.opcode == opcode)
        sum += count.threads;
    return sum;
  }

  TestMachine machine;
  uint32_t *out;
  LaunchOutcome outcome;
};

std::vector<uint32_t> someWords(unsigned seed) {
  std::vector<uint32_t> words(4 * 32);
  for (uint32_t &word : words)
    word = seed = seed * 1664525 + 1013904223;
  return words;
}

/// PTX ISA "shfl.sync", "Semantics".
std::pair<unsigned, bool> shflSource(const std::string &mode, int lane,
                                     uint32_t b, uint32_t c) {
  int bval = b & 0x1f, cval = c & 0x1f, mask = c >> 8 & 0x1f;
  int maxLane = (lane & mask) | (cval & ~mask & 31);
  int minLane = lane & mask;
  int j = 0;
  bool pval = false;
  if (mode == "up") {
    j = lane - bval;
    pval = j >= maxLane;
  } else if (mode == "down") {
    j = lane + bval;
    pval = j <= maxLane;
  } else if (mode == "bfly") {
    j = lane ^ bval;
    pval = j <= maxLane;
  } else {
    j = minLane | (bval & ~mask & 31);
    pval = j <= maxLane;
  }
  return {pval ? j : lane, pval};
}

} // namespace

TEST(WarpOpsTest, Shfl) {
  for (std::string mode : {"up", "down", "bfly", "idx"})
    for (uint32_t clamp : {0x1fu, 0u, 0x1c1fu, 0x1800u, 0x180fu, 0x1003u}) {
      std::vector<uint32_t> in = someWords(clamp + mode.size());
      WarpRun run("ld.global.v2.u32 {%r0, %r1}, [%in];\n"
                  "mov.u32 %r2, " +
                      std::to_string(clamp) + ";\nshfl.sync." + mode +
                      ".b32 %r3|%p0, %r0, %r1, %r2, -1;\n"
                      "mov.u32 %r4, 0; @%p0 mov.u32 %r4, 1;\n"
                      "shfl.sync." +
                      mode + ".b32 %r5, %r0, 3, " + std::to_string(clamp) +
                      ", 0xffffffff;\n"
                      "st.global.v4.b32 [%out], {%r3, %r4, %r5, 0};",
                  32, in);
      for (unsigned lane = 0; lane < 32; ++lane) {
        auto [source, inRange] =
            shflSource(mode, lane, in[4 * lane + 1], clamp);
        EXPECT_EQ(run.word(lane, 0), in[4 * source]) << mode << lane;
        EXPECT_EQ(run.word(lane, 1), uint32_t(inRange)) << mode << lane;
        source = shflSource(mode, lane, 3, clamp).first;
        EXPECT_EQ(run.word(lane, 2), in[4 * source]) << mode << lane;
      }
      EXPECT_TRUE(run.outcome.findings.empty());
      EXPECT_EQ(run.threadsOf("shfl.sync"), 64u);
    }
}

TEST(WarpOpsTest, ShflIntoItsSource) {
  std::vector<uint32_t> in = someWords(1);
  WarpRun run("ld.global.u32 %r0, [%in];\n"
              "shfl.sync.idx.b32 %r0, %r0, 0, 31, -1;\n"
              "st.global.b32 [%out], %r0;",
              17, in);
  for (unsigned lane = 0; lane < 17; ++lane)
    EXPECT_EQ(run.word(lane, 0), in[0]);
}

TEST(WarpOpsTest, LanesComeTogether) {
  // The lanes below 10 come by another way; the masks name everybody.
  std::vector<uint32_t> in = someWords(2);
  WarpRun run("ld.global.u32 %r0, [%in];\n"
              "setp.lt.s32 %p0, %t, 10;\n"
              "@%p0 bra Low;\n"
              "add.s32 %r0, %r0, 1;\n"
              "bra Join;\n"
              "Low: add.s32 %r0, %r0, 2;\n"
              "add.s32 %r0, %r0, 2;\n"
              "Join: shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1;\n"
              "st.global.b32 [%out], %r1;",
              32, in);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned other = lane ^ 16;
    EXPECT_EQ(run.word(lane, 0), in[4 * other] + (other < 10 ? 4 : 1));
  }
  for (const InstructionCount &count : run.outcome.counts)
    EXPECT_TRUE(count.opcode != "shfl.sync" || count.warps == 1);
}

TEST(WarpOpsTest, MaskedParties) {
  // Only the lanes below 8 vote, in a branch of their own.
  WarpRun run("setp.lt.s32 %p0, %t, 8;\n"
              "mov.u32 %r0, 7;\n"
              "@!%p0 bra Join;\n"
              "setp.lt.s32 %p1, %t, 3;\n"
              "vote.sync.ballot.b32 %r0, %p1, 0xff;\n"
              "Join: st.global.b32 [%out], %r0;",
              32, someWords(3));
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.word(lane, 0), 7u);
  EXPECT_EQ(run.threadsOf("vote.sync"), 8u);
  EXPECT_TRUE(run.outcome.findings.empty());
  // Two parties with masks of their own at one instruction.
  WarpRun two("setp.lt.s32 %p0, %t, 16;\n"
              "mov.u32 %r1, 0xffff0000;\n"
              "@%p0 mov.u32 %r1, 0xffff;\n"
              "setp.lt.s32 %p1, %t, 20;\n"
              "vote.sync.ballot.b32 %r0, %p1, %r1;\n"
              "redux.sync.add.u32 %r2, %t, %r1;\n"
              "st.global.v2.b32 [%out], {%r0, %r2};",
              32, someWords(3));
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(two.word(lane, 0), lane < 16 ? 0xffffu : 0xf0000u);
    EXPECT_EQ(two.word(lane, 1), lane < 16 ? 120u : 376u);
  }
  EXPECT_EQ(two.threadsOf("vote.sync"), 32u);
  EXPECT_EQ(two.threadsOf("redux.sync"), 32u);
  EXPECT_TRUE(two.outcome.findings.empty());
}

TEST(WarpOpsTest, PartyGoesOnWithoutAnother) {
  // The lanes below 4 are here; those from 16 on come later, and their party
  // must not hold up the first, which lets them come.
  WarpRun run("setp.lt.s32 %p0, %t, 16;\n"
              "mov.u32 %r1, 0xffff0000;\n"
              "@%p0 mov.u32 %r1, 0xffff;\n"
              "mov.u32 %r0, 0;\n"
              "Loop: vote.sync.ballot.b32 %r2, %p0, %r1;\n"
              "add.s32 %r0, %r0, 1;\n"
              "mov.u32 %r3, 5; @%p0 mov.u32 %r3, 2;\n"
              "setp.lt.s32 %p1, %r0, %r3;\n"
              "@%p1 bra Loop;\n"
              "st.global.v2.b32 [%out], {%r0, %r2};",
              32, someWords(3));
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(run.word(lane, 0), lane < 16 ? 2u : 5u);
    EXPECT_EQ(run.word(lane, 1), lane < 16 ? 0xffffu : 0u);
  }
  EXPECT_EQ(run.threadsOf("vote.sync"), 16u * 2 + 16 * 5);
}

TEST(WarpOpsTest, LaneTheMaskDoesNotName) {
  WarpRun run("setp.lt.s32 %p0, %t, 40;\n"
              "vote.sync.ballot.b32 %r0, %p0, 0xf;\n"
              "st.global.b32 [%out], %r0;",
              8, someWords(4));
  EXPECT_EQ(run.word(0, 0), 0xfu);
  ASSERT_EQ(run.outcome.findings.size(), 1u);
  EXPECT_EQ(run.outcome.findings[0].id, "membermask");
  EXPECT_EQ(run.outcome.findings[0].thread.x, 4u);
  EXPECT_EQ(run.outcome.findings[0].message,
            "lane 4 executes the instruction with the membermask 0xf, which "
            "does not name it");
}

TEST(WarpOpsTest, LanesThatHaveEnded) {
  // Whole masks stand for those who are left.
  WarpRun run("setp.lt.s32 %p0, %t, 5;\n"
              "@%p0 exit;\n"
              "setp.lt.s32 %p1, %t, 40;\n"
              "vote.sync.ballot.b32 %r0, %p1, -1;\n"
              "redux.sync.min.u32 %r1, %t, -1;\n"
              "elect.sync %r2|%p2, -1;\n"
              "mov.u32 %r3, 0; @%p2 mov.u32 %r3, 1;\n"
              "st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};",
              20, someWords(5));
  for (unsigned lane = 5; lane < 20; ++lane) {
    EXPECT_EQ(run.word(lane, 0), 0xfffe0u);
    EXPECT_EQ(run.word(lane, 1), 5u);
    EXPECT_EQ(run.word(lane, 2), 5u);
    EXPECT_EQ(run.word(lane, 3), uint32_t(lane == 5));
  }
  EXPECT_EQ(run.word(0, 0), 0xcafeu);
}

TEST(WarpOpsTest, Vote) {
  for (unsigned threads : {32u, 9u})
    for (unsigned bound : {0u, 5u, 32u}) {
      std::string b = std::to_string(bound);
      WarpRun run(
          "setp.lt.s32 %p0, %t, " + b +
              ";\n"
              "mov.u32 %r0, 0; mov.u32 %r1, 0;\n"
              "vote.sync.all.pred %p1, %p0, -1; @%p1 or.b32 %r0, %r0, 1;\n"
              "vote.sync.any.pred %p1, %p0, -1; @%p1 or.b32 %r0, %r0, 2;\n"
              "vote.sync.uni.pred %p1, %p0, -1; @%p1 or.b32 %r0, %r0, 4;\n"
              "vote.sync.all.pred %p1, !%p0, -1; @%p1 or.b32 %r0, %r0, 8;\n"
              "vote.sync.ballot.b32 %r1, %p0, -1;\n"
              "vote.sync.ballot.b32 %r2, !%p0, -1;\n"
              "activemask.b32 %r3;\n"
              "st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};",
          threads, someWords(6));
      unsigned yes = std::min(bound, threads);
      uint32_t everybody = threads == 32 ? ~0u : (1u << threads) - 1;
      uint32_t ballot = yes == 32 ? ~0u : (1u << yes) - 1;
      uint32_t bits = (yes == threads) | (yes > 0) << 1 |
                      (yes == threads || yes == 0) << 2 | (yes == 0) << 3;
      for (unsigned lane = 0; lane < threads; ++lane) {
        EXPECT_EQ(run.word(lane, 0), bits);
        EXPECT_EQ(run.word(lane, 1), ballot);
        EXPECT_EQ(run.word(lane, 2), everybody & ~ballot);
        EXPECT_EQ(run.word(lane, 3), everybody);
      }
    }
}

TEST(WarpOpsTest, ActivemaskOfGuardedLanes) {
  WarpRun run("setp.lt.s32 %p0, %t, 3;\nmov.u32 %r0, 0;\n"
              "@%p0 activemask.b32 %r0;\nst.global.b32 [%out], %r0;",
              32, someWords(7));
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.word(lane, 0), lane < 3 ? 7u : 0u);
}

TEST(WarpOpsTest, Match) {
  std::vector<uint32_t> in(4 * 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    in[4 * lane] = lane % 5;
    // The upper halves of the 64-bit values differ.
    in[4 * lane + 2] = 9;
    in[4 * lane + 3] = lane % 3;
  }
  WarpRun run("ld.global.u32 %r0, [%in];\nld.global.u64 %d0, [%in+8];\n"
              "match.any.sync.b32 %r1, %r0, -1;\n"
              "match.any.sync.b64 %r2, %d0, -1;\n"
              "match.all.sync.b32 %r3|%p0, %r0, -1;\n"
              "@%p0 or.b32 %r3, %r3, 1;\n"
              "ld.global.u32 %r4, [%in+8];\n"
              "match.all.sync.b32 %r5|%p1, %r4, -1;\n"
              "@!%p1 mov.u32 %r5, 1;\n"
              "match.all.sync.b64 %r6, %d0, -1;\n"
              "or.b32 %r3, %r3, %r6;\n"
              "st.global.v4.b32 [%out], {%r1, %r2, %r3, %r5};",
              30, in);
  for (unsigned lane = 0; lane < 30; ++lane) {
    uint32_t any5 = 0, any3 = 0;
    for (unsigned other = 0; other < 30; ++other) {
      any5 |= uint32_t(other % 5 == lane % 5) << other;
      any3 |= uint32_t(other % 3 == lane % 3) << other;
    }
    EXPECT_EQ(run.word(lane, 0), any5);
    EXPECT_EQ(run.word(lane, 1), any3);
    EXPECT_EQ(run.word(lane, 2), 0u);
    EXPECT_EQ(run.word(lane, 3), 0x3fffffffu);
  }
}

TEST(WarpOpsTest, Redux) {
  struct Case {
    const char *op;
    std::function<uint32_t(uint32_t, uint32_t)> combine;
  } cases[] = {
      {"add.u32", [](uint32_t a, uint32_t b) { return a + b; }},
      {"add.s32", [](uint32_t a, uint32_t b) { return a + b; }},
      {"min.u32", [](uint32_t a, uint32_t b) { return a < b ? a : b; }},
      {"max.u32", [](uint32_t a, uint32_t b) { return a > b ? a : b; }},
      {"min.s32",
       [](uint32_t a, uint32_t b) { return int32_t(a) < int32_t(b) ? a : b; }},
      {"max.s32",
       [](uint32_t a, uint32_t b) { return int32_t(a) > int32_t(b) ? a : b; }},
      {"and.b32", [](uint32_t a, uint32_t b) { return a & b; }},
      {"or.b32", [](uint32_t a, uint32_t b) { return a | b; }},
      {"xor.b32", [](uint32_t a, uint32_t b) { return a ^ b; }},
  };
  std::vector<uint32_t> in = someWords(8);
  // So that conjunctions and disjunctions show something.
  for (unsigned lane = 0; lane < 32; ++lane)
    in[4 * lane] = (in[4 * lane] | 0x80) & ~0x100u;
  for (const Case &c : cases)
    for (unsigned threads : {32u, 7u}) {
      WarpRun run("ld.global.u32 %r0, [%in];\nredux.sync." + std::string(c.op) +
                      " %r1, %r0, -1;\nst.global.b32 [%out], %r1;",
                  threads, in);
      uint32_t expected = in[0];
      for (unsigned lane = 1; lane < threads; ++lane)
        expected = c.combine(expected, in[4 * lane]);
      for (unsigned lane = 0; lane < threads; ++lane)
        EXPECT_EQ(run.word(lane, 0), expected) << c.op;
    }
}

TEST(WarpOpsTest, Elect) {
  WarpRun run("elect.sync %r0|%p0, 0xfff0;\n"
              "mov.u32 %r1, 0; @%p0 mov.u32 %r1, 1;\n"
              "elect.sync _|%p1, -1;\n"
              "mov.u32 %r2, 0; @%p1 mov.u32 %r2, 1;\n"
              "st.global.v4.b32 [%out], {%r0, %r1, %r2, 0};",
              32, someWords(9));
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(run.word(lane, 0), 4u);
    EXPECT_EQ(run.word(lane, 1), uint32_t(lane == 4));
    EXPECT_EQ(run.word(lane, 2), uint32_t(lane == 0));
  }
}

TEST(WarpOpsTest, MissingLaneIsADeadlock) {
  TestMachine machine(threadKernel("setp.lt.s32 %p0, %t, 1;\n"
                                   "@%p0 bra Other;\n"
                                   "shfl.sync.idx.b32 %r0, %t, 0, 31, -1;\n"
                                   "bra Join;\n"
                                   "Other: bar.sync 1;\n"
                                   "Join: bar.sync 1;\n",
                                   0, 0));
  EXPECT_EQ(machine.launch({1}, {32}, uint64_t(0), uint64_t(0)).status,
            LaunchStatus::Deadlock);
}
