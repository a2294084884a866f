//===- ProductsTest.cpp - Tests of the products of mma and wmma -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every shape and type against sums made one element at a time, bit for bit.
//
//===----------------------------------------------------------------------===//

#include "Matrix/Products.h"
#include "Matrix/HostKernels.h"
#include "Matrix/QuadPair.h"
#include "Matrix/Sparsity.h"
#include "Matrix/WMMA.h"
#include "ProductTestUtils.h"
#include "gtest/gtest.h"
#include <cfenv>

using namespace ptxbench::emulator;

static PackedLines packed;

static void rowsOf(Element element, const TestMatrix &a, FloatRows &out,
                   bool negate = false) {
  packed.reset(a.rows, element, a.columns);
  packRows(registersOfA(element, a).inputs(), a.rows, packed);
  unpackRows(element, packed, negate, out);
}

static void columnsOf(Element element, const TestMatrix &b, FloatColumns &out) {
  packed.reset(8, element, b.rows);
  packColumns(registersOfB(element, b).inputs(), 0, packed);
  unpackColumns(element, packed, out);
}

TEST(Element, HalvesBothWays) {
  for (uint32_t half = 0; half != 0x10000; ++half) {
    double expected = decodeElement(Element::F16, half);
    float value = floatOfHalf(uint16_t(half));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value));
      EXPECT_EQ(halfOfFloat(value), 0x7fff);
      continue;
    }
    ASSERT_EQ(value, expected) << half;
    ASSERT_EQ(std::signbit(value), half >= 0x8000);
    ASSERT_EQ(halfOfFloat(value), half);
  }
  EXPECT_EQ(halfOfFloat(65519.996f), 0x7bff);
  EXPECT_EQ(halfOfFloat(65520.0f), 0x7c00);
  EXPECT_EQ(halfOfFloat(-INFINITY), 0xfc00);
  EXPECT_EQ(halfOfFloat(0x1p-25f), 0);
  EXPECT_EQ(halfOfFloat(0x1.000002p-25f), 1);
  std::mt19937 random(1);
  for (unsigned i = 0; i != 200000; ++i) {
    // Exponents around those of f16, half of them ties or next to one.
    uint32_t bits = uint32_t(random());
    bits = (bits & 0x807fffff) | (96 + bits % 50) << 23;
    if (i % 2)
      bits = (bits & ~0x1fffu) | (0x1000 + int(random() % 3) - 1);
    float value = floatOfBits(bits);
    ASSERT_EQ(halfOfFloat(value), encodeHalf(value)) << value;
  }
}

TEST(Element, Bytes) {
  for (uint32_t bits = 0; bits != 256; ++bits) {
    double expected = decodeElement(Element::E4M3, bits);
    float value = floatOfE4M3(uint8_t(bits));
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(value) : value == expected)
        << bits;
    expected = decodeElement(Element::E5M2, bits);
    value = floatOfE5M2(uint8_t(bits));
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(value) : value == expected)
        << bits;
  }
  EXPECT_EQ(floatOfE4M3(0x7e), 448.0f);
  EXPECT_EQ(floatOfE5M2(0x7b), 57344.0f);
}

TEST(Element, VectorsConvertAsScalarsDo) {
  std::vector<uint16_t> halves(0x10000);
  std::vector<uint8_t> bytes(0x100);
  for (uint32_t i = 0; i != halves.size(); ++i)
    halves[i] = uint16_t(i);
  for (uint32_t i = 0; i != bytes.size(); ++i)
    bytes[i] = uint8_t(i);
  HostVectors widest = widestHostVectors();
  for (unsigned kind = 0; kind <= unsigned(widest); ++kind) {
    useHostVectors(HostVectors(kind));
    const HostKernels &kernels = hostKernels();
    std::vector<float> out(0x10000);
    kernels.half(halves.data(), 0x10000, out.data());
    for (uint32_t i = 0; i != 0x10000; ++i)
      ASSERT_EQ(bitsOfFloat(out[i]), bitsOfFloat(floatOfHalf(halves[i])));
    kernels.bfloat(halves.data(), 0x10000, out.data());
    for (uint32_t i = 0; i != 0x10000; ++i)
      ASSERT_EQ(bitsOfFloat(out[i]), i << 16);
    kernels.e4m3(bytes.data(), 0x100, out.data());
    for (uint32_t i = 0; i != 0x100; ++i)
      ASSERT_EQ(bitsOfFloat(out[i]), bitsOfFloat(floatOfE4M3(bytes[i])));
    kernels.e5m2(bytes.data(), 0x100, out.data());
    for (uint32_t i = 0; i != 0x100; ++i)
      ASSERT_EQ(bitsOfFloat(out[i]), bitsOfFloat(floatOfE5M2(bytes[i])));

    // Around every half: it, ties and what is next to them.
    for (uint32_t i = 0; i < 0x10000; i += 16) {
      float low[32], high[32];
      uint32_t narrow[32];
      for (unsigned lane = 0; lane != 32; ++lane) {
        uint32_t bits = bitsOfFloat(floatOfHalf(uint16_t(i + lane / 2)));
        low[lane] = floatOfBits(bits + (lane % 2 ? 0x1000 : 0));
        high[lane] = floatOfBits(bits + (lane % 2 ? 0x1001 : 0xfff));
      }
      kernels.narrow(low, high, narrow);
      for (unsigned lane = 0; lane != 32; ++lane)
        ASSERT_EQ(narrow[lane], halfOfFloat(low[lane]) |
                                    uint32_t(halfOfFloat(high[lane])) << 16);
    }
  }
  useHostVectors(widest);
}

TEST(Products, DenseFloat) {
  struct Case {
    Element a, b;
    unsigned k;
  };
  const Case cases[] = {
      {Element::F16, Element::F16, 8},    {Element::F16, Element::F16, 16},
      {Element::BF16, Element::BF16, 8},  {Element::BF16, Element::BF16, 16},
      {Element::TF32, Element::TF32, 4},  {Element::TF32, Element::TF32, 8},
      {Element::E4M3, Element::E4M3, 16}, {Element::E5M2, Element::E5M2, 32},
      {Element::E4M3, Element::E4M3, 32}};
  std::mt19937 random(2);
  FloatRows rows;
  FloatColumns columns;
  for (const Case &test : cases)
    for (bool negate : {false, true}) {
      TestMatrix a = randomMatrix(test.a, 16, test.k, random);
      TestMatrix b = randomMatrix(test.b, test.k, 8, random);
      TestMatrix c = randomMatrix(Element::TF32, 16, 8, random);
      rowsOf(test.a, a, rows, negate);
      columnsOf(test.b, b, columns);
      TestRegisters d = registersOfD(Element::TF32, c);
      multiply(rows, columns, {16, true}, d.as<float>().data());
      TestRegisters fresh = registersOfD(Element::TF32, c);
      multiply(rows, columns, {16, false}, fresh.as<float>().data());
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned i = 0; i != 4; ++i) {
          Place at = placeInD(16, lane, i);
          float start = floatOfBits(c.at(at.row, at.column));
          ASSERT_EQ(d.get(Element::TF32, lane, i),
                    bitsOfFloat(referenceSum(test.a, a, b, at.row, at.column,
                                             start, negate)));
          ASSERT_EQ(fresh.get(Element::TF32, lane, i),
                    bitsOfFloat(referenceSum(test.a, a, b, at.row, at.column, 0,
                                             negate)));
        }
    }
}

TEST(Products, MixedBytes) {
  std::mt19937 random(3);
  TestMatrix a = randomMatrix(Element::E4M3, 16, 32, random);
  TestMatrix b = randomMatrix(Element::E5M2, 32, 8, random);
  FloatRows rows;
  FloatColumns columns;
  rowsOf(Element::E4M3, a, rows);
  columnsOf(Element::E5M2, b, columns);
  TestRegisters d(4);
  multiply(rows, columns, {16, false}, d.as<float>().data());
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != 4; ++i) {
      Place at = placeInD(16, lane, i);
      float sum = 0;
      for (unsigned k = 0; k != 32; ++k)
        sum = std::fma(float(decodeElement(Element::E4M3, a.at(at.row, k))),
                       float(decodeElement(Element::E5M2, b.at(k, at.column))),
                       sum);
      EXPECT_EQ(d.get(Element::TF32, lane, i), bitsOfFloat(sum));
    }
}

TEST(Products, HalfAccumulators) {
  std::mt19937 random(4);
  TestMatrix a = randomMatrix(Element::F16, 16, 16, random);
  TestMatrix b = randomMatrix(Element::F16, 16, 8, random);
  TestMatrix c = randomMatrix(Element::F16, 16, 8, random);
  c.at(3, 3) = 0x7bff;
  FloatRows rows;
  FloatColumns columns;
  rowsOf(Element::F16, a, rows);
  columnsOf(Element::F16, b, columns);
  TestRegisters d = registersOfD(Element::F16, c);
  multiplyToHalf(rows, columns, {16, true}, d.words());
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != 4; ++i) {
      Place at = placeInD(16, lane, i);
      float start = float(decodeElement(Element::F16, c.at(at.row, at.column)));
      EXPECT_EQ(d.get(Element::F16, lane, i),
                encodeHalf(referenceSum(Element::F16, a, b, at.row, at.column,
                                        start)));
    }
}

TEST(Products, OneNaN) {
  TestMatrix a(16, 8), b(8, 8);
  a.at(2, 1) = 0x7c00; // infinity times zero
  a.at(3, 0) = 0xfe01; // a NaN with a payload
  a.at(4, 0) = 0xfc00;
  for (unsigned column = 0; column != 8; ++column)
    b.at(0, column) = 0x3c00;
  FloatRows rows;
  FloatColumns columns;
  rowsOf(Element::F16, a, rows);
  columnsOf(Element::F16, b, columns);
  TestRegisters d(4), half(2);
  multiply(rows, columns, {16, false}, d.as<float>().data());
  multiplyToHalf(rows, columns, {16, false}, half.words());
  EXPECT_EQ(d.get(Element::TF32, 2 * 4, 0), 0x7fffffffu);
  EXPECT_EQ(d.get(Element::TF32, 3 * 4, 1), 0x7fffffffu);
  EXPECT_EQ(d.get(Element::TF32, 4 * 4, 0), 0xff800000u);
  EXPECT_EQ(d.get(Element::TF32, 5 * 4, 0), 0u);
  EXPECT_EQ(half.get(Element::F16, 2 * 4, 0), 0x7fffu);
  EXPECT_EQ(half.get(Element::F16, 4 * 4, 1), 0xfc00u);
}

/// Rows and columns of integers, or of bits.
static void integerPanels(Element elementA, Element elementB,
                          const TestMatrix &a, const TestMatrix &b,
                          IntegerRows &rows, IntegerColumns &columns) {
  packed.reset(a.rows, elementA, a.columns);
  packRows(registersOfA(elementA, a).inputs(), a.rows, packed);
  unpackIntegerRows(elementA, packed, rows);
  packed.reset(8, elementB, b.rows);
  packColumns(registersOfB(elementB, b).inputs(), 0, packed);
  unpackIntegerColumns(elementB, packed, columns);
}

TEST(Products, Integers) {
  struct Case {
    Element a, b;
    unsigned m, k;
  };
  const Case cases[] = {
      {Element::S8, Element::S8, 8, 16},  {Element::S8, Element::S8, 16, 16},
      {Element::U8, Element::S8, 16, 32}, {Element::S8, Element::U8, 16, 32},
      {Element::U8, Element::U8, 16, 32}, {Element::S4, Element::U4, 8, 32},
      {Element::U4, Element::S4, 16, 32}, {Element::S4, Element::S4, 16, 64}};
  std::mt19937 random(5);
  IntegerRows rows;
  IntegerColumns columns;
  for (const Case &test : cases)
    for (bool saturate : {false, true}) {
      TestMatrix a = randomMatrix(test.a, test.m, test.k, random);
      TestMatrix b = randomMatrix(test.b, test.k, 8, random);
      TestMatrix c(test.m, 8);
      // Near the ends of the range as often as not.
      for (uint32_t &bits : c.bits)
        bits = (random() % 2 ? 0x7fffffff : 0x80000000) ^ random() % 512;
      integerPanels(test.a, test.b, a, b, rows, columns);
      TestRegisters d = registersOfD(Element::TF32, c);
      multiply(rows, columns, {test.m, true}, saturate, d.as<int32_t>().data());
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned i = 0; i != test.m / 4; ++i) {
          Place at = placeInD(test.m, lane, i);
          int64_t sum =
              int32_t(c.at(at.row, at.column)) +
              referenceInteger(test.a, test.b, a, b, at.row, at.column);
          if (saturate)
            sum =
                std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX);
          ASSERT_EQ(d.get(Element::TF32, lane, i), uint32_t(sum));
        }
    }
}

TEST(Products, Bits) {
  struct Case {
    unsigned m, k;
  };
  std::mt19937 random(6);
  BitRows rows;
  BitColumns columns;
  for (const Case &test : {Case{8, 128}, Case{16, 128}, Case{16, 256}})
    for (BitOperation operation : {BitOperation::And, BitOperation::Xor}) {
      TestMatrix a = randomMatrix(Element::B1, test.m, test.k, random);
      TestMatrix b = randomMatrix(Element::B1, test.k, 8, random);
      TestMatrix c(test.m, 8);
      for (uint32_t &bits : c.bits)
        bits = uint32_t(random());
      packed.reset(test.m, Element::B1, test.k);
      packRows(registersOfA(Element::B1, a).inputs(), test.m, packed);
      unpackBitRows(packed, rows);
      packed.reset(8, Element::B1, test.k);
      packColumns(registersOfB(Element::B1, b).inputs(), 0, packed);
      unpackBitColumns(packed, columns);
      TestRegisters d = registersOfD(Element::TF32, c);
      multiplyBits(rows, columns, {test.m, true}, operation,
                   d.as<int32_t>().data());
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned i = 0; i != test.m / 4; ++i) {
          Place at = placeInD(test.m, lane, i);
          uint32_t sum = c.at(at.row, at.column);
          for (unsigned k = 0; k != test.k; ++k) {
            uint32_t x = a.at(at.row, k), y = b.at(k, at.column);
            sum += operation == BitOperation::And ? x & y : x ^ y;
          }
          ASSERT_EQ(d.get(Element::TF32, lane, i), sum);
        }
    }
}

TEST(Products, Doubles) {
  struct Case {
    unsigned m, k;
  };
  std::mt19937 random(7);
  std::uniform_real_distribution<double> numbers(-1, 1);
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  DoubleRows rows;
  DoubleColumns columns;
  for (const Case &test : {Case{8, 4}, Case{16, 4}, Case{16, 8}, Case{16, 16}})
    for (unsigned mode = 0; mode != 4; ++mode) {
      // Matrices in registers straight away.
      double a[16][16], b[16][8], c[16][8];
      double inA[8][32], inB[4][32], inD[4][32];
      const double *pointersA[8], *pointersB[4];
      double *pointersD[4];
      for (auto &row : a)
        for (double &value : row)
          value = numbers(random);
      for (auto &row : b)
        for (double &value : row)
          value = numbers(random);
      for (auto &row : c)
        for (double &value : row)
          value = numbers(random);
      for (unsigned lane = 0; lane != 32; ++lane) {
        for (unsigned i = 0; i != test.m * test.k / 32; ++i) {
          // The ISA: row groupID, and groupID + 8 for odd i.
          unsigned row = lane / 4 + (test.m == 16 ? i % 2 * 8 : 0);
          unsigned k = lane % 4 + (test.m == 16 ? i / 2 * 4 : 0);
          inA[i][lane] = a[row][k];
          pointersA[i] = inA[i];
        }
        for (unsigned i = 0; i != test.k / 4; ++i) {
          inB[i][lane] = b[lane % 4 + i * 4][lane / 4];
          pointersB[i] = inB[i];
        }
        for (unsigned i = 0; i != test.m / 4; ++i) {
          Place at = placeInD(test.m, lane, i);
          inD[i][lane] = c[at.row][at.column];
          pointersD[i] = inD[i];
        }
      }
      unpackDoubleRows(pointersA, test.m, test.k, rows);
      unpackDoubleColumns(pointersB, test.k, columns);
      multiply(rows, columns, {test.m, true}, ProductRounding(mode), pointersD);
      ASSERT_EQ(std::fegetround(), FE_TONEAREST);
      std::fesetround(modes[mode]);
      double expected[16][8];
      for (unsigned row = 0; row != test.m; ++row)
        for (unsigned column = 0; column != 8; ++column) {
          volatile double sum = c[row][column];
          for (unsigned k = 0; k != test.k; ++k)
            sum = std::fma(a[row][k], b[k][column], sum);
          expected[row][column] = sum;
        }
      std::fesetround(FE_TONEAREST);
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned i = 0; i != test.m / 4; ++i) {
          Place at = placeInD(test.m, lane, i);
          ASSERT_EQ(inD[i][lane], expected[at.row][at.column]);
        }
    }
}

TEST(Products, QuadPairs) {
  std::mt19937 random(8);
  for (unsigned form = 0; form != 16; ++form) {
    QuadPairForm variant = {bool(form & 1), bool(form & 2), bool(form & 4),
                            bool(form & 8)};
    if (variant.halfD && !variant.halfC)
      continue;
    TestMatrix a[4] = {{8, 4}, {8, 4}, {8, 4}, {8, 4}};
    TestMatrix b[4] = {{4, 8}, {4, 8}, {4, 8}, {4, 8}};
    TestMatrix c[4] = {{8, 8}, {8, 8}, {8, 8}, {8, 8}};
    TestRegisters inA(2), inB(2), inC(8), outD(8);
    Element typeC = variant.halfC ? Element::F16 : Element::TF32;
    Element typeD = variant.halfD ? Element::F16 : Element::TF32;
    for (unsigned q = 0; q != 4; ++q) {
      a[q] = randomMatrix(Element::F16, 8, 4, random);
      b[q] = randomMatrix(Element::F16, 4, 8, random);
      c[q] = randomMatrix(typeC, 8, 8, random);
    }
    for (unsigned lane = 0; lane != 32; ++lane) {
      unsigned q = lane / 4 % 4;
      for (unsigned i = 0; i != 4; ++i) {
        Place at = placeInQuadPairA(variant.rowMajorA, lane, i);
        inA.set(Element::F16, lane, i, a[q].at(at.row, at.column));
        at = placeInQuadPairB(variant.rowMajorB, lane, i);
        inB.set(Element::F16, lane, i, b[q].at(at.row, at.column));
      }
      for (unsigned i = 0; i != 8; ++i) {
        Place at = placeInQuadPairD(variant.halfC, lane, i);
        inC.set(typeC, lane, i, c[q].at(at.row, at.column));
      }
    }
    multiplyQuadPairs(variant, inA.inputs(), inB.inputs(), inC.inputs(),
                      outD.words());
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned i = 0; i != 8; ++i) {
        unsigned q = lane / 4 % 4;
        Place at = placeInQuadPairD(variant.halfD, lane, i);
        uint32_t old = c[q].at(at.row, at.column);
        float start = variant.halfC ? float(decodeElement(Element::F16, old))
                                    : floatOfBits(old);
        float sum =
            referenceSum(Element::F16, a[q], b[q], at.row, at.column, start);
        ASSERT_EQ(outD.get(typeD, lane, i),
                  variant.halfD ? encodeHalf(sum) : bitsOfFloat(sum))
            << "form " << form;
      }
  }
}

TEST(Products, WMMAFromMemoryToMemory) {
  struct Case {
    WMMAShape shape;
    Element element;
  };
  const Case cases[] = {
      {{16, 16, 16}, Element::F16}, {{8, 32, 16}, Element::F16},
      {{32, 8, 16}, Element::F16},  {{8, 32, 16}, Element::BF16},
      {{32, 8, 16}, Element::BF16}, {{16, 16, 8}, Element::TF32}};
  std::mt19937 random(9);
  FloatRows rows;
  FloatColumns columns;
  for (const Case &test : cases) {
    WMMAShape shape = test.shape;
    TestMatrix a = randomMatrix(test.element, shape.m, shape.k, random);
    TestMatrix b = randomMatrix(test.element, shape.k, shape.n, random);
    WMMAFragment inA(shape, WMMAPart::A, test.element);
    WMMAFragment inB(shape, WMMAPart::B, test.element);
    WMMAFragment inD(shape, 32);
    TestRegisters registersA(inA.registers()), registersB(inB.registers());
    TestRegisters registersD(inD.registers());
    // Column-major A with a stride of 40 elements, row-major B with 48.
    std::vector<uint32_t> memoryA(40 * 32), memoryB(48 * 32);
    for (unsigned k = 0; k != shape.k; ++k) {
      for (unsigned m = 0; m != shape.m; ++m)
        memoryA[k * 40 + m] = a.at(m, k);
      for (unsigned n = 0; n != shape.n; ++n)
        memoryB[k * 48 + n] = b.at(k, n);
    }
    auto fill = [&](const WMMAFragment &fragment, TestRegisters &registers,
                    const std::vector<uint32_t> &memory, unsigned stride,
                    bool rowMajor) {
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned i = 0; i != fragment.registers() * fragment.perRegister();
             ++i) {
          Place place = fragment.place(lane, i / fragment.perRegister(),
                                       i % fragment.perRegister());
          registers.set(test.element, lane, i,
                        memory[WMMAFragment::offset(place, stride, rowMajor)]);
        }
    };
    fill(inA, registersA, memoryA, 40, false);
    fill(inB, registersB, memoryB, 48, true);

    packWMMAColumns(inB, test.element, registersB.inputs(), packed);
    unpackColumns(test.element, packed, columns);
    for (unsigned piece = 0; piece != inA.pieces(); ++piece) {
      packWMMARows(inA, test.element, registersA.inputs(), piece, packed);
      unpackRows(test.element, packed, false, rows);
      multiply(rows, columns, {inA.pieceSize(), false},
               registersD.as<float>().data() + piece * inD.registersPerPiece());
    }
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned reg = 0; reg != inD.registers(); ++reg) {
        Place at = inD.place(lane, reg, 0);
        ASSERT_EQ(registersD.get(Element::TF32, lane, reg),
                  bitsOfFloat(
                      referenceSum(test.element, a, b, at.row, at.column, 0)));
      }
  }
}

TEST(Products, EveryKindOfHostVectorsGivesTheSameBits) {
  std::mt19937 random(10);
  FloatRows rows;
  FloatColumns columns;
  IntegerRows integerRows;
  IntegerColumns integerColumns;
  // Exponents over the whole range: products that are no normal numbers.
  TestMatrix a(16, 16), b(16, 8), c(16, 8);
  for (TestMatrix *matrix : {&a, &b})
    for (uint32_t &bits : matrix->bits)
      bits = random() & 0xffff;
  for (uint32_t &bits : c.bits)
    bits = uint32_t(random());
  rowsOf(Element::BF16, a, rows);
  columnsOf(Element::BF16, b, columns);
  for (unsigned k = 0; k != 16; ++k)
    for (unsigned half = 0; half != 2; ++half)
      rows.mask[k][half] = uint32_t(random());
  integerPanels(
      Element::S8, Element::U8, randomMatrix(Element::S8, 16, 32, random),
      randomMatrix(Element::U8, 32, 8, random), integerRows, integerColumns);

  HostVectors widest = widestHostVectors();
  std::vector<TestRegisters> results[3];
  for (unsigned kind = 0; kind <= unsigned(widest); ++kind) {
    useHostVectors(HostVectors(kind));
    for (bool sparse : {false, true}) {
      rows.sparse = sparse;
      for (unsigned m : {8, 16}) {
        TestRegisters d = registersOfD(Element::TF32, c);
        multiply(rows, columns, {m, true}, d.as<float>().data());
        results[kind].push_back(d);
        TestRegisters integers = registersOfD(Element::TF32, c);
        multiply(integerRows, integerColumns, {m, true}, sparse,
                 integers.as<int32_t>().data());
        results[kind].push_back(integers);
      }
    }
    EXPECT_TRUE(results[kind] == results[0]) << "kind " << kind;
  }
  useHostVectors(widest);
}
