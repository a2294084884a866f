//===- Half.cpp - Arithmetic on f16 and bf16 ------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Half Precision Floating-Point Instructions", and ex2 and tanh of
// these types. A pair is two numbers in a register of 32 bits.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/Half.h"
#include "../Numerics/Approx.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "Select.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// A function of 16-bit values on both halves.
template <auto F, class... Packed>
PTXBENCH_LANE uint32_t onPairs(Packed... operands) {
  uint32_t low = F(static_cast<uint16_t>(operands)...);
  uint32_t high = F(static_cast<uint16_t>(operands >> 16)...);
  return high << 16 | low;
}

/// The handlers of a function with as many operands.
template <class... S> struct PairHandlers;
template <class D, class... S> struct PairHandlers<D (*)(S...)> {
  template <auto F, bool IsDear> static Handler get() {
    if constexpr (IsDear)
      return activeLanes<onPairs<F, decltype(uint32_t(S()))...>>();
    else
      return lanes<onPairs<F, decltype(uint32_t(S()))...>>();
  }
};

} // namespace

/// The handler of a function on 16-bit values, alone or in pairs.
template <auto F, bool IsDear = false> static Handler half(bool isPair) {
  if (isPair)
    return PairHandlers<decltype(F)>::template get<F, IsDear>();
  if constexpr (IsDear)
    return activeLanes<F>();
  else
    return lanes<F>();
}

/// add, sub, mul. bf16 has no modifiers but .rn.
template <class T, bool Ftz, Clamp16 C>
static Handler sum(Opcode opcode, bool isPair) {
  switch (opcode) {
  case Opcode::add:
    return half<add16<T, Ftz, C>>(isPair);
  case Opcode::sub:
    return half<sub16<T, Ftz, C>>(isPair);
  default:
    return half<mul16<T, Ftz, C>>(isPair);
  }
}
template <class T> static Handler selectSum(const InstDesc &desc, bool isPair) {
  bool ftz = desc.has(Mod::ftz), sat = desc.has(Mod::sat);
  if constexpr (std::is_same_v<T, F16>) {
    if (ftz)
      return sat ? sum<T, true, Clamp16::Sat>(desc.opcode, isPair)
                 : sum<T, true, Clamp16::None>(desc.opcode, isPair);
    if (sat)
      return sum<T, false, Clamp16::Sat>(desc.opcode, isPair);
  } else if (ftz || sat) {
    return nullptr;
  }
  return sum<T, false, Clamp16::None>(desc.opcode, isPair);
}

/// `fma` of bf16 in other roundings than .rn is accepted by ptxas, but the ISA
/// does not have it.
template <class T> static Handler selectFma(const InstDesc &desc, bool isPair) {
  bool ftz = desc.has(Mod::ftz), sat = desc.has(Mod::sat);
  bool relu = desc.has(Mod::relu), oob = desc.has(Mod::oob);
  if (roundingOf(desc) != Rounding::RN || (sat && relu) ||
      (oob && (ftz || sat)))
    return nullptr;
  if (oob)
    return relu ? half<fma16<T, false, Clamp16::Relu, true>, true>(isPair)
                : half<fma16<T, false, Clamp16::None, true>, true>(isPair);
  if constexpr (std::is_same_v<T, F16>) {
    if (ftz && sat)
      return half<fma16<T, true, Clamp16::Sat>, true>(isPair);
    if (ftz && relu)
      return half<fma16<T, true, Clamp16::Relu>, true>(isPair);
    if (ftz)
      return half<fma16<T, true, Clamp16::None>>(isPair);
    if (sat)
      return half<fma16<T, false, Clamp16::Sat>>(isPair);
  } else if (ftz || sat) {
    return nullptr;
  }
  return relu ? half<fma16<T, false, Clamp16::Relu>>(isPair)
              : half<fma16<T, false, Clamp16::None>>(isPair);
}

template <class T>
static Handler selectExtremum(const InstDesc &desc, bool isPair) {
  bool ftz = desc.has(Mod::ftz), isXorSign = desc.has(Mod::xorsign);
  if (desc.has(Mod::abs) != isXorSign || desc.operands.size() != 3)
    return nullptr;
  return withFlag(desc.opcode == Opcode::max, [&](auto isMax) {
    return withFlag(desc.has(Mod::NaN), [&](auto nan) -> Handler {
      constexpr bool max = isMax, n = nan;
      if constexpr (std::is_same_v<T, F16>) {
        if (ftz)
          return isXorSign ? half<minMax16<T, max, true, n, true>, true>(isPair)
                           : half<minMax16<T, max, true, n, false>>(isPair);
      } else if (ftz) {
        return nullptr;
      }
      return isXorSign ? half<minMax16<T, max, false, n, true>, true>(isPair)
                       : half<minMax16<T, max, false, n, false>>(isPair);
    });
  });
}

/// The bf16 form of ex2 has .ftz, the other one has not.
template <class T> static Handler select(const InstDesc &desc, bool isPair) {
  constexpr bool isF16 = std::is_same_v<T, F16>;
  bool ftz = desc.has(Mod::ftz);
  switch (desc.opcode) {
  case Opcode::add:
  case Opcode::sub:
  case Opcode::mul:
    return selectSum<T>(desc, isPair);
  case Opcode::fma:
    return selectFma<T>(desc, isPair);
  case Opcode::min:
  case Opcode::max:
    return selectExtremum<T>(desc, isPair);
  case Opcode::abs:
    if constexpr (isF16)
      if (ftz)
        return half<abs16<T, true>>(isPair);
    return ftz ? nullptr : half<abs16<T, false>>(isPair);
  case Opcode::neg:
    if constexpr (isF16)
      if (ftz)
        return half<neg16<T, true>>(isPair);
    return ftz ? nullptr : half<neg16<T, false>>(isPair);
  case Opcode::ex2:
    return ftz == isF16 ? nullptr : half<ex2Approx16<T, !isF16>>(isPair);
  case Opcode::tanh:
    return half<tanhApprox16<T>>(isPair);
  default:
    return nullptr;
  }
}

bool ptxbench::emulator::selectHalf(const InstDesc &desc, Inst &inst,
                                    OwnExtra &) {
  // Mixed precision has the type in another slot.
  std::optional<Mod> type = desc.slot("t");
  if (!type)
    return false;
  Handler handler = nullptr;
  switch (*type) {
  case Mod::f16:
    handler = select<F16>(desc, false);
    break;
  case Mod::f16x2:
    handler = select<F16>(desc, true);
    break;
  case Mod::bf16:
    handler = select<BF16>(desc, false);
    break;
  case Mod::bf16x2:
    handler = select<BF16>(desc, true);
    break;
  default:
    return false;
  }
  if (!handler || !useTypedRows(desc, inst))
    return false;
  inst.handler = handler;
  return true;
}
