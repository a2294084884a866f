//===- HalfTest.cpp - f16 and bf16 against 113-bit floats -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All values of the two formats: widening, narrowing at and beside each halfway
// point, sums, products and fused products with random partners. The reference
// adds in 113 bits and knows the sign of what that loses.
//
//===----------------------------------------------------------------------===//

#include "Numerics/Half.h"
#include "NumericsTestUtils.h"

using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

namespace {

/// What the reference needs to know of a format.
template <class T> struct Shape;
template <> struct Shape<F16> {
  static constexpr int kExponent = 5, kFraction = 10, kBias = 15;
};
template <> struct Shape<BF16> {
  static constexpr int kExponent = 8, kFraction = 7, kBias = 127;
};

template <class T> double valueOf(uint16_t code) {
  using S = Shape<T>;
  int field = code >> S::kFraction & ((1 << S::kExponent) - 1);
  int fraction = code & ((1 << S::kFraction) - 1);
  double sign = code >> 15 ? -1.0 : 1.0;
  if (field == (1 << S::kExponent) - 1)
    return fraction ? std::nan("") : sign * HUGE_VAL;
  if (field == 0)
    return sign * std::ldexp(fraction, 1 - S::kBias - S::kFraction);
  return sign * std::ldexp(fraction + (1 << S::kFraction),
                           field - S::kBias - S::kFraction);
}

/// A finite nonzero value with the sign of what it lacks.
template <class T> uint16_t codeOf(Wide value, int rest, Rounding rounding) {
  using S = Shape<T>;
  uint64_t code = roundReference(value, rest, S::kFraction, S::kBias, rounding);
  bool negative = value < 0;
  if (code >= T::kInfinity) {
    bool toInfinity = rounding == Rounding::RN || rounding == Rounding::RNA ||
                      rounding == (negative ? Rounding::RM : Rounding::RP);
    code = toInfinity ? T::kInfinity : T::kInfinity - 1;
  }
  return static_cast<uint16_t>(code | (negative ? 0x8000 : 0));
}

/// a * b + c, rounded to nearest.
template <class T> uint16_t fmaReference(uint16_t a, uint16_t b, uint16_t c) {
  double x = valueOf<T>(a), y = valueOf<T>(b), z = valueOf<T>(c);
  double host = x * y + z;
  if (std::isnan(host))
    return 0x7fff;
  if (std::isinf(host))
    return T::kInfinity | (host < 0 ? 0x8000 : 0);
  Wide product = Wide(x) * Wide(y), addend = z;
  Wide sum = product + addend;
  if (sum == 0) {
    bool negative = std::signbit(x) != std::signbit(y);
    bool isZero = product == 0 && negative == std::signbit(z);
    return isZero && negative ? 0x8000 : 0;
  }
  Wide partOfC = sum - product;
  Wide lost = (product - (sum - partOfC)) + (addend - partOfC);
  return codeOf<T>(sum, lost > 0 ? 1 : lost < 0 ? -1 : 0, Rounding::RN);
}

template <class T> class HalfTest : public testing::Test {
public:
  /// A code of any kind.
  uint16_t code() {
    using S = Shape<T>;
    return static_cast<uint16_t>(
        samples.template bits<S::kExponent, S::kFraction>());
  }
  Samples samples;
};
using Formats = testing::Types<F16, BF16>;
TYPED_TEST_SUITE(HalfTest, Formats);

TYPED_TEST(HalfTest, WidensAllValues) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    double expected = valueOf<TypeParam>(code);
    float value = TypeParam::widen(code);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(value)) << code;
    else
      EXPECT_EQ(bitsOf(static_cast<double>(value)), bitsOf(expected)) << code;
  }
}

template <class T, Rounding R> void checkNarrow(float value) {
  uint16_t expected;
  if (std::isnan(value))
    expected = 0x7fff;
  else if (std::isinf(value) || value == 0)
    expected =
        (value == 0 ? 0 : T::kInfinity) | (std::signbit(value) ? 0x8000 : 0);
  else
    expected = codeOf<T>(value, 0, R);
  ASSERT_EQ(T::template narrow<R>(value), expected)
      << std::hexfloat << value << " rounding " << static_cast<int>(R);
}
template <class T> void checkNarrow(float value) {
  forEachRounding(
      [&](auto rounding) { checkNarrow<T, rounding.value>(value); });
  checkNarrow<T, Rounding::RNA>(value);
}

TYPED_TEST(HalfTest, NarrowsAtHalfwayPoints) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    if (isNaN16<TypeParam>(code))
      continue;
    float value = TypeParam::widen(code);
    ASSERT_EQ(TypeParam::narrow(value), code);
    float next = TypeParam::widen(code + 1);
    float middle = std::isfinite(next) ? value / 2 + next / 2 : value * 1.01f;
    checkNarrow<TypeParam>(middle);
    checkNarrow<TypeParam>(std::nextafter(middle, 0.0f));
    checkNarrow<TypeParam>(std::nextafter(middle, 2 * middle));
    if (this->HasFatalFailure())
      return;
  }
  for (int i = 0; i < 100000; ++i) {
    checkNarrow<TypeParam>(this->samples.f32());
    if (this->HasFatalFailure())
      return;
  }
}

TYPED_TEST(HalfTest, ArithmeticRoundsOnce) {
  using T = TypeParam;
  constexpr Clamp16 kNone = Clamp16::None;
  for (uint32_t code = 0; code < 4 * 0x10000; ++code) {
    uint16_t a = code, b = this->code(), c = this->code();
    if (code % 4 == 1) // A sum that nearly cancels.
      c = T::narrow(-T::widen(a) * T::widen(b));
    uint16_t one = T::kOne;
    ASSERT_EQ((fma16<T, false, kNone>(a, b, c)), fmaReference<T>(a, b, c))
        << std::hex << a << ' ' << b << ' ' << c;
    ASSERT_EQ((add16<T, false, kNone>(a, b)), fmaReference<T>(a, one, b))
        << std::hex << a << ' ' << b;
    ASSERT_EQ((sub16<T, false, kNone>(a, b)),
              fmaReference<T>(a, one, b ^ 0x8000))
        << std::hex << a << ' ' << b;
    // The zero that is added has the sign of the product.
    ASSERT_EQ((mul16<T, false, kNone>(a, b)),
              fmaReference<T>(a, b, (a ^ b) & 0x8000))
        << std::hex << a << ' ' << b;
  }
}

TYPED_TEST(HalfTest, Clamps) {
  using T = TypeParam;
  for (uint32_t code = 0; code < 0x10000; ++code) {
    uint16_t a = code, b = this->code(), c = this->code();
    uint16_t plain = fma16<T, false, Clamp16::None>(a, b, c);
    float value = T::widen(plain);
    uint16_t sat = fma16<T, false, Clamp16::Sat>(a, b, c);
    uint16_t relu = fma16<T, false, Clamp16::Relu>(a, b, c);
    float clamped = value > 0 ? std::fmin(value, 1.0f) : 0.0f;
    ASSERT_EQ(sat, T::narrow(clamped)) << plain;
    ASSERT_EQ(relu, std::isnan(value) ? 0x7fff : value > 0 ? plain : 0);
  }
}

TYPED_TEST(HalfTest, OutOfBoundsNaN) {
  using T = TypeParam;
  uint16_t one = T::kOne;
  auto oob = [](uint16_t a, uint16_t b, uint16_t c) {
    return fma16<T, false, Clamp16::None, true>(a, b, c);
  };
  EXPECT_EQ(oob(0x7ff7, one, one), 0);
  EXPECT_EQ(oob(one, 0xfff7, one), 0);
  EXPECT_EQ(oob(one, one, 0x7ff7), 0x7fff);
  EXPECT_EQ(oob(0x7fff, one, one), 0x7fff);
  EXPECT_EQ(oob(one, one, 0), one);
  EXPECT_EQ((fma16<T, false, Clamp16::None>(0x7ff7, one, one)), 0x7fff);
}

TYPED_TEST(HalfTest, MinMaxSigns) {
  using T = TypeParam;
  for (uint32_t code = 0; code < 0x10000; ++code) {
    uint16_t a = code, b = this->code();
    float x = T::widen(a), y = T::widen(b);
    bool aNaN = isNaN16<T>(a), bNaN = isNaN16<T>(b);
    float least = minF32<false, false, false>(x, y);
    float most = maxF32<false, true, true>(x, y);
    ASSERT_EQ((minMax16<T, false, false, false, false>(a, b)),
              T::narrow(least));
    ASSERT_EQ((minMax16<T, true, false, true, true>(a, b)), T::narrow(most));
    ASSERT_EQ((neg16<T, false>(a)), aNaN ? 0x7fff : a ^ 0x8000);
    ASSERT_EQ((abs16<T, false>(a)), aNaN ? 0x7fff : a & 0x7fff);
    ASSERT_EQ((minMax16<T, true, false, true, false>(a, b)) == 0x7fff,
              aNaN || bNaN);
  }
}

TEST(Half, FlushesF16) {
  EXPECT_EQ((mul16<F16, true, Clamp16::None>(0x03ff, 0x3c00)), 0);
  EXPECT_EQ((mul16<F16, false, Clamp16::None>(0x03ff, 0x3c00)), 0x03ff);
  EXPECT_EQ((add16<F16, true, Clamp16::None>(0x8401, 0x0400)), 0x8000);
  EXPECT_EQ((neg16<F16, true>(0x0001)), 0x8000);
  EXPECT_EQ((abs16<F16, true>(0x8400)), 0x0400);
}

TEST(Half, FusedIsNotTwoRoundings) {
  // 1 + 2^-11 + 2^-24 as a product and a sum: to nearest it is above the tie.
  uint16_t a = F16::narrow(1.0f), tie = F16::narrow(0x1p-11f);
  uint16_t b = F16::narrow(0x1p-12f);
  uint16_t fused = fma16<F16, false, Clamp16::None>(b, b, a);
  EXPECT_EQ(fused, 0x3c00);
  uint16_t close = F16::narrow(1 + 0x1p-10f);
  // close * tie = 2^-11 + 2^-21.
  EXPECT_EQ((fma16<F16, false, Clamp16::None>(close, tie, a)), 0x3c01);
  uint16_t product = mul16<F16, false, Clamp16::None>(a, tie);
  EXPECT_EQ((add16<F16, false, Clamp16::None>(product, a)), 0x3c00);
}

TEST(Half, PairsAndMixedPrecision) {
  auto add = [](uint16_t a, uint16_t b) {
    return add16<F16, false, Clamp16::None>(a, b);
  };
  EXPECT_EQ(mapPair(add, 0x3c004000u, 0x3c003c00u), 0x40004200u);
  uint16_t one = BF16::kOne;
  EXPECT_EQ((addMixed<BF16, Rounding::RN, false>(one, 0x1p-30f)), 1.0f);
  EXPECT_EQ((addMixed<BF16, Rounding::RP, false>(one, 0x1p-30f)),
            0x1.000002p0f);
  EXPECT_EQ((subMixed<BF16, Rounding::RZ, false>(one, 0x1p-30f)),
            0x1.fffffep-1f);
  EXPECT_EQ((fmaMixed<F16, Rounding::RN, true>(0x4000, 0x4000, 1.0f)), 1.0f);
  EXPECT_EQ((fmaMixed<F16, Rounding::RN, false>(0x4000, 0x4000, 1.0f)), 5.0f);
}

/// As found on an H200.
TEST(Half, FlushesWhatOnlyItsExponentRoundsUp) {
  constexpr Clamp16 kNone = Clamp16::None;
  EXPECT_EQ((mul16<F16, false, kNone>(0x3bff, 0x0400)), 0x0400);
  EXPECT_EQ((mul16<F16, true, kNone>(0x3bff, 0x0400)), 0);
  EXPECT_EQ((mul16<F16, true, kNone>(0x3bff, 0x8400)), 0x8000);
  EXPECT_EQ((mul16<F16, true, kNone>(0x3bfe, 0x0401)), 0x0400);
  EXPECT_EQ((fma16<F16, true, kNone>(0x3bff, 0x0400, 0)), 0);
  EXPECT_EQ((fma16<F16, true, kNone>(0x0c00, 0x8800, 0x0400)), 0);
  EXPECT_EQ((fma16<F16, false, kNone>(0x0c00, 0x8800, 0x0400)), 0x0400);
}

} // namespace
