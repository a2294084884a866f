//===- ProductTestUtils.h - Plain matrices for the tests of products --*- C++
//-*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the products are held against: matrices of raw elements, decoded by
// arithmetic on their fields, and sums made one element at a time.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_MATRIX_PRODUCTTESTUTILS_H
#define PTXBENCH_TEST_UNIT_EMULATOR_MATRIX_PRODUCTTESTUTILS_H

#include "Matrix/Products.h"
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace ptxbench::emulator {

/// An element of sign, exponent and fraction, as a double.
inline double decodeFields(uint32_t bits, unsigned exponentBits,
                           unsigned fractionBits, bool infinities) {
  uint32_t fraction = bits & ((1u << fractionBits) - 1);
  uint32_t top = (1u << exponentBits) - 1;
  uint32_t exponent = bits >> fractionBits & top;
  double sign = bits >> (exponentBits + fractionBits) & 1 ? -1 : 1;
  int bias = int(top / 2);
  if (infinities && exponent == top)
    return fraction ? NAN : sign * INFINITY;
  if (!infinities && exponent == top && fraction + 1 == 1u << fractionBits)
    return NAN;
  int scale = int(exponent ? exponent : 1) - bias - int(fractionBits);
  return sign *
         std::ldexp(fraction + (exponent ? 1u << fractionBits : 0u), scale);
}

inline double decodeElement(Element element, uint32_t bits) {
  switch (element) {
  case Element::F16:
    return decodeFields(bits, 5, 10, true);
  case Element::BF16:
    return decodeFields(bits, 8, 7, true);
  case Element::TF32:
    return decodeFields(bits >> 13, 8, 10, true);
  case Element::E4M3:
    return decodeFields(bits, 4, 3, false);
  case Element::E5M2:
    return decodeFields(bits, 5, 2, true);
  case Element::S8:
    return bits < 128 ? int(bits) : int(bits) - 256;
  case Element::S4:
    return bits < 8 ? int(bits) : int(bits) - 16;
  case Element::U8:
  case Element::U4:
  case Element::B1:
    return bits;
  case Element::F64:
    break;
  }
  return NAN;
}

inline bool isFloatElement(Element element) { return element <= Element::E5M2; }

/// Raw elements, row by row.
struct TestMatrix {
  TestMatrix(unsigned rows, unsigned columns)
      : rows(rows), columns(columns), bits(rows * columns) {}

  uint32_t &at(unsigned row, unsigned column) {
    return bits[row * columns + column];
  }
  uint32_t at(unsigned row, unsigned column) const {
    return bits[row * columns + column];
  }

  unsigned rows, columns;
  std::vector<uint32_t> bits;
};

/// Any element, but floating-point ones neither too large nor NaN.
inline uint32_t randomElement(Element element, std::mt19937 &random) {
  uint32_t bits = uint32_t(random());
  switch (element) {
  case Element::F16:
    return bits % 8 == 0 ? bits & 0x83ff : (bits & 0x8fff) | 0x3000;
  case Element::BF16:
    return (bits & 0x83ff) | 0x3e00;
  case Element::TF32:
    // The bits that don't count are set, too.
    return (bits & 0x83ffffff) | 0x3e000000;
  case Element::E4M3:
    return (bits & 0x7f) == 0x7f ? bits & 0x83 : bits & 0xff;
  case Element::E5M2:
    return (bits & 0x7c) == 0x7c ? bits & 0x83 : bits & 0xff;
  default:
    return bitsOf(element) == 32 ? bits : bits & ((1u << bitsOf(element)) - 1);
  }
}

inline TestMatrix randomMatrix(Element element, unsigned rows, unsigned columns,
                               std::mt19937 &random) {
  TestMatrix result(rows, columns);
  for (uint32_t &bits : result.bits)
    bits = randomElement(element, random);
  return result;
}

/// Registers of a warp.
class TestRegisters {
public:
  explicit TestRegisters(unsigned count) : values(count) {
    for (auto &value : values)
      pointers.push_back(value.data());
  }
  TestRegisters(const TestRegisters &other)
      : TestRegisters(unsigned(other.values.size())) {
    values = other.values;
  }

  /// Element `index` of the fragment of `lane`.
  void set(Element element, unsigned lane, unsigned index, uint32_t bits) {
    unsigned per = elementsPerRegister(element);
    unsigned shift = index % per * bitsOf(element) % 32;
    uint32_t mask = bitsOf(element) == 32 ? ~0u : (1u << bitsOf(element)) - 1;
    uint32_t &value = values[index / per][lane];
    value = (value & ~(mask << shift)) | bits << shift;
  }
  uint32_t get(Element element, unsigned lane, unsigned index) const {
    unsigned per = elementsPerRegister(element);
    uint32_t mask = bitsOf(element) == 32 ? ~0u : (1u << bitsOf(element)) - 1;
    return values[index / per][lane] >> index % per * bitsOf(element) % 32 &
           mask;
  }

  const LaneRow *inputs() const {
    return const_cast<const LaneRow *>(pointers.data());
  }
  uint32_t *const *words() { return pointers.data(); }
  template <typename T> std::vector<T *> as() {
    std::vector<T *> result;
    for (uint32_t *pointer : pointers)
      result.push_back(reinterpret_cast<T *>(pointer));
    return result;
  }
  bool operator==(const TestRegisters &other) const {
    return values == other.values;
  }

private:
  std::vector<std::array<uint32_t, 32>> values;
  std::vector<uint32_t *> pointers;
};

inline unsigned fragmentSize(unsigned rows, unsigned columns) {
  return rows * columns / 32;
}

inline TestRegisters registersOfA(Element element, const TestMatrix &a) {
  unsigned size = fragmentSize(a.rows, a.columns);
  TestRegisters result(size / elementsPerRegister(element));
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != size; ++i) {
      Place place = placeInA(element, a.rows, lane, i);
      result.set(element, lane, i, a.at(place.row, place.column));
    }
  return result;
}

inline TestRegisters registersOfB(Element element, const TestMatrix &b) {
  unsigned size = fragmentSize(b.rows, b.columns);
  TestRegisters result(size / elementsPerRegister(element));
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != size; ++i) {
      Place place = placeInB(element, lane, i);
      result.set(element, lane, i, b.at(place.row, place.column));
    }
  return result;
}

/// Accumulators of `element` (TF32 standing for 32 bits, F16 for 16).
inline TestRegisters registersOfD(Element element, const TestMatrix &d) {
  unsigned size = fragmentSize(d.rows, d.columns);
  TestRegisters result(size / elementsPerRegister(element));
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != size; ++i) {
      Place place = placeInD(d.rows, lane, i);
      result.set(element, lane, i, d.at(place.row, place.column));
    }
  return result;
}

/// f16 of a double that is a float, rounded to nearest even.
inline uint32_t encodeHalf(double value) {
  uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (std::isnan(value))
    return 0x7fff;
  if (value >= 65520)
    return sign | 0x7c00;
  int exponent;
  std::frexp(value, &exponent);
  exponent = std::max(exponent - 11, -24);
  double steps = std::nearbyint(std::ldexp(value, -exponent));
  // Steps of a normal number are 1024 to 2048 of its binade.
  return sign | (uint32_t(exponent + 24) * 1024 + uint32_t(steps));
}

/// Row `i` of A times column `j` of B added to `start`, as Products.h says;
/// `places[i][k]` is where element k of the row of A stands along K.
inline float
referenceSum(Element element, const TestMatrix &a, const TestMatrix &b,
             unsigned i, unsigned j, float start, bool negate = false,
             const std::vector<std::vector<unsigned>> *places = nullptr) {
  float sum = start;
  for (unsigned k = 0; k != a.columns; ++k) {
    double x = decodeElement(element, a.at(i, k));
    double y = decodeElement(element, b.at(places ? (*places)[i][k] : k, j));
    sum = std::fma(float(negate ? -x : x), float(y), sum);
  }
  return sum;
}

inline int64_t referenceInteger(Element elementA, Element elementB,
                                const TestMatrix &a, const TestMatrix &b,
                                unsigned i, unsigned j) {
  int64_t sum = 0;
  for (unsigned k = 0; k != a.columns; ++k)
    sum += int64_t(decodeElement(elementA, a.at(i, k))) *
           int64_t(decodeElement(elementB, b.at(k, j)));
  return sum;
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_TEST_UNIT_EMULATOR_MATRIX_PRODUCTTESTUTILS_H
