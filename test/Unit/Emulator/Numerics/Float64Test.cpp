//===- Float64Test.cpp - f64 against the rounding of the host -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As Float32Test, for the integer arithmetic of the directed roundings, which
// has to agree with the host for round to nearest as well.
//
//===----------------------------------------------------------------------===//

#include "Numerics/Float64.h"
#include "NumericsTestUtils.h"

using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

namespace {

constexpr int kSamples = 300000;

/// Equal bits; of NaNs only that both are.
bool same(double a, double b) {
  return bitsOf(a) == bitsOf(b) || (std::isnan(a) && std::isnan(b));
}

TEST(Float64, ArithmeticIsThatOfTheHost) {
  auto add = [](double a, double b, double) { return a + b; };
  auto mul = [](double a, double b, double) { return a * b; };
  auto div = [](double a, double b, double) { return a / b; };
  auto root = [](double a, double, double) { return std::sqrt(a); };
  auto fma = [](double a, double b, double c) { return std::fma(a, b, c); };
  for (Rounding R : {Rounding::RN, Rounding::RZ, Rounding::RM, Rounding::RP}) {
    Samples samples;
    for (int i = 0; i < kSamples; ++i) {
      double a = samples.f64(), b = samples.f64(), c = samples.f64();
      if (i % 4 == 0)
        c = -a * b;
      if (i % 16 == 1)
        b = std::nextafter(-a, c);
      auto where = [&]() {
        return testing::Message() << std::hexfloat << a << ' ' << b << ' ' << c
                                  << " rounding " << static_cast<int>(R);
      };
      ASSERT_TRUE(same(addF64Directed(a, b, R), underRounding(R, add, a, b)))
          << "add " << where();
      ASSERT_TRUE(same(mulF64Directed(a, b, R), underRounding(R, mul, a, b)))
          << "mul " << where();
      ASSERT_TRUE(same(divF64Directed(a, b, R), underRounding(R, div, a, b)))
          << "div " << where();
      ASSERT_TRUE(same(sqrtF64Directed(a, R), underRounding(R, root, a)))
          << "sqrt " << where();
      ASSERT_TRUE(
          same(fmaF64Directed(a, b, c, R), underRounding(R, fma, a, b, c)))
          << "fma " << where();
    }
  }
}

TEST(Float64, Templates) {
  double tiny = 0x1p-100;
  EXPECT_EQ(addF64<Rounding::RN>(1, tiny), 1.0);
  EXPECT_EQ(addF64<Rounding::RP>(1, tiny), 0x1.0000000000001p0);
  EXPECT_EQ(subF64<Rounding::RZ>(1, tiny), 0x1.fffffffffffffp-1);
  EXPECT_EQ(subF64<Rounding::RN>(1, tiny), 1.0);
  EXPECT_EQ(mulF64<Rounding::RZ>(0x1p1000, -0x1p1000), -0x1.fffffffffffffp1023);
  EXPECT_EQ(fmaF64<Rounding::RM>(tiny, -tiny, 1), 0x1.fffffffffffffp-1);
  EXPECT_LT(rcpF64<Rounding::RM>(3), rcpF64<Rounding::RP>(3));
  EXPECT_LT(divF64<Rounding::RZ>(1, 3), divF64<Rounding::RP>(1, 3));
  EXPECT_LT(sqrtF64<Rounding::RM>(2), sqrtF64<Rounding::RP>(2));
  EXPECT_EQ(bitsOf(addF64<Rounding::RM>(1, -1)), 1ull << 63);
}

TEST(Float64, NaNsAndSigns) {
  double infinity = HUGE_VAL, nan = asDouble(0x7ff8000000001234);
  // An invalid operation has one NaN, an operand keeps its payload.
  volatile double inf = infinity;
  EXPECT_EQ(bitsOf(addF64<Rounding::RZ>(inf, -inf)), kNaN64);
  EXPECT_EQ(bitsOf(addF64<Rounding::RN>(inf, -inf)), kNaN64);
  EXPECT_EQ(bitsOf(sqrtF64<Rounding::RP>(-1)), kNaN64);
  EXPECT_EQ(bitsOf(addF64<Rounding::RZ>(1, nan)), 0x7ff8000000001234u);
  EXPECT_EQ(bitsOf(subF64<Rounding::RM>(1, nan)), 0x7ff8000000001234u);
  // Which of several NaNs an H200 keeps, and makes quiet.
  double a = asDouble(0x7ff0000000000001), b = asDouble(0xfff0000000000002);
  double c = asDouble(0x7ff0000000000003);
  EXPECT_EQ(bitsOf(addF64<Rounding::RN>(a, b)), 0xfff8000000000002u);
  EXPECT_EQ(bitsOf(addF64<Rounding::RP>(a, b)), 0xfff8000000000002u);
  EXPECT_EQ(bitsOf(subF64<Rounding::RN>(a, b)), 0xfff8000000000002u);
  EXPECT_EQ(bitsOf(subF64<Rounding::RZ>(a, b)), 0xfff8000000000002u);
  EXPECT_EQ(bitsOf(mulF64<Rounding::RN>(a, b)), 0xfff8000000000002u);
  EXPECT_EQ(bitsOf(mulF64<Rounding::RM>(a, 2)), 0x7ff8000000000001u);
  EXPECT_EQ(bitsOf(fmaF64<Rounding::RN>(a, b, c)), 0xfff8000000000002u);
  EXPECT_EQ(bitsOf(fmaF64<Rounding::RN>(a, 1, c)), 0x7ff8000000000003u);
  EXPECT_EQ(bitsOf(fmaF64<Rounding::RP>(a, inf, c)), 0x7ff8000000000003u);
  EXPECT_EQ(bitsOf(fmaF64<Rounding::RN>(a, 1, 1)), 0x7ff8000000000001u);
  // An overflow of finite factors is no infinity.
  EXPECT_EQ(fmaF64<Rounding::RZ>(0x1p1000, 0x1p1000, -inf), -infinity);
  EXPECT_EQ(minF64(nan, 2), 2.0);
  EXPECT_EQ(maxF64(2, nan), 2.0);
  EXPECT_EQ(bitsOf(minF64(0.0, -0.0)), 1ull << 63);
  EXPECT_EQ(bitsOf(maxF64(0.0, -0.0)), 0u);
  EXPECT_EQ(minF64(-3, 2), -3.0);
  EXPECT_EQ(bitsOf(minF64(asDouble(0x7ff0000000000001),
                          asDouble(0x7ff0000000000002))),
            0x7ff8000000000002u);
  EXPECT_EQ(negF64(2), -2.0);
  EXPECT_EQ(absF64(-2), 2.0);
  EXPECT_EQ(copysignF64(-1, 2), -2.0);
  EXPECT_TRUE(testpF64<FloatTest::Subnormal>(asDouble(1)));
  EXPECT_FALSE(testpF64<FloatTest::Normal>(asDouble(1)));
  EXPECT_TRUE(testpF64<FloatTest::Normal>(0.0)) << "as on an H200";
  EXPECT_TRUE(testpF64<FloatTest::NotANumber>(nan));
  EXPECT_FALSE(testpF64<FloatTest::Finite>(infinity));
}

} // namespace
