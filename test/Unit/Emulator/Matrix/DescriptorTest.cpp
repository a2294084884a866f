//===- DescriptorTest.cpp - Tests of matrix descriptors -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses of elements against the canonical layouts of the ISA, evaluated as
// shapes and strides, with the swizzle as an exchange of address bits.
//
//===----------------------------------------------------------------------===//

#include "LayoutTestUtils.h"
#include "Matrix/SharedDescriptor.h"
#include "gtest/gtest.h"
#include <set>

using namespace ptxbench::emulator;

constexpr SwizzleMode allModes[] = {SwizzleMode::None, SwizzleMode::B32,
                                    SwizzleMode::B64, SwizzleMode::B128};

TEST(Descriptor, Fields) {
  // 128-byte swizzle, base offset 5, SBO 1024, LBO 16, start 0x1f420.
  uint64_t bits = 0x400a004000011f42;
  SharedDescriptor descriptor = SharedDescriptor::decode(bits);
  EXPECT_EQ(descriptor.start, 0x1f420u);
  EXPECT_EQ(descriptor.leading, 16u);
  EXPECT_EQ(descriptor.stride, 1024u);
  EXPECT_EQ(descriptor.baseOffset, 5);
  EXPECT_EQ(descriptor.swizzle, SwizzleMode::B128);
  EXPECT_EQ(descriptor.encode(), bits);

  EXPECT_EQ(SharedDescriptor::decode(uint64_t(2) << 62).width(), 4u);
  EXPECT_EQ(SharedDescriptor::decode(uint64_t(3) << 62).width(), 2u);
  // Bits between the fields don't count.
  EXPECT_EQ(SharedDescriptor::decode(bits | 0xc000c000c000).encode(), bits);
}

/// Swizzle<B, 4, 3> of an address: its bits from 4 on are changed by those from
/// 7 on.
static uint32_t swizzle(SwizzleMode mode, uint32_t address) {
  unsigned count = mode == SwizzleMode::B128  ? 3
                   : mode == SwizzleMode::B64 ? 2
                   : mode == SwizzleMode::B32 ? 1
                                              : 0;
  for (unsigned bit = 0; bit != count; ++bit)
    if (address >> (7 + bit) & 1)
      address ^= 1u << (4 + bit);
  return address;
}

static unsigned chunksOf(SwizzleMode mode) {
  return mode == SwizzleMode::B128  ? 8
         : mode == SwizzleMode::B64 ? 4
         : mode == SwizzleMode::B32 ? 2
                                    : 1;
}

TEST(Descriptor, KMajorCanonicalLayouts) {
  for (SwizzleMode mode : allModes)
    for (uint32_t bytes : {1, 2, 4}) {
      Element element = bytes == 1   ? Element::E4M3
                        : bytes == 2 ? Element::BF16
                                     : Element::TF32;
      // Strides that nobody would get by ignoring them, and a start inside of
      // a swizzled row.
      SharedDescriptor descriptor;
      descriptor.leading = 0x2340;
      descriptor.stride = 0x0c00;
      descriptor.start = mode == SwizzleMode::B128 ? 0x4060 : 0x4000;
      descriptor.swizzle = mode;
      SharedMatrix matrix(descriptor, element);
      uint32_t t = 16 / bytes, width = chunksOf(mode);
      std::vector<TestMode> lines = {{8, width * 16}, {32, descriptor.stride}};
      std::vector<TestMode> along = {
          {t, bytes}, {2, mode == SwizzleMode::None ? descriptor.leading : 16}};
      for (uint32_t line = 0; line != 256; ++line)
        for (uint32_t k = 0; k != 2 * t; ++k)
          ASSERT_EQ(matrix.address(line, k),
                    swizzle(mode, descriptor.start + offsetIn(lines, line) +
                                      offsetIn(along, k)))
              << "line " << line << ", k " << k;
    }
}

TEST(Descriptor, MNMajorCanonicalLayouts) {
  for (SwizzleMode mode : allModes) {
    SharedDescriptor descriptor;
    descriptor.leading = 0x1800;
    descriptor.stride = 0x0400;
    descriptor.start = 0x2000;
    descriptor.swizzle = mode;
    SharedMatrix matrix(descriptor, Element::F16, Major::MN);
    uint32_t width = chunksOf(mode);
    bool none = mode == SwizzleMode::None;
    std::vector<TestMode> lines = {
        {8, 2},
        {width, 16},
        {32, none ? descriptor.stride : descriptor.leading}};
    std::vector<TestMode> along = {
        {8, width * 16}, {4, none ? descriptor.leading : descriptor.stride}};
    for (uint32_t line = 0; line != 256; ++line)
      for (uint32_t k = 0; k != 32; ++k)
        ASSERT_EQ(matrix.address(line, k),
                  swizzle(mode, (descriptor.start + offsetIn(lines, line) +
                                 offsetIn(along, k)) &
                                    0x3ffff))
            << "line " << line << ", k " << k;
  }
}

TEST(Descriptor, SwizzleIsOfTheAddress) {
  SharedDescriptor descriptor;
  descriptor.swizzle = SwizzleMode::B128;
  descriptor.stride = 1024;
  // The second slice of K = 16 of a tile of 64 elements: row 1 is in chunks 2
  // and 3, exchanged by row 1 to 3 and 2.
  descriptor.start = 0x1020;
  SharedMatrix matrix(descriptor, Element::F16);
  EXPECT_EQ(matrix.address(0, 0), 0x1020u);
  EXPECT_EQ(matrix.address(1, 0), 0x10b0u);
  EXPECT_EQ(matrix.address(1, 8), 0x10a0u);
  // Applied to the offset it would give 0x1020 + 0x90.
  EXPECT_EQ(matrix.address(3, 5), 0x1180u + ((2 ^ 3) << 4) + 10);
  EXPECT_EQ(matrix.address(9, 0), 0x14b0u);
}

TEST(Descriptor, BaseOffsetMovesThePattern) {
  // The pattern starts at 0x1100, two rows after a boundary of 1024 bytes.
  SharedDescriptor descriptor;
  descriptor.swizzle = SwizzleMode::B128;
  descriptor.stride = 1024;
  descriptor.start = 0x1100;
  descriptor.baseOffset = 2;
  SharedMatrix matrix(descriptor, Element::F16);
  EXPECT_EQ(matrix.address(0, 0), 0x1100u);
  EXPECT_EQ(matrix.address(1, 0), 0x1190u);
  EXPECT_EQ(matrix.address(7, 0), 0x14f0u);
}

TEST(Descriptor, BitsAndTheEndOfTheWindow) {
  SharedDescriptor descriptor;
  descriptor.start = 0x3fff0;
  descriptor.stride = 128;
  descriptor.leading = 0x100;
  SharedMatrix bits(descriptor, Element::B1);
  EXPECT_EQ(bits.address(0, 127), 0x3ffffu);
  // The fields hold 18 bits, and so does their sum.
  EXPECT_EQ(bits.address(1, 0), 0u);
  EXPECT_EQ(bits.address(0, 128), 0xf0u);
}

TEST(Descriptor, ChunksCoverTheElements) {
  for (SwizzleMode mode : allModes)
    for (Major major : {Major::K, Major::MN}) {
      SharedDescriptor descriptor;
      descriptor.swizzle = mode;
      descriptor.start = 0x400;
      descriptor.leading = 0x2000;
      descriptor.stride = 0x400;
      SharedMatrix matrix(descriptor, Element::BF16, major);
      std::set<uint32_t> elements, chunks;
      for (unsigned line = 16; line != 48; ++line)
        for (unsigned k = 0; k != 16; ++k)
          elements.insert(matrix.address(line, k) & ~15u);
      matrix.forEachChunk(16, 32, 16,
                          [&](uint32_t chunk) { chunks.insert(chunk); });
      EXPECT_EQ(chunks, elements);
      EXPECT_EQ(chunks.size(), 64u);
    }
}
