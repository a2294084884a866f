//===- MemoryAccess.cpp - Addresses of the lanes of a warp --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "State Spaces", "Generic Addressing".
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "Lanes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

Space ptxbench::emulator::spaceOf(const InstDesc &desc,
                                  const OperandDesc &address) {
  if (desc.has(Mod::global) || desc.has(Mod::const_))
    return Space::Global;
  if (desc.has(Mod::shared__cluster))
    return Space::SharedCluster;
  if (desc.has(Mod::shared) || desc.has(Mod::shared__cta))
    return Space::SharedCta;
  if (desc.has(Mod::local))
    return Space::Local;
  if (desc.has(Mod::param) || desc.has(Mod::param__func) ||
      desc.has(Mod::param__entry))
    return !address.children.empty() &&
                   address.children[0].symbol == OperandDesc::LocalSymbol
               ? Space::Local
               : Space::Param;
  // Without a space a variable's own: the assembler knows it.
  if (!address.children.empty()) {
    if (address.children[0].symbol == OperandDesc::LocalSymbol)
      return Space::Local;
    if (address.children[0].symbol == OperandDesc::SharedSymbol)
      return Space::SharedCta;
  }
  return Space::Generic;
}

bool ptxbench::emulator::useAddress(const InstDesc &desc,
                                    const OperandDesc &address, Inst &inst) {
  if (address.children.empty() || !address.children[0].isRow())
    return false;
  const OperandDesc &base = address.children[0];
  if (base.bits != 32 && base.bits != 64)
    return false;
  inst.ops[0] = base.slot;
  inst.imm = address.offset;
  inst.flags[0] = uint8_t(spaceOf(desc, address));
  inst.flags[1] = base.bits == 32;
  return true;
}

bool ptxbench::emulator::useSecondAddress(const InstDesc &desc,
                                          const OperandDesc &address,
                                          Inst &inst, unsigned slot,
                                          unsigned flag) {
  Inst second;
  if (!useAddress(desc, address, second) ||
      int64_t(second.imm) != int32_t(second.imm))
    return false;
  inst.ops[slot] = second.ops[0];
  inst.imm2 = uint32_t(second.imm);
  inst.flags[flag] = second.flags[0];
  inst.flags[flag + 1] = second.flags[1];
  return true;
}

static const char *nameOf(Space space) {
  switch (space) {
  case Space::Generic:
    return "generic";
  case Space::Global:
    return "global";
  case Space::SharedCta:
    return "shared";
  case Space::SharedCluster:
    return "shared::cluster";
  case Space::Local:
    return "local";
  case Space::Param:
    return "param";
  }
  return "";
}

/// The space in which an address lies and the address there.
static std::pair<Space, uint64_t> ungeneric(Space space, uint64_t address) {
  if (space == Space::Param)
    return {address < windowBytes ? Space::Local : Space::Global, address};
  if (space != Space::Generic)
    return {space, address};
  if (isInWindow(sharedWindow, address))
    return {Space::SharedCluster, address - sharedWindow};
  if (isInWindow(localWindow, address))
    return {Space::Local, address - localWindow};
  return {Space::Global, address};
}

char *ptxbench::emulator::resolve(Warp &warp, const Inst &inst, unsigned lane,
                                  Space space, uint64_t address,
                                  uint32_t bytes) {
  const Space given = space;
  const uint64_t givenAddress = address;
  auto outOfBounds = [&]() -> char * {
    fault(warp, inst, lane, "out-of-bounds",
          "the " + Twine(bytes) + " bytes at " + nameOf(given) + " address 0x" +
              utohexstr(givenAddress, true) + " are in no allocation");
    return nullptr;
  };
  if (address % bytes) {
    fault(warp, inst, lane, "misaligned",
          "the " + Twine(nameOf(space)) + " address 0x" +
              utohexstr(address, true) + " is not aligned to " + Twine(bytes) +
              " bytes");
    return nullptr;
  }
  std::tie(space, address) = ungeneric(space, address);
  char *place = nullptr;
  switch (space) {
  case Space::SharedCta:
    if (address < windowBytes)
      place = sharedBytes(*warp.cta, address, bytes);
    break;
  case Space::SharedCluster:
    if (address < windowBytes)
      place = clusterSharedBytes(*warp.cta, address, bytes);
    break;
  case Space::Local: {
    size_t perLane = warp.local.size() / warpSize;
    if (address + bytes <= perLane && address < perLane)
      place = warp.local.data() + lane * perLane + address;
    break;
  }
  case Space::Global:
  case Space::Generic:
  case Space::Param:
    if (warp.launch->memory->contains(address, address + bytes,
                                      warp.recentAllocation))
      place = reinterpret_cast<char *>(address);
    break;
  }
  return place ? place : outOfBounds();
}

namespace {
/// The addresses of a warp.
struct AddressSpan {
  /// The least and the greatest; the bits that any has.
  uint64_t least, greatest, bits;
  LaneBytes::Pattern pattern;
};
} // namespace

/// Computes the addresses of the lanes; lanes that are not active get that of
/// one that is.
PTXBENCH_VECTOR_CLONES
static AddressSpan computeAddresses(Warp &warp, const Inst &inst, LaneMask mask,
                                    uint32_t bytes, uint64_t *addresses) {
  if (inst.flags[1]) {
    const uint32_t *base = row<const uint32_t>(warp, inst.ops[0]);
    uint32_t offset = inst.imm;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = uint32_t(base[lane] + offset);
  } else {
    const uint64_t *base = row<const uint64_t>(warp, inst.ops[0]);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = base[lane] + inst.imm;
  }
  uint64_t first = addresses[0], notConsecutive = 1, notUniform = 0;
  if (mask == ~LaneMask(0)) {
    notConsecutive = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      notConsecutive |= addresses[lane] ^ (first + uint64_t(lane) * bytes);
      notUniform |= addresses[lane] ^ first;
    }
  } else {
    first = addresses[countr_zero(mask)];
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      addresses[lane] = mask >> lane & 1 ? addresses[lane] : first;
      notUniform |= addresses[lane] ^ first;
    }
  }
  if (!notConsecutive)
    return {first, first + (warpSize - 1) * uint64_t(bytes), first,
            LaneBytes::Consecutive};
  if (!notUniform)
    return {first, first, first, LaneBytes::Uniform};
  AddressSpan span{~uint64_t(0), 0, 0, LaneBytes::Scattered};
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    span.least = std::min(span.least, addresses[lane]);
    span.greatest = std::max(span.greatest, addresses[lane]);
    span.bits |= addresses[lane];
  }
  return span;
}

/// The bytes of a span if they are in one allocation of a space whose memory
/// all lanes share.
static char *findSpan(Warp &warp, Space where, uint64_t first, uint64_t size) {
  switch (where) {
  case Space::SharedCta:
    return first < windowBytes ? sharedBytes(*warp.cta, first, size) : nullptr;
  case Space::SharedCluster:
    return first < windowBytes ? clusterSharedBytes(*warp.cta, first, size)
                               : nullptr;
  case Space::Local:
    return nullptr;
  default:
    return warp.launch->memory->contains(first, first + size,
                                         warp.recentAllocation)
               ? reinterpret_cast<char *>(first)
               : nullptr;
  }
}

static bool findBytes(Warp &warp, const Inst &inst, LaneMask mask,
                      uint32_t bytes, LaneBytes &result, bool each) {
  alignas(64) uint64_t addresses[warpSize];
  AddressSpan span = computeAddresses(warp, inst, mask, bytes, addresses);
  auto space = Space(inst.flags[0]);
  auto [where, first] = ungeneric(space, span.least);
  uint64_t size = span.greatest - span.least + bytes;
  bool isAligned = (span.bits & (bytes - 1)) == 0;
  // All lanes at once. No window is larger than this.
  if (isAligned && span.greatest - span.least < windowBytes) {
    if (char *begin = findSpan(warp, where, first, size)) {
      result.pattern = span.pattern;
      result.begin = begin;
      result.global = where == Space::Global ? ~LaneMask(0) : 0;
      if (!each && span.pattern != LaneBytes::Scattered)
        return true;
      uint64_t base = reinterpret_cast<uint64_t>(begin) - span.least;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        result.at[lane] = reinterpret_cast<char *>(base + addresses[lane]);
      return true;
    }
    uint64_t perLane = warp.local.size() / warpSize;
    if (where == Space::Local && first < perLane && size <= perLane - first) {
      result.pattern = LaneBytes::Scattered;
      result.global = 0;
      result.isLocal = true;
      uint64_t base =
          reinterpret_cast<uint64_t>(warp.local.data()) - span.least + first;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        result.at[lane] =
            reinterpret_cast<char *>(base + lane * perLane + addresses[lane]);
      return true;
    }
  }
  // One by one.
  result.pattern = LaneBytes::Scattered;
  result.global = 0;
  char *some = nullptr;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    some = resolve(warp, inst, lane, space, addresses[lane], bytes);
    if (!some)
      return false;
    result.at[lane] = some;
    if (ungeneric(space, addresses[lane]).first == Space::Global)
      result.global |= LaneMask(1) << lane;
  }
  for (LaneMask rest = ~mask; rest; rest &= rest - 1)
    result.at[countr_zero(rest)] = some;
  return true;
}

bool ptxbench::emulator::findLanes(Warp &warp, const Inst &inst, LaneMask mask,
                                   uint32_t bytes, LaneBytes &result) {
  return findBytes(warp, inst, mask, bytes, result, /*each=*/true);
}

bool ptxbench::emulator::locate(Warp &warp, const Inst &inst, LaneMask mask,
                                AccessKind kind, uint32_t bytes,
                                LaneBytes &result, bool each) {
  RaceChecker *races = warp.cta->cluster->races.get();
  if (!findBytes(warp, inst, mask, bytes, result, each || races))
    return false;
  if (races)
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
      unsigned lane = countr_zero(rest);
      races->access(warp, inst, lane, kind, result.at[lane], bytes);
    }
  return true;
}
