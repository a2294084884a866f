//===- Float64.h - Arithmetic on f64 ----------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The f64 instructions of PTX ISA 9.0, section "Floating Point Instructions".
// Rounded to nearest they are one host operation each; the other directions,
// rare in kernels, are integer arithmetic in Float64.cpp. f64 has neither .ftz
// nor .sat. A NaN operand comes back quiet with its payload, of several NaNs
// the one that an H200 takes: of a sum or product the second, of fma b, c, a.
// An invalid operation on numbers gives kNaN64.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_FLOAT64_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_FLOAT64_H

#include "Float32.h"

namespace ptxbench::emulator {

/// `bits` of a NaN with the bit set that makes it quiet; other values as is.
PTXBENCH_LANE uint64_t quiet64(uint64_t bits) {
  return isNaN64(bits) ? bits | 0x0008000000000000 : bits;
}
/// `result`, or the NaN of the operands that is found first, quiet.
PTXBENCH_LANE double firstNaN(double result, double first, double second) {
  uint64_t bits = isNaN64(bitsOf(second)) ? bitsOf(second) : bitsOf(result);
  bits = isNaN64(bitsOf(first)) ? bitsOf(first) : bits;
  return asDouble(quiet64(bits));
}

/// a * b + c, rounded once. Any rounding.
double fmaF64Directed(double a, double b, double c, Rounding rounding);
/// a + b, rounded once. Any rounding.
double addF64Directed(double a, double b, Rounding rounding);
/// a * b, rounded once. Any rounding.
double mulF64Directed(double a, double b, Rounding rounding);
/// a / b, rounded once. Any rounding.
double divF64Directed(double a, double b, Rounding rounding);
/// The square root, rounded once. Any rounding.
double sqrtF64Directed(double a, Rounding rounding);

/// add{.rnd}.f64.
template <Rounding R> PTXBENCH_LANE double addF64(double a, double b) {
  double sum = R == Rounding::RN ? a + b : addF64Directed(a, b, R);
  return firstNaN(sum, b, a);
}

/// sub{.rnd}.f64. A NaN keeps its sign.
template <Rounding R> PTXBENCH_LANE double subF64(double a, double b) {
  double minus = asDouble(bitsOf(b) ^ 1ull << 63);
  double sum = R == Rounding::RN ? a - b : addF64Directed(a, minus, R);
  return firstNaN(sum, b, a);
}

/// mul{.rnd}.f64.
template <Rounding R> PTXBENCH_LANE double mulF64(double a, double b) {
  double product = R == Rounding::RN ? a * b : mulF64Directed(a, b, R);
  return firstNaN(product, b, a);
}

/// fma.rnd.f64 and mad.rnd.f64.
template <Rounding R>
PTXBENCH_LANE double fmaF64(double a, double b, double c) {
  double sum =
      R == Rounding::RN ? __builtin_fma(a, b, c) : fmaF64Directed(a, b, c, R);
  return firstNaN(firstNaN(sum, c, a), b, b);
}

/// div.rnd.f64.
template <Rounding R> PTXBENCH_LANE double divF64(double a, double b) {
  if constexpr (R == Rounding::RN)
    return a / b;
  return divF64Directed(a, b, R);
}

/// rcp.rnd.f64.
template <Rounding R> PTXBENCH_LANE double rcpF64(double a) {
  return divF64<R>(1.0, a);
}

/// sqrt.rnd.f64.
template <Rounding R> PTXBENCH_LANE double sqrtF64(double a) {
  if constexpr (R == Rounding::RN)
    return __builtin_sqrt(a);
  return sqrtF64Directed(a, R);
}

//===----------------------------------------------------------------------===//
// Signs, minimum, maximum, tests
//===----------------------------------------------------------------------===//

/// abs.f64; the ISA leaves the sign of a NaN open, and it is kept.
PTXBENCH_LANE double absF64(double a) {
  uint64_t bits = bitsOf(a);
  return asDouble(isNaN64(bits) ? quiet64(bits) : bits & ~(1ull << 63));
}
/// neg.f64; the ISA leaves the sign of a NaN open, and it is kept.
PTXBENCH_LANE double negF64(double a) {
  uint64_t bits = bitsOf(a);
  return asDouble(isNaN64(bits) ? quiet64(bits) : bits ^ 1ull << 63);
}
/// copysign.f64: the sign of `a`, the rest of `b`.
PTXBENCH_LANE double copysignF64(double a, double b) {
  uint64_t sign = 1ull << 63;
  return asDouble((bitsOf(a) & sign) | (bitsOf(b) & ~sign));
}

/// min/max.f64: a NaN operand yields the other one; -0.0 is below +0.0.
template <bool Max> PTXBENCH_LANE double minMaxF64(double a, double b) {
  uint64_t x = bitsOf(a), y = bitsOf(b);
  auto key = [](uint64_t bits) {
    int64_t value = static_cast<int64_t>(bits);
    return value ^
           static_cast<int64_t>(static_cast<uint64_t>(value >> 63) >> 1);
  };
  bool takeX = Max ? key(x) >= key(y) : key(x) <= key(y);
  uint64_t result = takeX ? x : y;
  result = isNaN64(x) ? y : isNaN64(y) ? x : result;
  return asDouble(quiet64(result));
}
PTXBENCH_LANE double minF64(double a, double b) {
  return minMaxF64<false>(a, b);
}
PTXBENCH_LANE double maxF64(double a, double b) {
  return minMaxF64<true>(a, b);
}

/// testp.op.f64. The hardware counts zero as normal.
template <FloatTest T> PTXBENCH_LANE bool testpF64(double a) {
  constexpr uint64_t kInfinity = 0x7ff0000000000000;
  constexpr uint64_t kLeastNormal = 0x0010000000000000;
  uint64_t magnitude = bitsOf(a) & ~(1ull << 63);
  switch (T) {
  case FloatTest::Finite:
    return magnitude < kInfinity;
  case FloatTest::Infinite:
    return magnitude == kInfinity;
  case FloatTest::Number:
    return magnitude <= kInfinity;
  case FloatTest::NotANumber:
    return magnitude > kInfinity;
  case FloatTest::Normal:
    return magnitude == 0 ||
           (magnitude >= kLeastNormal && magnitude < kInfinity);
  case FloatTest::Subnormal:
    return magnitude != 0 && magnitude < kLeastNormal;
  }
  return false;
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_FLOAT64_H
