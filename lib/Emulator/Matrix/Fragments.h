//===- Fragments.h - Which lane holds which element -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Matrix Fragments for mma" and "Register Fragments" of wgmma: where
// element i of a lane's fragment stands in its matrix. Nearly all shapes follow
// one pattern. With group = lane / 4, quad = lane % 4 and p elements in each
// 32-bit register:
//
//   A  register r holds row group + 8 (r % 2), and along K the p elements from
//      (quad + 4 (r / 2)) p on; with 8 rows, register r those from
//      (quad + 4 r) p on
//   B  register r holds column group, and along K the p elements from
//      (quad + 4 r) p on
//   D  element i is row group + 8 (i / 2 % 2), column 8 (i / 4) + 2 quad +
//      i % 2;
//      with 8 rows, row group, column 8 (i / 2) + 2 quad + i % 2
//
// For f64, p is 1. In sparse instructions A has K / 2 elements, laid out so.
// The exception is mma.m8n8k4 of f16, see QuadPair.h.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_FRAGMENTS_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_FRAGMENTS_H

#include "Element.h"

namespace ptxbench::emulator {

constexpr unsigned laneCount = 32;

/// A place in a matrix.
struct Place {
  unsigned row;
  unsigned column;

  bool operator==(const Place &other) const {
    return row == other.row && column == other.column;
  }
};

/// Elements of one register of a fragment.
constexpr unsigned elementsPerRegister(Element element) {
  return bitsOf(element) >= 32 ? 1 : 32 / bitsOf(element);
}

/// Element `index` of a fragment of A of `rows` (8 or 16) rows.
constexpr Place placeInA(Element element, unsigned rows, unsigned lane,
                         unsigned index) {
  unsigned per = elementsPerRegister(element);
  unsigned reg = index / per, part = index % per;
  unsigned low = rows == 8 ? 0 : reg % 2;
  unsigned step = rows == 8 ? reg : reg / 2;
  return {lane / 4 + 8 * low, (lane % 4 + 4 * step) * per + part};
}

/// Element `index` of a fragment of B of 8 columns.
constexpr Place placeInB(Element element, unsigned lane, unsigned index) {
  unsigned per = elementsPerRegister(element);
  return {(lane % 4 + 4 * (index / per)) * per + index % per, lane / 4};
}

/// Element `index` of a fragment of C and D of `rows` (8 or 16) rows and any
/// number of columns. With f16 each register holds two elements.
constexpr Place placeInD(unsigned rows, unsigned lane, unsigned index) {
  unsigned low = rows == 8 ? 0 : index / 2 % 2;
  unsigned block = rows == 8 ? index / 2 : index / 4;
  return {lane / 4 + 8 * low, 8 * block + lane % 4 * 2 + index % 2};
}

/// Each warp of a warpgroup has 16 rows: warp `%warpid % 4` of it those from
/// here on.
constexpr unsigned firstRowOfWarp(unsigned warp) { return warp % 4 * 16; }

/// Element `index` of a lane's fragment of D in wgmma.
constexpr Place placeInWarpgroupD(unsigned warp, unsigned lane,
                                  unsigned index) {
  Place place = placeInD(16, lane, index);
  return {place.row + firstRowOfWarp(warp), place.column};
}

/// Element `index` of a lane's fragment of A in wgmma.
constexpr Place placeInWarpgroupA(Element element, unsigned warp, unsigned lane,
                                  unsigned index) {
  Place place = placeInA(element, 16, lane, index);
  return {place.row + firstRowOfWarp(warp), place.column};
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_FRAGMENTS_H
