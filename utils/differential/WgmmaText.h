//===- WgmmaText.h - Kernels around wgmma -----------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One warpgroup (or more) executes `wgmma` on shared memory full of random
// elements: 16 KiB of A's, then 32 KiB of B's. So every descriptor that stays
// inside is a case, and a wrong address is a wrong product.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_WGMMATEXT_H
#define PTXBENCH_UTILS_DIFFERENTIAL_WGMMATEXT_H

#include "MatrixText.h"

namespace ptxbench::differential {

/// A matrix descriptor without its start address.
struct SharedLayout {
  /// As in the descriptor: 0 none, 1 to 3 for 128, 64 and 32 bytes.
  unsigned swizzle = 0;
  /// In bytes.
  uint32_t leading = 128, stride = 256;
  unsigned base = 0;
  /// Of the start in A's or B's part of the tile.
  uint32_t offset = 0;

  uint64_t bits() const {
    return uint64_t(leading >> 4 & 0x3fff) << 16 |
           uint64_t(stride >> 4 & 0x3fff) << 32 | uint64_t(base) << 49 |
           uint64_t(swizzle) << 62;
  }
};

struct WgmmaSpec {
  std::string name;
  unsigned n = 64;
  Element a = Element::F16, b = Element::F16, d = Element::F32;
  bool sparse = false;
  unsigned selector = 0;
  /// Metadata is any.
  bool anyOrder = false;
  /// What the ISA leaves open: the family has a name of its own.
  bool isOpen = false;
  SharedLayout layoutA, layoutB;
  bool registersA = false;
  unsigned transA = 0, transB = 0;
  /// "0", "1" or "%p0" (true) and "%p1" (false).
  std::string scaleD = "%p0";
  int scaleA = 1, scaleB = 1;
  /// ".satfinite" of integers, whose accumulators then begin near the limits.
  bool saturated = false;
  Fill fill = Fill::Small;
  /// Offsets of A and B, in bytes, of one product after the other.
  std::vector<std::pair<uint32_t, uint32_t>> steps = {{0, 0}};
  unsigned warpgroups = 1;
};

constexpr uint32_t wgmmaBytesA = 16384, wgmmaBytesB = 32768;

/// K of one instruction.
unsigned depthOf(const WgmmaSpec &spec);
/// "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16".
std::string opcodeOf(const WgmmaSpec &spec);
/// "%f" or "%acc", and how many registers D has.
std::string accumulatorStem(const WgmmaSpec &spec);
unsigned accumulatorCount(const WgmmaSpec &spec);
/// `reg` := the descriptor of `layout`, whose part of the tile begins at
/// `base`.
void makeDescriptor(KernelText &kernel, const std::string &reg,
                    const SharedLayout &layout, uint32_t base);
/// Accumulators that differ in each thread and register.
void startAccumulators(KernelText &kernel, const WgmmaSpec &spec);

void addWgmma(std::vector<Case> &cases, const WgmmaSpec &spec);

/// Inputs that tell how sums are rounded; addWgmmaCases has them, too.
void addAccumulationCases(std::vector<Case> &cases);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_WGMMATEXT_H
