//===- Livelock.cpp - Warps that go round for ever ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a warp is compared with one that is renewed after twice as many
// instructions each time, so that neither what comes before a loop nor its
// length matters. A warp of several groups gives each its turns, which is part
// of its state.
//
//===----------------------------------------------------------------------===//

#include "Livelock.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/xxhash.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// Local memory that is compared. A warp with more that stores to it is taken
/// to go on.
static constexpr size_t maxComparedLocal = 1 << 20;

namespace {
/// All that decides what a warp does next, but memory that it shares.
class WarpState {
public:
  void take(const Warp &warp, uint64_t localStores) {
    pc = warp.pc;
    active = warp.active;
    stores = localStores;
    fixed.clear();
    rows.clear();
    collect(warp, fixed);
    for (const auto &frame : warp.frames)
      rows.append(frame->rows.data(),
                  frame->rows.data() + frame->function->frameBytes);
    local.clear();
    if (warp.local.size() <= maxComparedLocal)
      local.assign(warp.local.data(), warp.local.data() + warp.local.size());
  }

  bool isOf(const Warp &warp, uint64_t localStores) const {
    if (warp.pc != pc || warp.active != active)
      return false;
    SmallVector<uint64_t, 32> now;
    collect(warp, now);
    if (now != fixed)
      return false;
    const char *next = rows.data();
    for (const auto &frame : warp.frames) {
      if (std::memcmp(next, frame->rows.data(), frame->function->frameBytes))
        return false;
      next += frame->function->frameBytes;
    }
    return localStores == stores ||
           (warp.local.size() == local.size() &&
            std::memcmp(warp.local.data(), local.data(), local.size()) == 0);
  }

  /// All but the registers and local memory.
  static void collect(const Warp &warp, SmallVectorImpl<uint64_t> &words) {
    auto add = [&](auto... values) {
      (words.push_back(uint64_t(values)), ...);
    };
    auto addGroup = [&](LaneMask mask, uint32_t pc, const Frame *frame,
                        const Wait &wait) {
      add(mask, pc, reinterpret_cast<uintptr_t>(frame),
          reinterpret_cast<uintptr_t>(wait.ready), wait.a, wait.b, wait.c);
    };
    addGroup(warp.active, warp.pc, warp.frame, warp.wait);
    for (const Group &group : warp.parked)
      addGroup(group.mask, group.pc, group.frame, group.wait);
    LaneMask carry;
    std::memcpy(&carry, warp.special.data() + carryFlagOffset, sizeof(carry));
    add(warp.exited, warp.backwardJumps, warp.timedOut, warp.clusterArrived,
        warp.registers, warp.registerChanges, carry);
    for (const auto &frame : warp.frames)
      add(reinterpret_cast<uintptr_t>(frame.get()), frame->lanes,
          frame->returnPc);
  }

private:
  uint32_t pc = 0;
  LaneMask active = 0;
  uint64_t stores = 0;
  SmallVector<uint64_t, 32> fixed;
  SmallVector<char, 0> rows, local;
};
} // namespace

uint64_t ptxbench::emulator::stateOf(const Warp &warp) {
  SmallVector<uint64_t, 32> words;
  WarpState::collect(warp, words);
  auto addHash = [&](const char *data, size_t bytes) {
    words.push_back(
        xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(data), bytes)));
  };
  for (const auto &frame : warp.frames)
    addHash(frame->rows.data(), frame->function->frameBytes);
  if (warp.local.size() <= maxComparedLocal)
    addHash(warp.local.data(), warp.local.size());
  else
    words.push_back(warp.cta->cluster->localStores);
  return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(words.data()),
                              words.size() * sizeof(uint64_t)));
}

/// Adds the place where the warp is to what its lanes do.
static void note(const Warp &warp, SmallVectorImpl<Loop> &loops) {
  const Program &program = *warp.launch->program;
  unsigned line = program.sourceOf(program.code[warp.pc]).line;
  if (!warp.active || warp.wait || !line)
    return;
  for (Loop &loop : loops)
    if (loop.lanes & warp.active) {
      loop.lanes |= warp.active;
      loop.firstLine = std::min(loop.firstLine, line);
      loop.lastLine = std::max(loop.lastLine, line);
      return;
    }
  loops.push_back({warp.active, warp.pc, line, line});
}

Course ptxbench::emulator::examine(Warp &warp, uint64_t limit,
                                   SmallVectorImpl<Loop> &loops) {
  Cluster &cluster = *warp.cta->cluster;
  const uint64_t progress = cluster.progress, clock = cluster.clock;
  bool wasExact = std::exchange(cluster.exactStores, true);
  bool wasPatient = std::exchange(cluster.patient, true);
  scope_exit restore([&] {
    cluster.exactStores = wasExact;
    cluster.patient = wasPatient;
  });
  /// Executes one instruction; what it shows, or none.
  auto step = [&]() -> std::optional<Course> {
    uint64_t executed = runWarp(warp, 1);
    cluster.instructions += executed;
    if (warp.launch->stopped || warp.finished() ||
        cluster.progress != progress || cluster.clock != clock)
      return Course::GoesOn;
    if (!executed)
      return Course::Waits;
    return std::nullopt;
  };

  // Most wait, which is seen at once.
  if (auto course = step())
    return *course;
  WarpState before;
  uint64_t stretch = 64;
  for (uint64_t steps = 0; limit; --limit) {
    if (steps == 0)
      before.take(warp, cluster.localStores);
    if (auto course = step())
      return *course;
    if (before.isOf(warp, cluster.localStores)) {
      // Once more, to see where.
      for (uint64_t i = 0; i <= steps; ++i) {
        note(warp, loops);
        if (auto course = step())
          return *course;
      }
      return Course::Repeats;
    }
    if (++steps == stretch) {
      stretch *= 2;
      steps = 0;
    }
  }
  return Course::GoesOn;
}
