//===- Livelock.h - Warps that go round for ever ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While memory stays as it is, a warp is a machine whose next state follows
// from the present one. If the state of a warp comes back and in between no
// byte of memory changed and no clock was read, the warp goes on like this for
// ever: it changes nothing, so that if all others do the same or wait, nobody
// ever does.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MACHINE_LIVELOCK_H
#define PTXBENCH_LIB_EMULATOR_MACHINE_LIVELOCK_H

#include "Machine.h"

namespace ptxbench::emulator {

enum class Course : uint8_t {
  /// All its groups wait.
  Waits,
  /// Its state comes back.
  Repeats,
  /// Neither, or not within the instructions that were allowed; it may have
  /// made progress.
  GoesOn,
};

/// What lanes do in a warp that repeats itself.
struct Loop {
  LaneMask lanes = 0;
  /// Any instruction of it, and its lines.
  uint32_t pc = 0;
  unsigned firstLine = 0, lastLine = 0;
};

/// Executes instructions of a warp, at most `limit`, to see what becomes of it.
/// `loops` gets what it does if it repeats itself.
Course examine(Warp &warp, uint64_t limit, llvm::SmallVectorImpl<Loop> &loops);

/// A number for the state of a warp: another state has another one.
uint64_t stateOf(const Warp &warp);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MACHINE_LIVELOCK_H
