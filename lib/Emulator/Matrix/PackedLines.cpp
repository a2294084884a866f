//===- PackedLines.cpp - Operands gathered from where they are ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers hold four words of a line in a group of four lanes; shared memory
// holds chunks of 16 bytes, along K or, transposed, along the lines.
//
//===----------------------------------------------------------------------===//

#include "Panels.h"
#include "Transpose.h"
#include <cassert>

using namespace ptxbench::emulator;

void ptxbench::emulator::packRows(const LaneRow *registers, unsigned rows,
                                  PackedLines &out) {
  assert(out.lines == rows && (rows == 8 || rows == 16));
  unsigned halves = rows / 8;
  for (unsigned step = 0; step != out.words / 4; ++step)
    for (unsigned half = 0; half != halves; ++half) {
      LaneRow source = registers[step * halves + half];
      for (unsigned row = 0; row != 8; ++row)
        std::memcpy(out.line(half * 8 + row) + step * 4, source + row * 4, 16);
    }
}

void ptxbench::emulator::packColumns(const LaneRow *registers,
                                     unsigned firstLine, PackedLines &out) {
  assert(firstLine + 8 <= out.lines);
  for (unsigned step = 0; step != out.words / 4; ++step)
    for (unsigned column = 0; column != 8; ++column)
      std::memcpy(out.line(firstLine + column) + step * 4,
                  registers[step] + column * 4, 16);
}

std::optional<uint32_t>
ptxbench::emulator::packShared(const SharedMatrix &matrix, unsigned firstLine,
                               const SharedWindow &window, PackedLines &out) {
  constexpr unsigned chunkBytes = 16;
  auto outside = [begin = window.begin, size = window.size](uint32_t address) {
    return uint64_t(uint32_t(address - begin)) + chunkBytes >
           uint64_t(size) - begin;
  };
  if (matrix.majorness() == Major::K) {
    // Copies, which what is written cannot change.
    const SharedMatrix::ChunksAlongK places(matrix);
    const uint8_t *bytes = window.bytes;
    const unsigned lines = out.lines, chunks = out.words / 4;
    uint32_t *to = out.word;
    for (unsigned line = 0; line != lines; ++line)
      for (unsigned chunk = 0; chunk != chunks; ++chunk, to += 4) {
        uint32_t address = places.address(firstLine + line, chunk);
        if (outside(address))
          return address;
        std::memcpy(to, bytes + address, chunkBytes);
      }
    return std::nullopt;
  }

  // Only elements of 16 bits can lie so; a chunk has one of each of eight
  // lines.
  assert(matrix.elementBits() == 16 && firstLine % 8 == 0);
  typedef uint16_t Chunk __attribute__((vector_size(chunkBytes)));
  for (unsigned block = 0; block != out.lines / 8; ++block)
    for (unsigned word = 0; word != out.words; word += 4) {
      // Words of two elements along K, of four lines each.
      FourWords lower[4], upper[4];
      for (unsigned i = 0; i != 4; ++i) {
        Chunk part[2];
        for (unsigned which = 0; which != 2; ++which) {
          uint32_t address = matrix.chunkAddress(firstLine / 8 + block,
                                                 (word + i) * 2 + which);
          if (outside(address))
            return address;
          std::memcpy(&part[which], window.bytes + address, chunkBytes);
        }
        lower[i] = FourWords(__builtin_shufflevector(part[0], part[1], 0, 8, 1,
                                                     9, 2, 10, 3, 11));
        upper[i] = FourWords(__builtin_shufflevector(part[0], part[1], 4, 12, 5,
                                                     13, 6, 14, 7, 15));
      }
      transposeFour(lower, out.line(block * 8) + word, out.words);
      transposeFour(upper, out.line(block * 8 + 4) + word, out.words);
    }
  return std::nullopt;
}
