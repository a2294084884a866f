//===- Half.h - Arithmetic on f16 and bf16 ----------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions of PTX ISA 9.0, sections "Half Precision Floating Point
// Instructions" and "Mixed Precision Floating Point Instructions". Values are
// their 16 bits. An operation is done in double, where the product is exact and
// the error of the sum is known, rounded "to odd" and then once to the format:
// bit-exact in every case, subnormals included.
//
// roundFloat is the one narrowing of the emulator: from f32 to any format with
// a sign, E exponent bits and M fraction bits.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_HALF_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_HALF_H

#include "Float32.h"

namespace ptxbench::emulator {

//===----------------------------------------------------------------------===//
// Narrowing
//===----------------------------------------------------------------------===//

/// The magnitude of the finite f32 `bits` in a format of E exponent and M
/// fraction bits, as if its exponents went on: the result may exceed the
/// largest code, which the caller clamps. `Bias` differs from the usual one
/// for the formats without infinities that use the last exponent.
template <int E, int M, Rounding R, int Bias = (1 << (E - 1)) - 1>
PTXBENCH_LANE uint32_t roundFloat(uint32_t bits) {
  uint32_t negative = bits >> 31;
  uint32_t biased = bits >> 23 & 0xff;
  uint32_t fraction = bits & 0x7fffff;
  uint32_t significand = biased ? fraction | 0x800000 : fraction;
  int32_t exponent = static_cast<int32_t>(biased ? biased : 1) - 127 + Bias;
  int32_t below = exponent < 1 ? 1 - exponent : 0;
  // All bits are below half a unit from 25 places on.
  uint32_t shift = static_cast<uint32_t>(23 - M + (below < 25 ? below : 25));
  shift = shift < 31 ? shift : 31;
  uint32_t unit = 1u << shift;
  uint32_t addend = 0;
  if constexpr (R == Rounding::RN)
    addend = (unit >> 1) - 1 + (significand >> shift & 1);
  if constexpr (R == Rounding::RNA)
    addend = unit >> 1;
  if constexpr (R == Rounding::RM)
    addend = negative ? unit - 1 : 0;
  if constexpr (R == Rounding::RP)
    addend = negative ? 0 : unit - 1;
  uint32_t kept = (significand + addend) >> shift;
  // A significand with its leading bit adds one to the exponent field.
  uint32_t field = exponent < 1 ? 0 : static_cast<uint32_t>(exponent - 1);
  return (field << M) + kept;
}

/// Whether R takes an overflow to infinity and not to the largest number.
template <Rounding R> PTXBENCH_LANE bool overflowsToInfinity(uint32_t bits) {
  if constexpr (R == Rounding::RZ)
    return false;
  if constexpr (R == Rounding::RM)
    return bits >> 31;
  if constexpr (R == Rounding::RP)
    return !(bits >> 31);
  return true;
}

//===----------------------------------------------------------------------===//
// The two formats
//===----------------------------------------------------------------------===//

/// An f32 in a 16-bit format with infinities; a NaN becomes kNaN16.
template <int E, int M, Rounding R>
PTXBENCH_LANE uint16_t narrow16(float value) {
  constexpr uint32_t kInfinity = ((1u << E) - 1) << M;
  uint32_t bits = bitsOf(value);
  uint32_t magnitude = bits & 0x7fffffff;
  uint32_t code = roundFloat<E, M, R>(bits);
  uint32_t largest = kInfinity - (overflowsToInfinity<R>(bits) ? 0 : 1);
  code = code < kInfinity ? code : largest;
  code = magnitude == 0x7f800000 ? kInfinity : code;
  code |= bits >> 16 & 0x8000;
  return static_cast<uint16_t>(isNaN32(bits) ? kNaN16 : code);
}

/// IEEE binary16.
struct F16 {
  static constexpr uint16_t kInfinity = 0x7c00;
  static constexpr uint16_t kOne = 0x3c00;
  static constexpr uint16_t kLeastNormal = 0x0400;

  static PTXBENCH_LANE float widen(uint16_t value) {
    uint32_t magnitude = value & 0x7fff;
    uint32_t sign = static_cast<uint32_t>(value & 0x8000) << 16;
    // The exponent field of f32 with the bias of f16; the product adds the
    // difference, and makes normal what was subnormal.
    float scaled = asFloat(magnitude << 13) * asFloat((254u - 15u) << 23);
    uint32_t bits =
        magnitude < kInfinity ? bitsOf(scaled) : (magnitude << 13) | 0x7f800000;
    return asFloat(bits | sign);
  }
  template <Rounding R = Rounding::RN>
  static PTXBENCH_LANE uint16_t narrow(float value) {
    return narrow16<5, 10, R>(value);
  }
};

/// The upper half of an f32.
struct BF16 {
  static constexpr uint16_t kInfinity = 0x7f80;
  static constexpr uint16_t kOne = 0x3f80;
  static constexpr uint16_t kLeastNormal = 0x0080;

  static PTXBENCH_LANE float widen(uint16_t value) {
    return asFloat(static_cast<uint32_t>(value) << 16);
  }
  template <Rounding R = Rounding::RN>
  static PTXBENCH_LANE uint16_t narrow(float value) {
    return narrow16<8, 7, R>(value);
  }
};

template <class T> PTXBENCH_LANE bool isNaN16(uint16_t value) {
  return (value & 0x7fff) > T::kInfinity;
}

/// .ftz (f16 only): a subnormal becomes a zero of its sign.
template <class T, bool FTZ> PTXBENCH_LANE uint16_t flush16(uint16_t value) {
  bool subnormal = (value & 0x7fff) < T::kLeastNormal;
  return FTZ && subnormal ? value & 0x8000 : value;
}

/// `odd`, a result rounded to odd, as T; .ftz looks at it as if exponents went
/// on below the least normal number.
template <class T, bool FTZ> PTXBENCH_LANE uint16_t narrowFlushed(float odd) {
  uint16_t result = T::narrow(odd);
  if constexpr (FTZ) {
    // Half a unit of the numbers just below the least normal one.
    constexpr float kMiddle = 6.103515625e-05f * (1 - 1.0f / 4096);
    static_assert(T::kLeastNormal == 0x0400, "bf16 has no .ftz");
    result = std::fabs(odd) < kMiddle ? bitsOf(odd) >> 16 & 0x8000 : result;
  }
  return flush16<T, FTZ>(result);
}

/// What a result of 16 bits passes through last.
enum class Clamp16 {
  None,
  Sat,  ///< To [0.0, 1.0]; a NaN becomes +0.0.
  Relu, ///< Negative values become +0.0; a NaN stays, as kNaN16.
};

template <class T, Clamp16 C> PTXBENCH_LANE uint16_t clamp16(uint16_t value) {
  bool isNaN = isNaN16<T>(value);
  uint16_t clamped = value;
  if constexpr (C == Clamp16::Sat)
    clamped = isNaN || value >> 15 ? 0 : value < T::kOne ? value : T::kOne;
  if constexpr (C == Clamp16::Relu)
    clamped = isNaN ? kNaN16 : value >> 15 ? 0 : value;
  return clamped;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// The NaN with which a tensor copy fills what lies out of bounds. fma.oob
/// knows it with either sign.
constexpr uint16_t kOutOfBoundsNaN = 0x7ff7;

/// fma.rn{.ftz}{.sat,.relu}{.oob} of f16 and bf16.
template <class T, bool FTZ, Clamp16 C, bool OOB = false>
PTXBENCH_LANE uint16_t fma16(uint16_t a, uint16_t b, uint16_t c) {
  double x = T::widen(flush16<T, FTZ>(a)), y = T::widen(flush16<T, FTZ>(b));
  double z = T::widen(flush16<T, FTZ>(c));
  float odd = roundToOdd(roundToOdd(twoSum(x * y, z)));
  uint16_t result = clamp16<T, C>(narrowFlushed<T, FTZ>(odd));
  if constexpr (OOB) {
    bool outside =
        (a & 0x7fff) == kOutOfBoundsNaN || (b & 0x7fff) == kOutOfBoundsNaN;
    result = outside ? 0 : result;
  }
  return result;
}

/// add{.rnd}{.ftz}{.sat}. A sum in f32 loses nothing that the narrower format
/// could show: it has more than twice as many bits.
template <class T, bool FTZ, Clamp16 C>
PTXBENCH_LANE uint16_t add16(uint16_t a, uint16_t b) {
  float x = T::widen(flush16<T, FTZ>(a)), y = T::widen(flush16<T, FTZ>(b));
  return clamp16<T, C>(flush16<T, FTZ>(T::narrow(x + y)));
}

/// sub{.rnd}{.ftz}{.sat}.
template <class T, bool FTZ, Clamp16 C>
PTXBENCH_LANE uint16_t sub16(uint16_t a, uint16_t b) {
  return add16<T, FTZ, C>(a, b ^ 0x8000);
}

/// mul{.rnd}{.ftz}{.sat}.
template <class T, bool FTZ, Clamp16 C>
PTXBENCH_LANE uint16_t mul16(uint16_t a, uint16_t b) {
  double x = T::widen(flush16<T, FTZ>(a)), y = T::widen(flush16<T, FTZ>(b));
  float odd = roundToOdd(x * y);
  return clamp16<T, C>(narrowFlushed<T, FTZ>(odd));
}

/// neg{.ftz}; a NaN becomes the canonical one, as from the addition to zero
/// or the product with one that the hardware does.
template <class T, bool FTZ> PTXBENCH_LANE uint16_t neg16(uint16_t a) {
  return isNaN16<T>(a) ? kNaN16 : flush16<T, FTZ>(a ^ 0x8000);
}
/// abs{.ftz}; a NaN becomes the canonical one.
template <class T, bool FTZ> PTXBENCH_LANE uint16_t abs16(uint16_t a) {
  return isNaN16<T>(a) ? kNaN16 : flush16<T, FTZ>(a & 0x7fff);
}

/// min/max{.ftz}{.NaN}{.xorsign.abs}, as minMaxF32.
template <class T, bool Max, bool FTZ, bool NaN, bool XorSignAbs>
PTXBENCH_LANE uint16_t minMax16(uint16_t a, uint16_t b) {
  uint16_t x = flush16<T, FTZ>(a), y = flush16<T, FTZ>(b);
  uint16_t sign = (x ^ y) & 0x8000;
  if constexpr (XorSignAbs)
    x &= 0x7fff, y &= 0x7fff;
  int32_t keyX = orderKey(static_cast<uint32_t>(x) << 16);
  int32_t keyY = orderKey(static_cast<uint32_t>(y) << 16);
  bool xNaN = isNaN16<T>(x), yNaN = isNaN16<T>(y);
  uint16_t result = (Max ? keyX >= keyY : keyX <= keyY) ? x : y;
  result = xNaN ? y : yNaN ? x : result;
  if constexpr (XorSignAbs)
    result |= sign;
  return (NaN ? xNaN | yNaN : xNaN & yNaN) ? kNaN16 : result;
}

//===----------------------------------------------------------------------===//
// Pairs and mixed precision
//===----------------------------------------------------------------------===//

/// Applies a function of 16-bit values to both halves of packed operands.
template <class Function, class... Packed>
PTXBENCH_LANE uint32_t mapPair(Function function, Packed... operands) {
  uint32_t low = function(static_cast<uint16_t>(operands)...);
  uint32_t high = function(static_cast<uint16_t>(operands >> 16)...);
  return (low & 0xffff) | high << 16;
}

/// add{.rnd}{.sat}.f32.{f16,bf16}: d = a + c with a of 16 bits (sm_100).
template <class T, Rounding R, bool SAT>
PTXBENCH_LANE float addMixed(uint16_t a, float c) {
  return addF32<R, false, SAT>(T::widen(a), c);
}
/// sub{.rnd}{.sat}.f32.{f16,bf16}: d = a - c.
template <class T, Rounding R, bool SAT>
PTXBENCH_LANE float subMixed(uint16_t a, float c) {
  return subF32<R, false, SAT>(T::widen(a), c);
}
/// fma.rnd{.sat}.f32.{f16,bf16}: d = a * b + c with a and b of 16 bits.
template <class T, Rounding R, bool SAT>
PTXBENCH_LANE float fmaMixed(uint16_t a, uint16_t b, float c) {
  return fmaF32<R, false, SAT>(T::widen(a), T::widen(b), c);
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_HALF_H
