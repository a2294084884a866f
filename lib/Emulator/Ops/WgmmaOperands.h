//===- WgmmaOperands.h - The product of one warp of wgmma -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a `wgmma.mma_async` says and what a warp has issued of it, and the
// product. B is the same for the four warps of a warpgroup: each gathers it
// from shared memory, which is cheap, and unpacks it only if the bytes are not
// those that were unpacked under the same descriptor the last time. So nobody
// who writes to shared memory has to know of it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_WGMMAOPERANDS_H
#define PTXBENCH_LIB_EMULATOR_OPS_WGMMAOPERANDS_H

#include "../Matrix/SharedDescriptor.h"
#include "MatrixOps.h"

namespace ptxbench::emulator {

struct WgmmaExtra : InstExtra {
  enum Accumulator : uint8_t { Float, Half, Integer, Bit } accumulator = Float;
  Element a = Element::F16, b = Element::F16;
  Major majorA = Major::K, majorB = Major::K;
  bool sparse = false, saturate = false;
  /// The signs of imm-scale-a and imm-scale-b differ.
  bool negate = false;
  unsigned n = 0, k = 0;
  unsigned selector = 0;
  RowSlots d;
  /// Empty: A is in shared memory.
  RowSlots aRegisters;
};

/// What one warp has issued: its rows of A and D.
struct WgmmaPart {
  Warp *warp = nullptr;
  const Inst *inst = nullptr;
  const WgmmaExtra *extra = nullptr;
  /// The rows of the frame that issued it.
  char *rows = nullptr;
  uint64_t descriptorA = 0, descriptorB = 0;
  bool accumulate = true;
  /// That frame.
  Frame *frame = nullptr;
  /// Of a sparse A.
  uint32_t metadata[warpSize];
  /// That of the warp, in which it is pending.
  std::shared_ptr<AsyncGroup> group;
  bool done = false;

  /// Computes the rows of D, unless that is done.
  void multiply();
  /// Gives D its undefined bits when it is computed.
  void followUndefined() const;
  /// Tells the race checker what is read of shared memory.
  void watch(RaceChecker &races, AsyncStamp stamp) const;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_WGMMAOPERANDS_H
