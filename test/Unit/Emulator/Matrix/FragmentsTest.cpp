//===- FragmentsTest.cpp - Tests of fragment layouts ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments against the layouts that CUTLASS gives as shapes and strides, and
// against places read off the figures of the ISA.
//
//===----------------------------------------------------------------------===//

#include "Matrix/Fragments.h"
#include "LayoutTestUtils.h"
#include "Matrix/QuadPair.h"
#include "Matrix/WMMA.h"
#include "gtest/gtest.h"
#include <ostream>
#include <set>

using namespace ptxbench::emulator;

namespace ptxbench::emulator {
static void PrintTo(const Place &place, std::ostream *os) {
  *os << '(' << place.row << ", " << place.column << ')';
}
} // namespace ptxbench::emulator

/// A matrix of `rows` rows, of which the layout gives column-major indices.
template <typename Function>
static void expectPlaces(const TestLayout &layout, uint32_t rows,
                         Function place) {
  for (uint32_t lane = 0; lane != 32; ++lane)
    for (uint32_t i = 0; i != layout.valueCount(); ++i) {
      uint32_t index = layout(lane, i);
      EXPECT_EQ(place(lane, i), (Place{index % rows, index / rows}))
          << "lane " << lane << ", element " << i;
    }
}

TEST(Fragments, RowsOfA) {
  struct Case {
    Element element;
    unsigned rows;
    TestLayout layout;
  };
  const Case cases[] = {
      // m16n8k8 and m16n8k16 of f16 and bf16
      {Element::F16, 16, {{{4, 32}, {8, 1}}, {{2, 16}, {2, 8}}}},
      {Element::BF16, 16, {{{4, 32}, {8, 1}}, {{2, 16}, {2, 8}, {2, 128}}}},
      // m16n8k4 and m16n8k8 of tf32
      {Element::TF32, 16, {{{4, 16}, {8, 1}}, {{2, 8}}}},
      {Element::TF32, 16, {{{4, 16}, {8, 1}}, {{2, 8}, {2, 64}}}},
      // m8n8k16, m16n8k16 and m16n8k32 of 8 bits
      {Element::S8, 8, {{{4, 32}, {8, 1}}, {{4, 8}}}},
      {Element::U8, 16, {{{4, 64}, {8, 1}}, {{4, 16}, {2, 8}}}},
      {Element::E4M3, 16, {{{4, 64}, {8, 1}}, {{4, 16}, {2, 8}, {2, 256}}}},
      // m8n8k32, m16n8k32 and m16n8k64 of 4 bits
      {Element::S4, 8, {{{4, 64}, {8, 1}}, {{8, 8}}}},
      {Element::U4, 16, {{{4, 128}, {8, 1}}, {{8, 16}, {2, 8}}}},
      {Element::S4, 16, {{{4, 128}, {8, 1}}, {{8, 16}, {2, 8}, {2, 512}}}},
      // m8n8k128, m16n8k128 and m16n8k256 of single bits
      {Element::B1, 8, {{{4, 256}, {8, 1}}, {{32, 8}}}},
      {Element::B1, 16, {{{4, 512}, {8, 1}}, {{32, 16}, {2, 8}}}},
      {Element::B1, 16, {{{4, 512}, {8, 1}}, {{32, 16}, {2, 8}, {2, 2048}}}},
      // m8n8k4 and m16n8k4, k8, k16 of f64
      {Element::F64, 8, {{{4, 8}, {8, 1}}, {{1, 0}}}},
      {Element::F64, 16, {{{4, 16}, {8, 1}}, {{2, 8}}}},
      {Element::F64, 16, {{{4, 16}, {8, 1}}, {{2, 8}, {2, 64}}}},
      {Element::F64, 16, {{{4, 16}, {8, 1}}, {{2, 8}, {4, 64}}}}};
  for (const Case &test : cases)
    expectPlaces(test.layout, test.rows, [&](unsigned lane, unsigned i) {
      return placeInA(test.element, test.rows, lane, i);
    });
}

TEST(Fragments, ColumnsOfB) {
  struct Case {
    Element element;
    TestLayout layout; // column-major n x k
  };
  const Case cases[] = {
      {Element::F16, {{{4, 16}, {8, 1}}, {{2, 8}, {2, 64}}}},
      {Element::TF32, {{{4, 8}, {8, 1}}, {{2, 32}}}},
      {Element::S8, {{{4, 32}, {8, 1}}, {{4, 8}, {2, 128}}}},
      {Element::S4, {{{4, 64}, {8, 1}}, {{8, 8}, {2, 256}}}},
      {Element::B1, {{{4, 256}, {8, 1}}, {{32, 8}, {2, 1024}}}},
      {Element::F64, {{{4, 8}, {8, 1}}, {{4, 32}}}}};
  for (const Case &test : cases)
    expectPlaces(test.layout, 8, [&](unsigned lane, unsigned i) {
      Place place = placeInB(test.element, lane, i);
      return Place{place.column, place.row};
    });
}

TEST(Fragments, Accumulators) {
  expectPlaces({{{4, 16}, {8, 1}}, {{2, 8}}}, 8,
               [](unsigned lane, unsigned i) { return placeInD(8, lane, i); });
  expectPlaces({{{4, 32}, {8, 1}}, {{2, 16}, {2, 8}}}, 16,
               [](unsigned lane, unsigned i) { return placeInD(16, lane, i); });
}

TEST(Fragments, WarpgroupAccumulators) {
  // 128 threads; the last mode counts blocks of eight columns.
  TestLayout layout = {{{4, 128}, {8, 1}, {4, 16}},
                       {{2, 64}, {2, 8}, {32, 512}}};
  for (unsigned thread = 0; thread != 128; ++thread)
    for (unsigned i = 0; i != 128; ++i) {
      uint32_t index = layout(thread, i);
      EXPECT_EQ(placeInWarpgroupD(thread / 32, thread % 32, i),
                (Place{index % 64, index / 64}));
    }
  // The fourth warp of the second warpgroup, by hand.
  EXPECT_EQ(placeInWarpgroupD(7, 13, 6), (Place{48 + 3 + 8, 8 + 2}));
}

TEST(Fragments, WarpgroupA) {
  TestLayout half = {{{4, 128}, {8, 1}, {4, 16}}, {{2, 64}, {2, 8}, {2, 512}}};
  TestLayout bytes = {{{4, 256}, {8, 1}, {4, 16}},
                      {{4, 64}, {2, 8}, {2, 1024}}};
  TestLayout words = {{{4, 64}, {8, 1}, {4, 16}}, {{2, 8}, {2, 256}}};
  for (unsigned thread = 0; thread != 128; ++thread) {
    auto check = [&](const TestLayout &layout, Element element) {
      for (unsigned i = 0; i != layout.valueCount(); ++i) {
        uint32_t index = layout(thread, i);
        EXPECT_EQ(placeInWarpgroupA(element, thread / 32, thread % 32, i),
                  (Place{index % 64, index / 64}));
      }
    };
    check(half, Element::BF16);
    check(bytes, Element::E5M2);
    check(words, Element::TF32);
  }
}

TEST(Fragments, PlacesReadOffTheFigures) {
  // mma.m16n8k16 of f16: T5 holds a0 a1 in row 1, a2 a3 in row 9.
  EXPECT_EQ(placeInA(Element::F16, 16, 5, 1), (Place{1, 3}));
  EXPECT_EQ(placeInA(Element::F16, 16, 5, 2), (Place{9, 2}));
  EXPECT_EQ(placeInA(Element::F16, 16, 5, 4), (Place{1, 10}));
  // mma.m16n8k32 of u8: T31 ends the matrix.
  EXPECT_EQ(placeInA(Element::U8, 16, 31, 15), (Place{15, 31}));
  EXPECT_EQ(placeInB(Element::U8, 31, 7), (Place{31, 7}));
  // mma.m16n8k8 of tf32: T2 has a1 in row 8 and a2 in column 6.
  EXPECT_EQ(placeInA(Element::TF32, 16, 2, 1), (Place{8, 2}));
  EXPECT_EQ(placeInA(Element::TF32, 16, 2, 2), (Place{0, 6}));
  EXPECT_EQ(placeInD(16, 31, 3), (Place{15, 7}));
}

TEST(Fragments, QuadPairs) {
  // 8 x 4 and 8 x 8, the eight lanes of a product counted on.
  TestLayout rowA = {{{4, 1}, {2, 4}}, {{4, 8}}};
  TestLayout columnA = {{{4, 8}, {2, 4}}, {{4, 1}}};
  TestLayout half = {{{4, 1}, {2, 4}}, {{8, 8}}};
  TestLayout single = {{{2, 1}, {2, 16}, {2, 4}}, {{2, 8}, {2, 2}, {2, 32}}};
  for (unsigned lane = 0; lane != 32; ++lane) {
    unsigned member = lane % 4 + lane / 16 * 4;
    for (unsigned i = 0; i != 4; ++i) {
      Place byRow = placeInQuadPairA(true, lane, i);
      EXPECT_EQ(byRow.row + byRow.column * 8, rowA(member, i));
      Place byColumn = placeInQuadPairA(false, lane, i);
      EXPECT_EQ(byColumn.row + byColumn.column * 8, columnA(member, i));
      // B is n x k there: .col is what .row is for A.
      Place columnB = placeInQuadPairB(false, lane, i);
      EXPECT_EQ(columnB.column + columnB.row * 8, rowA(member, i));
      Place rowB = placeInQuadPairB(true, lane, i);
      EXPECT_EQ(rowB.column + rowB.row * 8, columnA(member, i));
    }
    for (unsigned i = 0; i != 8; ++i) {
      Place narrow = placeInQuadPairD(true, lane, i);
      EXPECT_EQ(narrow.row + narrow.column * 8, half(member, i));
      Place wide = placeInQuadPairD(false, lane, i);
      EXPECT_EQ(wide.row + wide.column * 8, single(member, i));
    }
  }
  EXPECT_EQ(quadPairOf(18), 0u);
  EXPECT_EQ(quadPairOf(31), 3u);
}

/// Every element is somewhere, and in distinct registers only once.
static void expectWhole(const WMMAFragment &fragment, unsigned registers) {
  EXPECT_EQ(fragment.registers(), registers);
  std::set<std::pair<unsigned, unsigned>> places;
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned reg = 0; reg != fragment.registers(); ++reg)
      for (unsigned i = 0; i != fragment.perRegister(); ++i) {
        Place place = fragment.place(lane, reg, i);
        EXPECT_LT(place.row, fragment.rows());
        EXPECT_LT(place.column, fragment.columns());
        bool fresh = places.insert({place.row, place.column}).second;
        EXPECT_EQ(fresh, reg < fragment.distinctRegisters());
      }
  EXPECT_EQ(places.size(), fragment.rows() * fragment.columns());
}

TEST(Fragments, WMMARegisterCounts) {
  // The table of the ISA: registers of A, B and of accumulators of f16 and of
  // 32 bits.
  for (WMMAShape shape :
       {WMMAShape{16, 16, 16}, WMMAShape{8, 32, 16}, WMMAShape{32, 8, 16}}) {
    expectWhole({shape, WMMAPart::A, Element::F16}, 8);
    expectWhole({shape, WMMAPart::B, Element::F16}, 8);
    expectWhole({shape, 16}, 4);
    expectWhole({shape, 32}, 8);
  }
  expectWhole({{16, 16, 16}, WMMAPart::A, Element::BF16}, 4);
  expectWhole({{16, 16, 16}, WMMAPart::B, Element::BF16}, 4);
  expectWhole({{8, 32, 16}, WMMAPart::A, Element::BF16}, 2);
  expectWhole({{8, 32, 16}, WMMAPart::B, Element::BF16}, 8);
  expectWhole({{32, 8, 16}, WMMAPart::A, Element::BF16}, 8);
  expectWhole({{32, 8, 16}, WMMAPart::B, Element::BF16}, 2);
  expectWhole({{16, 16, 16}, WMMAPart::A, Element::S8}, 2);
  expectWhole({{8, 32, 16}, WMMAPart::A, Element::U8}, 1);
  expectWhole({{8, 32, 16}, WMMAPart::B, Element::U8}, 4);
  expectWhole({{32, 8, 16}, WMMAPart::A, Element::S8}, 4);
  expectWhole({{32, 8, 16}, WMMAPart::B, Element::S8}, 1);
  expectWhole({{16, 16, 8}, WMMAPart::A, Element::TF32}, 4);
  expectWhole({{16, 16, 8}, WMMAPart::B, Element::TF32}, 4);
  expectWhole({{8, 8, 4}, WMMAPart::A, Element::F64}, 1);
  expectWhole({{8, 8, 4}, WMMAPart::B, Element::F64}, 1);
  expectWhole({{8, 8, 4}, 64}, 2);
  expectWhole({{8, 8, 32}, WMMAPart::A, Element::S4}, 1);
  expectWhole({{8, 8, 128}, WMMAPart::B, Element::B1}, 1);
  expectWhole({{8, 8, 128}, 32}, 2);
}
