//===- MatrixMove.cpp - ldmatrix, stmatrix and movmatrix ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without .trans a register is the matrix as it lies.
//
//===----------------------------------------------------------------------===//

#include "MatrixMove.h"

using namespace ptxbench::emulator;

void ptxbench::emulator::distributeMatrix(const MatrixRows &rows,
                                          bool transposed, uint32_t *lanes) {
  for (unsigned lane = 0; lane != laneCount; ++lane) {
    Place low = placeInMoved(transposed, lane, 0);
    Place high = placeInMoved(transposed, lane, 1);
    lanes[lane] =
        rows[low.row][low.column] | uint32_t(rows[high.row][high.column]) << 16;
  }
}

void ptxbench::emulator::collectMatrix(const uint32_t *lanes, bool transposed,
                                       MatrixRows &rows) {
  for (unsigned lane = 0; lane != laneCount; ++lane)
    for (unsigned index = 0; index != 2; ++index) {
      Place place = placeInMoved(transposed, lane, index);
      rows[place.row][place.column] = uint16_t(lanes[lane] >> index * 16);
    }
}

void ptxbench::emulator::transposeMatrix(const uint32_t *from, uint32_t *to) {
  MatrixRows rows;
  collectMatrix(from, false, rows);
  distributeMatrix(rows, true, to);
}
