//===- Panels.h - Operands laid out for the products ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp's product keeps D where the instruction has it, in registers: row of
// 32 lanes `i` is element i of every lane's fragment. Lane l of it belongs to
// row l / 4 of its half (rows 0 to 7 or 8 to 15) and to one of four columns. So
//
//   rows of A     are spread to the lanes: for each k, each half and each lane
//                 the element of the lane's row
//   columns of B  are grouped: for each k, for each block of eight columns the
//                 four even ones, then the four odd ones; a group of four is
//                 repeated over the lanes
//
// and the product is one multiply-add of two vectors for each k and register.
//
// An operand goes two steps: `PackedLines` gathers rows of A or columns of B,
// with their elements packed along K, from registers or shared memory; a panel
// unpacks those. The columns of B are the same for the four warps of a
// warpgroup, and for every warpgroup that names the same bytes: keep them.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_PANELS_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_PANELS_H

#include "Fragments.h"
#include "SharedDescriptor.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace ptxbench::emulator {

/// Rows of A or columns of B, each with its elements packed along K.
struct PackedLines {
  static constexpr unsigned maxLines = 256;
  static constexpr unsigned maxWords = 16;

  unsigned lines = 0;
  /// 32-bit words of each line.
  unsigned words = 0;
  alignas(64) uint32_t word[maxLines * maxWords];

  const uint32_t *line(unsigned index) const { return word + index * words; }
  uint32_t *line(unsigned index) { return word + index * words; }

  /// Makes room for `lines` lines of `k` elements.
  void reset(unsigned lines, Element element, unsigned k) {
    this->lines = lines;
    words = k * bitsOf(element) / 32;
  }
};

/// A register of a warp: 32 lanes of 32 bits.
using LaneRow = const uint32_t *;

/// Gathers a fragment of A with 8 or 16 rows from its registers.
void packRows(const LaneRow *registers, unsigned rows, PackedLines &out);
/// Gathers eight columns of B, from `firstLine` on, from their registers.
void packColumns(const LaneRow *registers, unsigned firstLine,
                 PackedLines &out);

/// The shared memory that descriptors address, from address zero on.
struct SharedWindow {
  const uint8_t *bytes;
  uint32_t size;
  /// Where what the program may use begins.
  uint32_t begin = 0;
};

/// Gathers `out.lines` lines from `firstLine` on from shared memory. An address
/// outside of the window is returned, and `out` then is of no use.
std::optional<uint32_t> packShared(const SharedMatrix &matrix,
                                   unsigned firstLine,
                                   const SharedWindow &window,
                                   PackedLines &out);

/// The positions of the elements of a sparse A: for each of the 16 rows four
/// bits for each chunk of A, lowest first. See Sparsity.h.
using RowMetadata = uint64_t[16];

/// Rows of A spread to the lanes. `maxK` counts slots of the type.
template <typename T, unsigned maxK> struct RowPanel {
  unsigned k = 0;
  /// Only the lanes in `mask` have an element of A at k.
  bool sparse = false;
  alignas(64) T value[maxK][2][laneCount];
  uint32_t mask[maxK][2];
};

/// Columns of B in groups of four.
template <typename T> struct ColumnPanel {
  unsigned k = 0;
  unsigned n = 0;
  llvm::SmallVector<T, 256> value;

  /// Where column `n` stands among the columns of one k.
  static constexpr unsigned slot(unsigned column) {
    return (column & ~7u) | (column & 1) << 2 | (column >> 1 & 3);
  }
  void reset(unsigned newK, unsigned newN) {
    k = newK;
    n = newN;
    value.resize_for_overwrite(k * n);
  }
};

/// Operands of f16, bf16, tf32, e4m3 and e5m2.
using FloatRows = RowPanel<float, 64>;
using FloatColumns = ColumnPanel<float>;
/// Operands of integers of 8 and 4 bits: two elements, of 16 bits, in a slot.
using IntegerRows = RowPanel<uint32_t, 64>;
using IntegerColumns = ColumnPanel<uint32_t>;
/// Operands of single bits: 32 in a slot.
using BitRows = RowPanel<uint32_t, 8>;
using BitColumns = ColumnPanel<uint32_t>;
/// Operands of f64.
using DoubleRows = RowPanel<double, 16>;
using DoubleColumns = ColumnPanel<double>;

/// Unpacks rows of A; `negate` is what imm-scale-a and imm-scale-b of
/// different signs ask for.
void unpackRows(Element element, const PackedLines &lines, bool negate,
                FloatRows &out);
/// The same of a sparse A whose lines hold half of the elements.
void unpackSparseRows(Element element, const PackedLines &lines,
                      const RowMetadata &metadata, bool negate, FloatRows &out);
void unpackColumns(Element element, const PackedLines &lines,
                   FloatColumns &out);

void unpackIntegerRows(Element element, const PackedLines &lines,
                       IntegerRows &out);
/// Elements that a sparse A doesn't have are zero.
void unpackSparseIntegerRows(Element element, const PackedLines &lines,
                             const RowMetadata &metadata, IntegerRows &out);
void unpackIntegerColumns(Element element, const PackedLines &lines,
                          IntegerColumns &out);

void unpackBitRows(const PackedLines &lines, BitRows &out);
void unpackBitColumns(const PackedLines &lines, BitColumns &out);

/// f64 fragments of 8 or 16 rows and `k` elements, straight from registers.
void unpackDoubleRows(const double *const *registers, unsigned rows, unsigned k,
                      DoubleRows &out);
void unpackDoubleColumns(const double *const *registers, unsigned k,
                         DoubleColumns &out);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_PANELS_H
