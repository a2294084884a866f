//===- Control.cpp - Control flow and copies ------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Control Flow Instructions", and reading the clocks.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "Lanes.h"
#include "llvm/ADT/bit.h"

#include <chrono>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

Step ptxbench::emulator::executeBranch(Warp &warp, const Inst &inst,
                                       LaneMask &mask) {
  if (!mask)
    return Step::Next;
  LaneMask rest = warp.active & ~mask;
  if (rest && inst.target > warp.pc) {
    // Who is behind in the text goes first.
    park(warp, mask, inst.target);
    return Step::Next;
  }
  if (rest)
    park(warp, rest, warp.pc + 1);
  jump(warp, inst.target);
  return Step::Jumped;
}

Step ptxbench::emulator::executeTableBranch(Warp &warp, const Inst &inst,
                                            LaneMask &mask) {
  const auto &table = static_cast<const TableExtra &>(*inst.extra);
  const uint32_t *index = row<uint32_t>(warp, inst.ops[0]);
  unsigned first = countr_zero(mask);
  LaneMask same = 0;
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    if (index[countr_zero(rest)] == index[first])
      same |= rest & -rest;
  if (index[first] >= table.targets.size()) {
    fault(warp, inst, first, "branch-index",
          "the index of brx.idx is " + Twine(index[first]) +
              " but the list has " + Twine(table.targets.size()) + " labels");
    return Step::Ended;
  }
  if (same != warp.active)
    park(warp, warp.active & ~same, warp.pc);
  mask = same;
  jump(warp, table.targets[index[first]]);
  return Step::Jumped;
}

Step ptxbench::emulator::executeExit(Warp &warp, const Inst &, LaneMask &mask) {
  return mask ? endThreads(warp, mask) : Step::Next;
}

Step ptxbench::emulator::executeTrap(Warp &warp, const Inst &inst,
                                     LaneMask &mask) {
  if (!mask)
    return Step::Next;
  fault(warp, inst, countr_zero(mask), "trap", "a thread executes trap");
  return Step::Ended;
}

Step ptxbench::emulator::executeUnsupported(Warp &warp, const Inst &inst,
                                            LaneMask &mask) {
  if (!mask)
    return Step::Next;
  const auto &extra = static_cast<const UnsupportedExtra &>(*inst.extra);
  fault(warp, inst, countr_zero(mask), "unsupported",
        "unsupported: " + extra.mnemonic, LaunchStatus::Unsupported);
  return Step::Ended;
}

namespace {
template <class T> struct Copy {
  static PTXBENCH_INLINE T apply(T value) { return value; }
};
} // namespace

static void copyPredicate(Warp &warp, const Inst &inst, LaneMask mask) {
  setPredicate(warp, inst.ops[0], predicate(warp, inst.ops[1]), mask);
}

Handler ptxbench::emulator::getCopyHandler(unsigned bits) {
  switch (bits) {
  case 1:
    return copyPredicate;
  case 8:
    return mapLanes<Copy<uint8_t>, uint8_t, uint8_t>;
  case 16:
    return mapLanes<Copy<uint16_t>, uint16_t, uint16_t>;
  case 32:
    return mapLanes<Copy<uint32_t>, uint32_t, uint32_t>;
  case 64:
    return mapLanes<Copy<uint64_t>, uint64_t, uint64_t>;
  default: {
    using Wide = unsigned __int128;
    return mapActiveLanes<Copy<Wide>, Wide, Wide>;
  }
  }
}

/// Clocks count instructions of the cluster, so that runs can be repeated; the
/// timer is the host's.
static void readClock(Warp &warp, const Inst &inst, LaneMask) {
  auto which = SpecialRow(inst.flags[0]);
  uint64_t clock = ++warp.cta->cluster->clock;
  uint64_t timer = std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  uint64_t value = which == SpecialRow::Clock || which == SpecialRow::Clock64
                       ? clock
                   : which == SpecialRow::ClockHi       ? clock >> 32
                   : which == SpecialRow::GlobaltimerHi ? timer >> 32
                                                        : timer;
  char *place = warp.special.data() + specialRowOffset(which);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (which >= SpecialRow::First64)
      reinterpret_cast<uint64_t *>(place)[lane] = value;
    else
      reinterpret_cast<uint32_t *>(place)[lane] = value;
}

Handler ptxbench::emulator::getClockHandler() { return readClock; }
