//===- Logic.cpp - Logic, shifts and permutations -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Logic and Shift Instructions", and prmt. Logic of predicates is that
// of the lanes' masks.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/IntegerBits.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "Select.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
template <class T> PTXBENCH_LANE T andOf(T a, T b) { return a & b; }
template <class T> PTXBENCH_LANE T orOf(T a, T b) { return a | b; }
template <class T> PTXBENCH_LANE T xorOf(T a, T b) { return a ^ b; }
template <class T> PTXBENCH_LANE T notOf(T a) { return static_cast<T>(~a); }

enum class PredicateLogic : uint8_t { And, Or, Xor };
} // namespace

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

/// flags: which operands are negated, that of `d = a` first.
static LaneMask predicateOperand(Warp &warp, const Inst &inst, unsigned i) {
  LaneMask value = predicate(warp, inst.ops[i]);
  return inst.flags[i] ? ~value : value;
}

template <PredicateLogic Op>
static void logicOfPredicates(Warp &warp, const Inst &inst, LaneMask mask) {
  LaneMask a = predicateOperand(warp, inst, 1);
  LaneMask b = predicateOperand(warp, inst, 2);
  LaneMask result = Op == PredicateLogic::And  ? a & b
                    : Op == PredicateLogic::Or ? a | b
                                               : a ^ b;
  setPredicate(warp, inst.ops[0], result, mask);
}
static void notOfPredicate(Warp &warp, const Inst &inst, LaneMask mask) {
  setPredicate(warp, inst.ops[0], ~predicateOperand(warp, inst, 1), mask);
}

static Handler selectPredicates(Opcode opcode) {
  switch (opcode) {
  case Opcode::and_:
    return logicOfPredicates<PredicateLogic::And>;
  case Opcode::or_:
    return logicOfPredicates<PredicateLogic::Or>;
  case Opcode::xor_:
    return logicOfPredicates<PredicateLogic::Xor>;
  case Opcode::not_:
    return notOfPredicate;
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// lop3
//===----------------------------------------------------------------------===//

/// The table lies in Inst::imm.
PTXBENCH_VECTOR_CLONES static void lop3Rows(uint32_t *d, const uint32_t *a,
                                            const uint32_t *b,
                                            const uint32_t *c, uint8_t table) {
  PTXBENCH_LANE_LOOP
  for (unsigned lane = 0; lane < warpSize; ++lane)
    d[lane] = lop3(a[lane], b[lane], c[lane], table);
}

PTXBENCH_VECTOR_CLONES static void
blendRows(uint32_t *d, const uint32_t *result, LaneMask mask) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    d[lane] = mask >> lane & 1 ? result[lane] : d[lane];
}

/// ops: d or none, a, b, c, p or none, q or none. flags: whether q is negated,
/// whether it is `.and`.
static void executeLop3(Warp &warp, const Inst &inst, LaneMask mask) {
  alignas(64) uint32_t result[warpSize];
  lop3Rows(result, row<uint32_t>(warp, inst.ops[1]),
           row<uint32_t>(warp, inst.ops[2]), row<uint32_t>(warp, inst.ops[3]),
           inst.imm);
  if (inst.ops[4] != noSlot || inst.ops[5] != noSlot) {
    LaneMask q = predicate(warp, inst.ops[5]);
    if (inst.flags[0])
      q = ~q;
    LaneMask isSet = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      isSet |= LaneMask(result[lane] != 0) << lane;
    if (inst.ops[4] != noSlot)
      setPredicate(warp, inst.ops[4], inst.flags[1] ? isSet & q : isSet | q,
                   mask);
  }
  if (inst.ops[0] != noSlot)
    blendRows(row<uint32_t>(warp, inst.ops[0]), result, mask);
}

static bool selectLop3(const InstDesc &desc, Inst &inst) {
  const OperandDesc *d = &desc.operands.front(), *p = nullptr;
  if (d->kind == OperandDesc::Pair) {
    if (d->children.size() != 2)
      return false;
    p = &d->children[1];
    d = &d->children[0];
  }
  auto use = [&](const OperandDesc &operand, unsigned bits, unsigned slot) {
    if (!operand.isRow() || operand.bits != bits || operand.minus)
      return false;
    inst.ops[slot] = operand.slot;
    return true;
  };
  if (d->kind != OperandDesc::Sink && !use(*d, 32, 0))
    return false;
  if (p && p->kind != OperandDesc::Sink && !use(*p, 1, 4))
    return false;
  if (desc.operands.size() != (p ? 6 : 5) ||
      desc.operands[4].kind != OperandDesc::Constant)
    return false;
  for (unsigned i = 1; i <= 3; ++i)
    if (!use(desc.operands[i], 32, i))
      return false;
  if (p) {
    if (!use(desc.operands[5], 1, 5))
      return false;
    inst.flags[0] = desc.operands[5].negated;
    inst.flags[1] = desc.has(Mod::and_);
  }
  inst.imm = desc.operands[4].value & 0xff;
  inst.handler = executeLop3;
  return true;
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static Handler selectShiftRight(DataType type) {
  return withInteger(type,
                     [](auto t) { return lanes<shiftRight<decltype(t)>>(); });
}

static Handler selectFunnel(const InstDesc &desc) {
  return withFlag(desc.has(Mod::wrap), [&](auto isWrap) {
    constexpr Beyond beyond = isWrap ? Beyond::Wrap : Beyond::Clamp;
    return desc.has(Mod::l) ? lanes<funnelLeft<beyond>>()
                            : lanes<funnelRight<beyond>>();
  });
}

static Handler selectPermute(const InstDesc &desc) {
  std::optional<Mod> mode = desc.slot("mode");
  if (!mode)
    return lanes<permute<Permute::Index>>();
  switch (*mode) {
  case Mod::f4e:
    return lanes<permute<Permute::F4E>>();
  case Mod::b4e:
    return lanes<permute<Permute::B4E>>();
  case Mod::rc8:
    return lanes<permute<Permute::RC8>>();
  case Mod::ecl:
    return lanes<permute<Permute::ECL>>();
  case Mod::ecr:
    return lanes<permute<Permute::ECR>>();
  case Mod::rc16:
    return lanes<permute<Permute::RC16>>();
  default:
    return nullptr;
  }
}

static Handler select(const InstDesc &desc, DataType type) {
  switch (desc.opcode) {
  case Opcode::and_:
    return withUnsigned(type,
                        [](auto t) { return lanes<andOf<decltype(t)>>(); });
  case Opcode::or_:
    return withUnsigned(type,
                        [](auto t) { return lanes<orOf<decltype(t)>>(); });
  case Opcode::xor_:
    return withUnsigned(type,
                        [](auto t) { return lanes<xorOf<decltype(t)>>(); });
  case Opcode::not_:
    return withUnsigned(type,
                        [](auto t) { return lanes<notOf<decltype(t)>>(); });
  case Opcode::cnot:
    return withUnsigned(
        type, [](auto t) { return lanes<logicalNot<decltype(t)>>(); });
  case Opcode::shl:
    return withUnsigned(type,
                        [](auto t) { return lanes<shiftLeft<decltype(t)>>(); });
  case Opcode::shr:
    return selectShiftRight(type);
  case Opcode::shf:
    return selectFunnel(desc);
  case Opcode::prmt:
    return selectPermute(desc);
  default:
    return nullptr;
  }
}

bool ptxbench::emulator::selectLogic(const InstDesc &desc, Inst &inst,
                                     OwnExtra &) {
  if (desc.opcode == Opcode::lop3)
    return selectLop3(desc, inst);
  std::optional<DataType> type = desc.slotType("t");
  if (!type)
    return false;
  bool isPredicate = type->kind == TypeKind::Predicate;
  Handler handler =
      isPredicate ? selectPredicates(desc.opcode) : select(desc, *type);
  if (!handler || !useTypedRows(desc, inst))
    return false;
  if (isPredicate)
    for (unsigned i = 0; i < desc.operands.size(); ++i)
      inst.flags[i] = desc.operands[i].negated;
  inst.handler = handler;
  return true;
}
