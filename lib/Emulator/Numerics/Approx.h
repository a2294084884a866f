//===- Approx.h - Approximate functions -------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA 9.0: rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh and div with .approx,
// and div.full.
//
// The hardware has a unit for each elementary function, and a few plain
// operations around it scale subnormals into its range and back, or a sine's
// argument into turns. Those operations are done here as the hardware does
// them, so the values at the edges and the special values are the same; the
// unit itself is replaced by the function rounded to nearest, which lies within
// the bound that the ISA promises (docs/Emulator.md has the numbers). The
// functions are polynomials in double without branches.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_APPROX_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_APPROX_H

#include "Convert.h"

namespace ptxbench::emulator {

//===----------------------------------------------------------------------===//
// Elementary functions in double, for f32 results
//===----------------------------------------------------------------------===//

/// 2^x; beyond [-300, 300] as at the bound, for a NaN as at the lower one.
PTXBENCH_LANE double exp2Double(double x) {
  x = x > -300.0 ? x : -300.0;
  x = x < 300.0 ? x : 300.0;
  double whole = __builtin_rint(x);
  double y = (x - whole) * 0.69314718055994530942;
  // The exponential series to the tenth power: 2^-41 is left at |y| = 0.35.
  double p = 1.0 / 3628800;
  p = p * y + 1.0 / 362880;
  p = p * y + 1.0 / 40320;
  p = p * y + 1.0 / 5040;
  p = p * y + 1.0 / 720;
  p = p * y + 1.0 / 120;
  p = p * y + 1.0 / 24;
  p = p * y + 1.0 / 6;
  p = p * y + 0.5;
  p = p * y + 1.0;
  p = p * y + 1.0;
  uint64_t exponent = static_cast<uint64_t>(static_cast<int32_t>(whole) + 1023);
  return p * asDouble(exponent << 52);
}

/// The binary logarithm of a positive normal x.
PTXBENCH_LANE double log2Double(double x) {
  // x = 2^e * m with m in [1/sqrt(2), sqrt(2)).
  constexpr uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  uint64_t offset = bitsOf(x) - kRootOfHalf;
  int32_t exponent =
      static_cast<int32_t>(static_cast<uint32_t>(offset >> 32)) >> 20;
  double m = asDouble((offset & 0x000fffffffffffff) + kRootOfHalf);
  // 2 atanh(s) with |s| < 0.172: 2^-40 of it is left.
  double s = (m - 1.0) / (m + 1.0), z = s * s;
  double p = 1.0 / 15;
  p = p * z + 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  p = p * z + 1.0;
  return exponent + s * p * 2.88539008177792681472; // 2 / ln 2
}

/// The sine of `turns` turns, |turns| <= 1/4.
PTXBENCH_LANE double sineOfTurns(double turns) {
  double x = turns * 6.28318530717958647692, z = x * x;
  // The series to the 15th power: 2^-38 is left at a quarter turn.
  double p = -1.0 / 1307674368000;
  p = p * z + 1.0 / 6227020800;
  p = p * z - 1.0 / 39916800;
  p = p * z + 1.0 / 362880;
  p = p * z - 1.0 / 5040;
  p = p * z + 1.0 / 120;
  p = p * z - 1.0 / 6;
  return x + x * z * p;
}

/// The hyperbolic tangent of |x|.
PTXBENCH_LANE double tanhMagnitude(double x) {
  double a = std::fabs(x), z = a * a;
  // Near zero the series, elsewhere from 2^(2 x / ln 2).
  double p = 62.0 / 2835;
  p = p * z - 17.0 / 315;
  p = p * z + 2.0 / 15;
  p = p * z - 1.0 / 3;
  double near = a + a * z * p;
  double far = 1.0 - 2.0 / (exp2Double(a * 2.88539008177792681472) + 1.0);
  return a < 0.05 ? near : far;
}

//===----------------------------------------------------------------------===//
// The units. A subnormal operand counts as zero, a subnormal result is zero.
//===----------------------------------------------------------------------===//

PTXBENCH_LANE float unitRcp(float x) {
  return canonical(flush<true>(1.0f / flush<true>(x)));
}

PTXBENCH_LANE float unitSqrt(float x) {
  return canonical(__builtin_sqrtf(flush<true>(x)));
}

PTXBENCH_LANE float unitRsqrt(float x) {
  double root = __builtin_sqrt(static_cast<double>(flush<true>(x)));
  return canonical(static_cast<float>(1.0 / root));
}

PTXBENCH_LANE float unitEx2(float x) {
  float result = flush<true>(static_cast<float>(exp2Double(x)));
  return asFloat(isNaN32(bitsOf(x)) ? kNaN32 : bitsOf(result));
}

PTXBENCH_LANE float unitLg2(float x) {
  uint32_t bits = bitsOf(flush<true>(x));
  bool positive = bits > 0 && bits < 0x7f800000;
  float number = asFloat(positive ? bits : 0x3f800000);
  uint32_t result = bitsOf(static_cast<float>(log2Double(number)));
  uint32_t special = bits == 0x7f800000 ? bits : kNaN32;
  special = (bits << 1) == 0 ? 0xff800000 : special;
  return asFloat(positive ? result : special);
}

PTXBENCH_LANE float unitSin(float turns) {
  double x = flush<true>(turns);
  double part = x - __builtin_rint(x);
  // A half turn more or less turns the sign, or mirrors at a quarter.
  double mirrored = std::copysign(0.5, part) - part;
  part = std::fabs(part) > 0.25 ? mirrored : part;
  float result = static_cast<float>(sineOfTurns(part));
  // The difference of equal values is +0.0: the sign is the operand's.
  uint32_t bits = bitsOf(result);
  bits |= (bits << 1) == 0 ? bitsOf(turns) & 0x80000000 : 0;
  return canonical(asFloat(bits));
}

PTXBENCH_LANE float unitCos(float turns) {
  double x = flush<true>(turns);
  double part = std::fabs(x - __builtin_rint(x));
  return canonical(static_cast<float>(sineOfTurns(0.25 - part)));
}

PTXBENCH_LANE float unitTanh(float x) {
  uint32_t magnitude = bitsOf(static_cast<float>(tanhMagnitude(x)));
  uint32_t bits = magnitude | (bitsOf(x) & 0x80000000);
  return asFloat(isNaN32(bitsOf(x)) ? kNaN32 : bits);
}

//===----------------------------------------------------------------------===//
// f32
//===----------------------------------------------------------------------===//

constexpr float kTwoTo24 = 16777216.0f;
constexpr float kTwoTo126 = 8.50705917302346158658e+37f;

/// |a| is below the least normal number. False for a NaN.
PTXBENCH_LANE bool isTiny(float a) {
  return (bitsOf(a) & 0x7fffffff) < 0x00800000;
}

/// The factor that brings a divisor into the range of the unit: a quarter of
/// the large ones, whose reciprocal would be flushed, and 2^24 times the
/// subnormals.
PTXBENCH_LANE float divisorScale(float b) {
  uint32_t magnitude = bitsOf(b) & 0x7fffffff;
  float scale = magnitude < 0x00800000 ? kTwoTo24 : 1.0f;
  return magnitude > bitsOf(kTwoTo126) && magnitude <= 0x7f800000 ? 0.25f
                                                                  : scale;
}

/// rcp.approx{.ftz}.f32.
template <bool FTZ> PTXBENCH_LANE float rcpApproxF32(float a) {
  if constexpr (FTZ)
    return unitRcp(a);
  float scale = divisorScale(a);
  return canonical(unitRcp(a * scale) * scale);
}

/// div.approx{.ftz}.f32: for |b| in [2^-126, 2^126]; above, the result is 0.0,
/// or NaN if `a` is infinite.
template <bool FTZ> PTXBENCH_LANE float divApproxF32(float a, float b) {
  if constexpr (FTZ)
    return mulF32<Rounding::RN, true, false>(a, unitRcp(b));
  float scale = isTiny(b) ? kTwoTo24 : 1.0f;
  return canonical((a * scale) * unitRcp(b * scale));
}

/// div.full{.ftz}.f32: div.approx in the full range of `b`.
template <bool FTZ> PTXBENCH_LANE float divFullF32(float a, float b) {
  float scale = divisorScale(b);
  if constexpr (!FTZ)
    return canonical(unitRcp(b * scale) * (a * scale));
  scale = scale == 0.25f ? scale : 1.0f;
  return mulF32<Rounding::RN, true, false>(
      unitRcp(b * scale), mulF32<Rounding::RN, true, false>(a, scale));
}

/// sqrt.approx{.ftz}.f32.
template <bool FTZ> PTXBENCH_LANE float sqrtApproxF32(float a) {
  if constexpr (FTZ)
    return unitSqrt(a);
  bool tiny = isTiny(a);
  float root = unitSqrt(tiny ? a * kTwoTo24 : a);
  return canonical(tiny ? root * 0.000244140625f : root);
}

/// rsqrt.approx{.ftz}.f32.
template <bool FTZ> PTXBENCH_LANE float rsqrtApproxF32(float a) {
  if constexpr (FTZ)
    return unitRsqrt(a);
  bool tiny = isTiny(a);
  float root = unitRsqrt(tiny ? a * kTwoTo24 : a);
  return canonical(tiny ? root * 4096.0f : root);
}

/// A sine's argument in turns: times 1/(2 pi) in f32, rounded toward zero. Far
/// from zero this product is what the result is exact for.
template <bool FTZ> PTXBENCH_LANE float toTurns(float a) {
  return mulF32<Rounding::RZ, FTZ, false>(a, 0.15915493667125701904f);
}
/// sin.approx{.ftz}.f32.
template <bool FTZ> PTXBENCH_LANE float sinApproxF32(float a) {
  return unitSin(toTurns<FTZ>(a));
}
/// cos.approx{.ftz}.f32.
template <bool FTZ> PTXBENCH_LANE float cosApproxF32(float a) {
  return unitCos(toTurns<FTZ>(a));
}

/// lg2.approx{.ftz}.f32.
template <bool FTZ> PTXBENCH_LANE float lg2ApproxF32(float a) {
  if constexpr (FTZ)
    return unitLg2(a);
  bool tiny = isTiny(a);
  float result = unitLg2(tiny ? a * kTwoTo24 : a);
  return canonical(tiny ? result - 24.0f : result);
}

/// ex2.approx{.ftz}.f32. A result that may be subnormal is the square of the
/// power of the half.
template <bool FTZ> PTXBENCH_LANE float ex2ApproxF32(float a) {
  if constexpr (FTZ)
    return unitEx2(a);
  bool small = a < -126.0f;
  float power = unitEx2(small ? a * 0.5f : a);
  return canonical(small ? power * power : power);
}

/// tanh.approx.f32.
PTXBENCH_LANE float tanhApproxF32(float a) { return unitTanh(a); }

//===----------------------------------------------------------------------===//
// f16 and bf16
//===----------------------------------------------------------------------===//

/// tanh.approx.{f16,bf16}.
template <class T> PTXBENCH_LANE uint16_t tanhApprox16(uint16_t a) {
  uint16_t magnitude = T::narrow(roundToOdd(tanhMagnitude(T::widen(a))));
  return isNaN16<T>(a) ? kNaN16 : (magnitude | (a & 0x8000));
}

/// ex2.approx.f16 and ex2.approx.ftz.bf16. The hardware's f16 form keeps
/// subnormals.
template <class T, bool FTZ> PTXBENCH_LANE uint16_t ex2Approx16(uint16_t a) {
  float x = T::widen(flush16<T, FTZ>(a));
  uint16_t result = T::narrow(roundToOdd(exp2Double(x)));
  return isNaN16<T>(a) ? kNaN16 : flush16<T, FTZ>(result);
}

//===----------------------------------------------------------------------===//
// f64
//===----------------------------------------------------------------------===//

/// The upper word of an f64, a subnormal of which counts as zero.
PTXBENCH_LANE double upperWord(double a) {
  uint64_t bits = bitsOf(a) & 0xffffffff00000000;
  bool subnormal = (bits & 0x7ff0000000000000) == 0;
  return asDouble(subnormal ? bits & 0x8000000000000000 : bits);
}

/// A result of 20 fraction bits, the nearest, with the lower word zero.
PTXBENCH_LANE double roundToUpperWord(double a) {
  uint64_t bits = bitsOf(a);
  bool number = (bits & 0x7fffffffffffffff) < 0x7ff0000000000000;
  return upperWord(asDouble(number ? bits + 0x80000000 : quiet64(bits)));
}

/// rcp.approx.ftz.f64, from the upper word of `a`.
PTXBENCH_LANE double rcpApproxF64(double a) {
  return roundToUpperWord(1.0 / upperWord(a));
}
/// rsqrt.approx.ftz.f64, from the upper word of `a`.
PTXBENCH_LANE double rsqrtApproxFtzF64(double a) {
  return roundToUpperWord(1.0 / __builtin_sqrt(upperWord(a)));
}
/// rsqrt.approx.f64.
PTXBENCH_LANE double rsqrtApproxF64(double a) {
  return 1.0 / __builtin_sqrt(a);
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_APPROX_H
