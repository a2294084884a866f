//===- InputsTest.cpp - Random inputs
//---------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers must be those of the documented formulas, whatever the order in
// which they are made, and look normal.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Inputs.h"
#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace ptxbench;

namespace {

uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// The header's text, written down once more.
float documented(uint64_t seed, const std::string &name, uint64_t index) {
  uint64_t hash = 14695981039346656037u;
  for (char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  uint64_t key = mix(seed + 0x9e3779b97f4a7c15 * (hash | 1));
  uint64_t h = mix(key + 0x9e3779b97f4a7c15 * (index + 1));
  int64_t sum = -131070;
  for (int i = 0; i != 4; ++i)
    sum += (h >> (16 * i)) & 0xffff;
  return static_cast<float>(sum) * 0x1.bb67aep-16f;
}

std::vector<uint8_t> filled(const InputGenerator &generator, ElementType type,
                            uint64_t count, unsigned threads = 1) {
  std::vector<uint8_t> bytes(count * sizeOf(type));
  generator.fillAll(bytes, threads);
  return bytes;
}

TEST(Inputs, FollowTheDocumentedFormula) {
  InputGenerator generator(42, "A", ElementType::Float32);
  for (uint64_t index : {0ull, 1ull, 77ull, 1ull << 40})
    EXPECT_EQ(decode(ElementType::Float32, generator.element(index)),
              documented(42, "A", index));
  InputGenerator narrow(42, "A", ElementType::BFloat16);
  EXPECT_EQ(narrow.element(5), floatToBFloat16(documented(42, "A", 5)));
}

TEST(Inputs, DoNotDependOnHowTheyAreMade) {
  for (ElementType type :
       {ElementType::BFloat16, ElementType::Float16, ElementType::Float32,
        ElementType::Float64, ElementType::Float8E4M3, ElementType::Int8,
        ElementType::Int32, ElementType::Bool}) {
    InputGenerator generator(1, "X", type);
    std::vector<uint8_t> whole = filled(generator, type, 20011);
    EXPECT_EQ(filled(generator, type, 20011, 3), whole);
    EXPECT_EQ(filled(generator, type, 20011, 5000), whole);
    std::vector<uint8_t> part(100 * sizeOf(type));
    generator.fill(301, part);
    EXPECT_TRUE(std::equal(part.begin(), part.end(),
                           whole.begin() + 301 * sizeOf(type)));
    for (uint64_t index : {0, 500, 20010})
      EXPECT_EQ(loadBits(type, whole.data(), index), generator.element(index));
  }
  std::vector<uint8_t> nothing;
  InputGenerator(1, "X", ElementType::Float32).fillAll(nothing, 4);
}

TEST(Inputs, SeedAndNameMatter) {
  auto first = [](uint64_t seed, const char *name) {
    return filled(InputGenerator(seed, name, ElementType::Float32),
                  ElementType::Float32, 8);
  };
  EXPECT_EQ(first(1, "A"), first(1, "A"));
  EXPECT_NE(first(1, "A"), first(2, "A"));
  EXPECT_NE(first(1, "A"), first(1, "B"));
}

TEST(Inputs, LookNormal) {
  InputGenerator generator(3, "A", ElementType::Float32);
  double sum = 0, squares = 0, most = 0, neighbours = 0, last = 0;
  unsigned inside = 0;
  constexpr unsigned count = 200000;
  for (unsigned i = 0; i != count; ++i) {
    double value = decode(ElementType::Float32, generator.element(i));
    sum += value;
    squares += value * value;
    neighbours += value * last;
    last = value;
    most = std::max(most, std::fabs(value));
    inside += std::fabs(value) < 1;
  }
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(neighbours / count, 0, 0.01);
  EXPECT_NEAR(inside / double(count), 0.6827, 0.03);
  EXPECT_LT(most, 3.47);
  EXPECT_GT(most, 3.0);
}

TEST(Inputs, OtherDistributions) {
  InputGenerator outliers(3, "A", ElementType::Float32, Distribution::Outliers);
  InputGenerator uniform(3, "A", ElementType::Float32, Distribution::Uniform);
  InputGenerator plain(3, "A", ElementType::Float32);
  unsigned changed = 0;
  double most = 0, low = 1, high = -1;
  for (unsigned i = 0; i != 100000; ++i) {
    double value = decode(ElementType::Float32, outliers.element(i));
    changed += value != decode(ElementType::Float32, plain.element(i));
    most = std::max(most, std::fabs(value));
    double flat = decode(ElementType::Float32, uniform.element(i));
    low = std::min(low, flat);
    high = std::max(high, flat);
  }
  EXPECT_NEAR(changed, 100, 50);
  EXPECT_GT(most, 10);
  EXPECT_GE(low, -1);
  EXPECT_LT(low, -0.99);
  EXPECT_LT(high, 1);
  EXPECT_GT(high, 0.99);
}

TEST(Inputs, PositiveOnes) {
  for (ElementType type : {ElementType::Float32, ElementType::BFloat16}) {
    InputGenerator positive(3, "scale", type, Distribution::Positive);
    unsigned small = 0;
    double low = 9, high = 0;
    for (unsigned i = 0; i != 100000; ++i) {
      double value = decode(type, positive.element(i));
      small += value < 1;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    EXPECT_NEAR(small, 50000, 1000);
    EXPECT_GE(low, 0.5);
    EXPECT_LT(low, 0.51);
    // Rounding to bfloat16 may reach 2.
    EXPECT_LE(high, 2);
    EXPECT_GT(high, 1.98);
  }
}

TEST(Inputs, RangesOfOtherTypes) {
  std::set<double> bytes, bits;
  double most8 = 0, low = 0, high = 0;
  InputGenerator byte(1, "X", ElementType::Int8),
      bit(1, "X", ElementType::Bool), eight(1, "X", ElementType::Float8E4M3),
      wide(1, "X", ElementType::Int64);
  for (unsigned i = 0; i != 20000; ++i) {
    bytes.insert(decode(ElementType::Int8, byte.element(i)));
    bits.insert(decode(ElementType::Bool, bit.element(i)));
    most8 = std::max(
        most8, std::fabs(decode(ElementType::Float8E4M3, eight.element(i))));
    double value = decode(ElementType::Int64, wide.element(i));
    low = std::min(low, value);
    high = std::max(high, value);
  }
  EXPECT_EQ(bytes.size(), 256u);
  EXPECT_EQ(bits.size(), 2u);
  EXPECT_EQ(most8, 2);
  EXPECT_EQ(low, -1024);
  EXPECT_EQ(high, 1023);
}

TEST(Inputs, Poison) {
  std::vector<uint8_t> bytes(10);
  fillPoison(ElementType::BFloat16, bytes);
  for (unsigned i = 0; i != 5; ++i)
    EXPECT_EQ(loadBits(ElementType::BFloat16, bytes.data(), i),
              *poisonBits(ElementType::BFloat16));
  fillPoison(ElementType::Int8, bytes);
  EXPECT_EQ(bytes, std::vector<uint8_t>(10, 0xa5));
}

} // namespace
