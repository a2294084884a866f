//===- NumericsTestUtils.h - References of the arithmetic -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values to try and what they have to give, by ways that share nothing with the
// library: the host's own directed roundings (its control word is set around
// one operation), and a rounding of 113-bit floats to any format by division
// and comparison.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_NUMERICSTESTUTILS_H
#define PTXBENCH_TEST_UNIT_EMULATOR_NUMERICSTESTUTILS_H

#include "Numerics/FloatBits.h"
#include "gtest/gtest.h"
#include <cfenv>
#include <random>

namespace ptxbench::emulator::test {

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Wide;
#else
using Wide = long double;
static_assert(__LDBL_MANT_DIG__ >= 113, "the reference needs 113 bits");
#endif

/// Values with all exponents, often with few bits, often special.
struct Samples {
  std::mt19937_64 engine{20250117};

  template <int E, int M> uint64_t bits() {
    constexpr uint64_t kFraction = (1ull << M) - 1, kExponent = (1ull << E) - 1;
    uint64_t random = engine();
    uint64_t sign = (random >> 63) << (E + M);
    uint64_t exponent = engine() & kExponent, fraction = random & kFraction;
    switch (engine() % 8) {
    case 0: // Special: zero, infinity, least, largest, one.
      switch (engine() % 8) {
      case 0:
        return sign;
      case 1:
        return sign | kExponent << M;
      case 2:
        return sign | 1;
      case 3:
        return sign | ((kExponent << M) - 1);
      case 4:
        return sign | 1ull << M;
      case 5:
        return sign | ((1ull << M) - 1);
      case 6:
        return sign | (kExponent << M) | (1ull << (M - 1)) | (fraction >> 1);
      default:
        return sign | (kExponent >> 1) << M;
      }
    case 1: // Subnormal.
      return sign | fraction;
    case 2: // Few bits: halfway cases.
      return sign | exponent << M | (fraction & (kFraction << (M / 2 + 1)));
    case 3: // Long runs of ones.
      return sign | exponent << M | (kFraction - (fraction & 3));
    case 4: // Near one, where operands meet.
    case 5:
      return sign | ((kExponent >> 1) + engine() % 9 - 4) << M | fraction;
    default:
      return sign | exponent << M | fraction;
    }
  }
  float f32() { return asFloat(static_cast<uint32_t>(bits<8, 23>())); }
  double f64() { return asDouble(bits<11, 52>()); }
};

inline int hostRounding(Rounding rounding) {
  switch (rounding) {
  case Rounding::RZ:
    return FE_TOWARDZERO;
  case Rounding::RM:
    return FE_DOWNWARD;
  case Rounding::RP:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

/// The host's result of an operation under a rounding. Operands and result are
/// volatile: nothing moves across the changes of the control word.
template <class T, class Operation>
T underRounding(Rounding rounding, Operation operation, T a, T b = 0, T c = 0) {
  volatile T x = a, y = b, z = c, result;
  std::fesetround(hostRounding(rounding));
  result = operation(T(x), T(y), T(z));
  std::fesetround(FE_TONEAREST);
  return result;
}

/// 2^exponent, exactly.
inline Wide powerOfTwo(int exponent) {
  Wide power = 1;
  for (; exponent > 900; exponent -= 900)
    power *= Wide(std::ldexp(1.0, 900));
  for (; exponent < -900; exponent += 900)
    power *= Wide(std::ldexp(1.0, -900));
  return power * Wide(std::ldexp(1.0, exponent));
}

/// The code of a finite nonzero value in the range of double, in a format of
/// `m` fraction bits with a bias, whose exponents never end. `rest` has the
/// sign of what `value` lacks to the exact value, which is less than any bit of
/// it.
inline uint64_t roundReference(Wide value, int rest, int m, int bias,
                               Rounding rounding) {
  bool negative = value < 0;
  Wide magnitude = negative ? -value : value;
  rest = negative ? -rest : rest;
  // Of the leading bit, but no less than the least one.
  int exponent = std::ilogb(static_cast<double>(magnitude));
  if (magnitude < powerOfTwo(exponent)) // It became a power as a double.
    --exponent;
  if (exponent < 1 - bias)
    exponent = 1 - bias;
  Wide units = magnitude / powerOfTwo(exponent - m);
  uint64_t whole = static_cast<uint64_t>(units);
  Wide part = units - Wide(whole);
  if (part == 0 && rest < 0)
    whole -= 1, part = 1; // All but nothing of the unit.
  bool up = false;
  Wide half = Wide(0.5);
  bool inexact = part != 0 || rest != 0;
  switch (rounding) {
  case Rounding::RN:
    up =
        part > half || (part == half && (rest > 0 || (rest == 0 && whole % 2)));
    break;
  case Rounding::RNA:
    up = part > half || (part == half && rest >= 0);
    break;
  case Rounding::RZ:
    break;
  case Rounding::RM:
    up = negative && inexact;
    break;
  case Rounding::RP:
    up = !negative && inexact;
    break;
  }
  whole += up;
  uint64_t field = static_cast<uint64_t>(exponent + bias - 1);
  return (field << m) + whole;
}

template <Rounding R> using RoundingTag = std::integral_constant<Rounding, R>;

/// Calls `test` with each of the four roundings of arithmetic as a type.
template <class Test> void forEachRounding(Test test) {
  test(RoundingTag<Rounding::RN>());
  test(RoundingTag<Rounding::RZ>());
  test(RoundingTag<Rounding::RM>());
  test(RoundingTag<Rounding::RP>());
}

} // namespace ptxbench::emulator::test

#endif // PTXBENCH_TEST_UNIT_EMULATOR_NUMERICSTESTUTILS_H
