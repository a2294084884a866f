//===- ConvertInteger.cpp - cvt from and to integers ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "cvt" where source or destination is an integer, as steps on rows.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/Convert.h"
#include "ConvertRows.h"
#include "Select.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// `f(T())` with an integer of 8 to 64 bits; null for other types.
template <class F> static RowStep withCvtInteger(DataType type, F f) {
  bool isSigned = type.kind == TypeKind::Signed;
  switch (type.packed ? 0 : type.width) {
  case 8:
    return isSigned ? f(int8_t()) : f(uint8_t());
  case 16:
    return isSigned ? f(int16_t()) : f(uint16_t());
  case 32:
    return isSigned ? f(int32_t()) : f(uint32_t());
  case 64:
    return isSigned ? f(int64_t()) : f(uint64_t());
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Between integers
//===----------------------------------------------------------------------===//

RowStep ptxbench::emulator::resizeStep(DataType from, unsigned width) {
  if (from.width == width)
    return nullptr;
  // Whoever cuts does not look at the sign.
  DataType type = from;
  if (from.width > width)
    type.kind = TypeKind::Unsigned;
  return withCvtInteger(type, [=](auto t) -> RowStep {
    using From = decltype(t);
    switch (width) {
    case 8:
      return step<cvtInteger<uint8_t, From>>();
    case 16:
      return step<cvtInteger<uint16_t, From>>();
    case 32:
      return step<cvtInteger<uint32_t, From>>();
    case 64:
      return step<cvtInteger<uint64_t, From>>();
    }
    return nullptr;
  });
}

bool ptxbench::emulator::integerSteps(const InstDesc &desc, DataType from,
                                      DataType to, RowSteps &steps) {
  if (!desc.has(Mod::sat)) {
    if (from.width != to.width)
      steps.push_back(resizeStep(from, to.width));
    return true;
  }
  RowStep clamp = withCvtInteger(from, [&](auto f) {
    return withCvtInteger(to, [](auto t) {
      return scalarStep<cvtIntegerSat<decltype(t), decltype(f)>>();
    });
  });
  steps.push_back(clamp);
  return clamp;
}

//===----------------------------------------------------------------------===//
// Integer to float
//===----------------------------------------------------------------------===//

/// `f(T())` with an integer of 32 or 64 bits.
template <class F> static RowStep with3264(DataType type, F f) {
  bool isSigned = type.kind == TypeKind::Signed;
  if (type.width == 64)
    return isSigned ? f(int64_t()) : f(uint64_t());
  return isSigned ? f(int32_t()) : f(uint32_t());
}

/// The step of F, which rounds as R.
template <Rounding R, auto F> static RowStep rounded() {
  if constexpr (R == Rounding::RN)
    return step<F>();
  else
    return scalarStep<F>();
}

bool ptxbench::emulator::integerToFloatSteps(const InstDesc &desc,
                                             DataType from, Mod to,
                                             RowSteps &steps) {
  // The narrow ones are extended first.
  if (from.width < 32) {
    steps.push_back(resizeStep(from, 32));
    from.width = 32;
  }
  bool sat = desc.has(Mod::sat);
  RowStep convert = withRounding(roundingOf(desc), [&](auto rounding) {
    return with3264(from, [&](auto t) -> RowStep {
      using T = decltype(t);
      constexpr Rounding r = decltype(rounding)::value;
      switch (to) {
      case Mod::f32:
        return rounded<r, cvtIntegerToF32<r, false, T>>();
      case Mod::f64:
        return rounded<r, cvtIntegerToF64<r, false, T>>();
      case Mod::f16:
        return rounded<r, cvtIntegerTo16<F16, r, false, T>>();
      case Mod::bf16:
        return rounded<r, cvtIntegerTo16<BF16, r, false, T>>();
      default:
        return nullptr;
      }
    });
  });
  if (!convert)
    return false;
  steps.push_back(convert);
  if (!sat)
    return true;
  switch (to) {
  case Mod::f32:
    steps.push_back(scalarStep<static_cast<float (*)(float)>(saturate)>());
    return true;
  case Mod::f64:
    steps.push_back(scalarStep<static_cast<double (*)(double)>(saturate)>());
    return true;
  case Mod::f16:
    steps.push_back(scalarStep<clamp16<F16, Clamp16::Sat>>());
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Float to integer
//===----------------------------------------------------------------------===//

namespace {

/// The integral value of a number, as a double.
template <Rounding R, bool Ftz> PTXBENCH_LANE double integralOfF32(float a) {
  return roundToIntegral<R>(flush<Ftz>(a));
}
template <Rounding R> PTXBENCH_LANE double integralOfF64(double a) {
  return roundToIntegral<R>(a);
}
template <class T, Rounding R> PTXBENCH_LANE double integralOf16(uint16_t a) {
  return roundToIntegral<R>(T::widen(a));
}
template <class Int, bool FromF64>
PTXBENCH_LANE Int clampedInteger(double value) {
  return clampToInteger<Int>(value, integerOfNaN<Int, FromF64>());
}

} // namespace

/// Values out of range are clamped with and without .sat.
bool ptxbench::emulator::floatToIntegerSteps(const InstDesc &desc, Mod from,
                                             DataType to, RowSteps &steps) {
  bool ftz = desc.has(Mod::ftz);
  RowStep round = withRounding(roundingOf(desc), [&](auto rounding) -> RowStep {
    constexpr Rounding r = decltype(rounding)::value;
    switch (from) {
    case Mod::f32:
      return ftz ? step<integralOfF32<r, true>>()
                 : step<integralOfF32<r, false>>();
    case Mod::f64:
      return step<integralOfF64<r>>();
    case Mod::f16:
      return step<integralOf16<F16, r>>();
    case Mod::bf16:
      return step<integralOf16<BF16, r>>();
    default:
      return nullptr;
    }
  });
  if (!round || (ftz && from != Mod::f32))
    return false;
  RowStep clamp = withCvtInteger(to, [&](auto t) {
    using T = decltype(t);
    return from == Mod::f64 ? step<clampedInteger<T, true>>()
                            : step<clampedInteger<T, false>>();
  });
  steps.push_back(round);
  steps.push_back(clamp);
  return clamp;
}
