//===- WarpgroupTest.cpp - Tests of wgmma's products ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warpgroup's product from shared memory: four warps, each with its own rows,
// every type, both majors and all swizzles, with strides that leave gaps.
//
//===----------------------------------------------------------------------===//

#include "Matrix/Products.h"
#include "ProductTestUtils.h"
#include "gtest/gtest.h"
#include <optional>

using namespace ptxbench::emulator;

namespace {

/// Shared memory with a matrix of lines along K in it.
class Shared {
public:
  Shared() : bytes(128 * 1024) {}

  /// Puts element (`line`, `k`) where a descriptor says.
  void set(const SharedMatrix &matrix, Element element, unsigned line,
           unsigned k, uint32_t value) {
    uint8_t *at = bytes.data() + matrix.address(line, k);
    if (element == Element::B1)
      *at |= value << k % 8;
    else
      std::memcpy(at, &value, bitsOf(element) / 8);
  }
  SharedWindow window() const { return {bytes.data(), uint32_t(bytes.size())}; }

private:
  std::vector<uint8_t> bytes;
};

struct Layout {
  SwizzleMode swizzle;
  Major major;
};

constexpr Layout allLayouts[] = {
    {SwizzleMode::None, Major::K},  {SwizzleMode::B32, Major::K},
    {SwizzleMode::B64, Major::K},   {SwizzleMode::B128, Major::K},
    {SwizzleMode::None, Major::MN}, {SwizzleMode::B32, Major::MN},
    {SwizzleMode::B64, Major::MN},  {SwizzleMode::B128, Major::MN}};

/// A descriptor of lines at `start` whose strides leave gaps.
SharedDescriptor descriptorOf(const Layout &layout, uint32_t start) {
  SharedDescriptor result;
  result.start = start;
  result.swizzle = layout.swizzle;
  if (layout.major == Major::K) {
    result.stride = 0x800;
    result.leading = 0x90;
    if (layout.swizzle == SwizzleMode::B128)
      result.start += 0x40;
    return result;
  }
  // Chunks of lines next to each other, blocks of eight along K far apart.
  result.leading = layout.swizzle == SwizzleMode::None ? 0x8000 : 0x800;
  result.stride = layout.swizzle == SwizzleMode::None ? 0xc0 : 0x400;
  return result;
}

/// A and B of one wgmma, and their layout in shared memory.
struct Operands {
  Operands(Element element, unsigned n, const Layout &layoutA,
           const Layout &layoutB, std::mt19937 &random)
      : element(element), k(256 / bitsOf(element)),
        a(randomMatrix(element, 64, k, random)),
        b(randomMatrix(element, k, n, random)),
        sharedA(descriptorOf(layoutA, 0), element, layoutA.major),
        sharedB(descriptorOf(layoutB, 0x10000), element, layoutB.major) {
    for (unsigned i = 0; i != k; ++i) {
      for (unsigned row = 0; row != 64; ++row)
        shared.set(sharedA, element, row, i, a.at(row, i));
      for (unsigned column = 0; column != n; ++column)
        shared.set(sharedB, element, column, i, b.at(i, column));
    }
    columns.reset(n, element, k);
    EXPECT_EQ(packShared(sharedB, 0, shared.window(), columns), std::nullopt);
  }
  /// The rows of a warp.
  void pack(unsigned warp) {
    rows.reset(16, element, k);
    EXPECT_EQ(packShared(sharedA, firstRowOfWarp(warp), shared.window(), rows),
              std::nullopt);
  }

  Element element;
  unsigned k;
  TestMatrix a, b;
  SharedMatrix sharedA, sharedB;
  Shared shared;
  PackedLines columns, rows;
};

void checkFloat(Operands &operands, bool negate) {
  unsigned n = operands.b.columns;
  FloatColumns columns;
  FloatRows rows;
  unpackColumns(operands.element, operands.columns, columns);
  for (unsigned warp = 0; warp != 4; ++warp) {
    operands.pack(warp);
    unpackRows(operands.element, operands.rows, negate, rows);
    TestRegisters d(n / 2);
    multiply(rows, columns, {16, false}, d.as<float>().data());
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned i = 0; i != n / 2; ++i) {
        Place at = placeInWarpgroupD(warp, lane, i);
        ASSERT_EQ(
            d.get(Element::TF32, lane, i),
            bitsOfFloat(referenceSum(operands.element, operands.a, operands.b,
                                     at.row, at.column, 0, negate)))
            << "row " << at.row << ", column " << at.column;
      }
  }
}

} // namespace

TEST(Warpgroup, HalvesInEveryLayout) {
  std::mt19937 random(30);
  for (const Layout &a : allLayouts)
    for (const Layout &b : allLayouts)
      for (Element element : {Element::F16, Element::BF16}) {
        Operands operands(element, 24, a, b, random);
        checkFloat(operands, false);
      }
}

TEST(Warpgroup, OtherTypesAlongK) {
  std::mt19937 random(31);
  for (Element element : {Element::TF32, Element::E4M3, Element::E5M2})
    for (unsigned layout = 0; layout != 4; ++layout) {
      Operands operands(element, 40, allLayouts[layout], allLayouts[3 - layout],
                        random);
      checkFloat(operands, layout % 2);
    }
}

TEST(Warpgroup, EveryNumberOfColumns) {
  std::mt19937 random(32);
  for (unsigned n = 8; n <= 256; n += 8) {
    Operands operands(Element::BF16, n, allLayouts[3], allLayouts[3], random);
    checkFloat(operands, true);
  }
}

TEST(Warpgroup, AFromRegisters) {
  std::mt19937 random(33);
  for (Element element : {Element::F16, Element::TF32, Element::E5M2}) {
    Operands operands(element, 16, allLayouts[0], allLayouts[0], random);
    FloatColumns columns;
    FloatRows rows;
    unpackColumns(element, operands.columns, columns);
    for (unsigned warp = 0; warp != 4; ++warp) {
      TestMatrix part(16, operands.k);
      for (unsigned row = 0; row != 16; ++row)
        for (unsigned k = 0; k != operands.k; ++k)
          part.at(row, k) = operands.a.at(warp * 16 + row, k);
      TestRegisters registers = registersOfA(element, part);
      operands.rows.reset(16, element, operands.k);
      packRows(registers.inputs(), 16, operands.rows);
      unpackRows(element, operands.rows, false, rows);
      TestRegisters d(8);
      multiply(rows, columns, {16, false}, d.as<float>().data());
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned i = 0; i != 8; ++i) {
          Place at = placeInWarpgroupD(warp, lane, i);
          ASSERT_EQ(d.get(Element::TF32, lane, i),
                    bitsOfFloat(referenceSum(element, operands.a, operands.b,
                                             at.row, at.column, 0)));
        }
    }
  }
}

TEST(Warpgroup, HalfAccumulators) {
  std::mt19937 random(34);
  Operands operands(Element::F16, 256, allLayouts[7], allLayouts[3], random);
  TestMatrix c = randomMatrix(Element::F16, 16, 256, random);
  FloatColumns columns;
  FloatRows rows;
  unpackColumns(Element::F16, operands.columns, columns);
  operands.pack(2);
  unpackRows(Element::F16, operands.rows, false, rows);
  for (bool accumulate : {false, true}) {
    TestRegisters d = registersOfD(Element::F16, c);
    multiplyToHalf(rows, columns, {16, accumulate}, d.words());
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned i = 0; i != 128; ++i) {
        Place at = placeInD(16, lane, i);
        float start =
            accumulate
                ? float(decodeElement(Element::F16, c.at(at.row, at.column)))
                : 0;
        ASSERT_EQ(d.get(Element::F16, lane, i),
                  encodeHalf(referenceSum(Element::F16, operands.a, operands.b,
                                          at.row + 32, at.column, start)));
      }
  }
}

TEST(Warpgroup, Integers) {
  std::mt19937 random(35);
  for (Element element : {Element::S8, Element::U8}) {
    Operands operands(element, 48, allLayouts[1], allLayouts[2], random);
    IntegerColumns columns;
    IntegerRows rows;
    unpackIntegerColumns(element, operands.columns, columns);
    for (unsigned warp = 0; warp != 4; ++warp) {
      operands.pack(warp);
      unpackIntegerRows(element, operands.rows, rows);
      TestRegisters d(24);
      multiply(rows, columns, {16, false}, false, d.as<int32_t>().data());
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned i = 0; i != 24; ++i) {
          Place at = placeInWarpgroupD(warp, lane, i);
          ASSERT_EQ(d.get(Element::TF32, lane, i),
                    uint32_t(referenceInteger(element, element, operands.a,
                                              operands.b, at.row, at.column)));
        }
    }
  }
}

TEST(Warpgroup, Bits) {
  std::mt19937 random(36);
  Operands operands(Element::B1, 24, allLayouts[3], allLayouts[0], random);
  BitColumns columns;
  BitRows rows;
  unpackBitColumns(operands.columns, columns);
  for (unsigned warp = 0; warp != 4; ++warp) {
    operands.pack(warp);
    unpackBitRows(operands.rows, rows);
    TestRegisters d(12);
    multiplyBits(rows, columns, {16, false}, BitOperation::And,
                 d.as<int32_t>().data());
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned i = 0; i != 12; ++i) {
        Place at = placeInWarpgroupD(warp, lane, i);
        ASSERT_EQ(
            d.get(Element::TF32, lane, i),
            uint32_t(referenceInteger(Element::B1, Element::B1, operands.a,
                                      operands.b, at.row, at.column)));
      }
  }
}

TEST(Warpgroup, AddressesOutsideOfTheWindow) {
  std::vector<uint8_t> bytes(4096);
  PackedLines lines;
  SharedDescriptor descriptor;
  descriptor.start = 2048;
  descriptor.leading = 128;
  descriptor.stride = 256;
  SharedMatrix matrix(descriptor, Element::F16);
  lines.reset(64, Element::F16, 16);
  SharedWindow window = {bytes.data(), 4096};
  EXPECT_EQ(packShared(matrix, 0, window, lines), std::nullopt);
  window.size = 4095;
  EXPECT_EQ(packShared(matrix, 0, window, lines), 4080u);
  window.size = 8;
  EXPECT_EQ(packShared(matrix, 0, window, lines), 2048u);
  SharedMatrix transposed(descriptor, Element::F16, Major::MN);
  window.size = 2048;
  EXPECT_EQ(packShared(transposed, 0, window, lines), 2048u);
}
