//===- Deadlock.h - Reporting who waits for what ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch ends with whose threads cannot go on: a finding for each group
// of lanes, the most telling ones first.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MACHINE_DEADLOCK_H
#define PTXBENCH_LIB_EMULATOR_MACHINE_DEADLOCK_H

#include "Livelock.h"

namespace ptxbench::emulator {

/// A warp that repeats itself, and how.
struct RepeatingWarp {
  Warp *warp = nullptr;
  llvm::SmallVector<Loop, 2> loops;
};

/// Says why no thread of `clusters` can go on: each waits or is of one of the
/// `repeating` warps. Returns a sentence and adds what is found.
std::string describeDeadlock(llvm::ArrayRef<Cluster *> clusters,
                             llvm::ArrayRef<RepeatingWarp> repeating,
                             std::vector<Finding> &findings);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MACHINE_DEADLOCK_H
