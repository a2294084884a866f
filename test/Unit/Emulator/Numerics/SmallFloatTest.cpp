//===- SmallFloatTest.cpp - fp8, fp6, fp4 and scale factors ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each format is written out here as the list of its values; a conversion has
// to find the nearest one in the list.
//
//===----------------------------------------------------------------------===//

#include "Numerics/SmallFloat.h"
#include "NumericsTestUtils.h"
#include <vector>

using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

namespace {

/// A format by its exponent and fraction bits, bias and largest number.
struct Shape {
  int exponent, fraction, bias;
  double largest;
  bool hasNaN;
};
template <class F> Shape shape();
template <> Shape shape<E4M3>() { return {4, 3, 7, 448, true}; }
template <> Shape shape<E5M2>() { return {5, 2, 15, 57344, true}; }
template <> Shape shape<E2M3>() { return {2, 3, 1, 7.5, false}; }
template <> Shape shape<E3M2>() { return {3, 2, 3, 28, false}; }
template <> Shape shape<E2M1>() { return {2, 1, 1, 6, false}; }

/// The values of the positive codes, up to the largest number.
template <class F> std::vector<double> values() {
  Shape s = shape<F>();
  std::vector<double> list;
  for (int code = 0; list.empty() || list.back() < s.largest; ++code) {
    int field = code >> s.fraction, rest = code % (1 << s.fraction);
    list.push_back(field == 0 ? std::ldexp(rest, 1 - s.bias - s.fraction)
                              : std::ldexp(rest + (1 << s.fraction),
                                           field - s.bias - s.fraction));
  }
  return list;
}

template <class F> class SmallFloatTest : public testing::Test {};
using Formats = testing::Types<E4M3, E5M2, E2M3, E3M2, E2M1>;
TYPED_TEST_SUITE(SmallFloatTest, Formats);

TYPED_TEST(SmallFloatTest, WidensAllCodes) {
  using F = TypeParam;
  std::vector<double> list = values<F>();
  EXPECT_EQ(list.back(), shape<F>().largest);
  for (unsigned code = 0; code < F::kSign; ++code) {
    float value = widenSmall<F>(code),
          negative = widenSmall<F>(code | F::kSign);
    uint16_t half = cvtSmallPairToF16<F, false>(code);
    if (code < list.size()) {
      EXPECT_EQ(value, list[code]) << code;
      EXPECT_EQ(bitsOf(negative), bitsOf(-value)) << code;
      EXPECT_EQ(F16::widen(half), value) << code;
      EXPECT_EQ((cvtSmallPairToF16<F, true>(code | F::kSign)), 0u) << code;
    } else if (F::kHasInfinity && code == 0x7c) {
      EXPECT_EQ(value, HUGE_VALF);
      EXPECT_EQ(negative, -HUGE_VALF);
      EXPECT_EQ(half, 0x7c00);
    } else {
      EXPECT_TRUE(shape<F>().hasNaN);
      EXPECT_TRUE(std::isnan(value) && std::isnan(negative)) << code;
      EXPECT_EQ(half, 0x7fff);
    }
  }
}

/// The nearest code by search: at a tie the even one, beyond the end the last.
template <class F>
uint8_t nearest(const std::vector<double> &list, double value) {
  double magnitude = std::fabs(value);
  size_t above = 0;
  while (above + 1 < list.size() && list[above] < magnitude)
    ++above;
  size_t code = above;
  if (above > 0 && list[above] > magnitude) {
    double up = list[above] - magnitude, down = magnitude - list[above - 1];
    if (down < up || (down == up && above % 2 == 1))
      code = above - 1;
  }
  return static_cast<uint8_t>(code | (std::signbit(value) ? F::kSign : 0));
}

TYPED_TEST(SmallFloatTest, NarrowsToTheNearest) {
  using F = TypeParam;
  std::vector<double> list = values<F>();
  auto check = [&](float value) {
    uint8_t expected = nearest<F>(list, value);
    ASSERT_EQ((narrowSmall<F, false>(value)), expected)
        << std::hexfloat << value;
    ASSERT_EQ((narrowSmall<F, true>(value)),
              std::signbit(value) ? 0 : expected);
  };
  for (size_t i = 0; i < list.size(); ++i) {
    double next = i + 1 < list.size() ? list[i + 1] : 2 * list[i];
    float middle = static_cast<float>((list[i] + next) / 2);
    for (float value :
         {static_cast<float>(list[i]), middle, std::nextafter(middle, 0.0f),
          std::nextafter(middle, HUGE_VALF)}) {
      check(value);
      check(-value);
    }
  }
  Samples samples;
  for (int i = 0; i < 100000; ++i) {
    float value = samples.f32();
    if (!std::isnan(value))
      check(value);
  }
  // From f16 all values.
  for (uint32_t half = 0; half < 0x10000; ++half) {
    if (isNaN16<F16>(half))
      continue;
    ASSERT_EQ((cvtF16PairToSmall<F, false>(half)) & (2 * F::kSign - 1),
              nearest<F>(list, F16::widen(half)));
  }
}

TYPED_TEST(SmallFloatTest, SpecialValues) {
  using F = TypeParam;
  // A NaN of either sign becomes the positive NaN or the largest number.
  uint8_t ofNaN = shape<F>().hasNaN ? 0x7f : F::kSign - 1;
  EXPECT_EQ((narrowSmall<F, false>(asFloat(0xffc00000))), ofNaN);
  EXPECT_EQ((narrowSmall<F, true>(asFloat(0x7fc00000))), ofNaN);
  EXPECT_EQ(widenSmall<F>(narrowSmall<F, false>(HUGE_VALF)),
            shape<F>().largest);
  EXPECT_EQ(widenSmall<F>(narrowSmall<F, false>(-HUGE_VALF)),
            -shape<F>().largest);
}

TYPED_TEST(SmallFloatTest, StochasticRounding) {
  using F = TypeParam;
  // A quarter of the way from code 3 to code 4: up for a quarter of the
  // random numbers, and for none or all at the ends.
  float low = widenSmall<F>(3), high = widenSmall<F>(4);
  uint32_t bits = bitsOf(low + (high - low) / 4);
  EXPECT_EQ(roundFloatStochastic<F>(bits, 0), 3u);
  EXPECT_EQ(roundFloatStochastic<F>(bits, 0xbfffffff), 3u);
  EXPECT_EQ(roundFloatStochastic<F>(bits, 0xc0000000), 4u);
  EXPECT_EQ(roundFloatStochastic<F>(bitsOf(low), 0xffffffff), 3u);
  EXPECT_EQ(roundFloatStochastic<F>(1, 0xffffffff), 0u);
  // In the subnormals too.
  bits = bitsOf(widenSmall<F>(1) / 2);
  EXPECT_EQ(roundFloatStochastic<F>(bits, 0x7fffffff), 0u);
  EXPECT_EQ(roundFloatStochastic<F>(bits, 0x80000000), 1u);
}

TEST(SmallFloat, Pairs) {
  EXPECT_EQ((cvtF32ToSmallPair<E4M3, false>(1, -2)), 0x38c0);
  EXPECT_EQ((cvtF32ToSmallPair<E2M1, false>(1, -2)), 0x2c);
  EXPECT_EQ((cvtF16PairToSmall<E5M2, true>(0x3c00bc00)), 0x3c00);
  EXPECT_EQ((cvtSmallPairToF16<E4M3, false>(0x38c0)), 0x3c00c000u);
  EXPECT_EQ((cvtSmallPairToF16<E2M1, false>(0x2c)), 0x3c00c000u);
}

TEST(SmallFloat, UE8M0) {
  constexpr Rounding RZ = Rounding::RZ, RP = Rounding::RP;
  for (int code = 0; code < 255; ++code) {
    double power = std::ldexp(1.0, code - 127);
    float value = static_cast<float>(power);
    EXPECT_EQ(BF16::widen(widenUE8M0(code)), value);
    EXPECT_EQ((narrowUE8M0<RZ, true>(value)), code);
    EXPECT_EQ((narrowUE8M0<RP, true>(-value)), code);
    float above = std::nextafter(value, HUGE_VALF);
    EXPECT_EQ((narrowUE8M0<RZ, true>(above)), code);
    EXPECT_EQ((narrowUE8M0<RP, true>(above)), code < 254 ? code + 1 : 254);
  }
  EXPECT_EQ((narrowUE8M0<RP, false>(0x1.8p127f)), 255);
  EXPECT_EQ((narrowUE8M0<RP, true>(HUGE_VALF)), 254);
  EXPECT_EQ((narrowUE8M0<RP, false>(HUGE_VALF)), 255);
  EXPECT_EQ((narrowUE8M0<RP, true>(asFloat(kNaN32))), 255);
  EXPECT_EQ((narrowUE8M0<RP, true>(0)), 0);
  EXPECT_EQ(widenUE8M0(255), 0x7fff);
  EXPECT_EQ((cvtF32ToUE8M0Pair<RZ, true>(1, 2)), 0x7f80);
  EXPECT_EQ((cvtBF16PairToUE8M0<RP, true>(0x3f813f80)), 0x807f);
  EXPECT_EQ(cvtUE8M0PairToBF16(0x7f80), 0x3f804000u);
  EXPECT_EQ(scaleByUE8M0(3, 126), 1.5f);
  EXPECT_EQ(bitsOf(scaleByUE8M0(3, 255)), kNaN32);
}

} // namespace
