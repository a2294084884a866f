//===- FamilyUseTest.cpp - What use of a family is ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Report/FamilyUse.h"
#include "gtest/gtest.h"

using namespace ptxbench;

/// One entry "k" with one instruction of `family` that this many warps
/// executed; none: not counted.
static Report reportOf(const char *family, const char *mnemonic,
                       const char *opcode, std::optional<uint64_t> warps,
                       Reach reach = Reach::All) {
  TargetResult target;
  target.verdict.family = family;
  target.verdict.opcode = opcode;
  target.verdict.mnemonic = mnemonic;
  target.verdict.line = 7;
  target.verdict.reach = reach;
  if (warps) {
    ExecutionCount count;
    count.warps = *warps;
    count.threads = *warps * 32;
    target.executed = ExecutedInfo{count, "cupti"};
  }
  EntryResult entry;
  entry.name = "k";
  entry.targets = {target};
  Report report;
  report.entries = {entry};
  return report;
}

static Report products(std::optional<uint64_t> warps,
                       Reach reach = Reach::All) {
  return reportOf("wgmma",
                  "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16",
                  "wgmma.mma_async", warps, reach);
}

TEST(FamilyUseTest, ShapesOfProducts) {
  EXPECT_EQ(flopsOfProduct("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3"),
            2.0 * 64 * 8 * 32);
  EXPECT_EQ(flopsOfProduct("mma.sync.aligned.m16n8k16.row.col.f32"),
            2.0 * 16 * 8 * 16);
  for (const char *none : {"wgmma.fence.sync.aligned", "", "a.m64n8",
                           "a.m64n8k", "a.m64n8k16x", "mbarrier.init"})
    EXPECT_FALSE(flopsOfProduct(none)) << none;
}

TEST(FamilyUseTest, ProductsAreCountedOnce) {
  Report report = products(8);
  // The same instruction under a launch: the counts are those of all launches.
  report.entries.push_back(report.entries[0]);
  FamilyUse use = findUse(report, "wgmma", {"k"});
  EXPECT_TRUE(use.executed);
  ASSERT_TRUE(use.flops);
  EXPECT_EQ(*use.flops, 2 * 2.0 * 64 * 256 * 16);
  EXPECT_FALSE(findUse(report, "tma", {"k"}).executed);
}

TEST(FamilyUseTest, WhatSurroundsTheWorkIsNone) {
  for (auto [family, opcode] :
       {std::pair("wgmma", "wgmma.fence"),
        std::pair("wgmma", "wgmma.wait_group"),
        std::pair("tma", "cp.async.bulk.prefetch"),
        std::pair("tma", "cp.async.bulk.prefetch.tensor"),
        std::pair("tma", "cp.async.bulk.commit_group"),
        std::pair("tcgen05", "tcgen05.alloc")}) {
    FamilyUse use = findUse(reportOf(family, opcode, opcode, 4), family, {"k"});
    EXPECT_FALSE(use.executed) << opcode;
    EXPECT_TRUE(use.observed) << opcode;
  }
  EXPECT_TRUE(findUse(reportOf("tma", "cp.async.bulk.tensor.2d.shared",
                               "cp.async.bulk.tensor", 1),
                      "tma", {"k"})
                  .executed);
  // A family without a distinction.
  EXPECT_TRUE(findUse(reportOf("mbarrier", "mbarrier.init", "mbarrier.init", 1),
                      "mbarrier", {"k"})
                  .executed);
}

TEST(FamilyUseTest, WhatPtxasDeleted) {
  Report report = products(std::nullopt);
  TargetResult &product = report.entries[0].targets[0];
  product.sass.emplace();
  for (auto [state, observed] : {std::pair(SassState::Absent, true),
                                 std::pair(SassState::Unobservable, false)}) {
    product.sass->state = state;
    FamilyUse use = findUse(report, "wgmma", {"k"});
    EXPECT_FALSE(use.executed);
    EXPECT_EQ(use.observed, observed);
  }
}

TEST(FamilyUseTest, WhatWasNotObservedIsBounded) {
  Report report = products(8);
  const double one = 2.0 * 64 * 256 * 16;
  FamilyUse use = findUse(report, "wgmma", {"k"});
  ASSERT_TRUE(use.flopsAtMost);
  EXPECT_EQ(*use.flopsAtMost, 2 * one);
  // A second product, of which nothing is known.
  TargetResult other = report.entries[0].targets[0];
  other.verdict.line = 8;
  other.verdict.mnemonic = "wgmma.mma_async.sync.aligned.m64n8k16.f32";
  other.executed.reset();
  report.entries[0].targets.push_back(other);
  use = findUse(report, "wgmma", {"k"});
  EXPECT_FALSE(use.observed);
  EXPECT_FALSE(use.flopsAtMost);
  // Five products were executed in all, of which two were counted.
  report.machineCode.emplace();
  report.machineCode->families["gmma"].threads = 5 * 128;
  use = findUse(report, "wgmma", {"k"});
  ASSERT_TRUE(use.flopsAtMost);
  EXPECT_EQ(*use.flops, 2 * one);
  EXPECT_EQ(*use.flopsAtMost, 2 * one + 3 * 2.0 * 64 * 8 * 16);
}

TEST(FamilyUseTest, WhatIsNotKnown) {
  FamilyUse use = findUse(products(std::nullopt), "wgmma", {"k"});
  EXPECT_FALSE(use.executed);
  EXPECT_FALSE(use.observed);
  // In a kernel that was not launched, or where no thread can come, nothing
  // executed.
  EXPECT_TRUE(findUse(products(std::nullopt), "wgmma", {}).observed);
  EXPECT_TRUE(
      findUse(products(std::nullopt, Reach::Never), "wgmma", {"k"}).observed);
  EXPECT_FALSE(findUse(products(0), "wgmma", {"k"}).executed);
}
