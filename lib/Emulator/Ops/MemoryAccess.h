//===- MemoryAccess.h - Addresses of the lanes of a warp --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From an address in a state space to bytes of the host, with the checks that
// are always made: the access lies in one allocation and is aligned to its
// size.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_MEMORYACCESS_H
#define PTXBENCH_LIB_EMULATOR_OPS_MEMORYACCESS_H

#include "../Machine/Machine.h"
#include "InstDesc.h"

namespace ptxbench::emulator {

enum class Space : uint8_t {
  Generic,
  Global,
  SharedCta,
  SharedCluster,
  Local,
  /// Parameters by an address in a register: those of entries lie in global
  /// memory, those of functions in local memory.
  Param
};

/// The state space that the modifiers and the address name; `.const` is in
/// global memory.
Space spaceOf(const InstDesc &desc, const OperandDesc &address);

/// Puts an address into ops[0] (the row), imm (the offset), flags[0] (the
/// Space) and flags[1] (whether the row has 32 bits); false if its base is no
/// row.
bool useAddress(const InstDesc &desc, const OperandDesc &address, Inst &inst);

/// The address of a lane as useAddress has put it.
inline uint64_t laneAddress(Warp &warp, const Inst &inst, unsigned lane) {
  if (inst.flags[1])
    return uint32_t(row<uint32_t>(warp, inst.ops[0])[lane] + inst.imm);
  return row<uint64_t>(warp, inst.ops[0])[lane] + inst.imm;
}

/// A second address of an instruction: its row is in ops[slot], its offset in
/// imm2; `flag` and the one behind it are those of Inst::flags that hold its
/// Space and whether the row has 32 bits.
bool useSecondAddress(const InstDesc &desc, const OperandDesc &address,
                      Inst &inst, unsigned slot, unsigned flag);
inline uint64_t secondAddress(Warp &warp, const Inst &inst, unsigned lane,
                              unsigned slot, unsigned flag) {
  if (inst.flags[flag + 1])
    return uint32_t(row<uint32_t>(warp, inst.ops[slot])[lane] + inst.imm2);
  return row<uint64_t>(warp, inst.ops[slot])[lane] + int32_t(inst.imm2);
}

/// The bytes at an address; null after a fault (out of bounds, misaligned).
char *resolve(Warp &warp, const Inst &inst, unsigned lane, Space space,
              uint64_t address, uint32_t bytes);

/// What an access of a warp touches.
struct LaneBytes {
  enum Pattern : uint8_t {
    Scattered,
    /// All lanes are active and the bytes of each follow those of the one
    /// before.
    Consecutive,
    /// All active lanes have the same ones.
    Uniform,
  } pattern = Scattered;
  /// The first bytes, unless they are scattered.
  char *begin = nullptr;
  /// Lanes whose bytes are in global memory, which other host threads use.
  LaneMask global = 0;
  /// All of them are in local memory, which nobody waits for.
  bool isLocal = false;
  /// The bytes of each lane; of a lane that is not active: those of one that
  /// is, or its own part of local memory.
  char *at[warpSize];
};

/// Finds the `bytes`, a power of two, at the addresses of the lanes of `mask`
/// as useAddress has put them, aligned to their number. False after a fault of
/// any lane. Where the lanes are not scattered, LaneBytes::at is left alone
/// unless `each` is set. Where misuse is looked for, the access is checked.
bool locate(Warp &warp, const Inst &inst, LaneMask mask, AccessKind kind,
            uint32_t bytes, LaneBytes &result, bool each = true);

/// The same without the check, and always with LaneBytes::at.
bool findLanes(Warp &warp, const Inst &inst, LaneMask mask, uint32_t bytes,
               LaneBytes &result);

/// Checks an access where misuse is looked for (locate does it itself).
inline void watch(Warp &warp, const Inst &inst, unsigned lane, AccessKind kind,
                  const char *place, uint32_t bytes) {
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->access(warp, inst, lane, kind, place, bytes);
}

/// Calls `use(lane, bytes)` for the lanes of `mask`, in their order, until one
/// faults.
template <class Use>
inline void forEachAddress(Warp &warp, const Inst &inst, LaneMask mask,
                           uint32_t size, Use use) {
  auto space = Space(inst.flags[0]);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    uint64_t address = laneAddress(warp, inst, lane);
    char *bytes;
    // The common case without a call.
    if (space == Space::Global &&
        warp.recentAllocation.contains(address, address + size) &&
        address % size == 0)
      bytes = reinterpret_cast<char *>(address);
    else if (!(bytes = resolve(warp, inst, lane, space, address, size)))
      return;
    use(lane, bytes);
  }
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_MEMORYACCESS_H
