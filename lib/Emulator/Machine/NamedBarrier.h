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
  /// Lanes of the `index`-th of the participating warps arrive; there are
  /// `expected` threads, 0: all that have not ended.
  void arrive(unsigned index, LaneMask lanes, uint32_t expected);
  /// The lanes of a warp that have arrived since it was last complete.
  LaneMask arrived(unsigned index) const {
    return index < lanes.size() ? lanes[index] : 0;
  }
  bool isUsed() const { return used; }
  uint32_t expectedThreads() const { return expected; }

  /// Completes it if all have arrived. `ended(i)` are lanes of the i-th warp
  /// that run no more or never were; there are `warps` of them.
  template <class Ended> bool tryComplete(unsigned warps, Ended ended) {
    if (!used)
      return false;
    uint64_t threads = 0;
    bool everyone = true;
    for (unsigned i = 0; i < warps; ++i) {
      LaneMask here = arrived(i), gone = ended(i);
      bool whole = (here | gone) == ~LaneMask(0);
      everyone &= whole;
      // A warp counts as a whole once none of its threads is missing.
      if (here)
        threads += whole ? warpSize : __builtin_popcount(here);
    }
    if (expected ? threads < expected : !everyone)
      return false;
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
  uint32_t expected = 0;
  bool used = false;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MACHINE_NAMEDBARRIER_H
