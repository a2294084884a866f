//===- ShadowTest.cpp - Tests of what race checking keeps -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cells against one entry per byte, the numbers of stamps and sets, clocks.
//
//===----------------------------------------------------------------------===//

#include "Checks/Clocks.h"
#include "Checks/LaunchRaces.h"
#include "gtest/gtest.h"

#include <random>

using namespace ptxbench::emulator;

static Stamp makeStamp(unsigned agent, uint32_t epoch) {
  Stamp stamp;
  stamp.agent = agent;
  stamp.epoch = epoch;
  return stamp;
}

/// Random writes of random ranges leave each byte with its last one.
TEST(ShadowTest, CellsAreThoseOfBytes) {
  constexpr unsigned bytes = 4 * lineBytes;
  CellPool pool;
  std::vector<Cell> lines(bytes / lineBytes);
  std::vector<StampId> reference(bytes);
  std::mt19937 random(1);
  for (StampId id = 1; id < 5000; ++id) {
    // Some of whole words and lines, so that cells come together again.
    unsigned step = id % 3 == 0 ? lineBytes : id % 3 == 1 ? wordBytes : 1;
    unsigned begin = random() % (bytes / step) * step;
    unsigned end = begin + (1 + random() % ((bytes - begin) / step)) * step;
    std::vector<bool> visited(bytes);
    pool.update(lines.data(), begin, end, [&](Cell cell, uint64_t at) {
      EXPECT_GE(at, begin);
      EXPECT_LT(at, end);
      EXPECT_EQ(cell.write, reference[at]);
      return Cell{id, 0};
    });
    std::fill(reference.begin() + begin, reference.begin() + end, id);
    if (id % 64)
      continue;
    for (unsigned at = 0; at < bytes; ++at)
      pool.update(lines.data(), at, at + 1, [&](Cell cell, uint64_t) {
        EXPECT_EQ(cell.write, reference[at]) << at;
        return cell;
      });
  }
  // A write of everything gives all blocks back.
  pool.update(lines.data(), 0, bytes, [](Cell, uint64_t) {
    return Cell{1, 0};
  });
  size_t most = pool.bytes();
  for (const Cell &line : lines)
    EXPECT_FALSE(line.isExpanded());
  pool.update(lines.data(), 1, bytes - 1, [](Cell, uint64_t) {
    return Cell{2, 0};
  });
  EXPECT_EQ(pool.bytes(), most);
}

TEST(ShadowTest, Sets) {
  StampTable table;
  auto never = [](const Stamp &) { return false; };
  StampId a = table.add(makeStamp(0, 1)), b = table.add(makeStamp(1, 1)),
          c = table.add(makeStamp(2, 1));
  EXPECT_NE(a, b);
  EXPECT_EQ(a, table.add(makeStamp(0, 1)));
  StampSet ab = table.insert(table.insert(0, a, never), b, never);
  EXPECT_EQ(table.members(ab).size(), 2u);
  EXPECT_EQ(table.insert(ab, a, never), ab);
  EXPECT_EQ(table.insert(a, b, never), ab);
  // Those that say nothing more go.
  StampSet bc =
      table.insert(ab, c, [](const Stamp &stamp) { return stamp.agent == 0; });
  EXPECT_EQ(table.members(bc).vec(), (std::vector<StampId>{b, c}));
  EXPECT_TRUE(table.members(0).empty());
}

TEST(ShadowTest, CollectionKeepsWhatIsNamed) {
  StampTable table;
  auto never = [](const Stamp &) { return false; };
  StampId kept = table.add(makeStamp(7, 1)), write = table.add(makeStamp(8, 1));
  StampSet set = table.insert(kept, table.add(makeStamp(9, 1)), never);
  for (uint32_t epoch = 2; epoch < 20000; ++epoch)
    table.add(makeStamp(0, epoch));
  size_t before = table.size();
  table.collect([&](auto use) { use(write, set); });
  EXPECT_LT(table.size(), 8u);
  EXPECT_GT(before, 19000u);
  EXPECT_EQ(table[write].agent, 8u);
  ASSERT_EQ(table.members(set).size(), 2u);
  EXPECT_EQ(table[table.members(set)[1]].agent, 9u);
  // Numbers are used again, but not those.
  for (uint32_t epoch = 2; epoch < 20000; ++epoch) {
    StampId id = table.add(makeStamp(0, epoch));
    EXPECT_NE(id, write);
    EXPECT_NE(id, kept);
  }
  EXPECT_LE(table.size(), before);
}

TEST(ShadowTest, ClocksAreValues) {
  Clocks a(1), b(2);
  a.raise(Order::Causal, 3, 5);
  Clocks before = a;
  b.raise(Order::Causal, 0, 9);
  b.raise(Order::InTime, 1, 4);
  a.join(b);
  EXPECT_EQ(a.at(1, Order::Causal, 3), 5u);
  EXPECT_EQ(a.at(2, Order::Causal, 0), 9u);
  EXPECT_EQ(before.at(2, Order::Causal, 0), 0u);
  // The way back.
  b.raise(Order::Causal, 0, 10);
  b.join(a);
  EXPECT_EQ(b.at(2, Order::Causal, 0), 10u);
  EXPECT_EQ(b.at(1, Order::Causal, 3), 5u);
  EXPECT_EQ(a.at(2, Order::Causal, 0), 9u);
  // Only when it was.
  Clocks c(3);
  c.join(b, /*inTimeOnly=*/true);
  EXPECT_EQ(c.at(2, Order::Causal, 0), 0u);
  EXPECT_EQ(c.at(2, Order::InTime, 1), 4u);
  // What a fence has released.
  a.raise(Order::PublishedGpu, 3, 2);
  Clocks limited = a.limited(Order::PublishedGpu);
  EXPECT_EQ(limited.at(1, Order::Causal, 3), 2u);
  EXPECT_EQ(limited.at(2, Order::Causal, 0), 0u);
  EXPECT_EQ(limited.at(2, Order::InTime, 1), 4u);
}
