//===- ElementTypeTest.cpp - Conversions of element types
//----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle is APFloat. Every 16-bit pattern is decoded; encoding is tried on
// each value, on the middles between neighbours, and beside them.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/ElementType.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace ptxbench;

namespace {

const llvm::fltSemantics &semantics(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return llvm::APFloat::IEEEhalf();
  case ElementType::BFloat16:
    return llvm::APFloat::BFloat();
  case ElementType::Float8E4M3:
    return llvm::APFloat::Float8E4M3FN();
  case ElementType::Float8E5M2:
    return llvm::APFloat::Float8E5M2();
  case ElementType::Float32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

double oracleDecode(ElementType type, uint64_t bits) {
  llvm::APFloat value(semantics(type), llvm::APInt(8 * sizeOf(type), bits));
  bool lossy = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lossy);
  return value.convertToDouble();
}

/// Absent for NaN, whose bits are ours to choose.
std::optional<uint64_t> oracleEncode(ElementType type, double number) {
  llvm::APFloat value(number);
  bool lossy = false;
  value.convert(semantics(type), llvm::APFloat::rmNearestTiesToEven, &lossy);
  if (value.isNaN())
    return std::nullopt;
  return value.bitcastToAPInt().getZExtValue();
}

void checkEncode(ElementType type, double number) {
  std::optional<uint64_t> expected = oracleEncode(type, number);
  uint64_t got = encode(type, number);
  if (!expected)
    EXPECT_TRUE(std::isnan(decode(type, got))) << number;
  else
    EXPECT_EQ(got, *expected) << stringifyElementType(type) << " " << number;
}

const ElementType smallTypes[] = {ElementType::Float16, ElementType::BFloat16,
                                  ElementType::Float8E4M3,
                                  ElementType::Float8E5M2};

TEST(ElementType, Names) {
  for (ElementType type :
       {ElementType::Float64, ElementType::Float32, ElementType::Float16,
        ElementType::BFloat16, ElementType::Float8E4M3, ElementType::Float8E5M2,
        ElementType::Int64, ElementType::Int32, ElementType::Int16,
        ElementType::Int8, ElementType::UInt8, ElementType::Bool})
    EXPECT_EQ(symbolizeElementType(stringifyElementType(type)), type);
  EXPECT_FALSE(symbolizeElementType("bf16").has_value());
  EXPECT_EQ(sizeOf(ElementType::BFloat16), 2u);
  EXPECT_EQ(sizeOf(ElementType::Float8E5M2), 1u);
  EXPECT_FALSE(isFloat(ElementType::Int8));
}

TEST(ElementType, DecodesEveryPattern) {
  for (ElementType type : smallTypes) {
    for (uint64_t bits = 0; bits != uint64_t(1) << (8 * sizeOf(type)); ++bits) {
      double expected = oracleDecode(type, bits), got = decode(type, bits);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(got)) << bits;
        continue;
      }
      ASSERT_EQ(got, expected) << stringifyElementType(type) << " " << bits;
      EXPECT_EQ(std::signbit(got), std::signbit(expected));
      EXPECT_EQ(encode(type, got), bits);
    }
  }
}

TEST(ElementType, RoundsToNearestEven) {
  for (ElementType type : smallTypes) {
    unsigned width = 8 * sizeOf(type);
    uint64_t step = width == 16 ? 7 : 1;
    for (uint64_t bits = 0; bits + 1 < uint64_t(1) << (width - 1);
         bits += step) {
      double low = decode(type, bits), high = decode(type, bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      double middle = low + (high - low) / 2;
      for (double number : {middle, std::nextafter(middle, 0.0),
                            std::nextafter(middle, HUGE_VAL)}) {
        checkEncode(type, number);
        checkEncode(type, -number);
      }
    }
  }
}

TEST(ElementType, LimitsOfTheRange) {
  for (ElementType type : smallTypes)
    for (double number :
         {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 1e-320, -1e300, 65504.0, 65519.9,
          65520.0, 3.4e38, 3.39e38, 448.0, 464.0, 464.1, 57344.0, 61440.0})
      checkEncode(type, number);
  EXPECT_EQ(encode(ElementType::BFloat16, NAN), 0x7fc0u);
  EXPECT_EQ(encode(ElementType::Float16, -NAN), 0x7e00u);
  EXPECT_EQ(encode(ElementType::Float8E4M3, HUGE_VAL), 0x7fu);
  EXPECT_EQ(encode(ElementType::Float8E5M2, HUGE_VAL), 0x7cu);
}

TEST(ElementType, RoundsOnce) {
  // Just above the middle of two bfloat16 values, by less than float can hold:
  // through float it would be a tie and go down.
  double number = 1.0 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(encode(ElementType::BFloat16, number), 0x3f81u);
  EXPECT_EQ(floatToBFloat16(static_cast<float>(number)), 0x3f80u);
}

TEST(ElementType, FastPathsAgree) {
  uint32_t pattern = 1;
  for (unsigned i = 0; i != 200000; ++i) {
    pattern = pattern * 1664525 + 1013904223;
    float value;
    std::memcpy(&value, &pattern, sizeof(value));
    EXPECT_EQ(floatToBFloat16(value), encode(ElementType::BFloat16, value));
    EXPECT_EQ(floatToFloat16(value), encode(ElementType::Float16, value));
    EXPECT_EQ(encode(ElementType::Float32, value),
              std::isnan(value) ? 0x7fc00000u : pattern);
  }
  for (uint32_t bits = 0; bits != 0x10000; ++bits) {
    float value = float16ToFloat(bits);
    if (!std::isnan(value))
      EXPECT_EQ(value, oracleDecode(ElementType::Float16, bits));
    else
      EXPECT_TRUE(std::isnan(oracleDecode(ElementType::Float16, bits)));
  }
}

TEST(ElementType, ManyAtOnce) {
  std::vector<uint8_t> bytes(64);
  for (size_t i = 0; i != bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(37 * i + 5);
  for (ElementType type :
       {ElementType::Float64, ElementType::Float32, ElementType::Float16,
        ElementType::BFloat16, ElementType::Float8E4M3, ElementType::Int16,
        ElementType::Bool}) {
    double values[5];
    decodeMany(type, bytes.data(), 2, 5, values);
    for (uint64_t i = 0; i != 5; ++i)
      EXPECT_EQ(values[i], decode(type, loadBits(type, bytes.data(), 2 + i)))
          << stringifyElementType(type);
  }
}

TEST(ElementType, Integers) {
  EXPECT_EQ(encode(ElementType::Int8, -129), 0x80u);
  EXPECT_EQ(encode(ElementType::Int8, 127.6), 0x7fu);
  EXPECT_EQ(encode(ElementType::Int8, -1), 0xffu);
  EXPECT_EQ(encode(ElementType::UInt8, -1), 0u);
  EXPECT_EQ(encode(ElementType::UInt8, 300), 0xffu);
  EXPECT_EQ(encode(ElementType::Int32, 2.5), 2u);
  EXPECT_EQ(encode(ElementType::Int64, 1e300), 0x7fffffffffffffffu);
  EXPECT_EQ(encode(ElementType::Int64, -1e300), 0x8000000000000000u);
  EXPECT_EQ(encode(ElementType::Int16, NAN), 0u);
  EXPECT_EQ(encode(ElementType::Bool, 0.25), 1u);
  EXPECT_EQ(decode(ElementType::Int16, 0xffff), -1);
  EXPECT_EQ(decode(ElementType::UInt8, 0xff), 255);
}

TEST(ElementType, PoisonIsNaNAndNotTheCanonicalOne) {
  for (ElementType type : {ElementType::Float64, ElementType::Float32,
                           ElementType::Float16, ElementType::BFloat16,
                           ElementType::Float8E4M3, ElementType::Float8E5M2}) {
    std::optional<uint64_t> poison = poisonBits(type);
    ASSERT_TRUE(poison.has_value());
    EXPECT_TRUE(std::isnan(decode(type, *poison)));
    EXPECT_NE(*poison, encode(type, NAN));
    // The GPU's canonical NaN is all ones but for the sign.
    EXPECT_NE(*poison, (~uint64_t(0) >> (64 - 8 * sizeOf(type))) >> 1);
  }
  EXPECT_FALSE(poisonBits(ElementType::Int32).has_value());
}

} // namespace
