//===- Float32Test.cpp - f32 against the rounding of the host -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation in each rounding, on random and special operands, has the bits
// that the host gives with its control word set to that rounding.
//
//===----------------------------------------------------------------------===//

#include "Numerics/Float32.h"
#include "NumericsTestUtils.h"

using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

namespace {

constexpr int kSamples = 400000;

uint32_t canonicalBits(float value) {
  return std::isnan(value) ? 0x7fffffff : bitsOf(value);
}
float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value)
                                                : value;
}
float clamped(float value) {
  return std::isnan(value) || !(value > 0) ? 0.0f : std::fmin(value, 1.0f);
}

/// Compares an operation in all its forms with the host's.
#define EXPECT_HOST(call, host, a, b, c)                                       \
  EXPECT_EQ(bitsOf(call), canonicalBits(host))                                 \
      << std::hexfloat << a << ' ' << b << ' ' << c << " rounding "            \
      << static_cast<int>(R)

TEST(Float32, ArithmeticIsThatOfTheHost) {
  auto add = [](float a, float b, float) { return a + b; };
  auto sub = [](float a, float b, float) { return a - b; };
  auto mul = [](float a, float b, float) { return a * b; };
  auto div = [](float a, float b, float) { return a / b; };
  auto root = [](float a, float, float) { return std::sqrt(a); };
  auto fma = [](float a, float b, float c) { return std::fma(a, b, c); };
  forEachRounding([&](auto rounding) {
    constexpr Rounding R = rounding.value;
    Samples samples;
    for (int i = 0; i < kSamples; ++i) {
      float a = samples.f32(), b = samples.f32(), c = samples.f32();
      if (i % 4 == 0) // A sum that nearly cancels.
        c = -a * b;
      EXPECT_HOST((addF32<R, false, false>(a, b)), underRounding(R, add, a, b),
                  a, b, c);
      EXPECT_HOST((subF32<R, false, false>(a, b)), underRounding(R, sub, a, b),
                  a, b, c);
      EXPECT_HOST((mulF32<R, false, false>(a, b)), underRounding(R, mul, a, b),
                  a, b, c);
      EXPECT_HOST((divF32<R, false>(a, b)), underRounding(R, div, a, b), a, b,
                  c);
      EXPECT_HOST((rcpF32<R, false>(b)), underRounding(R, div, 1.0f, b), a, b,
                  c);
      EXPECT_HOST((sqrtF32<R, false>(a)), underRounding(R, root, a), a, b, c);
      EXPECT_HOST((fmaF32<R, false, false>(a, b, c)),
                  underRounding(R, fma, a, b, c), a, b, c);
      if (HasFailure())
        return;
    }
  });
}

TEST(Float32, FlushesAndSaturates) {
  auto add = [](float a, float b, float) { return a + b; };
  auto fma = [](float a, float b, float c) { return std::fma(a, b, c); };
  forEachRounding([&](auto rounding) {
    constexpr Rounding R = rounding.value;
    Samples samples;
    for (int i = 0; i < kSamples; ++i) {
      float a = samples.f32(), b = samples.f32(), c = samples.f32();
      float x = flushed(a), y = flushed(b), z = flushed(c);
      EXPECT_HOST((addF32<R, true, false>(a, b)),
                  flushed(underRounding(R, add, x, y)), a, b, c);
      // At the least normal number the unrounded sum counts (RoundingsDiffer).
      float sum = underRounding(R, fma, x, y, z);
      if (std::fabs(sum) != 0x1p-126f) {
        EXPECT_HOST((fmaF32<R, true, true>(a, b, c)), clamped(flushed(sum)), a,
                    b, c);
      }
      EXPECT_HOST((fmaF32<R, false, true>(a, b, c)),
                  clamped(underRounding(R, fma, a, b, c)), a, b, c);
      if (HasFailure())
        return;
    }
  });
}

TEST(Float32, RoundingsDiffer) {
  constexpr Rounding RN = Rounding::RN, RZ = Rounding::RZ;
  constexpr Rounding RM = Rounding::RM, RP = Rounding::RP;
  float tiny = 0x1p-60f;
  EXPECT_EQ((addF32<RN, false, false>(1, tiny)), 1.0f);
  EXPECT_EQ((addF32<RP, false, false>(1, tiny)), 0x1.000002p0f);
  EXPECT_EQ((addF32<RM, false, false>(1, -tiny)), 0x1.fffffep-1f);
  EXPECT_EQ((addF32<RZ, false, false>(-1, tiny)), -0x1.fffffep-1f);
  EXPECT_EQ((addF32<RN, false, false>(-1, tiny)), -1.0f);
  // A sum that double rounds as well, on both sides of a tie.
  float tie = 0x1p-24f;
  EXPECT_EQ((fmaF32<RN, false, false>(tiny, tiny, 1 + tie)), 1.0f);
  EXPECT_EQ((fmaF32<RN, false, false>(0x1.000002p0f, 1, tie)), 0x1.000004p0f);
  // Exact zeros, overflows.
  EXPECT_EQ(bitsOf(addF32<RM, false, false>(1, -1)), 0x80000000u);
  EXPECT_EQ(bitsOf(addF32<RP, false, false>(1, -1)), 0u);
  EXPECT_EQ(bitsOf(mulF32<RZ, false, false>(0x1p100f, 0x1p100f)), 0x7f7fffffu);
  EXPECT_EQ(bitsOf(mulF32<RP, false, false>(0x1p100f, 0x1p100f)), 0x7f800000u);
  EXPECT_EQ(bitsOf(mulF32<RP, false, false>(-0x1p100f, 0x1p100f)), 0xff7fffffu);
  EXPECT_EQ(bitsOf(mulF32<RP, false, false>(0x1p-100f, 0x1p-100f)), 1u);
  EXPECT_EQ(bitsOf(mulF32<RP, true, false>(0x1p-100f, 0x1p-100f)), 0u);
  // What is below the least normal number before it is rounded to that one is
  // flushed, as on the hardware.
  float belowOne = asFloat(0x3f7fffff), least = 0x1p-126f;
  EXPECT_EQ((mulF32<RN, false, false>(belowOne, least)), least);
  EXPECT_EQ((mulF32<RN, true, false>(belowOne, least)), 0.0f);
  EXPECT_EQ((mulF32<RZ, true, false>(belowOne, least)), 0.0f);
}

TEST(Float32, MinMaxSignsTests) {
  float nan = asFloat(0xffc01234), zero = 0.0f, minusZero = -0.0f;
  EXPECT_EQ((minF32<false, false, false>(nan, 3)), 3.0f);
  EXPECT_EQ((maxF32<false, false, false>(3, nan)), 3.0f);
  EXPECT_EQ(bitsOf(minF32<false, true, false>(nan, 3)), kNaN32);
  EXPECT_EQ(bitsOf(minF32<false, false, false>(nan, nan)), kNaN32);
  EXPECT_EQ(bitsOf(minF32<false, false, false>(zero, minusZero)), 0x80000000u);
  EXPECT_EQ(bitsOf(maxF32<false, false, false>(minusZero, zero)), 0u);
  EXPECT_EQ((minF32<false, false, true>(-2, 3)), -2.0f);
  EXPECT_EQ((maxF32<false, false, true>(-2, 3)), -3.0f);
  EXPECT_EQ((maxF32<false, false, true>(-2, -3)), 3.0f);
  EXPECT_EQ((minF32<false, false, false>(-2, 3)), -2.0f);
  EXPECT_EQ((minF32<false, false, false>(4, 3, -7)), -7.0f);
  EXPECT_EQ(bitsOf(maxF32<true, false, false>(-1, asFloat(1))), 0u);
  EXPECT_EQ(bitsOf(negF32<false>(asFloat(1))), 0x80000001u);
  EXPECT_EQ(bitsOf(negF32<true>(asFloat(1))), 0x80000000u);
  EXPECT_EQ(bitsOf(negF32<false>(nan)), kNaN32);
  EXPECT_EQ(bitsOf(absF32<false>(-2)), bitsOf(2.0f));
  EXPECT_EQ(copysignF32(-1, 5), -5.0f);
  EXPECT_TRUE(testpF32<FloatTest::Subnormal>(asFloat(1)));
  EXPECT_TRUE(testpF32<FloatTest::Normal>(0)) << "as on an H200";
  EXPECT_FALSE(testpF32<FloatTest::Subnormal>(0));
  EXPECT_TRUE(testpF32<FloatTest::NotANumber>(nan));
  EXPECT_FALSE(testpF32<FloatTest::Number>(nan));
  Samples samples;
  for (int i = 0; i < kSamples; ++i) {
    float a = samples.f32(), b = samples.f32();
    float host = std::isnan(a) ? b : std::isnan(b) ? a : a < b ? a : b;
    if (a == b)
      host = std::signbit(a) ? a : b;
    EXPECT_EQ(bitsOf(minF32<false, false, false>(a, b)), canonicalBits(host));
    EXPECT_EQ(testpF32<FloatTest::Finite>(a), bool(std::isfinite(a)));
    EXPECT_EQ(testpF32<FloatTest::Infinite>(a), bool(std::isinf(a)));
    EXPECT_EQ(testpF32<FloatTest::Normal>(a), a == 0 || std::isnormal(a));
  }
}

/// As found on an H200.
TEST(Float32, FlushesWhatOnlyItsExponentRoundsUp) {
  constexpr Rounding RN = Rounding::RN, RZ = Rounding::RZ, RP = Rounding::RP;
  float least = asFloat(0x00800000), below = asFloat(0x3f7fffff);
  EXPECT_EQ(bitsOf(mulF32<RN, false, false>(below, least)), 0x00800000u);
  EXPECT_EQ(bitsOf(mulF32<RN, true, false>(below, least)), 0u);
  EXPECT_EQ(bitsOf(mulF32<RN, true, false>(below, -least)), 0x80000000u);
  EXPECT_EQ(bitsOf(mulF32<RP, true, false>(below, least)), 0u);
  EXPECT_EQ(bitsOf(mulF32<RN, true, false>(1, least)), 0x00800000u);
  EXPECT_EQ(bitsOf(fmaF32<RN, true, false>(below, least, 0)), 0u);
  // 2^-126 less 2^-150, of which the product is the second part.
  float small = asFloat(0x1a000000);
  EXPECT_EQ(bitsOf(fmaF32<RN, true, false>(small, -small, least)), 0u);
  EXPECT_EQ(bitsOf(fmaF32<RN, false, false>(small, -small, least)),
            0x00800000u);
  // Less 2^-172: the least normal number is the nearest of 24 bits, too.
  float a = asFloat(0x3f7ffffe), b = asFloat(0x00800001);
  EXPECT_EQ(bitsOf(mulF32<RN, true, false>(a, b)), 0x00800000u);
  EXPECT_EQ(bitsOf(mulF32<RP, true, false>(a, b)), 0x00800000u);
  EXPECT_EQ(bitsOf(mulF32<RZ, true, false>(a, b)), 0u);
  EXPECT_EQ(bitsOf(fmaF32<RN, true, false>(a, b, 0)), 0x00800000u);
  EXPECT_EQ(bitsOf(divF32<RN, true>(asFloat(0x80ffffff), 2)), 0x80000000u);
  EXPECT_EQ(bitsOf(divF32<RN, false>(asFloat(0x80ffffff), 2)), 0x80800000u);
  EXPECT_EQ(bitsOf(divF32<RP, true>(least, asFloat(0x3f800001))), 0u);
  EXPECT_EQ(bitsOf(divF32<RN, true>(asFloat(0x01000000), 2)), 0x00800000u);
}

} // namespace
