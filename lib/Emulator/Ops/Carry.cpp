//===- Carry.cpp - Sums and products with carries -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Extended-Precision Integer Arithmetic Instructions". CC.CF of the
// lanes is a predicate of the warp that no instruction names.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/Integer.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "Select.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
/// Inst::flags.
enum Flag : unsigned {
  /// The carry comes from CC.CF; without it the next flag says what comes in.
  ReadsCarry,
  CarryIn,
  /// CC.CF is written.
  WritesCarry,
};
constexpr Slot carrySlot = makeSlot(SlotBase::Special, carryFlagOffset);
} // namespace

template <class T, auto F, class... S>
static void withCarries(Warp &warp, const Inst &inst, LaneMask mask,
                        const S *...s) {
  T *d = row<T>(warp, inst.ops[0]);
  LaneMask in = inst.flags[CarryIn] ? ~LaneMask(0) : 0, out = 0;
  if (inst.flags[ReadsCarry])
    in = predicate(warp, carrySlot);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    auto result = F(s[lane]..., in >> lane & 1);
    d[lane] = static_cast<T>(result.value);
    out |= LaneMask(result.carry) << lane;
  }
  if (inst.flags[WritesCarry])
    setPredicate(warp, carrySlot, out, mask);
}

template <class T, auto F>
static void sumWithCarry(Warp &warp, const Inst &inst, LaneMask mask) {
  withCarries<T, F>(warp, inst, mask, row<const T>(warp, inst.ops[1]),
                    row<const T>(warp, inst.ops[2]));
}
template <class T, auto F>
static void madWithCarry(Warp &warp, const Inst &inst, LaneMask mask) {
  withCarries<T, F>(warp, inst, mask, row<const T>(warp, inst.ops[1]),
                    row<const T>(warp, inst.ops[2]),
                    row<const T>(warp, inst.ops[3]));
}

bool ptxbench::emulator::selectCarry(const InstDesc &desc, Inst &inst,
                                     OwnExtra &) {
  bool is64 = desc.has(Mod::u64) || desc.has(Mod::s64);
  bool isSigned = desc.has(Mod::s32) || desc.has(Mod::s64);
  bool reads = false, writes = true, carryIn = false;
  Handler handler = nullptr;
  switch (desc.opcode) {
  case Opcode::addc:
    reads = true;
    writes = desc.has(Mod::cc);
    [[fallthrough]];
  case Opcode::add_cc:
    handler = is64 ? sumWithCarry<uint64_t, addCarry<uint64_t>>
                   : sumWithCarry<uint32_t, addCarry<uint32_t>>;
    break;
  case Opcode::subc:
    reads = true;
    writes = desc.has(Mod::cc);
    [[fallthrough]];
  case Opcode::sub_cc:
    carryIn = true;
    handler = is64 ? sumWithCarry<uint64_t, subCarry<uint64_t>>
                   : sumWithCarry<uint32_t, subCarry<uint32_t>>;
    break;
  case Opcode::madc_lo:
    reads = true;
    writes = desc.has(Mod::cc);
    [[fallthrough]];
  case Opcode::mad_lo_cc:
    handler = is64 ? madWithCarry<uint64_t, madLoCarry<uint64_t>>
                   : madWithCarry<uint32_t, madLoCarry<uint32_t>>;
    break;
  case Opcode::madc_hi:
    reads = true;
    writes = desc.has(Mod::cc);
    [[fallthrough]];
  case Opcode::mad_hi_cc:
    if (isSigned)
      handler = is64 ? madWithCarry<int64_t, madHiCarry<int64_t>>
                     : madWithCarry<int32_t, madHiCarry<int32_t>>;
    else
      handler = is64 ? madWithCarry<uint64_t, madHiCarry<uint64_t>>
                     : madWithCarry<uint32_t, madHiCarry<uint32_t>>;
    break;
  default:
    return false;
  }
  if (!useTypedRows(desc, inst))
    return false;
  inst.flags[ReadsCarry] = reads;
  inst.flags[CarryIn] = carryIn;
  inst.flags[WritesCarry] = writes;
  inst.handler = handler;
  return true;
}
