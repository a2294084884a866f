//===- TensorCopyTest.cpp - Tests of cp.async.bulk.tensor -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that load a box, wait for it and store or reduce it, under every
// schedule, against models that visit one element at a time; and every operand
// that is wrong.
//
//===----------------------------------------------------------------------===//

#include "BulkTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

/// A kernel whose first thread loads as `load` says and, when all threads have
/// seen `expect` bytes come, does `store`. %d1, %d3: the maps; %d2: out; %r4 to
/// %r7: x, y, u, v; %r2: the tile; %r3: the mbarrier.
static std::string transferKernel(const std::string &load,
                                  const std::string &store, unsigned expect,
                                  unsigned sharedBytes = 4096) {
  std::string text = R"(
.visible .entry k(.param .align 64 .b8 map[128], .param .align 64 .b8 to[128],
                  .param .u64 out, .param .u32 x, .param .u32 y,
                  .param .u32 u, .param .u32 v) {
  .shared .align 1024 .b8 tile[BYTES];
  .shared .align 8 .b64 bar;
  .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .pred %p<3>;
  mov.b64 %d1, map;
  mov.b64 %d3, to;
  ld.param.u64 %d2, [out];
  ld.param.b32 %r4, [x];
  ld.param.b32 %r5, [y];
  ld.param.b32 %r6, [u];
  ld.param.b32 %r7, [v];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, tile;
  mov.u32 %r3, bar;
  setp.lt.s32 %p1, %r1, 1;
  @%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
  bar.sync 0;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], EXPECT;
  @%p1 LOAD;
Wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
  @!%p2 bra Wait;
  @%p1 STORE;
  @%p1 cp.async.bulk.commit_group;
  @%p1 cp.async.bulk.wait_group 0;
  ret;
}
)";
  text = replaced(text, "BYTES", std::to_string(sharedBytes));
  text = replaced(text, "EXPECT", std::to_string(expect));
  return replaced(replaced(text, "LOAD", load), "STORE", store);
}

static const std::string load2d =
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
    ".mbarrier::complete_tx::bytes [%r2], [%d1, {%r4, %r5}], [%r3]";
static const std::string store2d =
    "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
    "[%d3, {%r6, %r7}], [%r2]";
/// Shared memory as it is.
static std::string dump(unsigned bytes) {
  return "cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r2], " +
         std::to_string(bytes);
}

/// What a load puts into shared memory, element by element.
static std::vector<uint8_t> expectedTile(const TensorMap &map,
                                         std::vector<int64_t> at) {
  unsigned size = elementBytes(map.elementType);
  uint64_t elements = 1;
  for (unsigned i = 0; i < map.rank; ++i)
    elements *= map.boxDim[i];
  std::vector<uint8_t> bytes(elements * size);
  for (uint64_t index = 0; index < elements; ++index) {
    uint64_t rest = index, from = map.globalAddress;
    bool inBounds = true;
    for (unsigned i = 0; i < map.rank; ++i) {
      int64_t c = at[i] + int64_t(rest % map.boxDim[i]);
      rest /= map.boxDim[i];
      inBounds &= c >= 0 && c < int64_t(map.globalDim[i]);
      from += c * int64_t(i ? map.globalStrides[i - 1] : size);
    }
    if (!inBounds)
      continue;
    uint64_t place = index * size;
    if (map.swizzle == TensorSwizzle::Bytes128)
      place ^= (place >> 7 & 7) << 4;
    std::memcpy(&bytes[place], reinterpret_cast<void *>(from), size);
  }
  return bytes;
}

static std::vector<uint16_t> numbers(unsigned count) {
  std::vector<uint16_t> values(count);
  for (unsigned i = 0; i < count; ++i)
    values[i] = i * 40503 >> 3;
  return values;
}

TEST(TensorCopyTest, LoadsSwizzledBoxes) {
  TestMachine machine(transferKernel(load2d, dump(4096), 4096));
  // 200 columns and 50 rows of bf16 in boxes of 64 by 32.
  auto *tensor = machine.upload(numbers(200 * 50));
  TensorMap map = makeMap(tensor, TensorElementType::BF16, {200, 50}, {64, 32},
                          TensorSwizzle::Bytes128);
  auto *out = machine.allocate<uint8_t>(4096);
  const int places[][2] = {{0, 0},    {72, 9},  {-8, -3},
                           {160, 40}, {-64, 0}, {0, 2000}};
  for (const Schedule &schedule : allSchedules())
    for (const auto &place : places) {
      machine.options.schedule = schedule;
      std::memset(out, 0xee, 4096);
      LaunchOutcome outcome =
          machine.launch({1}, {64}, MapArgument(map), MapArgument(), out,
                         place[0], place[1], 0, 0);
      ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
      EXPECT_EQ(std::vector<uint8_t>(out, out + 4096),
                expectedTile(map, {place[0], place[1]}))
          << nameOf(schedule) << " at " << place[0] << ", " << place[1];
    }
}

/// Under a swizzle each row begins a span of its own, and what lies behind a
/// shorter row stays as it is.
TEST(TensorCopyTest, NarrowSwizzledBoxes) {
  for (unsigned rows : {4u, 12u}) {
    unsigned bytes = rows * 128;
    TestMachine machine(
        transferKernel(load2d, dump(bytes), /*expect=*/rows * 16, bytes));
    auto *tensor = machine.upload(numbers(200 * 50));
    TensorMap map = makeMap(tensor, TensorElementType::BF16, {200, 50},
                            {8, rows}, TensorSwizzle::Bytes128);
    auto *out = machine.allocate<uint8_t>(bytes);
    LaunchOutcome outcome = machine.launch({1}, {64}, MapArgument(map),
                                           MapArgument(), out, 16, 5, 0, 0);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    std::vector<uint8_t> expected(bytes);
    for (unsigned row = 0; row < rows; ++row)
      std::memcpy(&expected[row * 128 + row % 8 * 16],
                  tensor + (5 + row) * 200 + 16, 16);
    EXPECT_EQ(std::vector<uint8_t>(out, out + bytes), expected);
  }
}

/// Where a tensor ends within 16 bytes, a store writes all of them if they are
/// allocated.
TEST(TensorCopyTest, StoresWholeChunks) {
  TestMachine machine(transferKernel(load2d, store2d, 256));
  auto *from = machine.upload(std::vector<uint32_t>(64, 7));
  TensorMap source = makeMap(from, TensorElementType::U32, {8, 8}, {8, 8});
  for (unsigned allocated : {48u, 42u}) {
    // Rows of 5 words, 12 words apart; the last ends with the allocation.
    auto *to = machine.allocate<uint32_t>(allocated);
    TensorMap target = makeMap(to, TensorElementType::U32, {12, 4}, {8, 8});
    target.globalDim[0] = 5;
    LaunchOutcome outcome =
        machine.launch({1}, {32}, MapArgument(source), MapArgument(target),
                       uint64_t(0), 0, 0, 0, 0);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    for (unsigned i = 0; i < allocated; ++i) {
      bool inside = i % 12 < 5;
      bool behind = i % 12 >= 5 && i % 12 < 8 && (i < 36 || allocated >= 44);
      EXPECT_EQ(to[i], inside || behind ? 7u : 0u) << i;
    }
  }
}

TEST(TensorCopyTest, LoadsOfEveryRank) {
  for (unsigned rank = 1; rank <= 5; ++rank) {
    std::string coordinates = "%r4";
    for (unsigned i = 1; i < rank; ++i)
      coordinates += i == 1 ? ", %r5" : ", 1";
    // To `.shared::cta` and without a mode, too.
    for (std::string space : {".shared::cluster", ".shared::cta"}) {
      unsigned bytes = rank == 1 ? 32 : 1 << (rank + 5);
      TestMachine machine(transferKernel(
          "cp.async.bulk.tensor." + std::to_string(rank) + "d" + space +
              ".global.mbarrier::complete_tx::bytes [%r2], [%d1, {" +
              coordinates + "}], [%r3]",
          dump(bytes), bytes));
      std::vector<uint64_t> dims = {16, 6, 5, 4, 3};
      std::vector<uint32_t> box = {8, 4, 2, 2, 2};
      dims.resize(rank);
      box.resize(rank);
      uint64_t elements = 1;
      for (uint64_t dim : dims)
        elements *= dim;
      std::vector<uint32_t> values(elements);
      for (unsigned i = 0; i < elements; ++i)
        values[i] = i + 1;
      TensorMap map =
          makeMap(machine.upload(values), TensorElementType::U32, dims, box);
      std::vector<uint8_t> expected = expectedTile(map, {12, -1, 1, 1, 1});
      auto *out = machine.allocate<uint8_t>(expected.size());
      LaunchOutcome outcome = machine.launch({1}, {32}, MapArgument(map),
                                             MapArgument(), out, 12, -1, 0, 0);
      ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
      EXPECT_EQ(std::vector<uint8_t>(out, out + expected.size()), expected)
          << "rank " << rank << " to " << space;
    }
  }
}

TEST(TensorCopyTest, StoresSwizzledBoxes) {
  TestMachine machine(transferKernel(load2d, store2d, 4096));
  auto *from = machine.upload(numbers(64 * 32));
  TensorMap source = makeMap(from, TensorElementType::BF16, {64, 32}, {64, 32},
                             TensorSwizzle::Bytes128);
  auto *to = machine.allocate<uint16_t>(200 * 50);
  TensorMap target = makeMap(to, TensorElementType::BF16, {200, 50}, {64, 32},
                             TensorSwizzle::Bytes128);
  for (const Schedule &schedule : allSchedules())
    for (auto [u, v] : {std::pair<int, int>{8, 3}, {168, 30}}) {
      machine.options.schedule = schedule;
      std::vector<uint16_t> expected(200 * 50, 0x7777);
      std::copy(expected.begin(), expected.end(), to);
      for (int row = 0; row < 32 && v + row < 50; ++row)
        for (int column = 0; column < 64 && u + column < 200; ++column)
          expected[(v + row) * 200 + u + column] = from[row * 64 + column];
      LaunchOutcome outcome =
          machine.launch({1}, {64}, MapArgument(source), MapArgument(target),
                         uint64_t(0), 0, 0, u, v);
      ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
      EXPECT_EQ(std::vector<uint16_t>(to, to + 200 * 50), expected)
          << nameOf(schedule);
    }
}

TEST(TensorCopyTest, Reductions) {
  const struct {
    const char *op;
    TensorElementType type;
    uint32_t before, operand, after;
  } cases[] = {
      // 1.5 + 4 * 0.25 in f32, two of bf16 at once.
      {"add", TensorElementType::F32, 0x3fc00000, 0x3e800000, 0x40200000},
      {"add", TensorElementType::BF16, 0x3fc03fc0, 0x3e803e80, 0x40204020},
      {"add", TensorElementType::U32, 7, 0xffffffff, 3},
      {"min", TensorElementType::S32, 5, 0xfffffffe, 0xfffffffe},
      {"max", TensorElementType::S32, 5, 0xfffffffe, 5},
      {"inc", TensorElementType::U32, 1, 2, 2},
      {"dec", TensorElementType::U32, 1, 2, 0},
      {"and", TensorElementType::U32, 0xff, 0x3c, 0x3c},
      {"or", TensorElementType::S32, 0xf0, 0x0f, 0xff},
      {"xor", TensorElementType::U32, 0xff, 0x0f, 0xff},
  };
  for (const auto &test : cases) {
    TestMachine machine(transferKernel(
        load2d,
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta." +
            std::string(test.op) + ".bulk_group [%d3, {%r6, %r7}], [%r2]",
        512));
    uint64_t perWord = test.type == TensorElementType::BF16 ? 2 : 1;
    auto map = [&](uint32_t *tensor, unsigned rows) {
      return makeMap(tensor, test.type, {16 * perWord, rows},
                     {uint32_t(16 * perWord), 8});
    };
    std::vector<uint32_t> expected(16 * 16, test.before);
    auto *to = machine.upload(expected);
    auto *from = machine.upload(std::vector<uint32_t>(16 * 8, test.operand));
    machine.options.hostThreads = 2;
    LaunchOutcome outcome =
        machine.launch({4}, {32}, MapArgument(map(from, 8)),
                       MapArgument(map(to, 16)), uint64_t(0), 0, 0, 0, 4);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    std::fill_n(expected.begin() + 4 * 16, 8 * 16, test.after);
    EXPECT_EQ(std::vector<uint32_t>(to, to + 16 * 16), expected) << test.op;
  }
}

/// Convolution: the pixels of a 3 by 3 window that moves over an image.
TEST(TensorCopyTest, Im2col) {
  std::string load =
      "cp.async.bulk.tensor.4d.shared::cluster.global.im2col"
      ".mbarrier::complete_tx::bytes [%r2], [%d1, {0, %r4, %r5, 0}], [%r3], "
      "{%h1, %h2}";
  std::string text = replaced(transferKernel(load, dump(20 * 16), 20 * 16),
                              "  mov.b64 %d1, map;",
                              "  mov.b64 %d1, map;\n"
                              "  mov.u16 %h1, 2;\n  mov.u16 %h2, 1;");
  TestMachine machine(text);
  // C = 4, W = 6, H = 5, N = 2.
  std::vector<uint32_t> image(4 * 6 * 5 * 2);
  for (unsigned i = 0; i < image.size(); ++i)
    image[i] = i + 1;
  auto *tensor = machine.upload(image);
  Im2colRequest request;
  request.tensorDataType = 2;
  request.tensorRank = 4;
  request.globalAddress = reinterpret_cast<uint64_t>(tensor);
  request.globalDim = {4, 6, 5, 2};
  request.globalStrides = {16, 16 * 6, 16 * 6 * 5};
  request.pixelBoxLowerCorner = {-1, -1};
  request.pixelBoxUpperCorner = {-1, -1};
  request.channelsPerPixel = 4;
  request.pixelsPerColumn = 20;
  llvm::Expected<TensorMap> map = encodeIm2col(request);
  ASSERT_TRUE(bool(map)) << llvm::toString(map.takeError());
  // Base pixels go through W in [-1, 4], H in [-1, 3]; the offsets are added.
  std::vector<uint32_t> expected(20 * 4);
  int w = 3, h = 2, n = 0;
  for (unsigned pixel = 0; pixel < 20; ++pixel) {
    int column = w + 2, line = h + 1;
    if (column >= 0 && column < 6 && line >= 0 && line < 5 && n < 2)
      for (unsigned c = 0; c < 4; ++c)
        expected[pixel * 4 + c] = image[((n * 5 + line) * 6 + column) * 4 + c];
    if (++w > 4) {
      w = -1;
      if (++h > 3) {
        h = -1;
        ++n;
      }
    }
  }
  auto *out = machine.allocate<uint32_t>(20 * 4);
  for (const Schedule &schedule : allSchedules(1)) {
    machine.options.schedule = schedule;
    LaunchOutcome outcome = machine.launch({1}, {32}, MapArgument(*map),
                                           MapArgument(), out, 3, 2, 0, 0);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    EXPECT_EQ(std::vector<uint32_t>(out, out + 20 * 4), expected);
  }
  // A base pixel outside of the bounding box.
  LaunchOutcome outcome = machine.launch({1}, {32}, MapArgument(*map),
                                         MapArgument(), out, 5, 2, 0, 0);
  EXPECT_TRUE(isFault(outcome, text, "cp.async.bulk.tensor", "tensor-copy",
                      "tensorCoords[1]"));
}

/// CTA 0 of two loads for those of the mask; each waits for its own mbarrier.
static const char *const multicastKernel = R"(
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out0,
                  .param .u64 out1, .param .u32 mask) {
  .shared .align 1024 .b8 tile[4096];
  .shared .align 8 .b64 bar;
  .reg .b16 %h<2>; .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .pred %p<6>;
  mov.b64 %d1, map;
  ld.param.b16 %h1, [mask];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, tile;
  mov.u32 %r3, bar;
  mov.u32 %r4, %cluster_ctarank;
  add.u32 %r5, %r1, %r4;
  setp.lt.s32 %p1, %r1, 1;
  setp.lt.s32 %p2, %r5, 1;
  setp.lt.s32 %p3, %r4, 1;
  ld.param.u64 %d2, [out0];
  @!%p3 ld.param.u64 %d2, [out1];
  @%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 4096;
  @%p2 cp.async.bulk.tensor.2d.shared::cluster.global.tile
    .mbarrier::complete_tx::bytes.multicast::cluster
    [%r2], [%d1, {16, 4}], [%r3], %h1;
Wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3], 0;
  @!%p4 bra Wait;
  @%p1 cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r2], 4096;
  @%p1 cp.async.bulk.commit_group;
  @%p1 cp.async.bulk.wait_group 0;
  ret;
}
)";

TEST(TensorCopyTest, Multicast) {
  TestMachine machine(multicastKernel);
  machine.config.cluster = {2};
  auto *tensor = machine.upload(numbers(200 * 50));
  TensorMap map = makeMap(tensor, TensorElementType::BF16, {200, 50}, {64, 32},
                          TensorSwizzle::Bytes128);
  auto *out = machine.allocate<uint8_t>(8192);
  std::vector<uint8_t> tile = expectedTile(map, {16, 4});
  for (const Schedule &schedule : allSchedules()) {
    machine.options.schedule = schedule;
    std::memset(out, 0, 8192);
    LaunchOutcome outcome =
        machine.launch({2}, {64}, MapArgument(map), out, out + 4096, 3);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    EXPECT_EQ(std::vector<uint8_t>(out, out + 4096), tile);
    EXPECT_EQ(std::vector<uint8_t>(out + 4096, out + 8192), tile)
        << nameOf(schedule);
  }
  // Nobody loads for CTA 1, which waits for ever.
  LaunchOutcome outcome =
      machine.launch({2}, {64}, MapArgument(map), out, out + 4096, 1);
  EXPECT_EQ(outcome.status, LaunchStatus::Deadlock);
  EXPECT_NE(outcome.reason.find(
                "CTA (1, 0, 0) in line " +
                std::to_string(lineOf(multicastKernel, "mbarrier.try_wait"))),
            std::string::npos)
      << outcome.reason;
  outcome = machine.launch({2}, {64}, MapArgument(map), out, out + 4096, 7);
  EXPECT_TRUE(isFault(outcome, multicastKernel, "cp.async.bulk.tensor",
                      "multicast-mask",
                      "the mask 0x7 names CTAs beyond the 2 of the cluster"));
}

namespace {
/// A launch that is right but for what a test changes.
struct WrongLaunch {
  std::string load = load2d, store = store2d;
  unsigned sharedBytes = 4096;
  uint64_t rows = 50, allocatedRows = 50;
  TensorElementType type = TensorElementType::BF16;
  int x = 0, y = 0, u = 0, v = 0;
  bool mapMissing = false;

  ::testing::AssertionResult faults(const std::string &piece,
                                    const std::string &id,
                                    const std::string &message) const {
    std::string text = transferKernel(load, store, 4096, sharedBytes);
    TestMachine machine(text);
    auto *tensor = machine.allocate<uint8_t>(400 * allocatedRows);
    uint64_t columns = 400 / elementBytes(type);
    MapArgument map =
        makeMap(tensor, type, {columns, rows}, {128 / elementBytes(type), 32},
                TensorSwizzle::Bytes128);
    return isFault(machine.launch({1}, {64}, mapMissing ? MapArgument() : map,
                                  map, uint64_t(0), x, y, u, v),
                   text, piece, id, message);
  }
};
} // namespace

TEST(TensorCopyTest, Faults) {
  auto changed = [](auto change) {
    WrongLaunch launch;
    change(launch);
    return launch;
  };
  EXPECT_TRUE(changed([](WrongLaunch &l) { l.mapMissing = true; })
                  .faults("shared::cluster.global", "tensor-map",
                          "these bytes are not a tensor map"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.load = "add.u64 %d1, %d1, 16;\n  @%p1 " + l.load;
              })
                  .faults("shared::cluster.global", "misaligned",
                          "the tensor map, address 0x"));
  EXPECT_TRUE(
      changed([](WrongLaunch &l) {
        l.load = replaced(l.load, "[%r2]", "[%r2+16]");
      })
          .faults("shared::cluster.global", "misaligned",
                  "the destination, address 0x410, is not aligned to 128 "
                  "bytes"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.load = replaced(l.load, "[%r3]", "[%r3+4]");
              })
                  .faults("shared::cluster.global", "misaligned",
                          "the mbarrier, address"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.load = replaced(l.load, "[%r3]", "[%r3+1024]");
              })
                  .faults("shared::cluster.global", "out-of-bounds",
                          "the mbarrier: the 8 bytes at shared::cluster"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.load = replaced(l.load, "[%r3]", "[%r2]");
              })
                  .faults("shared::cluster.global", "mbarrier-uninitialised",
                          "the mbarrier is not initialised"));
  EXPECT_TRUE(changed([](WrongLaunch &l) { l.sharedBytes = 2048; })
                  .faults("shared::cluster.global", "out-of-bounds",
                          "the destination: the 4096 bytes at shared::cluster "
                          "address 0x400 are not in shared memory"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.load = replaced(l.load, "{%r4, %r5}", "{%r4}");
                l.load = replaced(l.load, ".2d", ".1d");
              })
                  .faults("shared::cluster.global", "tensor-copy",
                          "expected a map of rank 1 but got one of rank 2"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.load = replaced(l.load, "{%r4, %r5}", "{%r4, %r5, 0}");
                l.load = replaced(l.load, ".2d", ".3d");
                l.load = replaced(l.load, ".tile", ".im2col") + ", {%h1}";
              })
                  .faults("shared::cluster.global", "tensor-copy",
                          "expected a map of im2col mode"));
  // The map says more rows than are allocated.
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.rows = 1000;
                l.y = 500;
              })
                  .faults("shared::cluster.global", "out-of-bounds",
                          "bytes at global address 0x"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.rows = 1000;
                l.v = 500;
              })
                  .faults("global.shared::cta", "out-of-bounds",
                          "bytes at global address 0x"));
  EXPECT_TRUE(changed([](WrongLaunch &l) { l.u = -8; })
                  .faults("global.shared::cta", "tensor-copy",
                          "tensorCoords[0]: expected at least 0 for a store"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.store = replaced(l.store, "[%r2]", "[%r2+64]");
              })
                  .faults("global.shared::cta", "misaligned",
                          "the source, address 0x440"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.store = replaced(l.store, "[%r2]", "[%r2+128]");
              }).faults("global.shared::cta", "out-of-bounds", "the source"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.type = TensorElementType::U8;
                l.store = "cp.reduce.async.bulk.tensor.2d.global.shared::cta"
                          ".add.tile.bulk_group [%d3, {%r6, %r7}], [%r2]";
              }).faults("cp.reduce", "tensor-copy", "has no reductions"));
  EXPECT_TRUE(changed([](WrongLaunch &l) {
                l.store = "cp.async.bulk.prefetch.tensor.3d.L2.global.tile"
                          " [%d3, {%r6, %r7, 0}]";
              }).faults("prefetch", "tensor-copy", "of rank 3"));
}

TEST(TensorCopyTest, MapsAreNotInSharedMemory) {
  std::string text = replaced(transferKernel(load2d, dump(4096), 4096),
                              "mov.b64 %d1, map", "ld.param.u64 %d1, [out]");
  TestMachine machine(text);
  // The window of shared memory.
  LaunchOutcome outcome =
      machine.launch({1}, {64}, MapArgument(), MapArgument(),
                     uint64_t(0x200000000400), 0, 0, 0, 0);
  EXPECT_TRUE(isFault(outcome, text, "shared::cluster.global", "tensor-map",
                      "the tensor map is in shared memory"));
}

TEST(TensorCopyTest, Prefetch) {
  TestMachine machine(transferKernel(
      load2d,
      "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%d1, {%r4, %r5}];\n"
      "  @%p1 prefetch.tensormap [%d1];\n  @%p1 " +
          dump(4096),
      4096));
  auto *tensor = machine.upload(numbers(200 * 50));
  TensorMap map = makeMap(tensor, TensorElementType::BF16, {200, 50}, {64, 32});
  auto *out = machine.allocate<uint8_t>(4096);
  LaunchOutcome outcome = machine.launch({1}, {64}, MapArgument(map),
                                         MapArgument(), out, 8, 8, 0, 0);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(std::vector<uint8_t>(out, out + 4096), expectedTile(map, {8, 8}));
}
