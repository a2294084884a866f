//===- TMATensorMapTest.cpp - Tests of tensor maps ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule of cuda.h with a request that breaks it and one at its limit; maps
// survive as bytes, and other bytes are not taken for maps; tensormap.replace
// writes each field and no other.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Emulator/TensorMap.h"
#include "gtest/gtest.h"

#include <functional>

using namespace ptxbench::emulator;

namespace {
enum DriverType { UInt8, UInt16, Float16 = 6, Float64 = 8, BFloat16 = 9 };
} // namespace

static std::string text(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}

template <class T> static std::string text(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

/// 64 x 8 elements of a 4-dimensional bf16 tensor, with the 128-byte swizzle.
static TiledRequest tiled() {
  TiledRequest request;
  request.tensorMapAddress = 0x1000;
  request.tensorDataType = BFloat16;
  request.tensorRank = 4;
  request.globalAddress = 0x10000;
  request.globalDim = {100, 50, 20, 3, 0};
  request.globalStrides = {256, 12800, 256000, 0};
  request.boxDim = {64, 8, 1, 1, 0};
  request.swizzle = 3;
  return request;
}

/// 32 pixels of 16 channels of an NHWC tensor.
static Im2colRequest im2col() {
  Im2colRequest request;
  request.tensorDataType = Float16;
  request.tensorRank = 4;
  request.globalAddress = 0x10000;
  request.globalDim = {64, 8, 14, 64, 0};
  request.globalStrides = {128, 1024, 14336, 0};
  request.pixelBoxLowerCorner = {-1, -1, 0};
  request.pixelBoxUpperCorner = {-1, -1, 0};
  request.channelsPerPixel = 16;
  request.pixelsPerColumn = 32;
  return request;
}

static std::string tiledWith(std::function<void(TiledRequest &)> change) {
  TiledRequest request = tiled();
  change(request);
  return text(encodeTiled(request));
}

static std::string im2colWith(std::function<void(Im2colRequest &)> change) {
  Im2colRequest request = im2col();
  change(request);
  return text(encodeIm2col(request));
}

/// `broken` is refused with a message that starts with the argument's name;
/// `kept` is not.
#define EXPECT_RULE(with, argument, broken, kept)                              \
  do {                                                                         \
    std::string message = with([](auto &r) { broken; });                       \
    EXPECT_EQ(message.compare(0, sizeof(argument), argument ":"), 0)           \
        << message;                                                            \
    EXPECT_EQ(with([](auto &r) { kept; }), "");                                \
  } while (false)

TEST(TensorMapTest, RulesOfBothModes) {
  EXPECT_EQ(text(encodeTiled(tiled())), "");
  EXPECT_EQ(text(encodeIm2col(im2col())), "");
  EXPECT_RULE(tiledWith, "tensorMap", r.tensorMapAddress = 0x1020,
              r.tensorMapAddress = 0x1040);
  EXPECT_RULE(tiledWith, "tensorDataType", r.tensorDataType = 16,
              r.tensorDataType = 12;
              r.boxDim[0] = 32);
  for (uint32_t packed : {13, 14, 15}) {
    TiledRequest request = tiled();
    request.tensorDataType = packed;
    EXPECT_NE(text(encodeTiled(request)).find("packed"), std::string::npos);
  }
  EXPECT_RULE(tiledWith, "interleave", r.interleave = 3, r.interleave = 1);
  EXPECT_RULE(tiledWith, "swizzle", r.swizzle = 7, r.swizzle = 3);
  EXPECT_RULE(tiledWith, "swizzle", r.swizzle = 4, r.swizzle = 4;
              r.computeCapability = 100);
  EXPECT_RULE(tiledWith, "l2Promotion", r.l2Promotion = 4, r.l2Promotion = 3);
  EXPECT_RULE(tiledWith, "oobFill", r.oobFill = 2, r.oobFill = 1);
  EXPECT_RULE(tiledWith, "oobFill", r.oobFill = 1;
              r.tensorDataType = UInt16, r.oobFill = 1;
              r.tensorDataType = Float16);
}

TEST(TensorMapTest, RulesOfGlobalMemory) {
  EXPECT_RULE(tiledWith, "globalAddress", r.globalAddress = 0x10008,
              r.globalAddress = 0x10010);
  EXPECT_RULE(tiledWith, "globalAddress", r.globalAddress = 0x10010;
              r.interleave = 2; r.swizzle = 1, r.globalAddress = 0x10020;
              r.interleave = 2; r.swizzle = 1);
  EXPECT_RULE(tiledWith, "globalDim[2]", r.globalDim[2] = 0,
              r.globalDim[2] = 1);
  EXPECT_RULE(tiledWith, "globalDim[3]",
              r.globalDim[3] = (uint64_t(1) << 32) + 1,
              r.globalDim[3] = uint64_t(1) << 32);
  EXPECT_RULE(tiledWith, "globalStrides[1]", r.globalStrides[1] = 12808,
              r.globalStrides[1] = 12816);
  EXPECT_RULE(tiledWith, "globalStrides[1]", r.globalStrides[1] = 12816;
              r.interleave = 2; r.swizzle = 1, r.globalStrides[1] = 12832;
              r.interleave = 2; r.swizzle = 1);
  EXPECT_RULE(tiledWith, "globalStrides[2]",
              r.globalStrides[2] = uint64_t(1) << 40,
              r.globalStrides[2] = (uint64_t(1) << 40) - 16);
  // Only rank - 1 strides are used.
  EXPECT_EQ(tiledWith([](auto &r) { r.globalStrides[3] = 1; }), "");
}

TEST(TensorMapTest, RulesOfTiledMode) {
  EXPECT_RULE(tiledWith, "tensorRank", r.tensorRank = 0, r.tensorRank = 1);
  EXPECT_RULE(tiledWith, "tensorRank", r.tensorRank = 6, r.tensorRank = 5;
              r.globalDim[4] = r.boxDim[4] = 1);
  EXPECT_RULE(tiledWith, "tensorRank", r.tensorRank = 2;
              r.interleave = 1, r.tensorRank = 3; r.interleave = 1);
  EXPECT_RULE(tiledWith, "boxDim[1]", r.boxDim[1] = 0, r.boxDim[1] = 1);
  EXPECT_RULE(tiledWith, "boxDim[1]", r.boxDim[1] = 257, r.boxDim[1] = 256);
  EXPECT_RULE(tiledWith, "boxDim[0]", r.boxDim[0] = 4, r.boxDim[0] = 8);
  EXPECT_RULE(tiledWith, "elementStrides[1]", r.elementStrides[1] = 0,
              r.elementStrides[1] = 1);
  EXPECT_RULE(tiledWith, "elementStrides[3]", r.elementStrides[3] = 9,
              r.elementStrides[3] = 8);
  EXPECT_RULE(tiledWith, "elementStrides[0]", r.elementStrides[0] = 9;
              r.interleave = 1, r.elementStrides[0] = 9);
  EXPECT_RULE(tiledWith, "swizzle", r.interleave = 2, r.interleave = 2;
              r.swizzle = 1);
}

TEST(TensorMapTest, InnerBytesOfSwizzles) {
  EXPECT_RULE(tiledWith, "boxDim[0]", r.swizzle = 1;
              r.boxDim[0] = 24, r.swizzle = 1; r.boxDim[0] = 16);
  EXPECT_RULE(tiledWith, "boxDim[0]", r.swizzle = 2;
              r.boxDim[0] = 40, r.swizzle = 2; r.boxDim[0] = 32);
  EXPECT_RULE(tiledWith, "boxDim[0]", r.boxDim[0] = 72, r.boxDim[0] = 64);
  EXPECT_RULE(tiledWith, "boxDim[0]", r.boxDim[0] = 72, r.boxDim[0] = 72;
              r.swizzle = 0);
  EXPECT_RULE(tiledWith, "boxDim[0]", r.boxDim[0] = 72, r.boxDim[0] = 72;
              r.interleave = 1);
  EXPECT_RULE(im2colWith, "channelsPerPixel", r.swizzle = 1;
              r.channelsPerPixel = 32, r.swizzle = 1; r.channelsPerPixel = 16);
}

TEST(TensorMapTest, RulesOfIm2colMode) {
  EXPECT_RULE(im2colWith, "tensorRank", r.tensorRank = 2, r.tensorRank = 3);
  EXPECT_RULE(im2colWith, "tensorRank", r.tensorRank = 6, r.tensorRank = 5;
              r.globalDim[4] = 1);
  EXPECT_RULE(im2colWith, "pixelBoxLowerCorner[0]",
              r.pixelBoxLowerCorner[0] = -129, r.pixelBoxLowerCorner[0] = -128);
  EXPECT_RULE(im2colWith, "pixelBoxUpperCorner[1]",
              r.pixelBoxUpperCorner[1] = 128, r.pixelBoxUpperCorner[1] = 127);
  EXPECT_RULE(im2colWith, "pixelBoxUpperCorner[0]", r.tensorRank = 5;
              r.globalDim[4] = 1;
              r.pixelBoxUpperCorner[0] = 16, r.tensorRank = 5;
              r.globalDim[4] = 1; r.pixelBoxUpperCorner[0] = 15);
  EXPECT_RULE(im2colWith, "pixelBoxUpperCorner[0]", r.tensorRank = 3;
              r.pixelBoxUpperCorner[0] = 32768, r.tensorRank = 3;
              r.pixelBoxUpperCorner[0] = 32767);
  // A width of 8 from -1 to 7 - 9.
  EXPECT_RULE(im2colWith, "pixelBoxUpperCorner[0]",
              r.pixelBoxUpperCorner[0] = -9, r.pixelBoxUpperCorner[0] = -8);
  EXPECT_RULE(im2colWith, "channelsPerPixel", r.channelsPerPixel = 264,
              r.channelsPerPixel = 256);
  EXPECT_RULE(im2colWith, "channelsPerPixel", r.channelsPerPixel = 0,
              r.channelsPerPixel = 8);
  EXPECT_RULE(im2colWith, "pixelsPerColumn", r.pixelsPerColumn = 1025,
              r.pixelsPerColumn = 1024);
  EXPECT_RULE(im2colWith, "pixelsPerColumn", r.pixelsPerColumn = 0,
              r.pixelsPerColumn = 1);
  EXPECT_RULE(im2colWith, "elementStrides[2]", r.elementStrides[2] = 9,
              r.elementStrides[2] = 8);
}

TEST(TensorMapTest, MessagesStateRuleAndValue) {
  EXPECT_EQ(tiledWith([](auto &r) { r.boxDim[1] = 300; }),
            "boxDim[1]: expected 1 to 256 but got 300");
  EXPECT_EQ(tiledWith([](auto &r) { r.globalStrides[0] = 24; }),
            "globalStrides[0]: expected a multiple of 16 but got 24");
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static TensorMap make(llvm::Expected<TensorMap> map) { return *map; }

static void expectSame(const TensorMap &a, const TensorMap &b) {
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.elementType, b.elementType);
  EXPECT_EQ(a.interleave, b.interleave);
  EXPECT_EQ(a.swizzle, b.swizzle);
  EXPECT_EQ(a.fill, b.fill);
  EXPECT_EQ(a.l2Promotion, b.l2Promotion);
  EXPECT_EQ(a.rank, b.rank);
  EXPECT_EQ(a.globalAddress, b.globalAddress);
  EXPECT_EQ(a.globalDim, b.globalDim);
  EXPECT_EQ(a.globalStrides, b.globalStrides);
  EXPECT_EQ(a.boxDim, b.boxDim);
  EXPECT_EQ(a.elementStrides, b.elementStrides);
  EXPECT_EQ(a.lowerCorner, b.lowerCorner);
  EXPECT_EQ(a.upperCorner, b.upperCorner);
  EXPECT_EQ(a.channelsPerPixel, b.channelsPerPixel);
  EXPECT_EQ(a.pixelsPerColumn, b.pixelsPerColumn);
}

TEST(TensorMapTest, SurvivesAsBytes) {
  TiledRequest request = tiled();
  request.tensorRank = 5;
  request.globalDim = {100, uint64_t(1) << 32, 20, 3, 7};
  request.globalStrides = {256, 12800, 256000, (uint64_t(1) << 40) - 16};
  request.globalAddress = 0xfedcba9876543210;
  request.boxDim = {64, 256, 1, 1, 2};
  request.elementStrides = {5, 2, 3, 4, 8};
  request.oobFill = 1;
  request.l2Promotion = 2;
  TensorMap map = make(encodeTiled(request));
  EXPECT_EQ(map.elementType, TensorElementType::BF16);
  EXPECT_EQ(map.elementStrides[0], 1u);
  expectSame(make(TensorMap::decode(map.encode())), map);
  TensorMap columns = make(encodeIm2col(im2col()));
  expectSame(make(TensorMap::decode(columns.encode())), columns);
}

TEST(TensorMapTest, RefusesOtherBytes) {
  std::array<uint8_t, tensorMapBytes> map = make(encodeTiled(tiled())).encode();
  EXPECT_NE(text(TensorMap::decode(std::array<uint8_t, 128>{})), "");
  EXPECT_NE(text(TensorMap::decode(llvm::ArrayRef(map).drop_back())), "");
  auto half = map;
  std::fill(half.begin() + 64, half.end(), 0);
  EXPECT_NE(text(TensorMap::decode(half)).find("whole"), std::string::npos);
  // A byte of the form that changes is noticed or is a field's.
  unsigned refused = 0;
  for (unsigned i = 0; i < tensorMapBytes; ++i) {
    auto changed = map;
    changed[i] ^= 0x80;
    refused += !text(TensorMap::decode(changed)).empty();
  }
  // 8 of marks, 7 of enumerators, 1 and 28 unused.
  EXPECT_EQ(refused, 44u);
}

//===----------------------------------------------------------------------===//
// tensormap.replace
//===----------------------------------------------------------------------===//

TEST(TensorMapTest, ReplacesEachField) {
  TensorMap map = make(encodeTiled(tiled()));
  std::array<uint8_t, tensorMapBytes> bytes = map.encode();
  auto replace = [&](TensorMapField field, unsigned ordinal, uint64_t value) {
    EXPECT_EQ(text(replaceField(bytes, field, ordinal, value)), "");
    expectSame(make(TensorMap::decode(bytes)), map);
  };
  map.globalAddress = 0x7fff12345680;
  replace(TensorMapField::GlobalAddress, 0, 0x7fff12345680);
  map.rank = 5;
  replace(TensorMapField::Rank, 0, 4);
  for (unsigned i = 0; i < 5; ++i) {
    map.boxDim[i] = 8 + i;
    replace(TensorMapField::BoxDim, i, 8 + i);
    map.globalDim[i] = 0xffffffff - i;
    replace(TensorMapField::GlobalDim, i, 0xffffffff - i);
    map.elementStrides[i] = 1 + i;
    replace(TensorMapField::ElementStride, i, 1 + i);
  }
  for (unsigned i = 0; i < 4; ++i) {
    map.globalStrides[i] = 0xfffffffff0 - 16 * i;
    replace(TensorMapField::GlobalStride, i, 0xfffffffff0 - 16 * i);
  }
  map.elementType = TensorElementType::TF32Ftz;
  replace(TensorMapField::ElementType, 0, 12);
  map.interleave = TensorInterleave::Bytes16;
  replace(TensorMapField::InterleaveLayout, 0, 1);
  map.swizzle = TensorSwizzle::Bytes64;
  replace(TensorMapField::SwizzleMode, 0, 2);
  map.fill = TensorFill::NaN;
  replace(TensorMapField::FillMode, 0, 1);
}

TEST(TensorMapTest, ReplaceRefusesWhatTheFieldCannotHold) {
  std::array<uint8_t, tensorMapBytes> bytes =
      make(encodeTiled(tiled())).encode();
  const auto before = bytes;
  const struct {
    TensorMapField field;
    unsigned ordinal;
    uint64_t value;
  } wrong[] = {{TensorMapField::Rank, 0, 5},
               {TensorMapField::BoxDim, 5, 1},
               {TensorMapField::BoxDim, 0, 0x10000},
               {TensorMapField::GlobalStride, 4, 16},
               {TensorMapField::GlobalStride, 0, uint64_t(1) << 40},
               {TensorMapField::ElementStride, 0, 256},
               {TensorMapField::ElementType, 0, 13},
               {TensorMapField::InterleaveLayout, 0, 3},
               {TensorMapField::SwizzleMode, 0, 4},
               {TensorMapField::FillMode, 0, 2}};
  for (const auto &change : wrong) {
    EXPECT_NE(
        text(replaceField(bytes, change.field, change.ordinal, change.value)),
        "");
    EXPECT_EQ(bytes, before);
  }
  std::array<uint8_t, tensorMapBytes> other{};
  EXPECT_NE(text(replaceField(other, TensorMapField::Rank, 0, 1)), "");
  auto columns = make(encodeIm2col(im2col())).encode();
  EXPECT_NE(text(replaceField(columns, TensorMapField::Rank, 0, 3))
                .find("tiled mode"),
            std::string::npos);
}

TEST(TensorMapTest, RuleBrokenBetweenReplacements) {
  std::array<uint8_t, tensorMapBytes> bytes =
      make(encodeTiled(tiled())).encode();
  EXPECT_EQ(text(replaceField(bytes, TensorMapField::SwizzleMode, 0, 1)), "");
  EXPECT_NE(text(make(TensorMap::decode(bytes)).verify()), "");
  EXPECT_EQ(text(replaceField(bytes, TensorMapField::BoxDim, 0, 16)), "");
  EXPECT_EQ(text(make(TensorMap::decode(bytes)).verify()), "");
}
