//===- MoveTest.cpp - Tests of ldmatrix, stmatrix and movmatrix -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices whose elements name their place.
//
//===----------------------------------------------------------------------===//

#include "Matrix/MatrixMove.h"
#include "gtest/gtest.h"

using namespace ptxbench::emulator;

static void fill(MatrixRows &rows) {
  for (unsigned row = 0; row != 8; ++row)
    for (unsigned column = 0; column != 8; ++column)
      rows[row][column] = uint16_t(row * 16 + column);
}

TEST(MatrixMove, Load) {
  MatrixRows rows;
  fill(rows);
  uint32_t lanes[32];
  distributeMatrix(rows, false, lanes);
  EXPECT_EQ(lanes[0], 0x00010000u);
  EXPECT_EQ(lanes[5], 0x00130012u);
  EXPECT_EQ(lanes[31], 0x00770076u);
  distributeMatrix(rows, true, lanes);
  EXPECT_EQ(lanes[0], 0x00100000u);
  EXPECT_EQ(lanes[5], 0x00310021u);
  EXPECT_EQ(lanes[31], 0x00770067u);
}

TEST(MatrixMove, StoreIsTheInverse) {
  for (bool transposed : {false, true}) {
    MatrixRows rows, back;
    fill(rows);
    uint32_t lanes[32];
    distributeMatrix(rows, transposed, lanes);
    collectMatrix(lanes, transposed, back);
    EXPECT_EQ(std::memcmp(rows, back, sizeof rows), 0);
  }
}

TEST(MatrixMove, Transpose) {
  MatrixRows rows;
  fill(rows);
  uint32_t lanes[32], expected[32], moved[32];
  distributeMatrix(rows, false, lanes);
  distributeMatrix(rows, true, expected);
  transposeMatrix(lanes, moved);
  EXPECT_EQ(std::memcmp(moved, expected, sizeof moved), 0);
}

TEST(MatrixMove, AddressesOfRows) {
  EXPECT_EQ(addressLane(0, 7), 7u);
  EXPECT_EQ(addressLane(1, 0), 8u);
  EXPECT_EQ(addressLane(3, 7), 31u);
}
