//===- MBarrier.h - mbarrier objects -------------------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "mbarrier". An object is one 64-bit word of shared memory:
//
//   0-19   arrivals that are pending in the current phase
//   20-39  arrivals that a phase expects
//   40-61  bytes that are expected and have not come, signed (tx-count)
//   63     parity of the current phase
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_MBARRIER_H
#define PTXBENCH_LIB_EMULATOR_OPS_MBARRIER_H

#include "../Program.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <cstring>

namespace ptxbench::emulator {

struct MBarrier {
  uint32_t pending = 0, expected = 0;
  int32_t bytes = 0;
  bool parity = false;

  /// The range of counts, and of the tx-count.
  static constexpr uint32_t maxCount = (1u << 20) - 1;
  static constexpr int32_t maxBytes = (1 << 20) - 1;

  static MBarrier unpack(uint64_t word) {
    MBarrier result;
    result.pending = word & maxCount;
    result.expected = word >> 20 & maxCount;
    // Sign-extends the 22 bits.
    result.bytes = int64_t(word << 2) >> 42;
    result.parity = word >> 63;
    return result;
  }
  uint64_t pack() const {
    return uint64_t(pending) | uint64_t(expected) << 20 |
           (uint64_t(uint32_t(bytes)) & 0x3fffff) << 40 |
           uint64_t(parity) << 63;
  }
  static MBarrier load(const char *place) {
    uint64_t word;
    std::memcpy(&word, place, sizeof(word));
    return unpack(word);
  }

  /// Ends the phase if nothing is missing; true if it did.
  bool tryComplete() {
    if (pending || bytes)
      return false;
    parity = !parity;
    pending = expected;
    return true;
  }
};

struct AsyncStamp;
struct Cluster;
struct Warp;

/// The mbarriers of a cluster: what stands at a place of shared memory is one
/// only if an `mbarrier.init` made it and nothing else has written there.
struct MBarrierTable {
  struct Entry {
    uint64_t word = 0;
    /// The line of `mbarrier.init`, of `mbarrier.inval`; 0: none.
    unsigned init = 0, inval = 0;
  };
  llvm::DenseMap<const char *, Entry> entries;
};

/// What keeps the bytes at `place` from being an mbarrier; empty: they are one.
std::string whyNoMBarrier(const Cluster &cluster, const char *place);
/// The mbarrier at `place`; false, with a fault, if there is none.
bool loadMBarrier(Warp &warp, const Inst &inst, unsigned lane,
                  const char *place, MBarrier &barrier);
/// Ends the phase of the mbarrier at `place` if nothing is missing; whether it
/// did. `barrier` is what will be stored there.
bool endPhase(Warp &warp, MBarrier &barrier, const char *place);
/// Writes an mbarrier after an operation on it by `inst`. `ended`: its phase
/// has ended; who waits for the phase before and has not seen its end yet will
/// not see it, which is reported.
void storeMBarrier(Warp &warp, const Inst &inst, char *place,
                   const MBarrier &barrier, bool ended);

/// Where an mbarrier ends with bytes that nobody expected.
void checkMBarriersAtEnd(Cluster &cluster);

/// `bytes` that an mbarrier at this place of shared memory expects have come.
/// False, with a fault, if it is none or overflows.
bool completeBytes(Warp &warp, const Inst &inst, unsigned lane, char *place,
                   int64_t bytes);

/// Tells the race checker, if there is one, of a store to shared memory that an
/// mbarrier tracks; and that it is complete, both it and the mbarrier.
AsyncStamp beginAsync(Warp &warp, const Inst &inst, unsigned lane,
                      const char *barrier, const char *place, uint32_t bytes);
void completeAsync(Warp &warp, const Inst &inst, unsigned lane, char *barrier,
                   AsyncStamp stamp, int64_t bytes);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_MBARRIER_H
