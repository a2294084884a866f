//===- DataTypeTest.cpp - Conversions of element types
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

#include "ptxbench/Task/DataType.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace ptxbench;

namespace {

const llvm::fltSemantics &semantics(DataType type) {
  switch (type) {
  case DataType::Float16:
    return llvm::APFloat::IEEEhalf();
  case DataType::BFloat16:
    return llvm::APFloat::BFloat();
  case DataType::Float8E4M3:
    return llvm::APFloat::Float8E4M3FN();
  case DataType::Float8E5M2:
    return llvm::APFloat::Float8E5M2();
  case DataType::Float32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

double oracleDecode(DataType type, uint64_t bits) {
  llvm::APFloat value(semantics(type), llvm::APInt(8 * sizeOf(type), bits));
  bool lossy = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lossy);
  return value.convertToDouble();
}

/// Absent for NaN, whose bits are ours to choose.
std::optional<uint64_t> oracleEncode(DataType type, double number) {
  llvm::APFloat value(number);
  bool lossy = false;
  value.convert(semantics(type), llvm::APFloat::rmNearestTiesToEven, &lossy);
  if (value.isNaN())
    return std::nullopt;
  return value.bitcastToAPInt().getZExtValue();
}

void checkEncode(DataType type, double number) {
  std::optional<uint64_t> expected = oracleEncode(type, number);
  uint64_t got = encode(type, number);
  if (!expected)
    EXPECT_TRUE(std::isnan(decode(type, got))) << number;
  else
    EXPECT_EQ(got, *expected) << stringifyDataType(type) << " " << number;
}

const DataType smallTypes[] = {DataType::Float16, DataType::BFloat16,
                               DataType::Float8E4M3, DataType::Float8E5M2};

TEST(DataType, Names) {
  for (DataType type :
       {DataType::Float64, DataType::Float32, DataType::Float16,
        DataType::BFloat16, DataType::Float8E4M3, DataType::Float8E5M2,
        DataType::Int64, DataType::Int32, DataType::Int16, DataType::Int8,
        DataType::UInt8, DataType::Bool})
    EXPECT_EQ(symbolizeDataType(stringifyDataType(type)), type);
  EXPECT_FALSE(symbolizeDataType("bf16").has_value());
  EXPECT_EQ(sizeOf(DataType::BFloat16), 2u);
  EXPECT_EQ(sizeOf(DataType::Float8E5M2), 1u);
  EXPECT_FALSE(isFloat(DataType::Int8));
}

TEST(DataType, DecodesEveryPattern) {
  for (DataType type : smallTypes) {
    for (uint64_t bits = 0; bits != uint64_t(1) << (8 * sizeOf(type)); ++bits) {
      double expected = oracleDecode(type, bits), got = decode(type, bits);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(got)) << bits;
        continue;
      }
      ASSERT_EQ(got, expected) << stringifyDataType(type) << " " << bits;
      EXPECT_EQ(std::signbit(got), std::signbit(expected));
      EXPECT_EQ(encode(type, got), bits);
    }
  }
}

TEST(DataType, RoundsToNearestEven) {
  for (DataType type : smallTypes) {
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

TEST(DataType, LimitsOfTheRange) {
  for (DataType type : smallTypes)
    for (double number :
         {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 1e-320, -1e300, 65504.0, 65519.9,
          65520.0, 3.4e38, 3.39e38, 448.0, 464.0, 464.1, 57344.0, 61440.0})
      checkEncode(type, number);
  EXPECT_EQ(encode(DataType::BFloat16, NAN), 0x7fc0u);
  EXPECT_EQ(encode(DataType::Float16, -NAN), 0x7e00u);
  EXPECT_EQ(encode(DataType::Float8E4M3, HUGE_VAL), 0x7fu);
  EXPECT_EQ(encode(DataType::Float8E5M2, HUGE_VAL), 0x7cu);
}

TEST(DataType, RoundsOnce) {
  // Just above the middle of two bfloat16 values, by less than float can hold:
  // through float it would be a tie and go down.
  double number = 1.0 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(encode(DataType::BFloat16, number), 0x3f81u);
  EXPECT_EQ(floatToBFloat16(static_cast<float>(number)), 0x3f80u);
}

TEST(DataType, FastPathsAgree) {
  uint32_t pattern = 1;
  for (unsigned i = 0; i != 200000; ++i) {
    pattern = pattern * 1664525 + 1013904223;
    float value;
    std::memcpy(&value, &pattern, sizeof(value));
    EXPECT_EQ(floatToBFloat16(value), encode(DataType::BFloat16, value));
    EXPECT_EQ(floatToFloat16(value), encode(DataType::Float16, value));
    EXPECT_EQ(encode(DataType::Float32, value),
              std::isnan(value) ? 0x7fc00000u : pattern);
  }
  for (uint32_t bits = 0; bits != 0x10000; ++bits) {
    float value = float16ToFloat(bits);
    if (!std::isnan(value))
      EXPECT_EQ(value, oracleDecode(DataType::Float16, bits));
    else
      EXPECT_TRUE(std::isnan(oracleDecode(DataType::Float16, bits)));
  }
}

TEST(DataType, ManyAtOnce) {
  std::vector<uint8_t> bytes(64);
  for (size_t i = 0; i != bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(37 * i + 5);
  for (DataType type : {DataType::Float64, DataType::Float32, DataType::Float16,
                        DataType::BFloat16, DataType::Float8E4M3,
                        DataType::Int16, DataType::Bool}) {
    double values[5];
    decodeMany(type, bytes.data(), 2, 5, values);
    for (uint64_t i = 0; i != 5; ++i)
      EXPECT_EQ(values[i], decode(type, loadBits(type, bytes.data(), 2 + i)))
          << stringifyDataType(type);
  }
}

TEST(DataType, Integers) {
  EXPECT_EQ(encode(DataType::Int8, -129), 0x80u);
  EXPECT_EQ(encode(DataType::Int8, 127.6), 0x7fu);
  EXPECT_EQ(encode(DataType::Int8, -1), 0xffu);
  EXPECT_EQ(encode(DataType::UInt8, -1), 0u);
  EXPECT_EQ(encode(DataType::UInt8, 300), 0xffu);
  EXPECT_EQ(encode(DataType::Int32, 2.5), 2u);
  EXPECT_EQ(encode(DataType::Int64, 1e300), 0x7fffffffffffffffu);
  EXPECT_EQ(encode(DataType::Int64, -1e300), 0x8000000000000000u);
  EXPECT_EQ(encode(DataType::Int16, NAN), 0u);
  EXPECT_EQ(encode(DataType::Bool, 0.25), 1u);
  EXPECT_EQ(decode(DataType::Int16, 0xffff), -1);
  EXPECT_EQ(decode(DataType::UInt8, 0xff), 255);
}

TEST(DataType, PoisonIsNaNAndNotTheCanonicalOne) {
  for (DataType type : {DataType::Float64, DataType::Float32, DataType::Float16,
                        DataType::BFloat16}) {
    std::optional<uint64_t> poison = poisonBits(type);
    ASSERT_TRUE(poison.has_value());
    EXPECT_TRUE(std::isnan(decode(type, *poison)));
    EXPECT_NE(*poison, encode(type, NAN));
    // The GPU's canonical NaN is all ones but for the sign.
    EXPECT_NE(*poison, (~uint64_t(0) >> (64 - 8 * sizeOf(type))) >> 1);
  }
  EXPECT_FALSE(poisonBits(DataType::Int32).has_value());
  EXPECT_FALSE(poisonBits(DataType::Float8E4M3).has_value());
}

} // namespace
