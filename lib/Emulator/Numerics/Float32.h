//===- Float32.h - Arithmetic on f32 ----------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The f32 instructions of PTX ISA 9.0, section "Floating Point Instructions",
// whose results IEEE 754 defines: bit-exact in all roundings. Rounded to
// nearest they are one host operation each. In the other directions the
// operation is done in double, where sums and products of floats lose nothing
// that is not known, and the nearest float steps by a unit.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_FLOAT32_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_FLOAT32_H

#include "FloatBits.h"

namespace ptxbench::emulator {

/// Rounds the sum of two terms. An exact zero of terms with different signs is
/// -0.0 rounded down.
template <Rounding R> PTXBENCH_LANE float roundTerms(double a, double b) {
  ExactSum exact = twoSum(a, b);
  float sum = roundSum<R>(exact);
  if constexpr (R != Rounding::RM)
    return sum;
  bool isZero = (bitsOf(exact.sum) << 1) == 0;
  bool oneNegative = (bitsOf(a) | bitsOf(b)) >> 63;
  return asFloat(isZero && oneNegative ? 0x80000000 : bitsOf(sum));
}

/// add{.rnd}{.ftz}{.sat}.f32.
template <Rounding R, bool FTZ, bool SAT>
PTXBENCH_LANE float addF32(float a, float b) {
  a = flush<FTZ>(a), b = flush<FTZ>(b);
  if constexpr (R == Rounding::RN)
    return finish<FTZ, SAT>(a + b);
  return finish<FTZ, SAT>(roundTerms<R>(a, b));
}

/// sub{.rnd}{.ftz}{.sat}.f32.
template <Rounding R, bool FTZ, bool SAT>
PTXBENCH_LANE float subF32(float a, float b) {
  return addF32<R, FTZ, SAT>(a, asFloat(bitsOf(b) ^ 0x80000000));
}

/// 2^-126.
constexpr double kLeastNormal32 = 1.1754943508222875e-38;

/// `.ftz` looks at a result as if exponents went on below the least normal
/// number: what has been rounded up to that number, and with a further bit
/// would not have been, becomes zero. `result` is what the exact sum was
/// rounded to.
template <Rounding R>
PTXBENCH_LANE float flushTiny(ExactSum exact, float result) {
  bool negative = bitsOf(result) >> 31;
  double sum = negative ? -exact.sum : exact.sum;
  double error = negative ? -exact.error : exact.error;
  bool tiny;
  if constexpr (R == Rounding::RN) {
    // Below the middle between it and the next number of 24 bits.
    constexpr double kMiddle = kLeastNormal32 - kLeastNormal32 / 33554432;
    tiny = sum < kMiddle || (sum == kMiddle && error < 0);
  } else {
    // Away from zero up to that number; toward zero nothing is rounded up.
    constexpr double kNext = kLeastNormal32 - kLeastNormal32 / 16777216;
    bool away = R == Rounding::RP ? !negative : R == Rounding::RM && negative;
    tiny = away && (sum < kNext || (sum == kNext && error <= 0));
  }
  bool isLeast = (bitsOf(result) & 0x7fffffff) == 0x00800000;
  return asFloat(isLeast && tiny ? bitsOf(result) & 0x80000000
                                 : bitsOf(result));
}

/// mul{.rnd}{.ftz}{.sat}.f32.
template <Rounding R, bool FTZ, bool SAT>
PTXBENCH_LANE float mulF32(float a, float b) {
  a = flush<FTZ>(a), b = flush<FTZ>(b);
  if constexpr (R == Rounding::RN && !FTZ)
    return finish<FTZ, SAT>(a * b);
  double product = static_cast<double>(a) * static_cast<double>(b);
  float result = R == Rounding::RN ? a * b : roundSum<R>({product, 0.0});
  if constexpr (FTZ)
    result = flushTiny<R>({product, 0.0}, result);
  return finish<FTZ, SAT>(result);
}

/// fma.rnd{.ftz}{.sat}.f32; mad.f32 is the same on sm_20 and later.
template <Rounding R, bool FTZ, bool SAT>
PTXBENCH_LANE float fmaF32(float a, float b, float c) {
  a = flush<FTZ>(a), b = flush<FTZ>(b), c = flush<FTZ>(c);
  if constexpr (R == Rounding::RN && !FTZ)
    return finish<FTZ, SAT>(__builtin_fmaf(a, b, c));
  double product = static_cast<double>(a) * static_cast<double>(b);
  float result =
      R == Rounding::RN ? __builtin_fmaf(a, b, c) : roundTerms<R>(product, c);
  if constexpr (FTZ)
    result = flushTiny<R>(twoSum(product, c), result);
  return finish<FTZ, SAT>(result);
}

/// div.rnd{.ftz}.f32. No quotient of floats lies between the least normal
/// number and the next one of 24 bits below it, so `.ftz` need only compare.
template <Rounding R, bool FTZ> PTXBENCH_LANE float divF32(float a, float b) {
  a = flush<FTZ>(a), b = flush<FTZ>(b);
  float quotient = a / b;
  if constexpr (R != Rounding::RN) {
    // The product of two floats is exact in double; the sign of the difference
    // is right whatever it loses.
    double rest = static_cast<double>(a) -
                  static_cast<double>(quotient) * static_cast<double>(b);
    rest = bitsOf(b) >> 31 ? -rest : rest;
    // A quotient by zero is exact.
    rest = (bitsOf(b) << 1) == 0 ? 0.0 : rest;
    quotient = directed<R>(quotient, rest);
  }
  if constexpr (FTZ) {
    bool tiny = std::fabs(static_cast<double>(a)) <
                kLeastNormal32 * std::fabs(static_cast<double>(b));
    uint32_t sign = (bitsOf(a) ^ bitsOf(b)) & 0x80000000;
    quotient = tiny ? asFloat(sign) : quotient;
  }
  return finish<FTZ, false>(quotient);
}

/// rcp.rnd{.ftz}.f32.
template <Rounding R, bool FTZ> PTXBENCH_LANE float rcpF32(float a) {
  return divF32<R, FTZ>(1.0f, a);
}

/// sqrt.rnd{.ftz}.f32.
template <Rounding R, bool FTZ> PTXBENCH_LANE float sqrtF32(float a) {
  a = flush<FTZ>(a);
  float root = __builtin_sqrtf(a);
  if constexpr (R == Rounding::RN)
    return finish<FTZ, false>(root);
  double rest = static_cast<double>(a) -
                static_cast<double>(root) * static_cast<double>(root);
  return finish<FTZ, false>(directed<R>(root, rest));
}

//===----------------------------------------------------------------------===//
// Signs, minimum, maximum, tests
//===----------------------------------------------------------------------===//

/// abs{.ftz}.f32. A NaN becomes the canonical one.
template <bool FTZ> PTXBENCH_LANE float absF32(float a) {
  return canonical(flush<FTZ>(asFloat(bitsOf(a) & 0x7fffffff)));
}

/// neg{.ftz}.f32: an addition to -0.0 in the hardware, so a NaN becomes the
/// canonical one.
template <bool FTZ> PTXBENCH_LANE float negF32(float a) {
  return canonical(flush<FTZ>(asFloat(bitsOf(a) ^ 0x80000000)));
}

/// copysign.f32: the sign of `a`, the rest of `b`. No NaN is replaced.
PTXBENCH_LANE float copysignF32(float a, float b) {
  return asFloat((bitsOf(a) & 0x80000000) | (bitsOf(b) & 0x7fffffff));
}

/// Keys of f32 values: signed integers in the order of the values, -0.0 just
/// below +0.0, as min and max order them.
PTXBENCH_LANE int32_t orderKey(uint32_t bits) {
  int32_t key = static_cast<int32_t>(bits);
  return key ^ static_cast<int32_t>(static_cast<uint32_t>(key >> 31) >> 1);
}

/// min/max{.ftz}{.NaN}{.xorsign.abs}.f32. Without NaN a NaN operand yields the
/// other one; two NaNs, or one with NaN, give the canonical NaN.
template <bool Max, bool FTZ, bool NaN, bool XorSignAbs>
PTXBENCH_LANE float minMaxF32(float a, float b) {
  uint32_t x = bitsOf(flush<FTZ>(a)), y = bitsOf(flush<FTZ>(b));
  uint32_t sign = (x ^ y) & 0x80000000;
  if constexpr (XorSignAbs)
    x &= 0x7fffffff, y &= 0x7fffffff;
  bool xNaN = isNaN32(x), yNaN = isNaN32(y);
  bool takeX = Max ? orderKey(x) >= orderKey(y) : orderKey(x) <= orderKey(y);
  uint32_t result = takeX ? x : y;
  result = xNaN ? y : yNaN ? x : result;
  if constexpr (XorSignAbs)
    result |= sign;
  bool isNaN = NaN ? xNaN | yNaN : xNaN & yNaN;
  return asFloat(isNaN ? kNaN32 : result);
}
template <bool FTZ, bool NaN, bool XorSignAbs>
PTXBENCH_LANE float minF32(float a, float b) {
  return minMaxF32<false, FTZ, NaN, XorSignAbs>(a, b);
}
template <bool FTZ, bool NaN, bool XorSignAbs>
PTXBENCH_LANE float maxF32(float a, float b) {
  return minMaxF32<true, FTZ, NaN, XorSignAbs>(a, b);
}
/// The forms with three inputs (sm_100 and later).
template <bool FTZ, bool NaN, bool XorSignAbs>
PTXBENCH_LANE float minF32(float a, float b, float c) {
  return minF32<FTZ, NaN, XorSignAbs>(minF32<FTZ, NaN, XorSignAbs>(a, b), c);
}
template <bool FTZ, bool NaN, bool XorSignAbs>
PTXBENCH_LANE float maxF32(float a, float b, float c) {
  return maxF32<FTZ, NaN, XorSignAbs>(maxF32<FTZ, NaN, XorSignAbs>(a, b), c);
}

/// Properties that testp asks for.
enum class FloatTest {
  Finite,
  Infinite,
  Number,
  NotANumber,
  Normal,
  Subnormal
};

/// testp.op.f32. The hardware counts zero as normal.
template <FloatTest T> PTXBENCH_LANE bool testpF32(float a) {
  uint32_t magnitude = bitsOf(a) & 0x7fffffff;
  switch (T) {
  case FloatTest::Finite:
    return magnitude < 0x7f800000;
  case FloatTest::Infinite:
    return magnitude == 0x7f800000;
  case FloatTest::Number:
    return magnitude <= 0x7f800000;
  case FloatTest::NotANumber:
    return magnitude > 0x7f800000;
  case FloatTest::Normal:
    return magnitude == 0 ||
           (magnitude >= 0x00800000 && magnitude < 0x7f800000);
  case FloatTest::Subnormal:
    return magnitude != 0 && magnitude < 0x00800000;
  }
  return false;
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_FLOAT32_H
