//===- OperandsTest.cpp - Tests of the operands ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That the same seed gives the same numbers, and that the hard ones are there.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include "gtest/gtest.h"

#include <set>

using namespace ptxbench::differential;

TEST(OperandsTest, SameSeedSameNumbers) {
  Random random("a name");
  // What the generator gives may not change: recordings depend on it.
  EXPECT_EQ(random.next(), Random("a name").next());
  EXPECT_NE(random.next(), Random("another name").next());
  Random zero(uint64_t(0));
  EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafu);
}

TEST(OperandsTest, Kinds) {
  EXPECT_EQ(kindOfType("bf16x2").base, Kind::BF16);
  EXPECT_EQ(kindOfType("bf16x2").width(), 32u);
  EXPECT_EQ(kindOfType("s64").width(), 64u);
  EXPECT_EQ(kindOfType("u8").width(), 16u) << "registers have 16 bits at least";
  EXPECT_EQ(kindOfType("e4m3x2").base, Kind::Code);
  EXPECT_EQ(kindOfType("pred").width(), 1u);
}

TEST(OperandsTest, AllPairsOfEdges) {
  Kind kind = kindOfType("f32");
  Random random("pairs");
  OperandSource source({kind, kind}, random);
  std::set<std::pair<uint64_t, uint64_t>> seen;
  for (size_t i = 0; i < 2048; ++i) {
    uint64_t values[2];
    source.fill(i, 2048, values);
    seen.insert({values[0], values[1]});
    EXPECT_LE(values[0], 0xffffffffu);
  }
  for (uint64_t a : edgesOf(kind))
    for (uint64_t b : edgesOf(kind))
      EXPECT_TRUE(seen.count({a, b})) << std::hex << a << " " << b;
  EXPECT_TRUE(seen.count({0x80000001, 0x7f800001}));
}
