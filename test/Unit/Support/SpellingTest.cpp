//===- SpellingTest.cpp - Which known word was meant ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Edits between words, and the nearest of several.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Spelling.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace ptxbench;

namespace {

TEST(Spelling, CountsEdits) {
  EXPECT_EQ(countEdits("", "", 3), 0u);
  EXPECT_EQ(countEdits("sync", "sync", 3), 0u);
  EXPECT_EQ(countEdits("", "abc", 3), 3u);
  EXPECT_EQ(countEdits("abc", "", 3), 3u);
  EXPECT_EQ(countEdits("sync", "syncs", 3), 1u);
  EXPECT_EQ(countEdits("sync", "snc", 3), 1u);
  EXPECT_EQ(countEdits("sync", "sxnc", 3), 1u);
  EXPECT_EQ(countEdits("kitten", "sitting", 9), 3u);
}

TEST(Spelling, NeighboursInTheWrongOrderAreOneEdit) {
  EXPECT_EQ(countEdits("bluk", "bulk", 3), 1u);
  EXPECT_EQ(countEdits("s23", "s32", 1), 1u);
  EXPECT_EQ(countEdits("ab", "ba", 2), 1u);
  EXPECT_EQ(countEdits("tset_wiat", "test_wait", 3), 2u);
  EXPECT_EQ(countEdits("wiat.a", "wait.b", 3), 2u);
  // A letter that has moved is not edited again.
  EXPECT_EQ(countEdits("ca", "abc", 9), 3u);
}

TEST(Spelling, StopsBehindTheLimit) {
  EXPECT_EQ(countEdits("abcdef", "uvwxyz", 2), 3u);
  EXPECT_EQ(countEdits("a", "abcdefgh", 2), 3u);
  EXPECT_EQ(countEdits("bacd", "abdc", 2), 2u);
  EXPECT_EQ(countEdits("bacd", "abdc", 1), 2u);
}

TEST(Spelling, TakesTheNearest) {
  StringRef best;
  unsigned distance = 2;
  considerSpelling("s23", "u64", distance, best);
  EXPECT_EQ(best, "");
  considerSpelling("s23", "s32", distance, best);
  EXPECT_EQ(best, "s32");
  EXPECT_EQ(distance, 1u);
  considerSpelling("s23", "s2", distance, best);
  EXPECT_EQ(best, "s32");
  considerSpelling("s23", "s23", distance, best);
  EXPECT_EQ(distance, 0u);
  considerSpelling("s23", "s23", distance, best);
  EXPECT_EQ(best, "s23");
}

} // namespace
