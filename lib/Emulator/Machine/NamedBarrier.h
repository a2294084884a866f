//===- NamedBarrier.h - Barriers of CTAs and clusters --------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The barriers that `bar`, `barrier` and `barrier.cluster` name: who has
// arrived since the last time all had, and how often all had.
//
// PTX ISA "barrier": a warp arrives once all its threads that have not ended
// have, and counts as a whole one.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MACHINE_NAMEDBARRIER_H
#define PTXBENCH_LIB_EMULATOR_MACHINE_NAMEDBARRIER_H

#include "../Program.h"

#include <vector>

namespace ptxbench::emulator {

/// What `barrier.red` has gathered.
struct BarrierReduction {
  uint32_t count = 0;
  bool all = true, any = false;
};

class NamedBarrier {
public:
  /// Lanes of the `index`-th of the participating warps arrive by `inst`; there
  /// are `expected` threads, 0: all that have not ended.
  void arrive(unsigned index, LaneMask lanes, uint32_t expected,
              const Inst &inst);
  /// The lanes of a warp that have arrived since it was last complete.
  LaneMask arrived(unsigned index) const {
    return index < lanes.size() ? lanes[index] : 0;
  }
  bool isUsed() const { return used; }
  uint32_t expectedThreads() const { return expected; }
  /// Who arrived first since it was last complete.
  const Inst *firstArrival() const { return first; }

  /// Threads of the warps that have arrived. `ended(i)` are lanes of the i-th
  /// warp that run no more or never were; there are `warps` of them.
  template <class Ended>
  uint64_t arrivedThreads(unsigned warps, Ended ended) const {
    uint64_t threads = again;
    for (unsigned i = 0; i < warps; ++i)
      if (arrived(i) && (arrived(i) | ended(i)) == ~LaneMask(0))
        threads += warpSize;
    return threads;
  }

  /// Completes it if all have arrived.
  template <class Ended> bool tryComplete(unsigned warps, Ended ended) {
    if (!used)
      return false;
    if (expected) {
      if (arrivedThreads(warps, ended) < expected)
        return false;
    } else {
      for (unsigned i = 0; i < warps; ++i)
        if ((arrived(i) | ended(i)) != ~LaneMask(0))
          return false;
    }
    complete();
    return true;
  }

  /// How often it was complete.
  uint64_t generation = 0;
  /// Since it was last complete, and what was gathered then.
  BarrierReduction reduction, lastReduction;

private:
  void complete();

  std::vector<LaneMask> lanes;
  /// Arrivals of threads that had arrived already: `bar.arrive` does not wait.
  uint64_t again = 0;
  uint32_t expected = 0;
  const Inst *first = nullptr;
  bool used = false;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MACHINE_NAMEDBARRIER_H
