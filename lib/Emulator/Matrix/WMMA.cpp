//===- WMMA.cpp - Fragments of wmma ---------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pieces of wmma's fragments in terms of those of mma.
//
//===----------------------------------------------------------------------===//

#include "WMMA.h"

using namespace ptxbench::emulator;

Place WMMAFragment::place(unsigned lane, unsigned reg, unsigned index) const {
  reg %= distinctRegisters();
  unsigned piece = reg / registersPerPiece();
  unsigned number = reg % registersPerPiece() * perRegister() + index;
  unsigned first = piece * pieceSize();
  Element sameSize = bits == 64   ? Element::F64
                     : bits == 32 ? Element::TF32
                     : bits == 16 ? Element::F16
                     : bits == 8  ? Element::S8
                     : bits == 4  ? Element::S4
                                  : Element::B1;
  Place place;
  switch (part) {
  case WMMAPart::A:
    place = placeInA(sameSize, pieceSize(), lane, number);
    place.row += first;
    return place;
  case WMMAPart::B:
    place = placeInB(sameSize, lane, number);
    place.column += first;
    return place;
  case WMMAPart::Accumulator:
    break;
  }
  place = placeInD(pieceSize(), lane, number);
  place.row += first;
  return place;
}

void ptxbench::emulator::packWMMARows(const WMMAFragment &a, Element element,
                                      const LaneRow *registers, unsigned piece,
                                      PackedLines &out) {
  out.reset(a.pieceSize(), element, a.columns());
  packRows(registers + piece * a.registersPerPiece(), a.pieceSize(), out);
}

void ptxbench::emulator::packWMMAColumns(const WMMAFragment &b, Element element,
                                         const LaneRow *registers,
                                         PackedLines &out) {
  out.reset(b.columns(), element, b.rows());
  for (unsigned piece = 0; piece != b.pieces(); ++piece)
    packColumns(registers + piece * b.registersPerPiece(), piece * 8, out);
}
