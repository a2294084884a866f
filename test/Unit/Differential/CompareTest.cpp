//===- CompareTest.cpp - Tests of the comparison of outcomes --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outcomes that differ by as much as they may, and by a little more.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace ptxbench;
using namespace ptxbench::differential;

namespace {

template <class T> std::vector<uint8_t> bytesOf(std::vector<T> values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Case caseWith(Tolerance tolerance) {
  Case testCase;
  testCase.name = "case";
  testCase.text = "text";
  testCase.tolerance = tolerance;
  return testCase;
}

/// The comparison of two outputs with all bytes recorded.
template <class T>
Comparison compareValues(const Case &testCase, std::vector<T> recorded,
                         std::vector<T> emulated) {
  RecordedCase record{testCase.name, digestOf(testCase), {}, {}};
  record.outcome.outputs = {bytesOf(recorded)};
  Outcome outcome;
  outcome.outputs = {bytesOf(emulated)};
  return compare(testCase, record, outcome, 3);
}

Tolerance ulps(Format format, unsigned count) {
  Tolerance tolerance;
  tolerance.format = format;
  tolerance.ulps = count;
  return tolerance;
}

} // namespace

TEST(CompareTest, Values) {
  EXPECT_EQ(valueOf(Format::F32, 0x3f800000), 1.0);
  EXPECT_EQ(valueOf(Format::F32, 0x80000001), -std::ldexp(1.0, -149));
  EXPECT_EQ(valueOf(Format::F16, 0x7bff), 65504.0);
  EXPECT_EQ(valueOf(Format::F16, 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(valueOf(Format::BF16, 0xc040), -3.0);
  EXPECT_EQ(valueOf(Format::F64, 0x4009000000000000), 3.125);
  EXPECT_TRUE(std::isnan(valueOf(Format::BF16, 0x7f81)));
  EXPECT_EQ(valueOf(Format::F16, 0xfc00), -HUGE_VAL);
}

TEST(CompareTest, Ulps) {
  EXPECT_EQ(ulpsBetween(Format::F32, 0x3f800000, 0x3f7fffff), 1.0);
  EXPECT_EQ(ulpsBetween(Format::F32, 0x80000002, 0x00000003), 5.0);
  EXPECT_EQ(ulpsBetween(Format::F16, 0x8000, 0x0000), 0.0);
  EXPECT_EQ(ulpsBetween(Format::F64, 0x3ff0000000000000, 0x3ff0000000000007),
            7.0);
}

TEST(CompareTest, BitsMustBeTheSame) {
  Case testCase = caseWith({});
  Comparison same = compareValues<uint32_t>(testCase, {1, 2}, {1, 2});
  EXPECT_EQ(same.result, Comparison::Exact);
  EXPECT_EQ(same.elements, 2u);
  Comparison other = compareValues<uint32_t>(testCase, {1, 2}, {1, 3});
  EXPECT_EQ(other.result, Comparison::Different);
  EXPECT_EQ(other.different, 1u);
  ASSERT_EQ(other.messages.size(), 2u);
  EXPECT_EQ(other.messages[0],
            "byte 4: recorded 0x00000002, emulator 0x00000003");
  EXPECT_EQ(other.messages[1], "1 of 2 elements differ");
  // -0 is not +0, and one NaN not another.
  EXPECT_EQ(compareValues<float>(testCase, {0.0f}, {-0.0f}).result,
            Comparison::Different);
}

TEST(CompareTest, UlpsMayDiffer) {
  Case testCase = caseWith(ulps(Format::F32, 2));
  Comparison within =
      compareValues<uint32_t>(testCase, {0x3f800000}, {0x3f800002});
  EXPECT_EQ(within.result, Comparison::Within);
  EXPECT_EQ(within.ulps, 2.0);
  EXPECT_EQ(
      compareValues<uint32_t>(testCase, {0x3f800000}, {0x3f800003}).result,
      Comparison::Different);
}

TEST(CompareTest, RelativeAndAbsolute) {
  Tolerance tolerance;
  tolerance.format = Format::F32;
  tolerance.relative = 0.01;
  Case testCase = caseWith(tolerance);
  EXPECT_EQ(compareValues<float>(testCase, {100}, {99.5f}).result,
            Comparison::Within);
  EXPECT_EQ(compareValues<float>(testCase, {100}, {98.5f}).result,
            Comparison::Different);
  EXPECT_EQ(compareValues<float>(testCase, {0}, {1e-9f}).result,
            Comparison::Different);
  testCase.tolerance.absolute = 1e-8;
  Comparison near = compareValues<float>(testCase, {0}, {1e-9f});
  EXPECT_EQ(near.result, Comparison::Within);
  EXPECT_EQ(near.relative, 0.0) << "the absolute bound covers it";
}

TEST(CompareTest, InfinitiesAndNaNs) {
  Case testCase = caseWith(ulps(Format::F32, 1000));
  auto compareBits = [&](uint32_t a, uint32_t b) {
    return compareValues<uint32_t>(testCase, {a}, {b}).result;
  };
  EXPECT_EQ(compareBits(0x7fffffff, 0xffc00000), Comparison::Within);
  EXPECT_EQ(compareBits(0x7f800000, 0x7f7fffff), Comparison::Different);
  EXPECT_EQ(compareBits(0x7f800000, 0xff800000), Comparison::Different);
  EXPECT_EQ(compareBits(0x7f7fffff, 0x7fffffff), Comparison::Different);
}

TEST(CompareTest, ThreadsAreNamed) {
  Case testCase = caseWith(ulps(Format::F32, 0));
  testCase.perThread = {2, 8, {4, 4}};
  testCase.buffers = {{bytesOf<uint64_t>({0xab, 0xcd}), false}};
  Comparison found = compareValues<float>(testCase, {1, 2, 3, 4}, {1, 2, 3, 5});
  ASSERT_FALSE(found.messages.empty());
  EXPECT_EQ(found.messages[0],
            "thread 1 result 1 of 0x00000000000000cd: recorded 0x40800000 (4), "
            "emulator 0x40a00000 (5)");
}

TEST(CompareTest, Hashes) {
  Case testCase = caseWith({});
  Outcome outcome;
  outcome.outputs = {{1, 2, 3}};
  RecordedCase recorded{
      testCase.name, digestOf(testCase), digestOf(outcome.outputs), {}};
  EXPECT_EQ(compare(testCase, recorded, outcome, 3).result, Comparison::Exact);
  outcome.outputs[0][2] = 4;
  EXPECT_EQ(compare(testCase, recorded, outcome, 3).result,
            Comparison::Different);
}

TEST(CompareTest, OtherOutcomes) {
  Case testCase = caseWith({});
  RecordedCase recorded{testCase.name, digestOf(testCase), {}, {}};
  recorded.outcome.outputs = {{1}};
  Outcome outcome;
  EXPECT_EQ(compare(testCase, recorded, outcome, 3).messages[0],
            "number of outputs: recorded 1, emulator 0");
  outcome.outputs = {{1, 2}};
  EXPECT_EQ(compare(testCase, recorded, outcome, 3).messages[0],
            "bytes of output 0: recorded 1, emulator 2");
  outcome.error = "fault: trap";
  EXPECT_EQ(compare(testCase, recorded, outcome, 3).messages[0],
            "recorded: completed; emulator: fault: trap");
  testCase.text = "another text";
  EXPECT_EQ(compare(testCase, recorded, outcome, 3).messages[0],
            "the case is not the one that was recorded");
}

/// What both machines refuse agrees; what the tool could not do is no refusal.
TEST(CompareTest, RefusedByBoth) {
  Case testCase = caseWith({});
  auto result = [&](const char *recorded, const char *emulated) {
    RecordedCase record{testCase.name, digestOf(testCase), {}, {}};
    record.outcome.error = recorded;
    Outcome outcome;
    outcome.error = emulated;
    return compare(testCase, record, outcome, 3).result;
  };
  const char *refused = "the kernel: CUDA_ERROR_ILLEGAL_INSTRUCTION";
  EXPECT_EQ(result(refused, "fault: line 1: no"), Comparison::Exact);
  EXPECT_EQ(result(refused, ""), Comparison::Different);
  EXPECT_EQ(result(refused, "deadlock: no"), Comparison::Different);
  EXPECT_EQ(result("there is no x.cubin", "fault: line 1: no"),
            Comparison::Different);
}
