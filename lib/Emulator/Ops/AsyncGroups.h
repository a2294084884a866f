//===- AsyncGroups.h - Groups of asynchronous operations ------ -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Async-groups": what a thread has issued since its last commit is a
// group, and a wait goes on when all but the last so many are complete. There
// are three kinds: `cp.async` and bulk copies have groups per thread, wgmma has
// them per warp.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_ASYNCGROUPS_H
#define PTXBENCH_LIB_EMULATOR_OPS_ASYNCGROUPS_H

#include "../Machine/Machine.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <deque>
#include <memory>

namespace ptxbench::emulator {

/// The groups of one thread, or of one warp.
class AsyncGroups {
public:
  /// The group that the next operation belongs to.
  const std::shared_ptr<AsyncGroup> &open() {
    if (!current)
      current = std::make_shared<AsyncGroup>();
    return current;
  }
  void commit() {
    uncovered.push_back(open()->lastEpoch);
    committed.push_back(open());
    current.reset();
  }
  /// Whether all committed groups but the last `allowed` are complete.
  bool isComplete(uint64_t allowed) {
    while (!committed.empty() && !committed.front()->pending)
      committed.pop_front();
    return committed.size() <= allowed;
  }
  /// The last operation of the race checker's count that a wait for all groups
  /// but the last `allowed` covers, whatever else may be complete.
  uint32_t coveredEpoch(uint64_t allowed) {
    for (; uncovered.size() > allowed; uncovered.pop_front())
      covered = std::max(covered, uncovered.front());
    return covered;
  }

private:
  std::shared_ptr<AsyncGroup> current;
  std::deque<std::shared_ptr<AsyncGroup>> committed;
  /// Last epochs of groups that no wait has covered.
  std::deque<uint32_t> uncovered;
  uint32_t covered = 0;
};

/// A `wgmma.mma_async` that no wait has covered yet, whether or not it is
/// complete.
struct WgmmaInFlight {
  const Inst *inst;
  /// The rows of the frame that issued it.
  char *rows;
  /// How many groups were committed before its own.
  uint64_t group;
};

struct WgmmaPart;
/// A `wgmma.mma_async` that some of the four warps have issued.
struct FormingWgmma {
  std::shared_ptr<WgmmaPart> parts[4];
  unsigned count = 0;
};

struct WarpAsyncGroups {
  AsyncGroups cpAsync[warpSize], bulk[warpSize], wgmma;
  uint64_t wgmmaCommits = 0;
  uint64_t wgmmaIssued = 0;
  /// Those of this warp that need not be computed yet.
  std::deque<std::shared_ptr<WgmmaPart>> wgmmaParts;
  /// In the first warp of a warpgroup: those that not all four have issued,
  /// behind `wgmmaFormed` that they have.
  std::deque<FormingWgmma> forming;
  uint64_t wgmmaFormed = 0;
  /// In the order in which they were issued.
  llvm::SmallVector<WgmmaInFlight, 0> wgmmaInFlight;
  /// Whether a missing `wgmma.fence` is looked for: whether
  /// there was one, and by which instruction a register of wgmma, of the frame
  /// with these rows, was written since.
  bool watchesRegisters = false, hadFence = false;
  llvm::DenseMap<std::pair<char *, Slot>, const Inst *> writtenRegisters;

  /// A wait for all groups but the last `allowed` covers those before.
  void coverWgmma(uint64_t allowed) {
    auto isCovered = [&](const WgmmaInFlight &one) {
      return one.group < wgmmaCommits && wgmmaCommits - one.group > allowed;
    };
    llvm::erase_if(wgmmaInFlight, isCovered);
  }
  /// Of what `bulk` has only the reading of the sources, which
  /// `cp.async.bulk.wait_group.read` waits for.
  AsyncGroups bulkRead[warpSize];
};
/// Those of a warp, made at first use.
WarpAsyncGroups &asyncGroupsOf(Warp &warp);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_ASYNCGROUPS_H
