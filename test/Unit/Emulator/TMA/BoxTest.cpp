//===- TMABoxTest.cpp - Tests of the boxes of tensor copies ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runs of a box against a model that visits one element at a time, as the
// ISA describes it: places in the tensor from nested loops over the box, places
// in shared memory from the ISA's drawings of the swizzles.
//
//===----------------------------------------------------------------------===//

#include "TMA/BoxWalk.h"
#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace ptxbench::emulator;

static std::string text(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

namespace {
/// For a byte of shared memory: where it comes from; 0 is out of bounds.
using Bytes = std::map<uint32_t, uint64_t>;
} // namespace

/// The drawings of "Swizzling Modes": a row for a line of 128 bytes, from the
/// alignment of the pattern on, and the number of the 16 bytes at each place.
static const std::vector<std::string> drawings[] = {
    {"01234567"},
    {"01234567", "10325476"},
    {"01234567", "10325476", "23016745", "32107654"},
    {"01234567", "10325476", "23016745", "32107654", "45670123", "54761032",
     "67452301", "76543210"},
    {"01234567", "23016745", "45670123", "67452301"},
    {"01234567", "23016745", "45670123", "67452301"},
    {"01234567", "45670123"}};

static uint32_t place(TensorSwizzle swizzle, uint32_t address) {
  const std::vector<std::string> &rows = drawings[unsigned(swizzle)];
  uint32_t line = address / 128;
  const std::string &row = rows[line % rows.size()];
  uint32_t chunk = uint32_t(row.find(char('0' + address % 128 / 16)));
  uint32_t inChunk = address % 16;
  // The flip of adjacent 8 bytes at every alternate line.
  if (swizzle == TensorSwizzle::Bytes128Atom32Flip8 && line % 2)
    inChunk = (inChunk + 8) % 16;
  return line * 128 + chunk * 16 + inChunk;
}

/// Adds the element at `at` as the next one of the box.
static void addElement(const TensorMap &map, const std::vector<int64_t> &at,
                       uint32_t &shared, Bytes &bytes) {
  uint32_t size = elementBytes(map.elementType);
  bool inBounds = true;
  uint64_t address = map.globalAddress;
  for (unsigned i = 0; i < map.rank; ++i) {
    inBounds = inBounds && at[i] >= 0 && at[i] < int64_t(map.globalDim[i]);
    address += uint64_t(at[i]) * (i ? map.globalStrides[i - 1] : size);
  }
  for (uint32_t i = 0; i < size; ++i, ++shared)
    bytes[place(map.swizzle, shared)] = inBounds ? address + i : 0;
}

/// Under a swizzle the next row begins a span of its own.
static void endRow(const TensorMap &map, uint32_t begin, uint32_t &shared) {
  if (uint32_t span = swizzleSpan(map.swizzle))
    shared = std::max(shared, begin + span);
}

static void addTile(const TensorMap &map, const TensorCoordinates &from,
                    std::vector<int64_t> &at, unsigned dim, uint32_t &shared,
                    Bytes &bytes) {
  uint32_t begin = shared;
  uint32_t step = dim ? map.elementStrides[dim] : 1;
  for (uint32_t i = 0; i < map.boxDim[dim]; i += step) {
    at[dim] = int64_t(from.at[dim]) + i;
    if (dim)
      addTile(map, from, at, dim - 1, shared, bytes);
    else
      addElement(map, at, shared, bytes);
  }
  if (!dim)
    endRow(map, begin, shared);
}

/// The base pixels along dimension `dim` (1 is W) and below: the first time
/// from the coordinates on, then from the lower corner on. False at the end.
static bool addPixels(const TensorMap &map, const TensorCoordinates &from,
                      std::vector<int64_t> &base, unsigned dim, bool &first,
                      uint32_t &left, uint32_t &shared, Bytes &bytes) {
  if (dim == 0) {
    first = false;
    std::vector<int64_t> at = base;
    for (unsigned i = 1; i + 1 < map.rank; ++i)
      at[i] += from.offsets[i - 1];
    uint32_t begin = shared;
    for (uint32_t c = 0; c < map.channelsPerPixel; ++c) {
      at[0] = int64_t(from.at[0]) + c;
      addElement(map, at, shared, bytes);
    }
    endRow(map, begin, shared);
    return --left != 0;
  }
  if (dim == map.rank - 1) { // N
    for (base[dim] = from.at[dim];; base[dim] += map.elementStrides[dim])
      if (!addPixels(map, from, base, dim - 1, first, left, shared, bytes))
        return false;
  }
  int64_t last = int64_t(map.globalDim[dim]) - 1 + map.upperCorner[dim - 1];
  for (base[dim] = first ? from.at[dim] : map.lowerCorner[dim - 1];
       base[dim] <= last; base[dim] += map.elementStrides[dim])
    if (!addPixels(map, from, base, dim - 1, first, left, shared, bytes))
      return false;
  return true;
}

static Bytes model(const TensorMap &map, const TensorCoordinates &from,
                   uint32_t shared) {
  Bytes bytes;
  std::vector<int64_t> at(maxTensorRank);
  if (map.mode == TensorMap::Mode::Tiled) {
    addTile(map, from, at, map.rank - 1, shared, bytes);
  } else {
    bool first = true;
    uint32_t left = map.pixelsPerColumn;
    addPixels(map, from, at, map.rank - 1, first, left, shared, bytes);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static std::vector<TensorRun>
runsOf(const TensorMap &map, const TensorCoordinates &from, uint32_t shared) {
  std::vector<TensorRun> runs;
  forEachRun(map, from, shared,
             [&](const TensorRun &run) { runs.push_back(run); });
  return runs;
}

/// True if the runs are those of the model, each byte once, and no two that
/// follow each other could be one.
static ::testing::AssertionResult
agrees(const TensorMap &map, const TensorCoordinates &from, uint32_t shared) {
  Bytes bytes;
  uint64_t total = 0;
  TensorRun last = {0, 0, 0, false};
  for (const TensorRun &run : runsOf(map, from, shared)) {
    total += run.bytes;
    for (uint32_t i = 0; i < run.bytes; ++i)
      bytes[run.sharedAddress + i] = run.inBounds ? run.globalAddress + i : 0;
    if (last.bytes && last.inBounds == run.inBounds &&
        last.sharedAddress + last.bytes == run.sharedAddress &&
        (!run.inBounds || last.globalAddress + last.bytes == run.globalAddress))
      return ::testing::AssertionFailure() << "runs could be joined";
    last = run;
  }
  if (total != boxBytes(map))
    return ::testing::AssertionFailure()
           << total << " bytes in runs, " << boxBytes(map) << " in the box";
  Bytes expected = model(map, from, shared);
  if (expected.size() != total)
    return ::testing::AssertionFailure()
           << expected.size() << " bytes in the model, " << total << " in runs";
  for (const auto &byte : expected) {
    auto found = bytes.find(byte.first);
    if (found == bytes.end() || found->second != byte.second)
      return ::testing::AssertionFailure()
             << "shared " << byte.first << ": expected " << byte.second;
  }
  return ::testing::AssertionSuccess();
}

static const TensorElementType sampleTypes[] = {
    TensorElementType::U8, TensorElementType::BF16, TensorElementType::F32,
    TensorElementType::F64};

namespace {
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  int64_t operator()(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }

private:
  std::mt19937_64 engine;
};
} // namespace

/// A coordinate of whole 16 bytes.
static int32_t innerCoordinate(Random &random, const TensorMap &map,
                               int64_t low, int64_t high) {
  int64_t step = 16 / elementBytes(map.elementType);
  return int32_t(random(low / step, high / step) * step);
}

/// What both modes have in common; `inner` gets elements of a legal row.
static TensorMap randomMap(Random &random, unsigned rank, uint32_t &inner) {
  TensorMap map;
  map.rank = rank;
  map.elementType = sampleTypes[random(0, 3)];
  map.swizzle = TensorSwizzle(random(0, 6));
  map.globalAddress = 0x100000;
  uint32_t size = elementBytes(map.elementType);
  uint32_t span = swizzleSpan(map.swizzle);
  inner = uint32_t(random(1, span ? span / 16 : 9)) * 16 / size;
  map.globalDim[0] = uint64_t(random(1, 2 * inner));
  uint64_t stride = (map.globalDim[0] * size + 15) / 16 * 16;
  for (unsigned i = 1; i < rank; ++i) {
    stride += uint64_t(random(0, 1)) * 16;
    map.globalStrides[i - 1] = stride;
    map.globalDim[i] = uint64_t(random(1, 9));
    stride *= map.globalDim[i];
    map.elementStrides[i] = uint32_t(random(1, 3));
  }
  return map;
}

TEST(TMABoxTest, TiledAgreesWithModel) {
  Random random(1);
  for (unsigned round = 0; round < 1500; ++round) {
    uint32_t inner;
    TensorMap map = randomMap(random, 1 + round % 5, inner);
    map.boxDim[0] = inner;
    TensorCoordinates from;
    from.at[0] = innerCoordinate(random, map, -2 * int64_t(inner), 2 * inner);
    uint32_t most = 12;
    for (unsigned i = 1; i < map.rank; ++i, most = most / 2 + 1) {
      map.boxDim[i] = uint32_t(random(1, most));
      from.at[i] = int32_t(random(-4, 9));
    }
    uint32_t shared = uint32_t(random(0, 20)) * 128;
    ASSERT_EQ(
        text(checkTensorAccess(map, TensorAccess::Load, TensorLoadMode::Tile,
                               map.rank, from, shared)),
        "");
    ASSERT_TRUE(agrees(map, from, shared)) << "round " << round;
  }
}

TEST(TMABoxTest, Im2colAgreesWithModel) {
  Random random(2);
  for (unsigned round = 0; round < 600; ++round) {
    uint32_t inner;
    TensorMap map = randomMap(random, 3 + round % 3, inner);
    map.mode = TensorMap::Mode::Im2col;
    map.channelsPerPixel = inner;
    map.pixelsPerColumn = uint32_t(random(1, 70));
    TensorCoordinates from;
    from.at[0] = innerCoordinate(random, map, -int64_t(inner), inner);
    for (unsigned i = 1; i + 1 < map.rank; ++i) {
      int64_t low = random(-3, 2), high = random(-3, 2);
      if (int64_t(map.globalDim[i]) + high - low < 1)
        low = high = 0;
      map.lowerCorner[i - 1] = int32_t(low);
      map.upperCorner[i - 1] = int32_t(high);
      from.at[i] = int32_t(random(low, int64_t(map.globalDim[i]) - 1 + high));
      from.offsets[i - 1] = uint16_t(random(0, 4));
    }
    from.at[map.rank - 1] = int32_t(random(-1, 9));
    uint32_t shared = uint32_t(random(0, 20)) * 128;
    ASSERT_EQ(
        text(checkTensorAccess(map, TensorAccess::Load, TensorLoadMode::Im2col,
                               map.rank, from, shared)),
        "");
    ASSERT_TRUE(agrees(map, from, shared)) << "round " << round;
  }
}

//===----------------------------------------------------------------------===//
// Cases with known answers
//===----------------------------------------------------------------------===//

/// A 64 x 64 box of a bf16 matrix of 256 x 256.
static TensorMap matrix(TensorSwizzle swizzle) {
  TensorMap map;
  map.rank = 2;
  map.elementType = TensorElementType::BF16;
  map.swizzle = swizzle;
  map.globalAddress = 0x10000;
  map.globalDim = {256, 256};
  map.globalStrides = {512};
  map.boxDim = {64, 64};
  map.elementStrides = {1, 1};
  return map;
}

TEST(TMABoxTest, RunsAreLong) {
  TensorCoordinates from;
  from.at = {64, 128};
  EXPECT_EQ(runsOf(matrix(TensorSwizzle::None), from, 0).size(), 64u);
  // A line is moved in pieces of the least bit that its number sets.
  EXPECT_EQ(runsOf(matrix(TensorSwizzle::Bytes128), from, 0).size(),
            8u * (4 * 8 + 2 * 4 + 2 + 1));
  TensorMap rows = matrix(TensorSwizzle::None);
  rows.globalDim[0] = 64;
  rows.globalStrides[0] = 128;
  from.at = {0, 128};
  EXPECT_EQ(runsOf(rows, from, 0).size(), 1u);
  from.at = {0, 256};
  EXPECT_EQ(runsOf(matrix(TensorSwizzle::Bytes128), from, 128).size(), 1u);
}

TEST(TMABoxTest, BoxWithoutAnElementInside) {
  TensorMap map = matrix(TensorSwizzle::Bytes64);
  map.boxDim[0] = 32;
  for (int32_t x : {-32, 256, INT32_MIN, INT32_MAX}) {
    TensorCoordinates from;
    from.at = {x, 0};
    std::vector<TensorRun> runs = runsOf(map, from, 1024);
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_FALSE(runs[0].inBounds);
    EXPECT_EQ(runs[0].bytes, boxBytes(map));
    from.at = {0, x == -32 ? -64 : x};
    ASSERT_EQ(runsOf(map, from, 1024).size(), 1u);
  }
}

TEST(TMABoxTest, TransactionBytesCountTheWholeBox) {
  TensorMap map = matrix(TensorSwizzle::None);
  EXPECT_EQ(boxBytes(map), 8192u);
  map.elementStrides[1] = 3; // ceil(64 / 3) rows
  EXPECT_EQ(boxBytes(map), 22u * 128);
}

/// Tensor size (64, 9, 14, 64), corners -1, coordinates (n, h, w, c) of
/// (7, 7, 4, 0): example 1 of "Im2col mode".
TEST(TMABoxTest, Im2colExamples) {
  TensorMap map;
  map.mode = TensorMap::Mode::Im2col;
  map.rank = 4;
  map.elementType = TensorElementType::F16;
  map.globalAddress = 0x10000;
  map.globalDim = {64, 9, 14, 64};
  map.globalStrides = {128, 9 * 128, 14 * 9 * 128};
  map.elementStrides = {1, 1, 1, 1};
  map.lowerCorner = {-1, -1};
  map.upperCorner = {-1, -1};
  map.channelsPerPixel = 8;
  map.pixelsPerColumn = 64;
  TensorCoordinates from;
  from.at = {0, 4, 7, 7};
  auto address = [&](uint64_t w, uint64_t h, uint64_t n) {
    return map.globalAddress + w * 128 + h * 9 * 128 + n * 14 * 9 * 128;
  };
  std::vector<TensorRun> runs = runsOf(map, from, 0);
  // (4..7, 7), then -1 and 0..7 of the next row, ...
  ASSERT_GT(runs.size(), 6u);
  EXPECT_EQ(runs[0].globalAddress, address(4, 7, 7));
  EXPECT_EQ(runs[3].globalAddress, address(7, 7, 7));
  EXPECT_FALSE(runs[4].inBounds);
  EXPECT_EQ(runs[4].bytes, 16u);
  EXPECT_EQ(runs[5].globalAddress, address(0, 8, 7));
  // 4 pixels, 5 rows of 9 to the upper corner 12, then image 8 from (-1, -1).
  uint32_t next = 16 * (4 + 5 * 9);
  Bytes bytes = model(map, from, 0);
  EXPECT_EQ(bytes[next - 16], address(7, 12, 7));
  EXPECT_EQ(bytes[next], 0u);
  EXPECT_EQ(bytes[next + 10 * 16], address(0, 0, 8));
  EXPECT_TRUE(agrees(map, from, 0));

  // Example 2: the same pixels by corners of 0 and -2 and offsets of 2.
  map.lowerCorner = {0, 0};
  map.upperCorner = {-2, -2};
  from.offsets = {2, 2};
  EXPECT_EQ(runsOf(map, from, 0)[0].globalAddress, address(6, 9, 7));
  EXPECT_TRUE(agrees(map, from, 0));

  // Example 3: a stride leaves the number of pixels as it is.
  map.globalDim[1] = 8;
  map.lowerCorner = {-1, -1};
  map.upperCorner = {-1, -1};
  map.elementStrides = {1, 2, 2, 1};
  map.channelsPerPixel = 16;
  map.pixelsPerColumn = 32;
  from.at = {0, 5, 7, 7};
  from.offsets = {1, 1};
  EXPECT_EQ(boxBytes(map), 32u * 16 * 2);
  // (5) + 1, then (-1, 1, 3, 5) + 1 two rows below.
  runs = runsOf(map, from, 0);
  EXPECT_EQ(runs[0].globalAddress, address(6, 8, 7));
  EXPECT_EQ(runs[1].globalAddress, address(0, 10, 7));
  EXPECT_EQ(runs[2].globalAddress, address(2, 10, 7));
  EXPECT_TRUE(agrees(map, from, 0));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

TEST(TMABoxTest, ChecksOperands) {
  TensorMap map = matrix(TensorSwizzle::Bytes128);
  TensorCoordinates from;
  from.at = {-8, 0};
  auto check = [&](TensorAccess access, TensorLoadMode mode, unsigned rank,
                   uint32_t shared) {
    return text(checkTensorAccess(map, access, mode, rank, from, shared));
  };
  const TensorAccess load = TensorAccess::Load, store = TensorAccess::Store;
  const TensorLoadMode tile = TensorLoadMode::Tile;
  EXPECT_EQ(check(load, tile, 2, 128), "");
  EXPECT_NE(check(load, tile, 3, 128).find("rank 3"), std::string::npos);
  EXPECT_NE(check(load, tile, 2, 64).find("shared memory"), std::string::npos);
  EXPECT_NE(check(load, TensorLoadMode::Im2col, 2, 0).find("im2col mode"),
            std::string::npos);
  EXPECT_NE(check(load, TensorLoadMode::TileGather4, 2, 0).find("sm_100"),
            std::string::npos);
  EXPECT_NE(check(load, TensorLoadMode::Im2colW, 2, 0).find("sm_100"),
            std::string::npos);
  EXPECT_NE(check(store, tile, 2, 0).find("tensorCoords[0]"),
            std::string::npos);
  for (int32_t x : {-1, 1, 255}) {
    from.at = {x, 0};
    EXPECT_NE(check(load, tile, 2, 0)
                  .find("tensorCoords[0]: expected a multiple of 16 bytes"),
              std::string::npos);
  }
  from.at = {248, 255};
  EXPECT_EQ(check(store, tile, 2, 0), "");
  map.swizzle = TensorSwizzle::Bytes128Atom32Flip8;
  EXPECT_EQ(check(load, tile, 2, 0), "");
  EXPECT_NE(check(store, tile, 2, 0).find("flips"), std::string::npos);
  map = matrix(TensorSwizzle::None);
  map.boxDim = {256, 256};
  EXPECT_EQ(check(load, tile, 2, 0), "");
  map.elementType = TensorElementType::F64;
  EXPECT_NE(check(load, tile, 2, 0).find("fits shared memory"),
            std::string::npos);
  map = matrix(TensorSwizzle::None);
  map.boxDim[1] = 300;
  EXPECT_NE(check(load, tile, 2, 0).find("boxDim[1]"), std::string::npos);
}

TEST(TMABoxTest, ChecksIm2colOperands) {
  TensorMap map;
  map.mode = TensorMap::Mode::Im2col;
  map.rank = 3;
  map.elementType = TensorElementType::F16;
  map.globalDim = {64, 8, 2};
  map.globalStrides = {128, 1024};
  map.elementStrides = {1, 1, 1};
  map.lowerCorner = {-1};
  map.upperCorner = {-1};
  map.channelsPerPixel = 8;
  map.pixelsPerColumn = 4;
  TensorCoordinates from;
  auto check = [&](TensorAccess access, TensorLoadMode mode) {
    return text(checkTensorAccess(map, access, mode, 3, from, 0));
  };
  auto load = [&] { return check(TensorAccess::Load, TensorLoadMode::Im2col); };
  auto store = [&] {
    return check(TensorAccess::Store, TensorLoadMode::Im2colNoOffs);
  };
  from.at = {0, -1, 0};
  EXPECT_EQ(load(), "");
  from.at[1] = -2;
  EXPECT_NE(load().find("tensorCoords[1]"), std::string::npos);
  from.at[1] = 6;
  EXPECT_EQ(load(), "");
  from.at[1] = 7;
  EXPECT_NE(load().find("tensorCoords[1]"), std::string::npos);
  from.at[1] = 0;
  EXPECT_NE(store().find("pixelBoxLowerCorner[0]"), std::string::npos);
  map.lowerCorner[0] = 0;
  EXPECT_EQ(store(), "");
  map.upperCorner[0] = 1;
  EXPECT_NE(store().find("pixelBoxUpperCorner[0]"), std::string::npos);
  from.offsets[0] = 0xffff;
  EXPECT_EQ(load(), "");
  EXPECT_NE(store().find("im2colOffsets[0]"), std::string::npos);
  EXPECT_NE(check(TensorAccess::Load, TensorLoadMode::Im2colNoOffs), "");
  EXPECT_NE(check(TensorAccess::Reduction, TensorLoadMode::Im2col), "");
  // Of two dimensions an offset has 8 bits.
  map.rank = 4;
  map.globalDim = {64, 8, 2, 2};
  map.globalStrides = {128, 1024, 2048};
  map.elementStrides = {1, 1, 1, 1};
  from.offsets[0] = 256;
  EXPECT_NE(text(checkTensorAccess(map, TensorAccess::Load,
                                   TensorLoadMode::Im2col, 4, from, 0))
                .find("im2colOffsets[0]"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

template <class T>
static std::vector<T> loaded(const TensorMap &map, std::vector<T> global,
                             bool inBounds) {
  std::vector<T> shared(global.size(), T(0x55));
  TensorRun run = {0, 0, uint32_t(global.size() * sizeof(T)), inBounds};
  loadRun(map, run, reinterpret_cast<uint8_t *>(shared.data()),
          reinterpret_cast<const uint8_t *>(global.data()));
  return shared;
}

TEST(TMABoxTest, LoadsAndFills) {
  TensorMap map = matrix(TensorSwizzle::None);
  std::vector<uint16_t> values = {1, 0x8000, 0x7fc1, 0xffff};
  EXPECT_EQ(loaded(map, values, true), values);
  EXPECT_EQ(loaded(map, values, false), std::vector<uint16_t>(4, 0));
  map.fill = TensorFill::NaN;
  EXPECT_EQ(loaded(map, values, false), std::vector<uint16_t>(4, 0x7ff7));
  map.elementType = TensorElementType::F64;
  EXPECT_EQ(loaded(map, std::vector<uint64_t>{1, 2}, false),
            std::vector<uint64_t>(2, 0x7ff77ff77ff77ff7));
}

TEST(TMABoxTest, LoadsConvert) {
  TensorMap map = matrix(TensorSwizzle::None);
  const std::vector<uint32_t> values = {
      0x3f801000, 0x3f803000, 0x3f801001, 0xbf800fff, 0x7f7fffff,
      0x7f800000, 0x7f800001, 0xffffffff, 0x00000001, 0x807fffff};
  map.elementType = TensorElementType::F32;
  EXPECT_EQ(loaded(map, values, true), values);
  map.elementType = TensorElementType::TF32;
  EXPECT_EQ(loaded(map, values, true),
            (std::vector<uint32_t>{
                0x3f800000, 0x3f804000, 0x3f802000, 0xbf800000, 0x7f800000,
                0x7f800000, 0x7fffe000, 0x7fffe000, 0x00000000, 0x80800000}));
  // Flushed behind the rounding.
  map.elementType = TensorElementType::TF32Ftz;
  std::vector<uint32_t> flushed = loaded(
      map, std::vector<uint32_t>{0x3f801001, 0x807fffff, 0x807f0000}, true);
  EXPECT_EQ(flushed,
            (std::vector<uint32_t>{0x3f802000, 0x80800000, 0x80000000}));
  map.elementType = TensorElementType::F32Ftz;
  EXPECT_EQ(loaded(map, values, true), values);
}
