//===- QuadPair.cpp - mma.m8n8k4 of f16 -----------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments are taken apart into four small matrices and put together again.
//
//===----------------------------------------------------------------------===//

#include "QuadPair.h"
#include <cmath>

using namespace ptxbench::emulator;

static float halfAt(const LaneRow *registers, unsigned lane, unsigned index) {
  return floatOfHalf(uint16_t(registers[index / 2][lane] >> index % 2 * 16));
}

void ptxbench::emulator::multiplyQuadPairs(QuadPairForm form, const LaneRow *a,
                                           const LaneRow *b, const LaneRow *c,
                                           uint32_t *const *d) {
  float rows[4][8][4], columns[4][4][8], sums[4][8][8];
  for (unsigned lane = 0; lane != laneCount; ++lane) {
    unsigned pair = quadPairOf(lane);
    for (unsigned i = 0; i != 4; ++i) {
      Place inA = placeInQuadPairA(form.rowMajorA, lane, i);
      rows[pair][inA.row][inA.column] = halfAt(a, lane, i);
      Place inB = placeInQuadPairB(form.rowMajorB, lane, i);
      columns[pair][inB.row][inB.column] = halfAt(b, lane, i);
    }
    for (unsigned i = 0; i != 8; ++i) {
      Place inC = placeInQuadPairD(form.halfC, lane, i);
      sums[pair][inC.row][inC.column] =
          form.halfC ? halfAt(c, lane, i) : floatOfBits(c[i][lane]);
    }
  }

  for (unsigned pair = 0; pair != 4; ++pair)
    for (unsigned row = 0; row != 8; ++row)
      for (unsigned column = 0; column != 8; ++column) {
        float &sum = sums[pair][row][column];
        for (unsigned k = 0; k != 4; ++k)
          sum = std::fma(rows[pair][row][k], columns[pair][k][column], sum);
        if (std::isnan(sum))
          sum = floatOfBits(canonicalNaN);
      }

  for (unsigned lane = 0; lane != laneCount; ++lane)
    for (unsigned i = 0; i != 8; ++i) {
      Place inD = placeInQuadPairD(form.halfD, lane, i);
      float sum = sums[quadPairOf(lane)][inD.row][inD.column];
      if (!form.halfD) {
        d[i][lane] = bitsOfFloat(sum);
        continue;
      }
      uint32_t half = halfOfFloat(sum);
      uint32_t &target = d[i / 2][lane];
      target = i % 2 ? (target & 0xffff) | half << 16 : half;
    }
}
