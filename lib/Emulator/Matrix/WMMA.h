//===- WMMA.h - Fragments of wmma -------------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Matrix Fragments for WMMA": how wmma.load spreads a matrix over the
// registers is not specified, only how many registers there are and that
// wmma.mma and wmma.store agree. Here a fragment is a sequence of fragments of
// mma (see Fragments.h): pieces of 16 rows (8, where the shape has 8) of A and
// D, pieces of eight columns of B. Fragments of f16 have eight registers
// whatever the shape; where there are more than elements, they repeat.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_WMMA_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_WMMA_H

#include "Panels.h"

namespace ptxbench::emulator {

struct WMMAShape {
  unsigned m, n, k;
};

enum class WMMAPart : uint8_t { A, B, Accumulator };

/// The fragment of one operand.
class WMMAFragment {
public:
  /// A or B of `element`.
  WMMAFragment(WMMAShape shape, WMMAPart part, Element element)
      : shape(shape), part(part), bits(bitsOf(element)),
        eight(element == Element::F16) {}
  /// C or D with elements of `bits`: 16, 32 or 64.
  WMMAFragment(WMMAShape shape, unsigned bits)
      : shape(shape), part(WMMAPart::Accumulator), bits(bits) {}

  unsigned rows() const { return part == WMMAPart::B ? shape.k : shape.m; }
  unsigned columns() const { return part == WMMAPart::A ? shape.k : shape.n; }
  /// Registers in the instruction.
  unsigned registers() const { return eight ? 8 : distinctRegisters(); }
  /// Registers that hold different elements; the first ones.
  unsigned distinctRegisters() const {
    return rows() * columns() / laneCount / perRegister();
  }
  unsigned perRegister() const { return bits >= 32 ? 1 : 32 / bits; }
  /// Rows of a piece of A and D, columns of one of B.
  unsigned pieceSize() const {
    return part == WMMAPart::B || shape.m == 8 ? 8 : 16;
  }
  unsigned pieces() const {
    return (part == WMMAPart::B ? shape.n : shape.m) / pieceSize();
  }
  unsigned registersPerPiece() const { return distinctRegisters() / pieces(); }

  /// Where element `index` of register `reg` of `lane` stands.
  Place place(unsigned lane, unsigned reg, unsigned index) const;
  /// How many elements from the start of a matrix with rows (columns, unless
  /// `rowMajor`) `stride` elements apart that is.
  static uint64_t offset(Place place, uint64_t stride, bool rowMajor) {
    return rowMajor ? place.row * stride + place.column
                    : place.column * stride + place.row;
  }

private:
  WMMAShape shape;
  WMMAPart part;
  unsigned bits;
  /// A and B of f16 have eight registers.
  bool eight = false;
};

/// Gathers the rows of piece `piece` of A; `out` is reset to its rows.
void packWMMARows(const WMMAFragment &a, Element element,
                  const LaneRow *registers, unsigned piece, PackedLines &out);
/// Gathers all columns of B.
void packWMMAColumns(const WMMAFragment &b, Element element,
                     const LaneRow *registers, PackedLines &out);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_WMMA_H
