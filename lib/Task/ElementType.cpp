//===- ElementType.cpp - Element types of tensors
//----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One encoder and one decoder serve all the small floating-point types; a row
// of a table says how many exponent and mantissa bits a type has.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/ElementType.h"

#include "llvm/Support/ErrorHandling.h"

#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

using namespace ptxbench;

namespace {
struct TypeRow {
  ElementType type;
  const char *name;
  unsigned size;
  bool isFloat;
  /// Of a floating-point type.
  unsigned exponentBits, mantissaBits;
  /// Whether the largest exponent stands for infinity and NaN.
  bool hasInfinity;
  uint64_t poison;
};
} // namespace

static const TypeRow table[] = {
    {ElementType::Float64, "float64", 8, true, 11, 52, true,
     0x7ff8ba5eba11f00d},
    {ElementType::Float32, "float32", 4, true, 8, 23, true, 0x7fd1b5a5},
    {ElementType::Float16, "float16", 2, true, 5, 10, true, 0x7f53},
    {ElementType::BFloat16, "bfloat16", 2, true, 8, 7, true, 0x7fd3},
    {ElementType::Float8E4M3, "float8_e4m3fn", 1, true, 4, 3, false, 0xff},
    {ElementType::Float8E5M2, "float8_e5m2", 1, true, 5, 2, true, 0xfd},
    {ElementType::Int64, "int64", 8, false, 0, 0, false, 0},
    {ElementType::Int32, "int32", 4, false, 0, 0, false, 0},
    {ElementType::Int16, "int16", 2, false, 0, 0, false, 0},
    {ElementType::Int8, "int8", 1, false, 0, 0, false, 0},
    {ElementType::UInt8, "uint8", 1, false, 0, 0, false, 0},
    {ElementType::Bool, "bool", 1, false, 0, 0, false, 0},
};

/// The rows stand in the order of the enumeration.
static const TypeRow &lookUp(ElementType type) {
  const TypeRow &row = table[static_cast<size_t>(type)];
  assert(row.type == type && "rows in another order than the enumeration");
  return row;
}

const char *ptxbench::stringifyElementType(ElementType type) {
  return lookUp(type).name;
}

std::optional<ElementType>
ptxbench::symbolizeElementType(llvm::StringRef name) {
  for (const TypeRow &row : table)
    if (name == row.name)
      return row.type;
  return std::nullopt;
}

unsigned ptxbench::sizeOf(ElementType type) { return lookUp(type).size; }
bool ptxbench::isFloat(ElementType type) { return lookUp(type).isFloat; }

std::optional<uint64_t> ptxbench::poisonBits(ElementType type) {
  uint64_t poison = lookUp(type).poison;
  if (!poison)
    return std::nullopt;
  return poison;
}

//===----------------------------------------------------------------------===//
// Small floating point
//===----------------------------------------------------------------------===//

static double decodeFloat(const TypeRow &row, uint64_t bits) {
  int bias = (1 << (row.exponentBits - 1)) - 1;
  uint64_t exponentMask = (uint64_t(1) << row.exponentBits) - 1;
  uint64_t mantissaMask = (uint64_t(1) << row.mantissaBits) - 1;
  bool negative = (bits >> (row.exponentBits + row.mantissaBits)) & 1;
  uint64_t exponent = (bits >> row.mantissaBits) & exponentMask;
  uint64_t mantissa = bits & mantissaMask;
  double value;
  if (row.hasInfinity && exponent == exponentMask)
    value = mantissa ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (!row.hasInfinity && exponent == exponentMask &&
           mantissa == mantissaMask)
    value = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(static_cast<double>(mantissa),
                       1 - bias - static_cast<int>(row.mantissaBits));
  else
    value = std::ldexp(static_cast<double>(mantissa + mantissaMask + 1),
                       static_cast<int>(exponent) - bias -
                           static_cast<int>(row.mantissaBits));
  return negative ? -value : value;
}

static uint64_t encodeFloat(const TypeRow &row, double value) {
  int bias = (1 << (row.exponentBits - 1)) - 1;
  uint64_t exponentMask = (uint64_t(1) << row.exponentBits) - 1;
  uint64_t mantissaMask = (uint64_t(1) << row.mantissaBits) - 1;
  uint64_t sign = uint64_t(std::signbit(value))
                  << (row.exponentBits + row.mantissaBits);
  uint64_t infinity = exponentMask << row.mantissaBits;
  // The quiet NaN has the top mantissa bit; without infinities there is but
  // one NaN, all ones.
  uint64_t nan = row.hasInfinity
                     ? infinity | (uint64_t(1) << (row.mantissaBits - 1))
                     : infinity | mantissaMask;
  if (std::isnan(value))
    return nan;
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    return sign | (row.hasInfinity ? infinity : nan);
  if (magnitude == 0)
    return sign;
  int exponent = std::ilogb(magnitude);
  if (exponent < 1 - bias)
    exponent = 1 - bias; // subnormal
  // The integer nearest to the mantissa in units of the last place; the
  // scaling is exact and nearbyint rounds ties to even.
  double scaled = std::nearbyint(
      std::ldexp(magnitude, static_cast<int>(row.mantissaBits) - exponent));
  uint64_t integer = static_cast<uint64_t>(scaled);
  // Adding the exponent field lets a carry out of the mantissa raise it.
  uint64_t bits = integer;
  if (integer > mantissaMask)
    bits = (static_cast<uint64_t>(exponent + bias - 1) << row.mantissaBits) +
           integer;
  if (bits >= (row.hasInfinity ? infinity : nan))
    bits = row.hasInfinity ? infinity : nan;
  return sign | bits;
}

//===----------------------------------------------------------------------===//
// All types
//===----------------------------------------------------------------------===//

double ptxbench::decode(ElementType type, uint64_t bits) {
  switch (type) {
  case ElementType::Float64: {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  case ElementType::Float32: {
    uint32_t low = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &low, sizeof(value));
    return value;
  }
  case ElementType::BFloat16:
    return bfloat16ToFloat(static_cast<uint16_t>(bits));
  case ElementType::Float16:
  case ElementType::Float8E4M3:
  case ElementType::Float8E5M2:
    return decodeFloat(lookUp(type), bits);
  case ElementType::Int64:
    return static_cast<double>(static_cast<int64_t>(bits));
  case ElementType::Int32:
    return static_cast<int32_t>(bits);
  case ElementType::Int16:
    return static_cast<int16_t>(bits);
  case ElementType::Int8:
    return static_cast<int8_t>(bits);
  case ElementType::UInt8:
    return static_cast<uint8_t>(bits);
  case ElementType::Bool:
    return static_cast<uint8_t>(bits) != 0;
  }
  llvm_unreachable("type without a case");
}

uint64_t ptxbench::encode(ElementType type, double value) {
  if (type == ElementType::Float64) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return std::isnan(value) ? 0x7ff8000000000000 : bits;
  }
  if (type == ElementType::Float32 && !std::isnan(value)) {
    // The conversion of the language rounds to nearest even.
    float narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof(bits));
    return bits;
  }
  const TypeRow &row = lookUp(type);
  if (row.isFloat)
    return encodeFloat(row, value);
  if (type == ElementType::Bool)
    return value != 0;
  if (std::isnan(value))
    return 0;
  bool isSigned = type != ElementType::UInt8;
  unsigned width = row.size * 8;
  double low = isSigned ? -std::ldexp(1.0, width - 1) : 0;
  double high = std::ldexp(1.0, width - isSigned);
  double rounded = std::nearbyint(value);
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  if (rounded >= high)
    return mask >> (isSigned ? 1 : 0);
  if (rounded <= low)
    return isSigned ? uint64_t(1) << (width - 1) : 0;
  return static_cast<uint64_t>(static_cast<int64_t>(rounded)) & mask;
}

float ptxbench::bfloat16ToFloat(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

uint16_t ptxbench::floatToBFloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fc0;
  bits += 0x7fff + ((bits >> 16) & 1);
  return static_cast<uint16_t>(bits >> 16);
}

float ptxbench::float16ToFloat(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t magnitude = bits & 0x7fff;
  float value;
  uint32_t wide;
  if (magnitude >= 0x7c00)
    wide = sign | 0x7f800000 | ((magnitude & 0x3ff) << 13);
  else if (magnitude >= 0x400)
    wide = sign | ((magnitude << 13) + (112u << 23));
  else {
    // Subnormal: the mantissa counts units of 2^-24.
    value = static_cast<float>(magnitude) * 0x1p-24f;
    return sign ? -value : value;
  }
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

uint16_t ptxbench::floatToFloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  uint32_t sign = (bits >> 16) & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  // Outside the normal range of float16 the general encoder does it.
  if (magnitude < (113u << 23) || magnitude >= (143u << 23))
    return static_cast<uint16_t>(
        encodeFloat(lookUp(ElementType::Float16), value));
  magnitude += 0xfff + ((magnitude >> 13) & 1);
  return static_cast<uint16_t>(sign | ((magnitude - (112u << 23)) >> 13));
}

uint64_t ptxbench::loadBits(ElementType type, const uint8_t *data,
                            uint64_t index) {
  uint64_t bits = 0;
  unsigned size = sizeOf(type);
  std::memcpy(&bits, data + index * size, size);
  return bits;
}

void ptxbench::storeBits(ElementType type, uint8_t *data, uint64_t index,
                         uint64_t bits) {
  unsigned size = sizeOf(type);
  std::memcpy(data + index * size, &bits, size);
}

/// The loop of decodeMany() for one type, which has elements of type T.
template <typename T, typename Fn>
static void decodeLoop(const uint8_t *data, uint64_t count, double *out,
                       Fn &&convert) {
  for (uint64_t i = 0; i != count; ++i) {
    T bits;
    std::memcpy(&bits, data + i * sizeof(T), sizeof(T));
    out[i] = convert(bits);
  }
}

void ptxbench::decodeMany(ElementType type, const uint8_t *data, uint64_t first,
                          uint64_t count, double *out) {
  data += first * sizeOf(type);
  switch (type) {
  case ElementType::Float32:
    decodeLoop<float>(data, count, out, [](float value) { return value; });
    return;
  case ElementType::Float64:
    decodeLoop<double>(data, count, out, [](double value) { return value; });
    return;
  case ElementType::BFloat16:
    decodeLoop<uint16_t>(data, count, out, bfloat16ToFloat);
    return;
  case ElementType::Float16:
    decodeLoop<uint16_t>(data, count, out, float16ToFloat);
    return;
  default:
    for (uint64_t i = 0; i != count; ++i)
      out[i] = decode(type, loadBits(type, data, i));
  }
}
