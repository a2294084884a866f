//===- ConvertTest.cpp - cvt between integers and floats ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers of all widths to and from all formats against 113-bit floats, and
// the rules of the ISA for what does not fit, with a neighbour that does.
//
//===----------------------------------------------------------------------===//

#include "Numerics/Convert.h"
#include "NumericsTestUtils.h"

using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

namespace {

constexpr int kSamples = 100000;

/// An integer with any number of bits, often near a power of two.
template <class Int> Int integer(Samples &samples) {
  uint64_t bits = samples.engine() >> samples.engine() % 64;
  if (samples.engine() % 4 == 0)
    bits = (1ull << samples.engine() % 64) + samples.engine() % 5 - 2;
  return static_cast<Int>(samples.engine() % 2 ? bits : 0 - bits);
}

template <class Test> void forEachInteger(Test test) {
  test(uint8_t()), test(uint16_t()), test(uint32_t()), test(uint64_t());
  test(int8_t()), test(int16_t()), test(int32_t()), test(int64_t());
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

TEST(Convert, IntegersSaturate) {
  Samples samples;
  forEachInteger([&](auto from) {
    forEachInteger([&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      using Limits = std::numeric_limits<To>;
      for (int i = 0; i < 2000; ++i) {
        From value = integer<From>(samples);
        Wide exact = value;
        To expected = exact < Wide(Limits::min())   ? Limits::min()
                      : exact > Wide(Limits::max()) ? Limits::max()
                                                    : static_cast<To>(value);
        ASSERT_EQ((cvtIntegerSat<To>(value)), expected) << +value;
        ASSERT_EQ((cvtInteger<To>(value)), static_cast<To>(value));
      }
    });
  });
  EXPECT_EQ((cvtIntegerSat<uint8_t>(-1)), 0);
  EXPECT_EQ((cvtInteger<uint8_t>(-1)), 255);
  EXPECT_EQ((cvtInteger<int32_t>(int8_t(-1))), -1);
}

TEST(Convert, Pack) {
  EXPECT_EQ((cvtPack16<true>(-40000, 40000)), 0x80007fffu);
  EXPECT_EQ((cvtPack16<false>(-1, 70000)), 0x0000ffffu);
  EXPECT_EQ((cvtPack<8, true>(-129, 5, 0xaabbccdd)), 0xccdd8005u);
  EXPECT_EQ((cvtPack<8, false>(300, -5, 0)), 0xff00u);
  EXPECT_EQ((cvtPack<4, true>(7, -8, 0x12345678)), 0x34567878u);
  EXPECT_EQ((cvtPack<2, false>(9, 2, 1)), 0x1eu);
}

//===----------------------------------------------------------------------===//
// Float to integer
//===----------------------------------------------------------------------===//

/// The value rounded to an integer, and clamped.
template <class Int> Int integerReference(double value, Rounding rounding) {
  using Limits = std::numeric_limits<Int>;
  double whole = std::trunc(value), part = value - whole;
  double away = value < 0 ? -1 : 1;
  switch (rounding) {
  case Rounding::RN:
    if (std::fabs(part) > 0.5 ||
        (std::fabs(part) == 0.5 && std::fmod(whole, 2) != 0))
      whole += away;
    break;
  case Rounding::RM:
    whole += part < 0 ? -1 : 0;
    break;
  case Rounding::RP:
    whole += part > 0 ? 1 : 0;
    break;
  default:
    break;
  }
  if (Wide(whole) < Wide(Limits::min()))
    return Limits::min();
  if (Wide(whole) > Wide(Limits::max()))
    return Limits::max();
  return static_cast<Int>(whole);
}

TEST(Convert, FloatsToIntegers) {
  Samples samples;
  forEachInteger([&](auto zero) {
    using Int = decltype(zero);
    forEachRounding([&](auto rounding) {
      constexpr Rounding R = rounding.value;
      for (int i = 0; i < kSamples / 4; ++i) {
        // Half of them near integers of the type and their halves.
        double near = static_cast<double>(integer<Int>(samples)) +
                      (static_cast<int>(samples.engine() % 9) - 4) * 0.25;
        double d = i % 2 ? samples.f64() : near;
        float f = i % 2 ? samples.f32() : static_cast<float>(near);
        uint16_t h = F16::narrow(f), b = BF16::narrow(f);
        if (!std::isnan(d)) {
          ASSERT_EQ((cvtF64ToInteger<Int, R>(d)), integerReference<Int>(d, R))
              << std::hexfloat << d;
        }
        if (std::isnan(f))
          continue;
        ASSERT_EQ((cvtF32ToInteger<Int, R, false>(f)),
                  integerReference<Int>(f, R))
            << std::hexfloat << f;
        ASSERT_EQ((cvt16ToInteger<F16, Int, R>(h)),
                  integerReference<Int>(F16::widen(h), R));
        ASSERT_EQ((cvt16ToInteger<BF16, Int, R>(b)),
                  integerReference<Int>(BF16::widen(b), R));
      }
    });
  });
}

TEST(Convert, NaNsToIntegers) {
  constexpr Rounding RZ = Rounding::RZ;
  float nan = asFloat(kNaN32);
  EXPECT_EQ((cvtF32ToInteger<int32_t, RZ, false>(nan)), 0);
  EXPECT_EQ((cvtF32ToInteger<uint8_t, RZ, false>(nan)), 0);
  EXPECT_EQ((cvtF32ToInteger<int64_t, RZ, false>(nan)), INT64_MIN);
  EXPECT_EQ((cvtF32ToInteger<uint64_t, RZ, false>(nan)), 1ull << 63);
  EXPECT_EQ((cvtF64ToInteger<int32_t, RZ>(nan)), INT32_MIN);
  EXPECT_EQ((cvtF64ToInteger<uint32_t, RZ>(nan)), 0x80000000u);
  EXPECT_EQ((cvt16ToInteger<F16, int32_t, RZ>(kNaN16)), 0);
  // A subnormal rounds away from zero, but not when it is flushed.
  EXPECT_EQ((cvtF32ToInteger<int, Rounding::RP, false>(asFloat(1))), 1);
  EXPECT_EQ((cvtF32ToInteger<int, Rounding::RP, true>(asFloat(1))), 0);
}

//===----------------------------------------------------------------------===//
// To floats
//===----------------------------------------------------------------------===//

/// The code of an exact value in a format, with its infinities.
uint64_t codeOf(Wide value, int e, int m, Rounding rounding) {
  if (value == 0)
    return 0;
  int bias = (1 << (e - 1)) - 1;
  uint64_t infinity = ((1ull << e) - 1) << m;
  uint64_t code = roundReference(value, 0, m, bias, rounding);
  bool negative = value < 0;
  if (code >= infinity)
    code = rounding == Rounding::RN ||
                   rounding == (negative ? Rounding::RM : Rounding::RP)
               ? infinity
               : infinity - 1;
  return code | static_cast<uint64_t>(negative) << (e + m);
}

TEST(Convert, IntegersToFloats) {
  Samples samples;
  forEachInteger([&](auto zero) {
    using Int = decltype(zero);
    forEachRounding([&](auto rounding) {
      constexpr Rounding R = rounding.value;
      for (int i = 0; i < kSamples / 10; ++i) {
        Int value = integer<Int>(samples);
        ASSERT_EQ(bitsOf(cvtIntegerToF32<R, false>(value)),
                  codeOf(value, 8, 23, R))
            << +value << " rounding " << static_cast<int>(R);
        ASSERT_EQ(bitsOf(cvtIntegerToF64<R, false>(value)),
                  codeOf(value, 11, 52, R))
            << +value << " rounding " << static_cast<int>(R);
        ASSERT_EQ((cvtIntegerTo16<F16, R, false>(value)),
                  codeOf(value, 5, 10, R))
            << +value << " rounding " << static_cast<int>(R);
        ASSERT_EQ((cvtIntegerTo16<BF16, R, false>(value)),
                  codeOf(value, 8, 7, R))
            << +value << " rounding " << static_cast<int>(R);
      }
    });
  });
  EXPECT_EQ((cvtIntegerToF32<Rounding::RN, false>(16777217)), 16777216.0f);
  EXPECT_EQ((cvtIntegerToF32<Rounding::RP, false>(16777217)), 16777218.0f);
  EXPECT_EQ((cvtIntegerToF32<Rounding::RN, true>(-5)), 0.0f);
  EXPECT_EQ((cvtIntegerTo16<F16, Rounding::RN, true>(7)), F16::kOne);
}

TEST(Convert, DoublesNarrowOnce) {
  forEachRounding([&](auto rounding) {
    constexpr Rounding R = rounding.value;
    Samples samples;
    for (int i = 0; i < kSamples; ++i) {
      double value = samples.f64();
      if (i % 2) // In the range of the narrow formats, close to a tie.
        value = std::nextafter(static_cast<double>(samples.f32()) *
                                   (1 + std::ldexp(1.0, -8 - i % 20)),
                               i % 4 == 1 ? 0.0 : HUGE_VAL);
      if (!std::isfinite(value) || value == 0)
        continue;
      ASSERT_EQ(bitsOf(cvtF64ToF32<R, false, false>(value)),
                codeOf(value, 8, 23, R))
          << std::hexfloat << value;
      ASSERT_EQ((cvtF64To16<F16, R, false>(value)), codeOf(value, 5, 10, R))
          << std::hexfloat << value;
      ASSERT_EQ((cvtF64To16<BF16, R, false>(value)), codeOf(value, 8, 7, R))
          << std::hexfloat << value;
    }
  });
  // Through f32 this would become a tie and round to even.
  double beside = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ((cvtF64To16<F16, Rounding::RN, false>(beside)), 0x3c01);
  EXPECT_EQ(F16::narrow(static_cast<float>(beside)), 0x3c00);
  // NaNs as ptxas converts constants: quiet, with what fits of the payload.
  double quiet = asDouble(0xfff8000012345678),
         nan = asDouble(0x7ff0000012345678);
  EXPECT_EQ(bitsOf(cvtF64ToF32<Rounding::RN, false, false>(quiet)),
            0xffc00000u);
  EXPECT_EQ(bitsOf(cvtF64ToF32<Rounding::RN, false, false>(nan)), 0x7fc00000u);
  EXPECT_EQ(bitsOf(cvtF64ToF32<Rounding::RN, false, true>(quiet)), 0u);
  EXPECT_EQ(bitsOf(cvtF32ToF64<false, false>(asFloat(0xffc01234))),
            0xfff8024680000000u);
  EXPECT_EQ(bitsOf(cvtF64ToF32<Rounding::RN, true, false>(0x1p-130)), 0u);
  EXPECT_EQ((cvtF64ToF32<Rounding::RN, false, true>(3.0)), 1.0f);
}

TEST(Convert, ModifiersOfNarrowing) {
  constexpr Rounding RN = Rounding::RN, RZ = Rounding::RZ;
  constexpr Clamp16 kNone = Clamp16::None;
  float nan = asFloat(0xffc00001), infinity = HUGE_VALF;
  EXPECT_EQ((cvtF32To16<F16, RN, false, kNone, false>(1e6f)), 0x7c00);
  EXPECT_EQ((cvtF32To16<F16, RN, false, kNone, true>(1e6f)), 0x7bff);
  EXPECT_EQ((cvtF32To16<F16, RZ, false, kNone, false>(1e6f)), 0x7bff);
  EXPECT_EQ((cvtF32To16<F16, RN, false, kNone, true>(-infinity)), 0xfbff);
  EXPECT_EQ((cvtF32To16<F16, RZ, false, kNone, false>(infinity)), 0x7c00);
  EXPECT_EQ((cvtF32To16<BF16, RN, false, kNone, true>(3.4e38f)), 0x7f7f);
  EXPECT_EQ((cvtF32To16<F16, RN, false, Clamp16::Relu, true>(-2)), 0);
  EXPECT_EQ((cvtF32To16<F16, RN, false, Clamp16::Relu, true>(nan)), 0x7fff);
  EXPECT_EQ((cvtF32To16<F16, RN, false, Clamp16::Sat, false>(nan)), 0);
  EXPECT_EQ((cvtF32To16<F16, RN, false, kNone, true>(nan)), 0x7fff);
  EXPECT_EQ((cvtF32To16<BF16, RN, true, kNone, false>(asFloat(0x7fffff))), 0);
  EXPECT_EQ((cvtF32To16<BF16, RN, false, kNone, false>(asFloat(0x7fffff))),
            0x80);
  EXPECT_EQ((cvtF32ToPair<F16, RN, false, false>(1, 2)), 0x3c004000u);
  EXPECT_EQ((cvtF32ToPair<BF16, RZ, true, false>(-1, 2)), 0x00004000u);
  EXPECT_EQ((cvt16To16<BF16, F16, RN, false>(0x3f80)), 0x3c00);
  EXPECT_EQ((cvt16To16<F16, BF16, RN, false>(0x3fff)), 0x4000);
  EXPECT_EQ((cvt16To16<F16, BF16, RZ, false>(0x3fff)), 0x3fff);
}

TEST(Convert, WideningAndIntegral) {
  constexpr Rounding RN = Rounding::RN;
  EXPECT_EQ((cvtF16ToF32<false, false>(0x0001)), 0x1p-24f);
  EXPECT_EQ(bitsOf(cvtF16ToF32<false, false>(0xfe01)), kNaN32);
  EXPECT_EQ((cvtF16ToF32<false, true>(0x4400)), 1.0f);
  EXPECT_EQ(bitsOf(cvtBF16ToF32<false>(0xffc1)), 0xffc10000u);
  EXPECT_EQ(bitsOf(cvtBF16ToF32<false>(0x8001)), 0x80010000u);
  EXPECT_EQ(bitsOf(cvtBF16ToF32<true>(0x8001)), 0x80000000u);
  EXPECT_EQ(bitsOf(cvtBF16ToF32<true>(0xffc1)), kNaN32);
  EXPECT_EQ((cvt16ToF64<F16, false>(0x8001)), -0x1p-24);
  EXPECT_EQ((cvtF32ToF64<false, false>(asFloat(1))), 0x1p-149);
  EXPECT_EQ((cvtF32ToF64<true, false>(asFloat(1))), 0.0);
  EXPECT_EQ(bitsOf(cvtF32ToF64<true, false>(asFloat(0xff800001))),
            0x7fffffffe0000000u);
  EXPECT_EQ((cvtF64To16<F16, RN, false>(asDouble(0xfff0ec8340000000))), 0xfe3b);
  EXPECT_EQ((cvtF64To16<BF16, RN, false>(asDouble(0x7ff28dd92b7b0000))),
            0x7fd4);
  EXPECT_EQ((cvtF64To16<F16, RN, true>(asDouble(0xfff0ec8340000000))), 0);
  EXPECT_EQ((cvtF32ToF64<false, true>(7)), 1.0);
  EXPECT_EQ((cvtF32Integral<RN, false, false>(2.5f)), 2.0f);
  EXPECT_EQ((cvtF32Integral<Rounding::RP, false, false>(2.5f)), 3.0f);
  EXPECT_EQ(bitsOf(cvtF32Integral<RN, false, false>(-0.3f)), 0x80000000u);
  EXPECT_EQ((cvtF32Integral<Rounding::RM, false, false>(-0.3f)), -1.0f);
  EXPECT_EQ((cvtF64Integral<Rounding::RZ, false>(-2.9)), -2.0);
  EXPECT_EQ((cvt16Integral<F16, RN, false>(F16::narrow(3.5f))),
            F16::narrow(4.0f));
  EXPECT_EQ((cvt16Integral<BF16, Rounding::RM, false>(BF16::narrow(3.5f))),
            BF16::narrow(3.0f));
}

TEST(Convert, TF32) {
  constexpr Rounding RN = Rounding::RN, RZ = Rounding::RZ;
  constexpr Rounding RNA = Rounding::RNA;
  float tie = 1 + 0x1p-11f, nan = asFloat(0x7fc01fff);
  EXPECT_EQ((cvtTF32<RN, false, false>(tie)), bitsOf(1.0f));
  EXPECT_EQ((cvtTF32<RNA, false, false>(tie)), bitsOf(1 + 0x1p-10f));
  EXPECT_EQ((cvtTF32<RZ, false, false>(1.9999f)), bitsOf(1.9990234375f));
  EXPECT_EQ((cvtTF32<RNA, false, false>(nan)), 0x7fc00000u);
  EXPECT_EQ((cvtTF32<RN, false, false>(nan)), 0x7fffe000u);
  EXPECT_EQ((cvtTF32<RNA, false, false>(3.4028235e38f)), 0x7f800000u);
  EXPECT_EQ((cvtTF32<RNA, false, true>(3.4028235e38f)), 0x7f7fe000u);
  EXPECT_EQ((cvtTF32<RNA, false, true>(-HUGE_VALF)), 0xff7fe000u);
  EXPECT_EQ((cvtTF32<RN, false, true>(HUGE_VALF)), 0x7f7fe000u);
  EXPECT_EQ((cvtTF32<RN, false, false>(HUGE_VALF)), 0x7f800000u);
  EXPECT_EQ((cvtTF32<RN, true, false>(-1)), 0u);
  Samples samples;
  for (int i = 0; i < kSamples; ++i) {
    float value = samples.f32();
    if (!std::isfinite(value) || value == 0)
      continue;
    uint32_t sign = bitsOf(value) & 0x80000000;
    ASSERT_EQ((cvtTF32<RN, false, false>(value)) ^ sign,
              roundReference(value, 0, 10, 127, RN) << 13);
    ASSERT_EQ((cvtTF32<RZ, false, false>(value)) ^ sign,
              roundReference(value, 0, 10, 127, RZ) << 13);
    ASSERT_EQ((cvtTF32<RNA, false, false>(value)) ^ sign,
              roundReference(value, 0, 10, 127, RNA) << 13);
  }
}

} // namespace
