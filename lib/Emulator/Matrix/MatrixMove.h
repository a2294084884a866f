//===- MatrixMove.h - ldmatrix, stmatrix and movmatrix ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "ldmatrix", "stmatrix", "movmatrix": 8 x 8 matrices of 16-bit
// elements between shared memory and registers. Lane 8 j + r has the address of
// row r of matrix j (of one, two or four); register j of a lane holds two
// elements of matrix j: row lane / 4, columns 2 (lane % 4) and the next, or
// with .trans the same of the transposed matrix. The shapes of 8-bit, 6-bit and
// 4-bit elements came after sm_90.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_MATRIXMOVE_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_MATRIXMOVE_H

#include "Fragments.h"

namespace ptxbench::emulator {

/// The rows of an 8 x 8 matrix of 16-bit elements.
using MatrixRows = uint16_t[8][8];

/// The lane whose address is that of `row` of `matrix`.
constexpr unsigned addressLane(unsigned matrix, unsigned row) {
  return matrix * 8 + row;
}

/// Where element `index` (0 or 1) of a lane's register stands in the matrix.
constexpr Place placeInMoved(bool transposed, unsigned lane, unsigned index) {
  unsigned row = lane / 4, column = lane % 4 * 2 + index;
  return transposed ? Place{column, row} : Place{row, column};
}

/// ldmatrix: from the rows of one matrix to a register of 32 lanes.
void distributeMatrix(const MatrixRows &rows, bool transposed, uint32_t *lanes);
/// stmatrix: from a register of 32 lanes to the rows of one matrix.
void collectMatrix(const uint32_t *lanes, bool transposed, MatrixRows &rows);
/// movmatrix: the transposed matrix, register to register.
void transposeMatrix(const uint32_t *from, uint32_t *to);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_MATRIXMOVE_H
