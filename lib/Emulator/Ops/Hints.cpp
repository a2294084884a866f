//===- Hints.cpp - Instructions without an effect on values ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "prefetch, prefetchu", "applypriority", "discard", "createpolicy",
// "nanosleep", "pmevent", "griddepcontrol". There are no caches here, and no
// other kernel runs at the time.
//
//===----------------------------------------------------------------------===//

#include "InstDesc.h"
#include "Lanes.h"
#include "MemoryAccess.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

static void doNothing(Warp &, const Inst &, LaneMask) {}

/// Lets the other warps go on.
static Step giveWay(Warp &, const Inst &, LaneMask &mask) {
  return mask ? Step::Yield : Step::Next;
}

/// The 128 bytes must be there; their values stay.
static void executeLine(Warp &warp, const Inst &inst, LaneMask mask) {
  forEachAddress(warp, inst, mask, 128, [](unsigned, char *) {});
}

/// A value for what only the hints of accesses take.
static void createPolicy(Warp &warp, const Inst &inst, LaneMask mask) {
  uint64_t *d = row<uint64_t>(warp, inst.ops[0]);
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    d[__builtin_ctz(rest)] = inst.imm;
}

static uint64_t policyOf(const InstDesc &desc) {
  // The first of the two priorities is the primary one.
  for (Mod mod : desc.mods)
    switch (mod) {
    case Mod::L2__evict_first:
      return 0x12f0000000000000;
    case Mod::L2__evict_last:
      return 0x14f0000000000000;
    case Mod::L2__evict_unchanged:
      return 0x16f0000000000000;
    default:
      break;
    }
  return 0x1000000000000000;
}

bool ptxbench::emulator::selectHint(const InstDesc &desc, Inst &inst,
                                    OwnExtra &) {
  switch (desc.opcode) {
  case Opcode::prefetch:
    // `.tensormap` checks its operand: TensorMapOps.cpp.
    if (desc.has(Mod::tensormap))
      return false;
    [[fallthrough]];
  case Opcode::prefetchu:
  case Opcode::pmevent:
  case Opcode::griddepcontrol:
    inst.handler = doNothing;
    return true;
  case Opcode::applypriority:
  case Opcode::discard:
    inst.handler = executeLine;
    return useAddress(desc, *desc.find("a"), inst);
  case Opcode::nanosleep:
    inst.control = giveWay;
    return true;
  case Opcode::createpolicy:
    inst.handler = createPolicy;
    inst.imm = policyOf(desc);
    inst.ops[0] = desc.operands[0].slot;
    return desc.operands[0].isRow();
  default:
    return false;
  }
}
