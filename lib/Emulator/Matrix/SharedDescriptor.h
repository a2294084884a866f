//===- SharedDescriptor.h - Matrix descriptors of wgmma ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout": the 64
// bits that tell wgmma where a matrix lies in shared memory, and from them the
// address of each element.
//
// In units of chunks (16 bytes, T elements) the layouts are, with W = 1, 2, 4,
// 8 chunks for no, 32, 64 and 128 byte swizzling:
//
//   K-major   none      ((8, m), (T, 2k)) : ((1T, SBO), (1, LBO))
//             swizzled  ((8, m), (T, 2k)) : ((WT, SBO), (1, T))
//   MN-major  none      ((T, 1, m), (8, k)) : ((1, T, SBO), (1T, LBO))
//             swizzled  ((T, W, m), (8, k)) : ((1, T, LBO), (WT, SBO))
//
// The swizzle then exchanges chunks by the bits of the absolute address, so a
// start address inside a swizzled row (as one advances along K) means what it
// should.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_SHAREDDESCRIPTOR_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_SHAREDDESCRIPTOR_H

#include "Element.h"

namespace ptxbench::emulator {

/// As the descriptor encodes it.
enum class SwizzleMode : uint8_t { None = 0, B128 = 1, B64 = 2, B32 = 3 };

/// Which index of an operand is contiguous: K, or M of A and N of B (what the
/// operands imm-trans-a and imm-trans-b of value one say).
enum class Major : uint8_t { K, MN };

/// The fields of a matrix descriptor, in bytes.
struct SharedDescriptor {
  uint32_t start = 0;
  uint32_t leading = 0;
  uint32_t stride = 0;
  uint8_t baseOffset = 0;
  SwizzleMode swizzle = SwizzleMode::None;

  static SharedDescriptor decode(uint64_t bits);
  uint64_t encode() const;

  /// Chunks of a swizzled row.
  unsigned width() const {
    switch (swizzle) {
    case SwizzleMode::None:
      return 1;
    case SwizzleMode::B32:
      return 2;
    case SwizzleMode::B64:
      return 4;
    case SwizzleMode::B128:
      return 8;
    }
    return 1;
  }
  /// Where the byte that is at `address` without swizzling lies.
  uint32_t swizzled(uint32_t address) const {
    // The pattern repeats from the base offset on.
    uint32_t phase = ((address >> 7) - baseOffset) & (width() - 1);
    return address ^ phase << 4;
  }
};

/// A matrix in shared memory: lines (rows of A, columns of B) of elements
/// along K.
class SharedMatrix {
public:
  /// What descriptors can address; sums of their fields wrap there.
  static constexpr uint32_t addressMask = 0x3ffff;

  SharedMatrix(const SharedDescriptor &descriptor, Element element,
               Major major = Major::K)
      : descriptor(descriptor), bits(bitsOf(element)), major(major) {}

  /// The shared-memory address of the byte that holds element `k` of `line`.
  uint32_t address(unsigned line, unsigned k) const {
    return major == Major::K
               ? chunkAddress(line, k * bits / 128) + k * bits / 8 % 16
               : chunkAddress(line * bits / 128, k) + line * bits / 8 % 16;
  }
  /// The address of a chunk of 16 bytes. K-major: `first` is the line and
  /// `second` the chunk along K. MN-major: `first` is the chunk along the lines
  /// and `second` the element along K.
  uint32_t chunkAddress(unsigned first, unsigned second) const {
    unsigned width = descriptor.width();
    uint32_t offset;
    if (major == Major::K) {
      // A line that is wider than the swizzle goes on a leading offset further.
      offset = first % 8 * 16 * width + first / 8 * descriptor.stride;
      offset += second % width * 16 + second / width * descriptor.leading;
    } else if (width == 1) {
      offset = first * descriptor.stride + second % 8 * 16 +
               second / 8 * descriptor.leading;
    } else {
      offset = first % width * 16 + first / width * descriptor.leading +
               second % 8 * 16 * width + second / 8 * descriptor.stride;
    }
    return descriptor.swizzled((descriptor.start + offset) & addressMask);
  }

  /// `chunkAddress` of a K-major matrix for loops over many chunks: all that
  /// does not depend on the chunk is computed before.
  class ChunksAlongK {
  public:
    explicit ChunksAlongK(const SharedMatrix &matrix)
        : start(matrix.descriptor.start),
          lineStep(16 * matrix.descriptor.width()),
          blockStep(matrix.descriptor.stride),
          leading(matrix.descriptor.leading), width(matrix.descriptor.width()),
          phaseMask(matrix.descriptor.width() - 1),
          baseOffset(matrix.descriptor.baseOffset) {}

    uint32_t address(unsigned line, unsigned chunk) const {
      uint32_t address = (start + line % 8 * lineStep + line / 8 * blockStep +
                          chunk % width * 16 + chunk / width * leading) &
                         addressMask;
      return address ^ (((address >> 7) - baseOffset) & phaseMask) << 4;
    }

  private:
    uint32_t start, lineStep, blockStep, leading, width, phaseMask, baseOffset;
  };

  /// Calls `visit(address)` for each chunk of 16 bytes that the lines
  /// [`firstLine`, `firstLine` + `lines`) and `k` elements along K take.
  template <typename Visitor>
  void forEachChunk(unsigned firstLine, unsigned lines, unsigned k,
                    Visitor visit) const {
    if (major == Major::K) {
      for (unsigned line = firstLine; line != firstLine + lines; ++line)
        for (unsigned chunk = 0; chunk != k * bits / 128; ++chunk)
          visit(chunkAddress(line, chunk));
      return;
    }
    unsigned first = firstLine * bits / 128;
    unsigned chunks = lines * bits / 128;
    for (unsigned chunk = first; chunk != first + chunks; ++chunk)
      for (unsigned element = 0; element != k; ++element)
        visit(chunkAddress(chunk, element));
  }

  Major majorness() const { return major; }
  unsigned elementBits() const { return bits; }

private:
  SharedDescriptor descriptor;
  unsigned bits;
  Major major;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_SHAREDDESCRIPTOR_H
