//===- ApproxTest.cpp - Approximate functions within their bounds ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The largest distance to the host's long double functions over random operands
// of the whole range, against the bound that docs/Emulator.md states (at most
// the ISA's), and the ISA's tables of special values.
//
//===----------------------------------------------------------------------===//

#include "Numerics/Approx.h"
#include "NumericsTestUtils.h"
#include <functional>

using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

namespace {

constexpr int kSamples = 300000;

/// The largest errors of a function over what it was asked for.
struct Errors {
  double ulps = 0, absolute = 0;
  bool sameRange = true;

  void add(float value, long double exact) {
    float nearest = static_cast<float>(exact);
    if (!std::isfinite(nearest) || !std::isfinite(value)) {
      // Overflow begins where the nearest float overflows.
      sameRange &= bitsOf(nearest) == bitsOf(value);
      return;
    }
    long double error = std::fabs(value - exact);
    int exponent = exact == 0 ? -149 : std::ilogb(exact) - 23;
    long double unit = std::ldexp(1.0L, std::max(exponent, -149));
    ulps = std::max(ulps, static_cast<double>(error / unit));
    absolute = std::max(absolute, static_cast<double>(error));
  }
};

float magnitude(Samples &samples) {
  float value = std::fabs(samples.f32());
  return std::isfinite(value) && value != 0 ? value : 1.5f;
}
float uniform(Samples &samples, float low, float high) {
  return std::uniform_real_distribution<float>(low, high)(samples.engine);
}

TEST(Approx, ReciprocalsAndRoots) {
  Samples samples;
  Errors rcp, rcpFtz, root, rsqrt, rsqrtFtz;
  for (int i = 0; i < kSamples; ++i) {
    float x = magnitude(samples);
    rcp.add(rcpApproxF32<false>(-x), -1.0L / x);
    root.add(sqrtApproxF32<false>(x), std::sqrt(static_cast<long double>(x)));
    long double exact = 1.0L / std::sqrt(static_cast<long double>(x));
    rsqrt.add(rsqrtApproxF32<false>(x), exact);
    if (x >= 0x1p-126f)
      rsqrtFtz.add(rsqrtApproxF32<true>(x), exact);
    if (x >= 0x1p-126f && x <= 0x1p126f)
      rcpFtz.add(rcpApproxF32<true>(x), 1.0L / x);
  }
  EXPECT_LE(rcp.ulps, 0.76);
  EXPECT_LE(rcpFtz.ulps, 0.501);
  EXPECT_LE(root.ulps, 0.501);
  EXPECT_LE(rsqrt.ulps, 0.501);
  EXPECT_LE(rsqrtFtz.ulps, 0.501);
  EXPECT_TRUE(rcp.sameRange && root.sameRange && rsqrt.sameRange);
}

TEST(Approx, Quotients) {
  Samples samples;
  Errors approx, full, fullFtz;
  for (int i = 0; i < kSamples; ++i) {
    float a = magnitude(samples), b = magnitude(samples);
    long double exact = static_cast<long double>(a) / b;
    if (exact < 0x1p-126L || exact > 0x1p127L)
      continue;
    if (b >= 0x1p-126f && b <= 0x1p126f)
      approx.add(divApproxF32<false>(a, -b), -exact);
    full.add(divFullF32<false>(a, b), exact);
    if (a >= 0x1p-124f && b >= 0x1p-126f)
      fullFtz.add(divFullF32<true>(a, b), exact);
  }
  EXPECT_LE(approx.ulps, 1.51);
  EXPECT_LE(full.ulps, 1.51);
  EXPECT_LE(fullFtz.ulps, 1.51);
  EXPECT_TRUE(full.sameRange);
  // Beyond 2^126 the reciprocal is zero: div.full scales, div.approx does not.
  EXPECT_EQ(divApproxF32<false>(0x1p127f, 0x1.8p126f), 0.0f);
  EXPECT_EQ(divFullF32<false>(0x1.8p127f, 0x1.8p126f), 2.0f);
  EXPECT_EQ(divFullF32<true>(0x1.8p127f, 0x1.8p126f), 2.0f);
  EXPECT_TRUE(std::isnan(divApproxF32<false>(HUGE_VALF, 0x1.8p126f)));
}

TEST(Approx, PowersAndLogarithms) {
  Samples samples;
  Errors ex2, ex2Ftz, lg2, lg2Ftz;
  for (int i = 0; i < kSamples; ++i) {
    float x = uniform(samples, -160, 140), tiny = magnitude(samples);
    x = i % 4 ? x : std::fmin(tiny, 1.0f);
    ex2.add(ex2ApproxF32<false>(x), std::exp2(static_cast<long double>(x)));
    if (x >= -126)
      ex2Ftz.add(ex2ApproxF32<true>(x), std::exp2(static_cast<long double>(x)));
    float y = i % 2 ? tiny : asFloat(0x3f800000 + i % 8191 - 4000);
    long double logarithm = std::log2(static_cast<long double>(y));
    lg2.add(lg2ApproxF32<false>(y), logarithm);
    if (y >= 0x1p-126f)
      lg2Ftz.add(lg2ApproxF32<true>(y), logarithm);
  }
  EXPECT_LE(ex2.ulps, 1.01);
  EXPECT_LE(ex2Ftz.ulps, 0.501);
  EXPECT_LE(lg2.ulps, 0.76);
  EXPECT_LE(lg2Ftz.ulps, 0.501);
  EXPECT_TRUE(ex2.sameRange && ex2Ftz.sameRange && lg2.sameRange);
  for (int i = -149; i < 128; ++i) {
    EXPECT_EQ(ex2ApproxF32<false>(i), std::ldexp(1.0f, i));
    EXPECT_EQ(lg2ApproxF32<false>(std::ldexp(1.0f, i)), i);
  }
}

TEST(Approx, SinesAndTangents) {
  Samples samples;
  Errors sine, cosine, farSine, tangent;
  constexpr float kTwoPi = 6.2831853f;
  for (int i = 0; i < kSamples; ++i) {
    float x = uniform(samples, -kTwoPi, kTwoPi), farX = 50 * x;
    sine.add(sinApproxF32<false>(x), std::sin(static_cast<long double>(x)));
    cosine.add(cosApproxF32<false>(x), std::cos(static_cast<long double>(x)));
    farSine.add(sinApproxF32<true>(farX),
                std::sin(static_cast<long double>(farX)));
    float y = i % 2 ? 1.5f * x : std::fmin(magnitude(samples), 2.0f);
    tangent.add(tanhApproxF32(y), std::tanh(static_cast<long double>(y)));
  }
  // 2^-20.5 and 2^-14.7 are the ISA's bounds.
  EXPECT_LE(sine.absolute, std::exp2(-20.5));
  EXPECT_LE(cosine.absolute, std::exp2(-20.5));
  EXPECT_LE(farSine.absolute, std::exp2(-14.7));
  // The argument is rounded as the hardware does it, so the far sine is not
  // the nearest one.
  EXPECT_GE(farSine.absolute, std::exp2(-16));
  EXPECT_LE(tangent.ulps, 0.501);
  // A product of so many turns is a whole number.
  EXPECT_EQ(sinApproxF32<false>(0x1p60f), 0.0f);
  EXPECT_EQ(cosApproxF32<false>(0x1p60f), 1.0f);
}

//===----------------------------------------------------------------------===//
// Special values
//===----------------------------------------------------------------------===//

struct Special {
  uint32_t operand, result;
};
void check(const char *what, std::function<float(float)> function,
           std::initializer_list<Special> table) {
  for (Special row : table)
    EXPECT_EQ(bitsOf(function(asFloat(row.operand))), row.result)
        << what << " of " << std::hex << row.operand;
}

constexpr uint32_t kInf = 0x7f800000, kMinusInf = 0xff800000;
constexpr uint32_t kMinusZero = 0x80000000, kOne = 0x3f800000;
constexpr uint32_t kSubnormal = 0x00000001, kMinusSubnormal = 0x80000001;
constexpr uint32_t kAnyNaN = 0xffc01234;

TEST(Approx, SpecialValues) {
  check("rcp", rcpApproxF32<false>,
        {{kMinusInf, kMinusZero},
         {kInf, 0},
         {0, kInf},
         {kMinusZero, kMinusInf},
         {kSubnormal, kInf},
         {kAnyNaN, kNaN32},
         {0x7f000000, 0x00400000}});
  check("rcp.ftz", rcpApproxF32<true>,
        {{kMinusSubnormal, kMinusInf}, {0x00700000, kInf}, {0x7f000000, 0}});
  check("sqrt", sqrtApproxF32<false>,
        {{kMinusInf, kNaN32},
         {0xbf800000, kNaN32},
         {kMinusSubnormal, kNaN32},
         {kMinusZero, kMinusZero},
         {0, 0},
         {kInf, kInf},
         {kAnyNaN, kNaN32}});
  check("sqrt.ftz", sqrtApproxF32<true>,
        {{kMinusSubnormal, kMinusZero}, {kSubnormal, 0}});
  check("rsqrt", rsqrtApproxF32<false>,
        {{kMinusInf, kNaN32},
         {0xbf800000, kNaN32},
         {kMinusZero, kMinusInf},
         {0, kInf},
         {kInf, 0},
         {kAnyNaN, kNaN32}});
  check("rsqrt.ftz", rsqrtApproxF32<true>,
        {{kMinusSubnormal, kMinusInf}, {kSubnormal, kInf}});
  for (auto function : {sinApproxF32<false>, sinApproxF32<true>})
    check("sin", function,
          {{kMinusInf, kNaN32},
           {kInf, kNaN32},
           {kMinusZero, kMinusZero},
           {0, 0},
           {kAnyNaN, kNaN32}});
  check("sin.ftz", sinApproxF32<true>, {{kMinusSubnormal, kMinusZero}});
  for (auto function : {cosApproxF32<false>, cosApproxF32<true>})
    check("cos", function,
          {{kMinusInf, kNaN32},
           {kInf, kNaN32},
           {kMinusZero, kOne},
           {0, kOne},
           {kSubnormal, kOne},
           {kAnyNaN, kNaN32}});
  check("lg2", lg2ApproxF32<false>,
        {{kMinusInf, kNaN32},
         {0xbf800000, kNaN32},
         {kMinusSubnormal, kNaN32},
         {kMinusZero, kMinusInf},
         {0, kMinusInf},
         {kInf, kInf},
         {kOne, 0},
         {kSubnormal, 0xc3150000},
         {kAnyNaN, kNaN32}});
  check("lg2.ftz", lg2ApproxF32<true>,
        {{kMinusSubnormal, kMinusInf}, {kSubnormal, kMinusInf}});
  check("ex2", ex2ApproxF32<false>,
        {{kMinusInf, 0},
         {kInf, kInf},
         {kMinusZero, kOne},
         {0, kOne},
         {kSubnormal, kOne},
         {0xc3150000, kSubnormal},
         {kAnyNaN, kNaN32}});
  check("ex2.ftz", ex2ApproxF32<true>, {{0xc3150000, 0}, {0xc2fe0000, 0}});
  check("tanh", tanhApproxF32,
        {{kMinusInf, 0xbf800000},
         {kInf, kOne},
         {kMinusZero, kMinusZero},
         {0, 0},
         {kSubnormal, kSubnormal},
         {kMinusSubnormal, kMinusSubnormal},
         {kAnyNaN, kNaN32}});
}

/// The nearest value to what a function gives for `x` in long double.
template <class T> uint16_t nearest(long double value, int fraction, int bias) {
  long double magnitude = std::fabs(value);
  if (magnitude < 0x1p-1000L || magnitude > 0x1p1000L)
    return (magnitude < 1 ? 0 : T::kInfinity) |
           (std::signbit(value) ? 0x8000 : 0);
  uint64_t code = roundReference(value, 0, fraction, bias, Rounding::RN);
  code = std::min<uint64_t>(code, T::kInfinity);
  return static_cast<uint16_t>(code | (std::signbit(value) ? 0x8000 : 0));
}

TEST(Approx, AllHalves) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    long double h = F16::widen(code), b = BF16::widen(code);
    if (isNaN16<F16>(code)) {
      EXPECT_EQ(tanhApprox16<F16>(code), kNaN16);
      EXPECT_EQ((ex2Approx16<F16, false>(code)), kNaN16);
    } else {
      EXPECT_EQ(tanhApprox16<F16>(code), nearest<F16>(std::tanh(h), 10, 15))
          << code;
      EXPECT_EQ((ex2Approx16<F16, false>(code)),
                nearest<F16>(std::exp2(h), 10, 15))
          << code;
    }
    if (isNaN16<BF16>(code)) {
      EXPECT_EQ(tanhApprox16<BF16>(code), kNaN16);
      EXPECT_EQ((ex2Approx16<BF16, true>(code)), kNaN16);
    } else {
      EXPECT_EQ(tanhApprox16<BF16>(code), nearest<BF16>(std::tanh(b), 7, 127))
          << code;
      // A flushed operand is zero, a flushed result too.
      bool subnormal = (code & 0x7fff) < 0x80;
      uint16_t power = nearest<BF16>(subnormal ? 1 : std::exp2(b), 7, 127);
      EXPECT_EQ((ex2Approx16<BF16, true>(code)), power < 0x80 ? 0 : power)
          << code;
    }
  }
}

TEST(Approx, F64) {
  double infinity = HUGE_VAL;
  Samples samples;
  double worstRcp = 0, worstRsqrt = 0, worstFull = 0;
  for (int i = 0; i < kSamples; ++i) {
    double x = std::fabs(samples.f64());
    if (!std::isnormal(x) || x > 0x1p1020)
      continue;
    double rcp = rcpApproxF64(x), rsqrt = rsqrtApproxFtzF64(x);
    EXPECT_EQ(bitsOf(rcp) << 32, 0u);
    EXPECT_EQ(bitsOf(rsqrt) << 32, 0u);
    long double root = std::sqrt(static_cast<long double>(x));
    worstRcp = std::max(worstRcp, std::fabs(double(rcp * (long double)x - 1)));
    worstRsqrt = std::max(worstRsqrt, std::fabs(double(rsqrt * root - 1)));
    worstFull =
        std::max(worstFull, std::fabs(double(rsqrtApproxF64(x) * root - 1)));
  }
  // The lower word counts for nothing: a unit of the upper word each.
  EXPECT_LE(worstRcp, 0x1.9p-20);
  EXPECT_LE(worstRsqrt, 0x1.1p-20);
  EXPECT_LE(worstFull, 0x1p-52);
  EXPECT_EQ(rcpApproxF64(infinity), 0.0);
  EXPECT_EQ(rcpApproxF64(-0.0), -infinity);
  EXPECT_EQ(rcpApproxF64(asDouble(0x000fffff00000000)), infinity);
  EXPECT_TRUE(std::isnan(rcpApproxF64(std::nan(""))));
  EXPECT_EQ(rsqrtApproxFtzF64(0), infinity);
  EXPECT_EQ(rsqrtApproxF64(asDouble(1)), 0x1p537);
  EXPECT_EQ(rsqrtApproxF64(-0.0), -infinity);
  EXPECT_EQ(bitsOf(rsqrtApproxF64(-1)), kNaN64);
  EXPECT_EQ(rsqrtApproxF64(infinity), 0.0);
}

} // namespace
