//===- MatrixTextTest.cpp - Tests of cases of whole CTAs ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That elements are what they are meant to be, that a wait gives up, and that
// a pipeline computes a product.
//
//===----------------------------------------------------------------------===//

#include "BarrierText.h"
#include "Machines.h"
#include "ReductionOperands.h"
#include "TensorText.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace ptxbench;
using namespace ptxbench::differential;

TEST(MatrixTextTest, Elements) {
  EXPECT_EQ(encodeElement(Element::F16, 1.5), 0x3e00u);
  EXPECT_EQ(encodeElement(Element::BF16, -2), 0xc000u);
  EXPECT_EQ(encodeElement(Element::E4M3, 0.5), 0x30u);
  EXPECT_EQ(encodeElement(Element::E5M2, -3), 0xc2u);
  EXPECT_EQ(encodeElement(Element::S4, -1), 0xfu);
  EXPECT_EQ(encodeElement(Element::F32, -0.0), 0x80000000u);
  EXPECT_EQ(decodeElement(Element::F16, 0x8001), -std::ldexp(1, -24));
  for (Element element : {Element::F16, Element::BF16, Element::E4M3,
                          Element::E5M2, Element::TF32, Element::F64})
    for (double value : {1.0, -1.5, 2.0, 0.0625, -3.0})
      EXPECT_EQ(decodeElement(element, encodeElement(element, value)), value);
}

TEST(MatrixTextTest, DrawnElements) {
  Random draw("elements");
  bool hasNaN = false, hasInfinity = false;
  for (unsigned i = 0; i < 2000; ++i) {
    EXPECT_LE(
        std::fabs(decodeElement(Element::E4M3,
                                drawElement(Element::E4M3, Fill::Small, draw))),
        2);
    double full = std::fabs(decodeElement(
        Element::BF16, drawElement(Element::BF16, Fill::Full, draw)));
    EXPECT_LT(full, magnitudeOf(Fill::Full));
    EXPECT_GT(full, 0);
    uint64_t tiny = drawElement(Element::F16, Fill::Subnormal, draw);
    EXPECT_EQ(tiny & 0x7c00, 0u);
    uint64_t special = drawElement(Element::F16, Fill::Special, draw);
    hasNaN |= (special & 0x7fff) > 0x7c00;
    hasInfinity |= (special & 0x7fff) == 0x7c00;
    // Places of each group increase.
    uint32_t metadata = drawMetadata(Element::F16, draw);
    for (unsigned group = 0; group < 8; ++group, metadata >>= 4)
      EXPECT_LT(metadata & 3, metadata >> 2 & 3);
  }
  EXPECT_TRUE(hasNaN);
  EXPECT_TRUE(hasInfinity);
}

TEST(MatrixTextTest, OperandsOfReductions) {
  Random draw("operands");
  std::vector<uint8_t> first, second;
  drawOperands("f16", 16, draw, first, second);
  ASSERT_EQ(first.size(), second.size());
  EXPECT_EQ(first.size() % 128, 0u);
  // A NaN meets minus zero, both ways.
  auto has = [&](uint16_t one, uint16_t other) {
    for (size_t i = 0; i < first.size(); i += 2)
      if (!std::memcmp(&first[i], &one, 2) &&
          !std::memcmp(&second[i], &other, 2))
        return true;
    return false;
  };
  EXPECT_TRUE(has(0x7e00, 0x8000));
  EXPECT_TRUE(has(0x8000, 0x7e00));
}

static Outcome runCase(const Case &testCase) {
  Module module{"one", {&testCase}};
  emulator::EmulatorOptions options;
  options.maxInstructions = 1 << 26;
  return runOnEmulator(module, options, /*checkCounts=*/false).front();
}

TEST(MatrixTextTest, Results) {
  KernelText kernel(64, 256);
  kernel.ctas = 2;
  std::vector<uint8_t> input;
  for (unsigned i = 0; i < 128; ++i)
    appendWord(input, 3 * i);
  kernel.loadTile(256, 0, 128).add("  bar.sync 0;\n");
  kernel.loadWords("%r", 0, 1, 0);
  kernel.keep("%r0").dumpTile(64, 128);
  kernel.add("  @%first bra One;\n  bra Done;\nOne:\n");
  kernel.keepOne("%cta").add("Done:\n");
  Case testCase = makeCase("results", "test", kernel, input);
  Outcome outcome = runCase(testCase);
  ASSERT_EQ(outcome.error, "");
  auto word = [&](unsigned index) {
    uint32_t value;
    std::memcpy(&value, &outcome.outputs[0][4 * index], 4);
    return value;
  };
  // 4 words in front, 64 and 16, one and its padding.
  ASSERT_EQ(outcome.outputs[0].size(), 2 * 4 * (4 + 64 + 16 + 4u));
  for (unsigned cta : {0u, 1u}) {
    unsigned base = 88 * cta;
    EXPECT_EQ(word(base), 0u);
    EXPECT_EQ(word(base + 4 + 63), 3 * 63u);
    EXPECT_EQ(word(base + 68), 3 * (32 + 32u));
    EXPECT_EQ(word(base + 84), cta);
  }
}

/// One arrival ends the phase where one is expected, and not where two are.
TEST(MatrixTextTest, Waits) {
  for (unsigned count : {1u, 2u}) {
    KernelText kernel(32);
    kernel.barriers({count});
    kernel.add("  @%first mbarrier.arrive.shared::cta.b64 _, [%bar0];\n");
    kernel.wait("%bar0", "0");
    kernel.keep("%t");
    Outcome outcome = runCase(makeCase("wait", "test", kernel, {}));
    if (count == 1) {
      EXPECT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.outputs[0][0], 0);
      EXPECT_EQ(outcome.outputs[0][16 + 4 * 31], 31);
    } else {
      // The loop gives up and says which wait that was.
      EXPECT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.outputs[0][0], 1);
    }
  }
}

TEST(MatrixTextTest, PipelinesMultiply) {
  std::vector<Case> cases;
  addPipelineCases(cases);
  unsigned count = 0;
  for (const Case &testCase : cases) {
    // Of one CTA, one consumer and 16 columns, over 128 bytes.
    if (testCase.name.find(".c1.of1.n16.w128.") == std::string::npos)
      continue;
    ++count;
    Outcome outcome = runCase(testCase);
    ASSERT_EQ(outcome.error, "") << testCase.name;
    const auto &map = std::get<emulator::TiledRequest>(
        std::get<TensorMapParam>(testCase.params[2]).request);
    unsigned k = map.globalDim[0];
    auto element = [&](unsigned buffer, unsigned row, unsigned i) {
      uint16_t bits;
      std::memcpy(&bits, &testCase.buffers[buffer].bytes[2 * (row * k + i)], 2);
      return decodeElement(Element::BF16, bits);
    };
    for (unsigned thread = 0; thread < 128; ++thread)
      for (unsigned i = 0; i < 8; ++i) {
        unsigned lane = thread % 32;
        unsigned row = thread / 32 * 16 + lane / 4 + 8 * (i / 2 % 2);
        unsigned column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        double sum = 0;
        for (unsigned index = 0; index < k; ++index)
          sum += element(0, row, index) * element(2, column, index);
        float value;
        std::memcpy(&value, &outcome.outputs[0][16 + 4 * (128 * i + thread)],
                    4);
        ASSERT_EQ(value, sum) << testCase.name;
      }
  }
  EXPECT_EQ(count, 12u);
}
