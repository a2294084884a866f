//===- Integer.cpp - Integer arithmetic -----------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Integer Arithmetic Instructions": sums, products, quotients,
// extrema, dot products. What does not vectorise (products and quotients of 64
// bits) is done for active lanes only.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/Integer.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "Select.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

//===----------------------------------------------------------------------===//
// What Numerics leaves to be put together
//===----------------------------------------------------------------------===//

namespace {

template <class T> PTXBENCH_LANE T negInteger(T a) { return wrapSub<T>(0, a); }
template <class T> PTXBENCH_LANE T madLo(T a, T b, T c) {
  return wrapAdd<T>(mulLo<T>(a, b), c);
}
template <class T> PTXBENCH_LANE T madHi(T a, T b, T c) {
  return wrapAdd<T>(mulHi<T>(a, b), c);
}
template <class T> PTXBENCH_LANE WiderOf<T> madWide(T a, T b, WiderOf<T> c) {
  return wrapAdd<WiderOf<T>>(mulWide<T>(a, b), c);
}
template <class T> PTXBENCH_LANE T mad24Lo(T a, T b, T c) {
  return wrapAdd<T>(mul24Lo<T>(a, b), c);
}
template <class T> PTXBENCH_LANE T mad24Hi(T a, T b, T c) {
  return wrapAdd<T>(mul24Hi<T>(a, b), c);
}

template <class T, bool Max, bool Relu> PTXBENCH_LANE T minMax(T a, T b) {
  T result = (Max ? a > b : a < b) ? a : b;
  return Relu ? reluInteger<T>(result) : result;
}

/// A function of 16-bit integers on both halves of packed operands.
template <class T, T (*F)(T, T)>
PTXBENCH_LANE uint32_t onHalves(uint32_t a, uint32_t b) {
  uint16_t low = F(static_cast<T>(a), static_cast<T>(b));
  uint16_t high = F(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
  return static_cast<uint32_t>(high) << 16 | low;
}

} // namespace

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static bool isPackedInteger(const InstDesc &desc) {
  return desc.has(Mod::u16x2) || desc.has(Mod::s16x2);
}

static Handler selectSum(const InstDesc &desc, DataType type) {
  bool isAdd = desc.opcode == Opcode::add;
  if (isPackedInteger(desc))
    return isAdd ? lanes<onHalves<uint16_t, wrapAdd<uint16_t>>>() : nullptr;
  if (desc.has(Mod::sat))
    return isAdd ? lanes<addSatS32>() : lanes<subSatS32>();
  return withUnsigned(type, [=](auto t) {
    using T = decltype(t);
    return isAdd ? lanes<wrapAdd<T>>() : lanes<wrapSub<T>>();
  });
}

static Handler selectProduct(const InstDesc &desc, DataType type) {
  bool isMad = desc.opcode == Opcode::mad;
  if (desc.has(Mod::sat))
    return isMad && desc.has(Mod::hi) ? lanes<madHiSatS32>() : nullptr;
  if (desc.has(Mod::lo))
    return withUnsigned(type, [=](auto t) {
      using T = decltype(t);
      return isMad ? lanes<madLo<T>>() : lanes<mulLo<T>>();
    });
  if (desc.has(Mod::hi))
    return withInteger(type, [=](auto t) {
      using T = decltype(t);
      if constexpr (sizeof(T) == 8)
        return isMad ? activeLanes<madHi<T>>() : activeLanes<mulHi<T>>();
      else
        return isMad ? lanes<madHi<T>>() : lanes<mulHi<T>>();
    });
  if (!desc.has(Mod::wide))
    return nullptr;
  return withInteger(type, [=](auto t) -> Handler {
    using T = decltype(t);
    if constexpr (sizeof(T) == 8)
      return nullptr;
    else
      return isMad ? lanes<madWide<T>>() : lanes<mulWide<T>>();
  });
}

static Handler selectProduct24(const InstDesc &desc, DataType type) {
  bool isMad = desc.opcode == Opcode::mad24, isHigh = desc.has(Mod::hi);
  if (desc.has(Mod::sat))
    return isMad && isHigh ? lanes<mad24HiSatS32>() : nullptr;
  return withFlag(type.kind == TypeKind::Signed, [=](auto isSigned) {
    using T = std::conditional_t<isSigned, int32_t, uint32_t>;
    if (isMad)
      return isHigh ? lanes<mad24Hi<T>>() : lanes<mad24Lo<T>>();
    return isHigh ? lanes<mul24Hi<T>>() : lanes<mul24Lo<T>>();
  });
}

static Handler selectQuotient(const InstDesc &desc, DataType type) {
  bool isDiv = desc.opcode == Opcode::div;
  return withInteger(type, [=](auto t) {
    using T = decltype(t);
    if constexpr (sizeof(T) == 8)
      return isDiv ? activeLanes<divInteger<T>>()
                   : activeLanes<remInteger<T>>();
    else
      return isDiv ? lanes<divInteger<T>>() : lanes<remInteger<T>>();
  });
}

static Handler selectExtremum(const InstDesc &desc, DataType type) {
  bool relu = desc.has(Mod::relu);
  return withFlag(desc.opcode == Opcode::max, [&](auto isMax) -> Handler {
    constexpr bool max = isMax;
    if (desc.has(Mod::u16x2))
      return lanes<onHalves<uint16_t, minMax<uint16_t, max, false>>>();
    if (desc.has(Mod::s16x2))
      return relu ? lanes<onHalves<int16_t, minMax<int16_t, max, true>>>()
                  : lanes<onHalves<int16_t, minMax<int16_t, max, false>>>();
    if (relu)
      return lanes<minMax<int32_t, max, true>>();
    return withInteger(
        type, [](auto t) { return lanes<minMax<decltype(t), max, false>>(); });
  });
}

static Handler selectDotProduct(const InstDesc &desc) {
  std::optional<DataType> a = desc.slotType("at"), b = desc.slotType("bt");
  if (!a || !b)
    return nullptr;
  bool isHigh = desc.has(Mod::hi), isBytes = desc.opcode == Opcode::dp4a;
  return withFlag(a->kind == TypeKind::Signed, [&](auto signedA) {
    return withFlag(b->kind == TypeKind::Signed, [&](auto signedB) {
      constexpr bool sa = signedA, sb = signedB;
      if (isBytes)
        return lanes<dp4a<sa, sb>>();
      return isHigh ? lanes<dp2a<true, sa, sb>>()
                    : lanes<dp2a<false, sa, sb>>();
    });
  });
}

static Handler select(const InstDesc &desc, DataType type) {
  switch (desc.opcode) {
  case Opcode::add:
  case Opcode::sub:
    return selectSum(desc, type);
  case Opcode::mul:
  case Opcode::mad:
    return selectProduct(desc, type);
  case Opcode::mul24:
  case Opcode::mad24:
    return selectProduct24(desc, type);
  case Opcode::div:
  case Opcode::rem:
    return selectQuotient(desc, type);
  case Opcode::min:
  case Opcode::max:
    return selectExtremum(desc, type);
  case Opcode::sad:
    return withInteger(type, [](auto t) { return lanes<sad<decltype(t)>>(); });
  case Opcode::abs:
    return withInteger(type,
                       [](auto t) { return lanes<absInteger<decltype(t)>>(); });
  case Opcode::neg:
    return withInteger(type,
                       [](auto t) { return lanes<negInteger<decltype(t)>>(); });
  case Opcode::dp4a:
  case Opcode::dp2a:
    return selectDotProduct(desc);
  default:
    return nullptr;
  }
}

bool ptxbench::emulator::selectInteger(const InstDesc &desc, Inst &inst,
                                       OwnExtra &) {
  // The types of the operands of dot products stand in other slots.
  DataType type = desc.slotType("t").value_or(DataType());
  if (type.kind == TypeKind::Float)
    return false;
  Handler handler = select(desc, type);
  if (!handler || !useTypedRows(desc, inst))
    return false;
  inst.handler = handler;
  return true;
}
