//===- Swizzle.h - Swizzles of shared-memory addresses ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Swizzling Modes": each mode exchanges pieces of a line of 128 bytes of
// shared memory, by an exclusive or of some bits of the address with bits of
// the number of the line. It acts on the address and not on the offset in the
// box, which is the ISA's swizzle base offset for a box that does not start
// where the pattern does. Lines have bits 7 and up.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_TMA_SWIZZLE_H
#define PTXBENCH_LIB_EMULATOR_TMA_SWIZZLE_H

#include "ptxbench/Emulator/TensorMap.h"

namespace ptxbench::emulator {

/// Bytes of a line of shared memory, whose pieces a swizzle exchanges.
constexpr uint32_t sharedLineBytes = 128;

class SwizzlePattern {
public:
  explicit SwizzlePattern(TensorSwizzle swizzle) : span(swizzleSpan(swizzle)) {
    switch (swizzle) {
    case TensorSwizzle::None:
      break;
    case TensorSwizzle::Bytes32: // bit 7 -> bit 4
      shift = 3, mask = 0x10;
      break;
    case TensorSwizzle::Bytes64: // bits 7, 8 -> bits 4, 5
      shift = 3, mask = 0x30;
      break;
    case TensorSwizzle::Bytes128: // bits 7, 8, 9 -> bits 4, 5, 6
      shift = 3, mask = 0x70;
      break;
    case TensorSwizzle::Bytes128Atom32: // bits 7, 8 -> bits 5, 6
      shift = 2, mask = 0x60;
      break;
    case TensorSwizzle::Bytes128Atom32Flip8: // and bit 7 -> bit 3
      shift = 2, mask = 0x60, flipMask = 0x8;
      break;
    case TensorSwizzle::Bytes128Atom64: // bit 7 -> bit 6
      shift = 1, mask = 0x40;
      break;
    }
  }

  /// Where the byte at `address` goes is `address ^ exchange(address)`; the
  /// value is the same for all addresses of a line.
  uint32_t exchange(uint32_t address) const {
    return ((address >> shift) & mask) | ((address >> 4) & flipMask);
  }

  /// Bytes, aligned as a whole, that the swizzle permutes among themselves.
  uint32_t spanBytes() const { return span; }

private:
  uint32_t span;
  uint32_t shift = 0;
  uint32_t mask = 0;
  uint32_t flipMask = 0;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_TMA_SWIZZLE_H
