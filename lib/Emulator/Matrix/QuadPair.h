//===- QuadPair.h - mma.m8n8k4 of f16 ---------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16": the instruction of
// Volta makes four products of 8 x 8 x 4 at once. Product q belongs to the
// lanes 4 q to 4 q + 3 and 16 + 4 q to 16 + 4 q + 3.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_QUADPAIR_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_QUADPAIR_H

#include "Panels.h"

namespace ptxbench::emulator {

/// Which of the four products `lane` takes part in.
constexpr unsigned quadPairOf(unsigned lane) { return lane % 16 / 4; }

/// Element `index` (0 to 3) of A.
constexpr Place placeInQuadPairA(bool rowMajor, unsigned lane, unsigned index) {
  unsigned upper = lane < 16 ? 0 : 4;
  return rowMajor ? Place{lane % 4 + upper, index}
                  : Place{index + upper, lane % 4};
}
/// Element `index` (0 to 3) of B.
constexpr Place placeInQuadPairB(bool rowMajor, unsigned lane, unsigned index) {
  unsigned upper = lane < 16 ? 0 : 4;
  return rowMajor ? Place{lane % 4, index + upper}
                  : Place{index, lane % 4 + upper};
}
/// Element `index` (0 to 7) of C or D.
constexpr Place placeInQuadPairD(bool half, unsigned lane, unsigned index) {
  unsigned upper = lane < 16 ? 0 : 4;
  return half ? Place{lane % 4 + upper, index}
              : Place{(lane & 1) + (index & 2) + upper,
                      (index & 4) + (lane & 2) + (index & 1)};
}

/// The variants of the instruction; the halves say that C, D are of f16.
struct QuadPairForm {
  bool rowMajorA = true;
  bool rowMajorB = false;
  bool halfC = false;
  bool halfD = false;
};

/// D = A * B + C, numbers as in Products.h. A and B have two registers; C and
/// D have four of f16 or eight of f32 (as their bits).
void multiplyQuadPairs(QuadPairForm form, const LaneRow *a, const LaneRow *b,
                       const LaneRow *c, uint32_t *const *d);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_QUADPAIR_H
