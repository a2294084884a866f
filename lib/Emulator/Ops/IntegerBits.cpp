//===- IntegerBits.cpp - Counting and fields of bits ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Integer Arithmetic Instructions": popc, clz, bfind, fns, brev, bfe,
// bfi, bmsk, szext.
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
template <class T> PTXBENCH_LANE uint32_t popcOf(T a) { return popCount(a); }
template <class T> PTXBENCH_LANE uint32_t clzOf(T a) {
  return countLeadingZeros(a);
}
template <class T> PTXBENCH_LANE T brevOf(T a) { return reverseBits(a); }
} // namespace

/// `f(T())` with an integer of 32 or 64 bits.
template <class F> static Handler with3264(DataType type, F f) {
  bool isSigned = type.kind == TypeKind::Signed;
  if (type.width == 32)
    return isSigned ? f(int32_t()) : f(uint32_t());
  if (type.width == 64)
    return isSigned ? f(int64_t()) : f(uint64_t());
  return nullptr;
}

static Handler selectExtension(const InstDesc &desc, DataType type) {
  return withFlag(desc.has(Mod::wrap), [&](auto isWrap) -> Handler {
    constexpr Beyond beyond = isWrap ? Beyond::Wrap : Beyond::Clamp;
    if (desc.opcode == Opcode::bmsk)
      return lanes<bitMask<beyond>>();
    if (type.kind == TypeKind::Signed)
      return lanes<extend<beyond, int32_t>>();
    return lanes<extend<beyond, uint32_t>>();
  });
}

static Handler select(const InstDesc &desc, DataType type) {
  bool is64 = type.width == 64;
  switch (desc.opcode) {
  case Opcode::popc:
    return is64 ? lanes<popcOf<uint64_t>>() : lanes<popcOf<uint32_t>>();
  case Opcode::clz:
    return is64 ? lanes<clzOf<uint64_t>>() : lanes<clzOf<uint32_t>>();
  case Opcode::brev:
    return is64 ? lanes<brevOf<uint64_t>>() : lanes<brevOf<uint32_t>>();
  case Opcode::bfind:
    return withFlag(desc.has(Mod::shiftamt), [&](auto amount) {
      return with3264(type, [](auto t) {
        return lanes<bitFind<decltype(amount)::value, decltype(t)>>();
      });
    });
  case Opcode::bfe:
    return with3264(
        type, [](auto t) { return lanes<bitFieldExtract<decltype(t)>>(); });
  case Opcode::bfi:
    return is64 ? lanes<bitFieldInsert<uint64_t>>()
                : lanes<bitFieldInsert<uint32_t>>();
  case Opcode::bmsk:
  case Opcode::szext:
    return selectExtension(desc, type);
  case Opcode::fns:
    return activeLanes<findNthSet>();
  default:
    return nullptr;
  }
}

bool ptxbench::emulator::selectIntegerBits(const InstDesc &desc, Inst &inst,
                                           OwnExtra &) {
  std::optional<DataType> type = desc.slotType("t");
  Handler handler = type ? select(desc, *type) : nullptr;
  if (!handler || !useTypedRows(desc, inst))
    return false;
  inst.handler = handler;
  return true;
}
