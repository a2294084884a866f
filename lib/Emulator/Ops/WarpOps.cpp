//===- WarpOps.cpp - Exchange and votes within a warp ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync",
// "activemask". The lanes that a membermask names come together at the
// instruction; lanes with different masks are different parties there.
//
//===----------------------------------------------------------------------===//

#include "InstDesc.h"
#include "Lanes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
/// Slots of Inst::ops.
enum { ResultSlot, PredicateSlot, MembersSlot, ASlot, BSlot, CSlot };
/// Of Inst::flags: which operation; whether the membermask is a constant;
/// `!a`.
enum { Kind, ConstantMembers, NegatedInput };

enum ShflKind : uint8_t { Up, Down, Bfly, Idx };
enum VoteKind : uint8_t { All, Any, Uni, Ballot };

/// One execution by the lanes of one membermask.
using WarpHandler = void (*)(Warp &warp, const Inst &inst, LaneMask mask,
                             LaneMask members);
} // namespace

/// Calls `handler` for lanes of `mask` with one membermask once all that it
/// names are here. Lanes with other masks execute the instruction afterwards.
template <WarpHandler handler>
static Step executeTogether(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  const uint32_t *masks = row<const uint32_t>(warp, inst.ops[MembersSlot]);
  LaneMask members = masks[countr_zero(mask)], party = mask;
  if (!inst.flags[ConstantMembers]) {
    LaneMask rest = mask;
    do {
      members = masks[countr_zero(rest)];
      party = 0;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        party |= LaneMask(masks[lane] == members) << lane;
      party &= rest;
      rest &= ~party;
    } while (rest && (members & warp.running() & ~warp.active));
  }
  if (!converge(warp, members))
    return Step::Retry;
  if (party != mask) {
    park(warp, mask & ~party, warp.pc);
    mask = party;
  }
  if (LaneMask strangers = mask & ~members) {
    unsigned lane = countr_zero(strangers);
    report(warp, inst, lane, "membermask",
           "lane " + Twine(lane) + " executes the instruction with the " +
               "membermask 0x" + utohexstr(members, true) +
               ", which does not name it");
  }
  handler(warp, inst, mask, members);
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// shfl.sync
//===----------------------------------------------------------------------===//

template <ShflKind kind>
PTXBENCH_VECTOR_CLONES static void shfl(Warp &warp, const Inst &inst,
                                        LaneMask mask, LaneMask) {
  const uint32_t *a = row<const uint32_t>(warp, inst.ops[ASlot]);
  const int32_t *b = row<const int32_t>(warp, inst.ops[BSlot]);
  const int32_t *c = row<const int32_t>(warp, inst.ops[CSlot]);
  alignas(64) int32_t sources[warpSize];
  LaneMask inRange = 0;
  for (int32_t lane = 0; lane < int32_t(warpSize); ++lane) {
    // The names are those of the ISA's pseudocode.
    int32_t bval = b[lane] & 31, cval = c[lane] & 31;
    int32_t segmask = c[lane] >> 8 & 31;
    int32_t maxLane = (lane & segmask) | (cval & ~segmask);
    int32_t minLane = lane & segmask;
    int32_t j = kind == Up     ? lane - bval
                : kind == Down ? lane + bval
                : kind == Bfly ? lane ^ bval
                               : minLane | (bval & ~segmask);
    bool pval = kind == Up ? j >= maxLane : j <= maxLane;
    inRange |= LaneMask(pval) << lane;
    sources[lane] = (pval ? j : lane) & 31;
  }
  if (inst.ops[ResultSlot] != noSlot) {
    alignas(64) uint32_t values[warpSize];
    for (unsigned lane = 0; lane < warpSize; ++lane)
      values[lane] = a[sources[lane]];
    uint32_t *d = row<uint32_t>(warp, inst.ops[ResultSlot]);
    PTXBENCH_LANE_LOOP
    for (unsigned lane = 0; lane < warpSize; ++lane)
      d[lane] = mask >> lane & 1 ? values[lane] : d[lane];
  }
  if (inst.ops[PredicateSlot] != noSlot)
    setPredicate(warp, inst.ops[PredicateSlot], inRange, mask);
}

//===----------------------------------------------------------------------===//
// vote.sync, match.sync, redux.sync, elect.sync
//===----------------------------------------------------------------------===//

static void setResult(Warp &warp, const Inst &inst, LaneMask mask,
                      uint32_t value) {
  if (inst.ops[ResultSlot] == noSlot)
    return;
  uint32_t *d = row<uint32_t>(warp, inst.ops[ResultSlot]);
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    d[countr_zero(rest)] = value;
}

static void vote(Warp &warp, const Inst &inst, LaneMask mask,
                 LaneMask members) {
  LaneMask voters = mask & members;
  LaneMask votes = predicate(warp, inst.ops[ASlot]);
  if (inst.flags[NegatedInput])
    votes = ~votes;
  votes &= voters;
  if (inst.flags[Kind] == Ballot)
    return setResult(warp, inst, mask, votes);
  bool all = votes == voters, any = votes != 0;
  bool value = inst.flags[Kind] == All   ? all
               : inst.flags[Kind] == Any ? any
                                         : all || !any;
  setPredicate(warp, inst.ops[ResultSlot], value ? ~LaneMask(0) : 0, mask);
}

/// The lanes of `among` whose value is that of `lane`.
template <class T>
PTXBENCH_VECTOR_CLONES static LaneMask sameValue(const T *a, unsigned lane,
                                                 LaneMask among) {
  LaneMask same = 0;
  T value = a[lane];
  for (unsigned other = 0; other < warpSize; ++other)
    same |= LaneMask(a[other] == value) << other;
  return same & among;
}

template <class T>
static void matchAny(Warp &warp, const Inst &inst, LaneMask mask,
                     LaneMask members) {
  const T *a = row<const T>(warp, inst.ops[ASlot]);
  LaneMask parties[warpSize];
  for (LaneMask rest = mask; rest;) {
    unsigned lane = countr_zero(rest);
    // Who is no member is not of the party of those with its value.
    LaneMask party = sameValue(a, lane, mask);
    for (LaneMask each = party; each; each &= each - 1)
      parties[countr_zero(each)] = party & members;
    rest &= ~party;
  }
  uint32_t *d = row<uint32_t>(warp, inst.ops[ResultSlot]);
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    d[countr_zero(rest)] = parties[countr_zero(rest)];
}

template <class T>
static void matchAll(Warp &warp, const Inst &inst, LaneMask mask,
                     LaneMask members) {
  const T *a = row<const T>(warp, inst.ops[ASlot]);
  LaneMask among = mask & members;
  bool all = sameValue(a, countr_zero(mask), among) == among;
  setResult(warp, inst, mask, all ? among : 0);
  if (inst.ops[PredicateSlot] != noSlot)
    setPredicate(warp, inst.ops[PredicateSlot], all ? ~LaneMask(0) : 0, mask);
}

namespace {
struct SumOf {
  static uint32_t apply(uint32_t a, uint32_t b) { return a + b; }
};
struct AndOf {
  static uint32_t apply(uint32_t a, uint32_t b) { return a & b; }
};
struct OrOf {
  static uint32_t apply(uint32_t a, uint32_t b) { return a | b; }
};
struct XorOf {
  static uint32_t apply(uint32_t a, uint32_t b) { return a ^ b; }
};
template <class T> struct MinOf {
  static uint32_t apply(uint32_t a, uint32_t b) { return std::min(T(a), T(b)); }
};
template <class T> struct MaxOf {
  static uint32_t apply(uint32_t a, uint32_t b) { return std::max(T(a), T(b)); }
};
} // namespace

template <class Op>
static void redux(Warp &warp, const Inst &inst, LaneMask mask,
                  LaneMask members) {
  const uint32_t *a = row<const uint32_t>(warp, inst.ops[ASlot]);
  LaneMask among = mask & members;
  if (!among)
    among = mask;
  uint32_t value = a[countr_zero(among)];
  for (LaneMask rest = among & (among - 1); rest; rest &= rest - 1)
    value = Op::apply(value, a[countr_zero(rest)]);
  setResult(warp, inst, mask, value);
}

/// The leader is the first lane that the mask names and that runs.
static void elect(Warp &warp, const Inst &inst, LaneMask mask,
                  LaneMask members) {
  LaneMask among = mask & members;
  unsigned leader = countr_zero(among ? among : mask);
  setResult(warp, inst, mask, leader);
  setPredicate(warp, inst.ops[PredicateSlot], LaneMask(1) << leader, mask);
}

static void activeMask(Warp &warp, const Inst &inst, LaneMask mask) {
  setResult(warp, inst, mask, mask);
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static ControlHandler getShflHandler(const InstDesc &desc) {
  if (desc.has(Mod::up))
    return executeTogether<shfl<Up>>;
  if (desc.has(Mod::down))
    return executeTogether<shfl<Down>>;
  if (desc.has(Mod::bfly))
    return executeTogether<shfl<Bfly>>;
  return desc.has(Mod::idx) ? executeTogether<shfl<Idx>> : nullptr;
}

static ControlHandler getReduxHandler(const InstDesc &desc) {
  bool isSigned = desc.has(Mod::s32);
  if (desc.has(Mod::f32))
    return nullptr;
  if (desc.has(Mod::add))
    return executeTogether<redux<SumOf>>;
  if (desc.has(Mod::and_))
    return executeTogether<redux<AndOf>>;
  if (desc.has(Mod::or_))
    return executeTogether<redux<OrOf>>;
  if (desc.has(Mod::xor_))
    return executeTogether<redux<XorOf>>;
  if (desc.has(Mod::min))
    return isSigned ? executeTogether<redux<MinOf<int32_t>>>
                    : executeTogether<redux<MinOf<uint32_t>>>;
  if (desc.has(Mod::max))
    return isSigned ? executeTogether<redux<MaxOf<int32_t>>>
                    : executeTogether<redux<MaxOf<uint32_t>>>;
  return nullptr;
}

static ControlHandler getMatchHandler(const InstDesc &desc) {
  bool is64 = desc.has(Mod::b64);
  if (desc.has(Mod::all))
    return is64 ? executeTogether<matchAll<uint64_t>>
                : executeTogether<matchAll<uint32_t>>;
  return is64 ? executeTogether<matchAny<uint64_t>>
              : executeTogether<matchAny<uint32_t>>;
}

/// Puts `d` or `d|p` into its slots; `_` is noSlot.
static bool useResult(const OperandDesc &d, Inst &inst) {
  if (d.kind != OperandDesc::Pair) {
    inst.ops[ResultSlot] = d.slot;
    return d.isRow() || d.kind == OperandDesc::Sink;
  }
  inst.ops[ResultSlot] = d.children[0].slot;
  inst.ops[PredicateSlot] = d.children[1].slot;
  return true;
}

bool ptxbench::emulator::selectWarp(const InstDesc &desc, Inst &inst,
                                    OwnExtra &) {
  switch (desc.opcode) {
  case Opcode::activemask:
    inst.handler = activeMask;
    return useRows(desc, inst);
  case Opcode::shfl_sync:
    inst.control = getShflHandler(desc);
    break;
  case Opcode::vote_sync:
    inst.flags[Kind] = desc.has(Mod::all)   ? All
                       : desc.has(Mod::any) ? Any
                       : desc.has(Mod::uni) ? Uni
                                            : Ballot;
    inst.control = executeTogether<vote>;
    break;
  case Opcode::match:
    inst.control = getMatchHandler(desc);
    break;
  case Opcode::redux_sync:
    inst.control = getReduxHandler(desc);
    break;
  case Opcode::elect_sync:
    inst.control = executeTogether<elect>;
    break;
  default:
    return false;
  }
  auto use = [&](StringRef name, unsigned slot) {
    const OperandDesc *operand = desc.find(name);
    if (!operand)
      return true;
    inst.ops[slot] = operand->slot;
    return operand->isRow();
  };
  if (!inst.control || !useResult(desc.operands[0], inst) ||
      !use("mask", MembersSlot) || !use("a", ASlot) || !use("b", BSlot) ||
      !use("c", CSlot) || inst.ops[MembersSlot] == noSlot)
    return false;
  inst.flags[ConstantMembers] =
      desc.find("mask")->kind == OperandDesc::Constant;
  if (const OperandDesc *a = desc.find("a"))
    inst.flags[NegatedInput] = a->negated;
  return true;
}
