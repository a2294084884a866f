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
#include "llvm/ADT/StringExtras.h"

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
               : Space::Generic;
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
  }
  return "";
}

char *ptxbench::emulator::resolve(Warp &warp, const Inst &inst, unsigned lane,
                                  Space space, uint64_t address,
                                  uint32_t bytes) {
  auto outOfBounds = [&](Space where) -> char * {
    fault(warp, inst, lane, "out-of-bounds",
          "the " + Twine(bytes) + " bytes at " + nameOf(where) + " address 0x" +
              utohexstr(address, true) + " are in no allocation");
    return nullptr;
  };
  if (address % bytes) {
    fault(warp, inst, lane, "misaligned",
          "the " + Twine(nameOf(space)) + " address 0x" +
              utohexstr(address, true) + " is not aligned to " + Twine(bytes) +
              " bytes");
    return nullptr;
  }
  Space given = space;
  if (space == Space::Generic) {
    if (isInWindow(sharedWindow, address)) {
      space = Space::SharedCluster;
      address -= sharedWindow;
    } else if (isInWindow(localWindow, address)) {
      space = Space::Local;
      address -= localWindow;
    } else {
      space = Space::Global;
    }
  }
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
    if (warp.launch->memory->contains(address, address + bytes,
                                      warp.recentAllocation))
      place = reinterpret_cast<char *>(address);
    break;
  }
  return place ? place : outOfBounds(given);
}
