//===- CompareTest.cpp - Outputs against a reference
//------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule has a case that only it catches.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Compare.h"
#include "ptxbench/Task/Inputs.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace ptxbench;

namespace {

/// Elements of one type, made from numbers.
struct Buffer {
  Buffer(ElementType type, std::vector<double> values)
      : type(type), bytes(values.size() * sizeOf(type)) {
    for (size_t i = 0; i != values.size(); ++i)
      storeBits(type, bytes.data(), i, encode(type, values[i]));
  }
  operator TensorView() const { return {type, bytes}; }

  ElementType type;
  std::vector<uint8_t> bytes;
};

Comparison compare(const TensorView &candidate, const TensorView &reference,
                   const Tolerance &tolerance = Tolerance(),
                   unsigned threads = 1) {
  llvm::Expected<Comparison> result =
      compareOutputs(candidate, reference, tolerance, threads);
  EXPECT_TRUE(static_cast<bool>(result));
  return result ? *result : Comparison();
}

Tolerance loose() {
  Tolerance tolerance;
  tolerance.maxRelativeL2 = HUGE_VAL;
  return tolerance;
}

constexpr auto matched = Comparison::Verdict::Matched;
constexpr auto mismatched = Comparison::Verdict::Mismatched;
constexpr auto undecided = Comparison::Verdict::Undecided;

TEST(Compare, Equal) {
  Buffer a(ElementType::BFloat16, {1, -2, 0, 0.5}),
      r(ElementType::Float64, {1, -2, 0, 0.5});
  Comparison result = compare(a, r);
  EXPECT_EQ(result.verdict, matched);
  EXPECT_EQ(result.relativeL2, 0);
  EXPECT_EQ(result.matchedRatio, 1);
  EXPECT_EQ(result.elements, 4u);
  EXPECT_EQ(result.reason, "");
  EXPECT_FALSE(result.first.has_value());
}

TEST(Compare, AbsoluteAndRelativeMustBothFail) {
  // 100 against 100.5: absolute too large, relative not. 0.001 against 0.002:
  // the other way round. 1 against 1.1: both.
  Buffer r(ElementType::Float32, {100, 0.001, 1});
  EXPECT_EQ(
      compare(Buffer(ElementType::Float32, {100.5, 0.001, 1}), r).mismatched,
      0u);
  EXPECT_EQ(
      compare(Buffer(ElementType::Float32, {100, 0.002, 1}), r).mismatched, 0u);
  Comparison result =
      compare(Buffer(ElementType::Float32, {100, 0.001, 1.1}), r, loose());
  EXPECT_EQ(result.verdict, mismatched);
  EXPECT_EQ(result.mismatched, 1u);
  ASSERT_TRUE(result.first.has_value());
  EXPECT_EQ(result.first->index, 2u);
  EXPECT_EQ(result.reason,
            "1 of 3 elements differ by more than 0.01 absolute and 0.01 "
            "relative; required is that 100 % match; the first that is wrong "
            "is element 2: "
            "1.1 instead of 1");
}

TEST(Compare, RelativeErrorHasAnEpsilon) {
  Comparison result = compare(Buffer(ElementType::Float64, {1e-8}),
                              Buffer(ElementType::Float64, {0}), loose());
  EXPECT_NEAR(result.maxRelativeError, 1, 1e-12);
}

TEST(Compare, RequiredRatio) {
  std::vector<double> values(100, 1.0);
  Buffer r(ElementType::Float32, values);
  values[7] = 2;
  Buffer c(ElementType::Float32, values);
  Tolerance tolerance = loose();
  EXPECT_EQ(compare(c, r, tolerance).verdict, mismatched);
  tolerance.requiredMatchedRatio = 0.99;
  Comparison result = compare(c, r, tolerance);
  EXPECT_EQ(result.verdict, matched);
  EXPECT_DOUBLE_EQ(result.matchedRatio, 0.99);
  EXPECT_EQ(result.mismatched, 1u);
}

TEST(Compare, ZerosDoNotPassWhereValuesAreSmall) {
  // Attention outputs at S=4096 have a deviation of 0.027.
  std::vector<double> values(1000);
  for (size_t i = 0; i != values.size(); ++i)
    values[i] = 0.0099 * std::sin(double(i));
  Comparison result =
      compare(Buffer(ElementType::BFloat16, std::vector<double>(1000, 0.0)),
              Buffer(ElementType::Float32, values));
  EXPECT_EQ(result.mismatched, 0u);
  EXPECT_EQ(result.verdict, mismatched);
  EXPECT_DOUBLE_EQ(result.relativeL2, 1);
  EXPECT_EQ(result.reason,
            "the relative error of the whole output is 1, the limit 0.02");
}

TEST(Compare, ZeroReference) {
  Buffer r(ElementType::Float32, {0, 0});
  EXPECT_EQ(compare(Buffer(ElementType::Float16, {0, -0.0}), r).verdict,
            matched);
  Comparison result = compare(Buffer(ElementType::Float16, {0, 1e-4}), r);
  EXPECT_EQ(result.verdict, mismatched);
  EXPECT_EQ(result.relativeL2, HUGE_VAL);
}

TEST(Compare, InfinitiesAreExact) {
  Buffer r(ElementType::Float32, {HUGE_VAL, -HUGE_VAL, 1});
  EXPECT_EQ(compare(Buffer(ElementType::Float32, {HUGE_VAL, -HUGE_VAL, 1}), r)
                .verdict,
            matched);
  for (std::vector<double> values :
       {std::vector<double>{HUGE_VAL, HUGE_VAL, 1},
        std::vector<double>{HUGE_VAL, -1e30, 1},
        std::vector<double>{HUGE_VAL, -HUGE_VAL, HUGE_VAL},
        std::vector<double>{NAN, -HUGE_VAL, 1}}) {
    Tolerance tolerance = loose();
    tolerance.requiredMatchedRatio = 0;
    Comparison result =
        compare(Buffer(ElementType::Float32, values), r, tolerance);
    EXPECT_EQ(result.verdict, mismatched);
    EXPECT_EQ(result.nonFinite, 1u);
    EXPECT_TRUE(std::isinf(result.maxAbsoluteError));
    EXPECT_TRUE(std::isinf(result.maxRelativeError));
    EXPECT_EQ(result.relativeL2, HUGE_VAL);
  }
}

TEST(Compare, OverflowOfTheOutputTypeIsRight) {
  Buffer r(ElementType::Float32, {70000, 1});
  EXPECT_EQ(compare(Buffer(ElementType::Float16, {70000, 1}), r).verdict,
            matched);
  Buffer wrong(ElementType::Float16, {-70000, 1});
  EXPECT_EQ(compare(wrong, r).verdict, mismatched);
  Buffer small(ElementType::Float32, {65000, 1});
  EXPECT_EQ(compare(Buffer(ElementType::Float16, {70000, 1}), small).verdict,
            mismatched);
}

TEST(Compare, NaN) {
  Buffer one(ElementType::Float32, {1, 1}), nan(ElementType::Float32, {1, NAN});
  EXPECT_EQ(compare(nan, one).verdict, mismatched);
  // A reference with NaN decides nothing, unless NaN is a right answer.
  Comparison result = compare(nan, nan);
  EXPECT_EQ(result.verdict, undecided);
  EXPECT_EQ(result.referenceNaN, 1u);
  EXPECT_NE(result.reason.find("cannot be judged"), std::string::npos);
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(compare(one, nan).verdict, undecided);
  Tolerance tolerance;
  tolerance.nanMatches = true;
  EXPECT_EQ(compare(nan, nan, tolerance).verdict, matched);
  EXPECT_EQ(compare(one, nan, tolerance).verdict, mismatched);
}

TEST(Compare, WrongElsewhereIsWrongDespiteNaNReference) {
  Buffer c(ElementType::Float32, {5, 1}), r(ElementType::Float32, {1, NAN});
  EXPECT_EQ(compare(c, r).verdict, mismatched);
}

TEST(Compare, UnwrittenElements) {
  for (ElementType type : {ElementType::BFloat16, ElementType::Float16,
                           ElementType::Float32, ElementType::Float64,
                           ElementType::Float8E4M3, ElementType::Float8E5M2}) {
    Buffer c(type, {1, 1, 1, 1}), r(ElementType::Float64, {1, 1, 1, NAN});
    fillPoison(type,
               llvm::MutableArrayRef(c.bytes).drop_front(2 * sizeOf(type)));
    Tolerance tolerance = loose();
    tolerance.nanMatches = true;
    tolerance.requiredMatchedRatio = 0;
    Comparison result = compare(c, r, tolerance);
    EXPECT_EQ(result.verdict, mismatched);
    EXPECT_EQ(result.unwritten, 2u);
    EXPECT_TRUE(std::isinf(result.maxAbsoluteError));
    EXPECT_EQ(result.reason.find("2 of 4 elements were never written"), 0u)
        << result.reason;
  }
}

TEST(Compare, NaNOfSmallTypes) {
  // One that a conversion makes is written, and wrong.
  for (auto [type, nan] : {std::pair(ElementType::Float8E4M3, 0x7f),
                           std::pair(ElementType::Float8E5M2, 0x7f)}) {
    Buffer c(type, {1, 1, 1, 1}), r(ElementType::Float64, {1, 1, 1, 1});
    c.bytes[2] = uint8_t(nan);
    Comparison result = compare(c, r, loose());
    EXPECT_EQ(result.verdict, mismatched);
    EXPECT_EQ(result.unwritten, 0u);
    EXPECT_EQ(result.nonFinite, 1u);
  }
}

TEST(Compare, ThreadsDoNotChangeTheResult) {
  constexpr size_t count = 700001;
  InputGenerator random(1, "C", ElementType::Float32);
  std::vector<uint8_t> reference(count * 4), candidate(count * 2);
  random.fillAll(reference);
  for (size_t i = 0; i != count; ++i)
    storeBits(
        ElementType::BFloat16, candidate.data(), i,
        encode(ElementType::BFloat16,
               decode(ElementType::Float32,
                      loadBits(ElementType::Float32, reference.data(), i))));
  TensorView c{ElementType::BFloat16, candidate},
      r{ElementType::Float32, reference};
  Comparison one = compare(c, r), many = compare(c, r, Tolerance(), 7);
  EXPECT_EQ(one.verdict, matched);
  EXPECT_EQ(one.relativeL2, many.relativeL2);
  EXPECT_EQ(one.maxRelativeError, many.maxRelativeError);
  // Rounding to bfloat16 costs this much.
  EXPECT_NEAR(one.relativeL2, 0.00166, 0.0001);
  storeBits(ElementType::BFloat16, candidate.data(), count - 1, 0x4000);
  storeBits(ElementType::BFloat16, candidate.data(), 300000, 0x4100);
  one = compare(c, r, loose());
  many = compare(c, r, loose(), 7);
  EXPECT_EQ(one.first->index, 300000u);
  EXPECT_EQ(many.first->index, 300000u);
}

TEST(Compare, Refusals) {
  auto errorOf = [](const TensorView &c, const TensorView &r) {
    llvm::Expected<Comparison> result = compareOutputs(c, r, Tolerance());
    return result ? std::string("accepted")
                  : llvm::toString(result.takeError());
  };
  Buffer two(ElementType::Float32, {1, 2}),
      three(ElementType::Float32, {1, 2, 3}), none(ElementType::Float32, {}),
      half(ElementType::Float16, {1, 2}), brain(ElementType::BFloat16, {1, 2});
  EXPECT_EQ(errorOf(two, three), "expected 3 elements but got 2");
  EXPECT_EQ(errorOf(none, none), "expected at least one element to compare");
  EXPECT_EQ(errorOf(half, brain), "expected a reference of float32, float64 or "
                                  "float16 but got bfloat16");
  TensorView odd{ElementType::Float32, llvm::ArrayRef(two.bytes).drop_back()};
  EXPECT_EQ(errorOf(odd, two), "expected a multiple of 4 bytes but got 7");
}

TEST(Compare, TrialsKeepTheWorst) {
  Buffer r(ElementType::Float32, {1, 1}),
      good(ElementType::Float32, {1, 1.001}), bad(ElementType::Float32, {1, 3});
  Correctness total;
  addTrial(total, {toReport("C", compare(good, r))}, Tolerance());
  EXPECT_TRUE(total.passed);
  EXPECT_EQ(total.reason, "");
  addTrial(total, {toReport("C", compare(bad, r))}, Tolerance());
  addTrial(total, {toReport("C", compare(good, r))}, Tolerance());
  EXPECT_FALSE(total.passed);
  EXPECT_EQ(total.trials, 3u);
  ASSERT_EQ(total.outputs.size(), 1u);
  EXPECT_FALSE(total.outputs[0].passed);
  EXPECT_EQ(total.outputs[0].mismatched, 1u);
  EXPECT_DOUBLE_EQ(*total.maxAbsoluteError, 2);
  EXPECT_DOUBLE_EQ(*total.matchedRatio, 0.5);
  EXPECT_EQ(total.reason.find("trial 2, output C: 1 of 2 elements"), 0u)
      << total.reason;
}

TEST(Compare, NoOutputIsNoPass) {
  Correctness total;
  addTrial(total, {}, Tolerance());
  EXPECT_FALSE(total.passed);
  EXPECT_EQ(total.reason, "there is no output to judge");
}

} // namespace
