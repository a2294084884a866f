//===- RaceGlobalTest.cpp - Races in global memory ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between warps, CTAs, and proxies; the patterns by which programs order what
// CTAs do.
//
//===----------------------------------------------------------------------===//

#include "CheckTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
const CheckedLaunch twoCtas{{2, 1, 1}, {64, 1, 1}, {1, 1, 1}};
const CheckedLaunch eightCtas{{8, 1, 1}, {64, 1, 1}, {1, 1, 1}};
} // namespace

TEST(RaceGlobalTest, WithinACta) {
  std::string write = "st.global.u32 [%d1], 1;";
  std::string read = "ld.global.u32 %r7, [%d1];";
  expectFound(twoWarps(write, "", read), {"race"});
  expectClean(twoWarps(write, "bar.sync 0;", read));
  expectFound(twoWarps(read, "", write), {"race"});
  expectClean(twoWarps(read, "bar.sync 0;", write));
  // Parts of one word are places of their own.
  expectClean(
      twoWarps("st.global.u8 [%d1], 1;", "", "st.global.u8 [%d1+1], 1;"));
  expectFound(
      twoWarps("st.global.u16 [%d1], 1;", "", "st.global.u8 [%d1+1], 1;"),
      {"race"});
  // So many writers of the same value as there are.
  expectClean(twoWarps(write, "", write));
  expectFound(twoWarps(write, "", "st.global.u32 [%d1], 2;"), {"race"});
  // What the host has put there.
  expectClean(twoWarps("st.global.u32 [%d1], 0;", "", read));
}

TEST(RaceGlobalTest, AnEarlierReadIsKnown) {
  // Warp 0 reads, then warp 1, and then warp 1 writes.
  std::string read = "ld.global.u32 %r7, [%d1];";
  expectFound(twoWarps(read, "", read + "st.global.u32 [%d1], 1;"), {"race"});
}

TEST(RaceGlobalTest, BetweenCtas) {
  // The first writes, the second reads.
  expectFound(checkedKernel("@%p4 st.global.u32 [%d1], 1;"
                            "@!%p4 ld.global.u32 %r7, [%d1];"),
              {"race"}, twoCtas);
  // A barrier of a CTA is none of the grid.
  expectFound(checkedKernel("@%p4 st.global.u32 [%d1], 1; bar.sync 0;"
                            "@!%p4 ld.global.u32 %r7, [%d1];"),
              {"race"}, twoCtas);
  // That of a cluster orders.
  expectClean(checkedKernel("@%p4 st.global.u32 [%d1], 1;"
                            "barrier.cluster.arrive.aligned;"
                            "barrier.cluster.wait.aligned;"
                            "@!%p4 ld.global.u32 %r7, [%d1];"),
              {{2, 1, 1}, {32, 1, 1}, {2, 1, 1}});
}

/// CTA 0 writes at %d1 and raises the flag at %d0, CTA 1 waits and reads.
static std::string flag(const std::string &raise, const std::string &wait,
                        const std::string &behind) {
  return checkedKernel(R"(
  @!%p2 bra End;
  @!%p4 bra Reader;
  st.global.u32 [%d1], 1;
)" + raise + R"(
  bra End;
Reader:
)" + wait + R"(
  setp.eq.u32 %p5, %r7, 0;
  @%p5 bra Reader;
)" + behind + R"(
  ld.global.u32 %r8, [%d1];
)");
}

TEST(RaceGlobalTest, Flags) {
  const std::string fence = "fence.acq_rel.gpu;";
  // With orders.
  expectClean(flag("st.release.gpu.global.u32 [%d0], 1;",
                   "ld.acquire.gpu.global.u32 %r7, [%d0];", ""),
              twoCtas);
  expectClean(flag("red.release.gpu.global.add.u32 [%d0], 1;",
                   "ld.acquire.gpu.global.u32 %r7, [%d0];", ""),
              twoCtas);
  // With fences.
  expectClean(flag("membar.gl; st.volatile.global.u32 [%d0], 1;",
                   "ld.volatile.global.u32 %r7, [%d0];", "membar.gl;"),
              twoCtas);
  expectClean(flag(fence + "st.relaxed.gpu.global.u32 [%d0], 1;",
                   "ld.relaxed.gpu.global.u32 %r7, [%d0];", fence),
              twoCtas);
  expectClean(flag(fence + "atom.global.exch.b32 %r9, [%d0], 1;",
                   "atom.global.or.b32 %r7, [%d0], 0;", fence),
              twoCtas);
  // Without one of them, and with too narrow ones.
  Ids ids{"missing-release-acquire"};
  expectFound(flag("st.volatile.global.u32 [%d0], 1;",
                   "ld.volatile.global.u32 %r7, [%d0];", fence),
              ids, twoCtas);
  expectFound(flag(fence + "st.volatile.global.u32 [%d0], 1;",
                   "ld.volatile.global.u32 %r7, [%d0];", ""),
              ids, twoCtas);
  expectFound(flag("membar.cta; st.volatile.global.u32 [%d0], 1;",
                   "ld.volatile.global.u32 %r7, [%d0];", fence),
              ids, twoCtas);
  expectFound(flag("fence.acq_rel.cta; st.relaxed.gpu.global.u32 [%d0], 1;",
                   "ld.relaxed.gpu.global.u32 %r7, [%d0];", fence),
              ids, twoCtas);
  expectFound(flag("red.release.cluster.global.add.u32 [%d0], 1;",
                   "ld.acquire.gpu.global.u32 %r7, [%d0];", ""),
              ids, twoCtas);
  // A fence in front of the write releases what was before.
  expectFound(checkedKernel(R"(
  @!%p2 bra End;
  @!%p4 bra Reader;
  membar.gl;
  st.global.u32 [%d1], 1;
  st.volatile.global.u32 [%d0], 1;
  bra End;
Reader:
  ld.volatile.global.u32 %r7, [%d0];
  setp.eq.u32 %p5, %r7, 0;
  @%p5 bra Reader;
  membar.gl;
  ld.global.u32 %r8, [%d1];
)"),
              ids, twoCtas);
}

/// Each CTA writes a word; the last that counts itself adds them up.
static std::string lastBlock(const std::string &fence,
                             const std::string &barrier) {
  return checkedKernel(R"(
  mul.wide.u32 %d3, %r4, 256;
  add.s64 %d3, %d3, %d1;
  shl.b32 %r6, %r3, 2;
  cvt.u64.u32 %d4, %r6;
  add.s64 %d3, %d3, %d4;
  add.u32 %r7, %r3, 1;
  st.global.u32 [%d3], %r7;
)" + fence + barrier + R"(
  @%p2 atom.global.add.u32 %r8, [%d0], 1;
  @%p2 st.shared.u32 [%r1], %r8;
  bar.sync 0;
  ld.shared.u32 %r8, [%r1];
  setp.ne.u32 %p5, %r8, 7;
  @%p5 bra End;
)" + fence + R"(
  add.s64 %d5, %d1, %d4;
  mov.u32 %r10, 0;
Sum:
  ld.global.u32 %r11, [%d5];
  add.s64 %d5, %d5, 256;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p6, %r10, 8;
  @%p6 bra Sum;
)");
}

TEST(RaceGlobalTest, LastBlock) {
  expectClean(lastBlock("membar.gl;", "bar.sync 0;"), eightCtas);
  expectFound(lastBlock("", "bar.sync 0;"), {"missing-release-acquire"},
              eightCtas);
  // Thread 0 counts before the other warp has written.
  expectFound(lastBlock("membar.gl;", ""), {"race"}, eightCtas);
}

TEST(RaceGlobalTest, LastBlockWithoutSecondFence) {
  // As the CUDA programming guide has it.
  std::string text = lastBlock("membar.gl;", "bar.sync 0;");
  size_t second = text.rfind("membar.gl;");
  expectClean(text.substr(0, second) + text.substr(second + 10), eightCtas);
}

TEST(RaceGlobalTest, BarrierOfTheGrid) {
  // Each writes a word, all meet, each reads the word of the next.
  auto body = [](const std::string &arrive, const std::string &look) {
    return checkedKernel(R"(
  mul.wide.u32 %d3, %r4, 4;
  add.s64 %d3, %d3, %d1;
  @%p2 st.global.u32 [%d3], 1;
  bar.sync 0;
  @!%p2 bra Meet;
)" + arrive + R"(
Wait:
)" + look + R"(
  setp.ne.u32 %p5, %r7, 8;
  @%p5 bra Wait;
Meet:
  bar.sync 0;
  add.u32 %r8, %r4, 1;
  and.b32 %r8, %r8, 7;
  mul.wide.u32 %d4, %r8, 4;
  add.s64 %d4, %d4, %d1;
  ld.global.u32 %r9, [%d4];
)");
  };
  expectClean(body("red.release.gpu.global.add.u32 [%d0], 1;",
                   "ld.acquire.gpu.global.u32 %r7, [%d0];"),
              eightCtas);
  expectClean(body("membar.gl; red.global.add.u32 [%d0], 1;",
                   "ld.volatile.global.u32 %r7, [%d0]; membar.gl;"),
              eightCtas);
  expectFound(body("red.global.add.u32 [%d0], 1;",
                   "ld.volatile.global.u32 %r7, [%d0];"),
              {"missing-release-acquire"}, eightCtas);
}

TEST(RaceGlobalTest, WeakAndAtomic) {
  // A histogram that is read without a barrier.
  std::string add = "red.shared.add.u32 [%r1], 1;";
  std::string read = "ld.shared.u32 %r7, [%r1];";
  expectFound(twoWarps(add, "", read), {"race"});
  expectClean(twoWarps(add, "bar.sync 0;", read));
  expectClean(twoWarps(add, "", add));
  // Those of a CTA are none to another one.
  std::string narrow = "atom.cta.global.add.u32 %r7, [%d1], 1;";
  expectClean(checkedKernel(narrow));
  expectFound(checkedKernel(narrow), {"missing-release-acquire"}, twoCtas);
  // What changes nothing is no write.
  expectClean(
      twoWarps("red.global.or.b32 [%d1], 0;", "", "ld.global.u32 %r7, [%d1];"));
}

TEST(RaceGlobalTest, Proxies) {
  // A thread writes what a bulk copy reads.
  auto body = [](const std::string &fence) {
    return checkedKernel(R"(
  @%p2 mbarrier.init.shared::cta.b64 [%r2], 1;
  @!%p2 bra End;
  st.global.u32 [%d1], 1;
)" + fence + R"(
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 1024;
  cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
    [%r1], [%d2, {%r0, %r0}], [%r2];
)" + waitFor("%r2", "0", "Full"));
  };
  Ids ids{"missing-proxy-fence"};
  expectFound(body(""), ids);
  expectFound(body("fence.proxy.async.shared::cta;"), ids);
  expectClean(body("fence.proxy.async.global;"));
  expectClean(body("fence.proxy.async;"));
}

TEST(RaceGlobalTest, BulkStores) {
  // What a bulk store writes is there after a wait for more than its reads.
  auto body = [](const std::string &wait) {
    return checkedKernel("@!%p2 bra End;"
                         "cp.async.bulk.global.shared::cta.bulk_group [%d1], "
                         "[%r1], 128;"
                         "cp.async.bulk.commit_group;" +
                         wait + "ld.global.u32 %r7, [%d1];");
  };
  Ids ids{"unfinished-destination"};
  expectFound(body(""), ids);
  expectFound(body("cp.async.bulk.wait_group.read 0;"), ids);
  expectClean(body("cp.async.bulk.wait_group 0;"));
  // Those of two CTAs to one place.
  auto store = [](const std::string &op, const std::string &type) {
    return checkedKernel("@!%p2 bra End;" + op +
                         ".global.shared::cta.bulk_group" + type +
                         " [%d1], [%r1], 128;"
                         "cp.async.bulk.commit_group;"
                         "cp.async.bulk.wait_group 0;");
  };
  expectFound(store("cp.async.bulk", ""), ids, twoCtas);
  expectClean(store("cp.reduce.async.bulk", ".add.u32"), twoCtas);
}
