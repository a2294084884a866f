//===- Convert.h - cvt between integers and floats --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA 9.0, section "cvt": between integers, f16, bf16, f32, f64 and tf32.
// All roundings are exact and rounded once. The narrow formats of eight bits
// and less are in SmallFloat.h.
//
// A float is rounded to an integer in its own format and clamped to the range
// of the destination, whether or not .sat is written. An integer of 64 bits is
// the sum of two doubles.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_CONVERT_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_CONVERT_H

#include "Float64.h"
#include "Half.h"
#include <limits>
#include <type_traits>

namespace ptxbench::emulator {

//===----------------------------------------------------------------------===//
// Integer to integer
//===----------------------------------------------------------------------===//

/// cvt.dst.src of integers: cut, or extended by the sign of the source.
template <class To, class From> PTXBENCH_LANE To cvtInteger(From value) {
  return static_cast<To>(value);
}

/// cvt.sat.dst.src of integers: clamped to the range of the destination.
template <class To, class From> PTXBENCH_LANE To cvtIntegerSat(From value) {
  using Limits = std::numeric_limits<To>;
  // Which bounds the source can pass is known by type; a comparison of the
  // two types is then one of values.
  constexpr bool kMayBeBelow =
      std::is_signed_v<From> &&
      (std::is_unsigned_v<To> || sizeof(From) > sizeof(To));
  constexpr bool kMayBeAbove =
      sizeof(From) > sizeof(To) ||
      (sizeof(From) == sizeof(To) && std::is_unsigned_v<From> &&
       std::is_signed_v<To>);
  if constexpr (kMayBeBelow)
    value = value < static_cast<From>(Limits::min())
                ? static_cast<From>(Limits::min())
                : value;
  if constexpr (kMayBeAbove)
    value = value > static_cast<From>(Limits::max())
                ? static_cast<From>(Limits::max())
                : value;
  return static_cast<To>(value);
}

/// A signed 32-bit value clamped to `Bits` bits, for cvt.pack.
template <unsigned Bits, bool Signed>
PTXBENCH_LANE uint32_t clampToBits(int32_t value) {
  constexpr int32_t kMin = Signed ? -(1 << (Bits - 1)) : 0;
  constexpr int32_t kMax = (1 << (Signed ? Bits - 1 : Bits)) - 1;
  value = value < kMin ? kMin : value > kMax ? kMax : value;
  return static_cast<uint32_t>(value) & ((1u << Bits) - 1);
}

/// cvt.pack.sat.{u16,s16}.s32 d, a, b: `a` in the upper half.
template <bool Signed> PTXBENCH_LANE uint32_t cvtPack16(int32_t a, int32_t b) {
  return clampToBits<16, Signed>(a) << 16 | clampToBits<16, Signed>(b);
}
/// cvt.pack.sat.{u,s}{8,4,2}.s32.b32 d, a, b, c: `b` lowest, then `a`, above
/// them the low bits of `c`.
template <unsigned Bits, bool Signed>
PTXBENCH_LANE uint32_t cvtPack(int32_t a, int32_t b, uint32_t c) {
  return c << 2 * Bits | clampToBits<Bits, Signed>(a) << Bits |
         clampToBits<Bits, Signed>(b);
}

//===----------------------------------------------------------------------===//
// Float to integer
//===----------------------------------------------------------------------===//

/// .rni, .rzi, .rmi, .rpi: the nearest integral value, of the operand's sign.
template <Rounding R> PTXBENCH_LANE float roundToIntegral(float value) {
  if constexpr (R == Rounding::RZ)
    return __builtin_truncf(value);
  if constexpr (R == Rounding::RM)
    return __builtin_floorf(value);
  if constexpr (R == Rounding::RP)
    return __builtin_ceilf(value);
  return __builtin_rintf(value);
}
template <Rounding R> PTXBENCH_LANE double roundToIntegral(double value) {
  if constexpr (R == Rounding::RZ)
    return __builtin_trunc(value);
  if constexpr (R == Rounding::RM)
    return __builtin_floor(value);
  if constexpr (R == Rounding::RP)
    return __builtin_ceil(value);
  return __builtin_rint(value);
}

/// An integral value clamped to the range of Int; a NaN becomes `ofNaN`.
template <class Int> PTXBENCH_LANE Int clampToInteger(double value, Int ofNaN) {
  using Limits = std::numeric_limits<Int>;
  constexpr double kMin = static_cast<double>(Limits::min());
  // One above the largest: a power of two, which double has exactly.
  constexpr double kEnd = static_cast<double>(Limits::max() / 2 + 1) * 2;
  bool below = value < kMin, inside = value >= kMin && value < kEnd;
  Int clamped = below ? Limits::min() : Limits::max();
  clamped = inside ? static_cast<Int>(inside ? value : 0.0) : clamped;
  return isNaN64(bitsOf(value)) ? ofNaN : clamped;
}

/// What a NaN becomes: zero, but the bit of the sign where source or
/// destination has 64 bits.
template <class Int, bool FromF64> constexpr Int integerOfNaN() {
  if (!FromF64 && sizeof(Int) < 8)
    return 0;
  using Unsigned = std::make_unsigned_t<Int>;
  return static_cast<Int>(static_cast<Unsigned>(1) << (sizeof(Int) * 8 - 1));
}

/// cvt.irnd{.ftz}{.sat}.int.f32.
template <class Int, Rounding R, bool FTZ>
PTXBENCH_LANE Int cvtF32ToInteger(float a) {
  return clampToInteger<Int>(roundToIntegral<R>(flush<FTZ>(a)),
                             integerOfNaN<Int, false>());
}
/// cvt.irnd{.sat}.int.f64.
template <class Int, Rounding R> PTXBENCH_LANE Int cvtF64ToInteger(double a) {
  return clampToInteger<Int>(roundToIntegral<R>(a), integerOfNaN<Int, true>());
}
/// cvt.irnd{.sat}.int.{f16,bf16}.
template <class T, class Int, Rounding R>
PTXBENCH_LANE Int cvt16ToInteger(uint16_t a) {
  return cvtF32ToInteger<Int, R, false>(T::widen(a));
}

//===----------------------------------------------------------------------===//
// Integer to float
//===----------------------------------------------------------------------===//

/// An integer as the sum of two doubles; `sum` is the nearest one.
template <class Int> PTXBENCH_LANE ExactSum exactSum(Int value) {
  if constexpr (sizeof(Int) < 8) {
    return {static_cast<double>(value), 0.0};
  } else {
    double high = static_cast<double>(value >> 32) * 4294967296.0;
    double low = static_cast<double>(static_cast<uint32_t>(value));
    return twoSum(high, low);
  }
}

/// As `directed` of FloatBits.h, for f64.
template <Rounding R>
PTXBENCH_LANE double directed(double nearest, double lost) {
  if constexpr (R == Rounding::RN)
    return nearest;
  uint64_t bits = bitsOf(nearest);
  uint64_t negative = bits >> 63;
  uint64_t above = lost<0, below = lost> 0;
  if constexpr (R == Rounding::RZ)
    return asDouble(bits - (negative ? below : above));
  if constexpr (R == Rounding::RM)
    return asDouble(bits + (negative ? above : 0u - above));
  return asDouble(bits + (negative ? 0u - below : below));
}

/// cvt.rnd{.ftz}{.sat}.f32.int.
template <Rounding R, bool SAT, class Int>
PTXBENCH_LANE float cvtIntegerToF32(Int a) {
  float result;
  if constexpr (R == Rounding::RN)
    result = static_cast<float>(a);
  else
    result = roundSum<R>(exactSum(a));
  return SAT ? saturate(result) : result;
}
/// cvt.rnd{.sat}.f64.int.
template <Rounding R, bool SAT, class Int>
PTXBENCH_LANE double cvtIntegerToF64(Int a) {
  ExactSum exact = exactSum(a);
  double result = directed<R>(exact.sum, exact.error);
  return SAT ? saturate(result) : result;
}
/// cvt.rnd{.sat}.{f16,bf16}.int.
template <class T, Rounding R, bool SAT, class Int>
PTXBENCH_LANE uint16_t cvtIntegerTo16(Int a) {
  float odd = roundToOdd(roundToOdd(exactSum(a)));
  return clamp16 < T,
         SAT ? Clamp16::Sat : Clamp16::None > (T::template narrow<R>(odd));
}

//===----------------------------------------------------------------------===//
// Float to float
//===----------------------------------------------------------------------===//

/// cvt.rnd{.ftz}{.sat}.f32.f64. A NaN keeps the upper bits of its payload.
template <Rounding R, bool FTZ, bool SAT>
PTXBENCH_LANE float cvtF64ToF32(double a) {
  float result = flush<FTZ>(roundSum<R>({a, 0.0}));
  return SAT ? saturate(result) : result;
}
/// cvt{.ftz}{.sat}.f64.f32. A NaN keeps its payload; with .ftz, which is an
/// operation before the conversion, it becomes the canonical one of f32.
template <bool FTZ, bool SAT> PTXBENCH_LANE double cvtF32ToF64(float a) {
  double result = FTZ ? canonical(flush<FTZ>(a)) : a;
  return SAT ? saturate(result) : result;
}
/// cvt{.irnd}{.ftz}{.sat}.f32.f32 with a rounding to an integral value.
template <Rounding R, bool FTZ, bool SAT>
PTXBENCH_LANE float cvtF32Integral(float a) {
  return finish<FTZ, SAT>(roundToIntegral<R>(flush<FTZ>(a)));
}
/// cvt{.irnd}{.sat}.f64.f64 with a rounding to an integral value.
template <Rounding R, bool SAT> PTXBENCH_LANE double cvtF64Integral(double a) {
  double result = roundToIntegral<R>(a);
  return SAT ? saturate(result) : asDouble(quiet64(bitsOf(result)));
}
/// cvt{.irnd}{.sat} from f16 to f16 or bf16 to bf16, to an integral value.
template <class T, Rounding R, bool SAT>
PTXBENCH_LANE uint16_t cvt16Integral(uint16_t a) {
  return clamp16 < T,
         SAT ? Clamp16::Sat
             : Clamp16::None > (T::narrow(roundToIntegral<R>(T::widen(a))));
}

/// cvt.rnd{.ftz}{.sat,.relu}{.satfinite} from f32 to f16 or bf16. .ftz is for
/// the f32; .satfinite puts the largest number where an infinity would be.
template <class T, Rounding R, bool FTZ, Clamp16 C, bool SATFINITE>
PTXBENCH_LANE uint16_t cvtF32To16(float a) {
  uint16_t result = T::template narrow<R>(flush<FTZ>(a));
  if constexpr (SATFINITE)
    result -= (result & 0x7fff) == T::kInfinity;
  return clamp16<T, C>(result);
}
/// cvt.rnd{.relu}{.satfinite}.{f16x2,bf16x2}.f32 d, a, b: `a` in the upper
/// half.
template <class T, Rounding R, bool RELU, bool SATFINITE>
PTXBENCH_LANE uint32_t cvtF32ToPair(float a, float b) {
  constexpr Clamp16 kClamp = RELU ? Clamp16::Relu : Clamp16::None;
  uint32_t high = cvtF32To16<T, R, false, kClamp, SATFINITE>(a);
  return high << 16 | cvtF32To16<T, R, false, kClamp, SATFINITE>(b);
}
/// cvt.rnd{.sat} from f64 to f16 or bf16, rounded once. A NaN keeps its sign
/// and the upper bits of its payload.
template <class T, Rounding R, bool SAT>
PTXBENCH_LANE uint16_t cvtF64To16(double a) {
  uint64_t bits = bitsOf(a);
  constexpr int kFraction = std::is_same_v<T, F16> ? 10 : 7;
  uint64_t payload = bits >> (52 - kFraction) & ((1 << kFraction) - 1);
  uint64_t nan = (bits >> 48 & 0x8000) | T::kInfinity |
                 uint64_t(1) << (kFraction - 1) | payload;
  uint16_t result = clamp16 < T,
           SAT ? Clamp16::Sat
               : Clamp16::None > (T::template narrow<R>(roundToOdd(a)));
  return !SAT && isNaN64(bits) ? static_cast<uint16_t>(nan) : result;
}
/// cvt{.rnd}{.sat} between f16 and bf16, in either direction.
template <class From, class To, Rounding R, bool SAT>
PTXBENCH_LANE uint16_t cvt16To16(uint16_t a) {
  return clamp16 < To,
         SAT ? Clamp16::Sat
             : Clamp16::None > (To::template narrow<R>(From::widen(a)));
}

/// cvt{.ftz}{.sat}.f32.f16: an addition to -0.0, so a NaN becomes canonical.
template <bool FTZ, bool SAT> PTXBENCH_LANE float cvtF16ToF32(uint16_t a) {
  return finish<FTZ, SAT>(F16::widen(a));
}
/// cvt{.ftz}.f32.bf16: a shift, so a NaN keeps its payload; with .ftz it
/// becomes canonical.
template <bool FTZ> PTXBENCH_LANE float cvtBF16ToF32(uint16_t a) {
  float result = BF16::widen(a);
  return FTZ ? canonical(flush<FTZ>(result)) : result;
}
/// cvt{.sat}.f64.{f16,bf16}.
template <class T, bool SAT> PTXBENCH_LANE double cvt16ToF64(uint16_t a) {
  return cvtF32ToF64<false, SAT>(T::widen(a));
}

//===----------------------------------------------------------------------===//
// tf32
//===----------------------------------------------------------------------===//

/// cvt.{rn,rz,rna}{.relu}{.satfinite}.tf32.f32: f32 with its low 13 bits zero.
/// .rna is integer arithmetic in the hardware and cuts NaNs as numbers; the
/// others give the canonical NaN, whose low bits are zero, too.
template <Rounding R, bool RELU, bool SATFINITE>
PTXBENCH_LANE uint32_t cvtTF32(float a) {
  uint32_t bits = bitsOf(a);
  bool isNaN = isNaN32(bits);
  uint32_t result;
  if constexpr (R == Rounding::RNA) {
    bool number = (bits & 0x7fffffff) < 0x7f800000;
    result = (bits + (number ? 0x1000 : 0)) & 0xffffe000;
    if constexpr (SATFINITE)
      result -= (result & 0x7fffffff) >= 0x7f800000 ? 0x2000 : 0;
    return result;
  }
  result = roundFloat<8, 10, R>(bits) << 13;
  if constexpr (SATFINITE)
    result = result < 0x7f800000 ? result : 0x7f7fe000;
  result |= bits & 0x80000000;
  if constexpr (RELU)
    result = bits >> 31 ? 0 : result;
  return isNaN ? kNaN32 & 0xffffe000 : result;
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_CONVERT_H
