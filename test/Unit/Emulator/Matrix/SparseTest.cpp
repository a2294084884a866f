//===- SparseTest.cpp - Tests of products with a sparse A -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Metadata against the layouts that CUTLASS gives for it, products against sums
// over the kept elements only.
//
//===----------------------------------------------------------------------===//

#include "LayoutTestUtils.h"
#include "Matrix/Sparsity.h"
#include "ProductTestUtils.h"
#include "gtest/gtest.h"

using namespace ptxbench::emulator;

using Places = std::vector<std::vector<unsigned>>;

/// Random places of the kept elements of `rows` rows, in order, and the
/// metadata that says so.
static Places randomPlaces(Element element, unsigned rows, unsigned k,
                           std::mt19937 &random,
                           std::vector<uint64_t> &metadata) {
  Places places(rows);
  metadata.assign(rows, 0);
  for (unsigned row = 0; row != rows; ++row) {
    unsigned chunks = metadataBits(element, k) / 4;
    for (unsigned chunk = 0; chunk != chunks; ++chunk) {
      if (element == Element::TF32) {
        bool second = random() % 2;
        places[row].push_back(chunk * 2 + second);
        metadata[row] |= uint64_t(second ? 0b1110 : 0b0100) << chunk * 4;
        continue;
      }
      unsigned first = random() % 3;
      unsigned second = first + 1 + random() % (3 - first);
      metadata[row] |= uint64_t(first | second << 2) << chunk * 4;
      for (unsigned unit : {first, second}) {
        if (bitsOf(element) != 4) {
          places[row].push_back(chunk * 4 + unit);
          continue;
        }
        places[row].push_back(chunk * 8 + unit * 2);
        places[row].push_back(chunk * 8 + unit * 2 + 1);
      }
    }
  }
  return places;
}

TEST(Sparse, MetadataOfWarpgroups) {
  struct Case {
    Element element;
    unsigned k;
    unsigned selectors;
    // One value is one place along K: of a row's bits that many.
    unsigned bitsPerValue;
    TestLayout layout;
  };
  const Case cases[] = {
      {Element::F16,
       32,
       2,
       1,
       {{{2, 1024}, {2, 0}, {8, 1}, {4, 16}}, {{16, 64}, {2, 8}}}},
      {Element::TF32,
       16,
       2,
       2,
       {{{2, 512}, {2, 0}, {8, 1}, {4, 16}}, {{8, 64}, {2, 8}}}},
      {Element::E4M3,
       64,
       1,
       1,
       {{{2, 8}, {2, 2048}, {8, 1}, {4, 16}}, {{32, 64}}}}};
  std::mt19937 random(20);
  for (const Case &test : cases)
    for (unsigned selector = 0; selector != test.selectors; ++selector) {
      std::vector<uint64_t> rows;
      randomPlaces(test.element, 64, test.k, random, rows);
      for (unsigned warp = 0; warp != 4; ++warp) {
        uint32_t lanes[32];
        for (unsigned lane = 0; lane != 32; ++lane) {
          lanes[lane] = uint32_t(random());
          // The other pair of a group doesn't count.
          if (test.selectors == 2 && lane % 4 / 2 != selector)
            continue;
          lanes[lane] = 0;
          for (unsigned v = 0; v != 32 / test.bitsPerValue; ++v) {
            uint32_t index = test.layout(warp * 32 + lane, v);
            uint64_t row = rows[index % 64];
            unsigned width = test.bitsPerValue;
            uint32_t bits = row >> index / 64 * width & ((1u << width) - 1);
            lanes[lane] |= bits << v * width;
          }
        }
        RowMetadata gathered;
        gatherMetadata(test.element, test.k, selector, lanes, gathered);
        for (unsigned row = 0; row != 16; ++row)
          ASSERT_EQ(gathered[row], rows[warp * 16 + row]) << "row " << row;
      }
    }
}

TEST(Sparse, MetadataOfOneLane) {
  uint32_t lanes[32];
  for (unsigned lane = 0; lane != 32; ++lane)
    lanes[lane] = 0x10000u * (100 + lane) + lane;
  RowMetadata rows;
  for (unsigned selector = 0; selector != 4; ++selector)
    for (Element element : {Element::F16, Element::TF32}) {
      gatherMetadata(element, element == Element::F16 ? 16 : 8, selector, lanes,
                     rows);
      for (unsigned row = 0; row != 8; ++row) {
        EXPECT_EQ(rows[row], row * 4 + selector);
        EXPECT_EQ(rows[row + 8], 100 + row * 4 + selector);
      }
    }
}

TEST(Sparse, MetadataOfIntegerPairs) {
  uint32_t lanes[32];
  for (unsigned lane = 0; lane != 32; ++lane)
    lanes[lane] = 0x10001u * lane;
  RowMetadata rows;
  for (unsigned selector = 0; selector != 2; ++selector) {
    gatherMetadata(Element::U8, 32, selector, lanes, rows);
    EXPECT_EQ(rows[3], 0x10001u * (12 + selector * 2));
    EXPECT_EQ(rows[11], 0x10001u * (13 + selector * 2));
    gatherMetadata(Element::S4, 64, selector, lanes, rows);
    EXPECT_EQ(rows[7], 0x10001u * (28 + selector * 2));
  }
}

TEST(Sparse, FloatProducts) {
  struct Case {
    Element element;
    unsigned k;
  };
  const Case cases[] = {{Element::F16, 16},  {Element::F16, 32},
                        {Element::BF16, 16}, {Element::BF16, 32},
                        {Element::TF32, 8},  {Element::TF32, 16},
                        {Element::E4M3, 64}, {Element::E5M2, 64}};
  std::mt19937 random(21);
  PackedLines packed;
  FloatRows rows;
  FloatColumns columns;
  for (const Case &test : cases)
    for (bool negate : {false, true}) {
      Element element = test.element;
      TestMatrix a = randomMatrix(element, 16, test.k / 2, random);
      TestMatrix b = randomMatrix(element, test.k, 8, random);
      TestMatrix c = randomMatrix(Element::TF32, 16, 8, random);
      std::vector<uint64_t> metadata;
      Places places = randomPlaces(element, 16, test.k, random, metadata);
      RowMetadata given;
      std::copy(metadata.begin(), metadata.end(), given);

      packed.reset(16, element, test.k / 2);
      packRows(registersOfA(element, a).inputs(), 16, packed);
      unpackSparseRows(element, packed, given, negate, rows);
      packed.reset(8, element, test.k);
      packColumns(registersOfB(element, b).inputs(), 0, packed);
      unpackColumns(element, packed, columns);
      TestRegisters d = registersOfD(Element::TF32, c);
      multiply(rows, columns, {16, true}, d.as<float>().data());
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned i = 0; i != 4; ++i) {
          Place at = placeInD(16, lane, i);
          float sum = referenceSum(element, a, b, at.row, at.column,
                                   floatOfBits(c.at(at.row, at.column)), negate,
                                   &places);
          ASSERT_EQ(d.get(Element::TF32, lane, i), bitsOfFloat(sum));
        }
    }
}

TEST(Sparse, ElementsThatAreNotKeptMeetNoInfinity) {
  // All rows keep the elements 0 and 1 of each four; B is infinite at 2 and 3.
  TestMatrix a(16, 8), b(16, 8);
  for (uint32_t &bits : a.bits)
    bits = 0x3c00;
  for (unsigned k = 0; k != 16; ++k)
    for (unsigned column = 0; column != 8; ++column)
      b.at(k, column) = k % 4 < 2 ? 0x3c00 : 0x7c00;
  RowMetadata metadata;
  std::fill(std::begin(metadata), std::end(metadata), 0x4444);
  PackedLines packed;
  FloatRows rows;
  FloatColumns columns;
  packed.reset(16, Element::F16, 8);
  packRows(registersOfA(Element::F16, a).inputs(), 16, packed);
  unpackSparseRows(Element::F16, packed, metadata, false, rows);
  packed.reset(8, Element::F16, 16);
  packColumns(registersOfB(Element::F16, b).inputs(), 0, packed);
  unpackColumns(Element::F16, packed, columns);
  TestRegisters d(4);
  multiply(rows, columns, {16, false}, d.as<float>().data());
  for (unsigned lane = 0; lane != 32; ++lane)
    EXPECT_EQ(d.get(Element::TF32, lane, 0), bitsOfFloat(8));
}

TEST(Sparse, IntegerProducts) {
  struct Case {
    Element a, b;
    unsigned k;
  };
  const Case cases[] = {{Element::S8, Element::S8, 32},
                        {Element::U8, Element::S8, 64},
                        {Element::S4, Element::S4, 64},
                        {Element::U4, Element::S4, 128}};
  std::mt19937 random(22);
  PackedLines packed;
  IntegerRows rows;
  IntegerColumns columns;
  for (const Case &test : cases) {
    TestMatrix a = randomMatrix(test.a, 16, test.k / 2, random);
    TestMatrix b = randomMatrix(test.b, test.k, 8, random);
    std::vector<uint64_t> metadata;
    Places places = randomPlaces(test.a, 16, test.k, random, metadata);
    RowMetadata given;
    std::copy(metadata.begin(), metadata.end(), given);
    packed.reset(16, test.a, test.k / 2);
    packRows(registersOfA(test.a, a).inputs(), 16, packed);
    unpackSparseIntegerRows(test.a, packed, given, rows);
    packed.reset(8, test.b, test.k);
    packColumns(registersOfB(test.b, b).inputs(), 0, packed);
    unpackIntegerColumns(test.b, packed, columns);
    TestRegisters d(4);
    multiply(rows, columns, {16, false}, false, d.as<int32_t>().data());
    TestMatrix dense(16, test.k);
    for (unsigned row = 0; row != 16; ++row)
      for (unsigned i = 0; i != test.k / 2; ++i)
        dense.at(row, places[row][i]) = a.at(row, i);
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned i = 0; i != 4; ++i) {
        Place at = placeInD(16, lane, i);
        ASSERT_EQ(d.get(Element::TF32, lane, i),
                  uint32_t(referenceInteger(test.a, test.b, dense, b, at.row,
                                            at.column)));
      }
  }
}
