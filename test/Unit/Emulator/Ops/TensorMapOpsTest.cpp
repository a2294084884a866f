//===- TensorMapOpsTest.cpp - Tests of instructions on tensor maps --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that makes a map out of another one, publishes it and loads by it.
//
//===----------------------------------------------------------------------===//

#include "BulkTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

/// Brings the template into shared memory, does `replace` there in the first
/// thread, copies the map to `map` and loads the box at (2, 1) by it. %r2: the
/// map in shared memory; %d2: `map`; %d4: the tensor.
static std::string mapKernel(const std::string &replace) {
  return replaced(R"(
.visible .entry k(.param .u64 template, .param .u64 map, .param .u64 out,
                  .param .u64 tensor) {
  .shared .align 128 .b8 shared_map[128];
  .shared .align 256 .b8 tile[256];
  .shared .align 8 .b64 bar;
  .reg .b32 %r<12>; .reg .b64 %d<6>; .reg .pred %p<6>;
  ld.param.u64 %d1, [template];
  ld.param.u64 %d2, [map];
  ld.param.u64 %d3, [out];
  ld.param.u64 %d4, [tensor];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, shared_map;
  mov.u32 %r3, bar;
  mov.u32 %r4, tile;
  setp.lt.s32 %p1, %r1, 1;
  @%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
  bar.warp.sync 0xffffffff;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 128;
  @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
    [%r2], [%d1], 128, [%r3];
WaitMap:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
  @!%p2 bra WaitMap;
  @!%p1 bra Publish;
REPLACE
Publish:
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu
    .sync.aligned
    [%d2], [%r2], 128;
  fence.proxy.tensormap::generic.acquire.gpu [%d2], 128;
  @!%p1 bra Done;
  prefetch.tensormap [%d2];
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 256;
  cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes
    [%r4], [%d2, {4, 1}], [%r3];
WaitTile:
  mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 1;
  @!%p3 bra WaitTile;
  cp.async.bulk.global.shared::cta.bulk_group [%d3], [%r4], 256;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
Done:
  ret;
}
)",
                  "REPLACE", replace);
}

/// A field of the map in shared memory.
static std::string field(const std::string &name, const std::string &value,
                         const std::string &type = "b32") {
  return "  tensormap.replace.tile." + name + ".shared::cta.b1024." + type +
         " [%r2], " + value + ";\n";
}

/// From the map of a byte to one of 10 by 12 words in boxes of 8 by 8.
static const std::string allFields =
    field("global_address", "%d4", "b64") + field("rank", "1") +
    field("box_dim", "0, 8") + field("box_dim", "1, 8") +
    field("global_dim", "0, 10") + field("global_dim", "1, 12") +
    field("global_stride", "0, 48", "b64") + field("element_stride", "0, 1") +
    field("element_stride", "1, 1") + field("elemtype", "7") +
    field("interleave_layout", "0") + field("swizzle_mode", "1") +
    field("fill_mode", "1");

namespace {
/// The memory of the kernel.
struct Arrays {
  uint8_t *original, *map;
  uint32_t *out, *tensor;

  explicit Arrays(TestMachine &machine) {
    auto *byte = machine.allocate<uint8_t>(16);
    MapArgument argument = makeMap(byte, TensorElementType::U8, {16}, {16});
    original = machine.allocate<uint8_t>(128);
    std::copy(argument.bytes.begin(), argument.bytes.end(), original);
    map = machine.allocate<uint8_t>(128);
    out = machine.allocate<uint32_t>(64);
    tensor = machine.allocate<uint32_t>(12 * 12);
    for (unsigned i = 0; i < 12 * 12; ++i)
      tensor[i] = i;
  }
};
} // namespace

TEST(TensorMapOpsTest, ReplacesEveryField) {
  TestMachine machine(mapKernel(allFields));
  Arrays arrays(machine);
  for (const Schedule &schedule : allSchedules()) {
    machine.options.schedule = schedule;
    std::fill_n(arrays.map, 128, 0);
    std::fill_n(arrays.out, 64, 0);
    LaunchOutcome outcome = machine.launch(
        {1}, {32}, arrays.original, arrays.map, arrays.out, arrays.tensor);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    llvm::Expected<TensorMap> map =
        TensorMap::decode(llvm::ArrayRef<uint8_t>(arrays.map, 128));
    ASSERT_TRUE(bool(map)) << llvm::toString(map.takeError());
    EXPECT_EQ(map->globalAddress, reinterpret_cast<uint64_t>(arrays.tensor));
    EXPECT_EQ(map->rank, 2u);
    EXPECT_EQ(map->elementType, TensorElementType::F32);
    EXPECT_EQ(map->swizzle, TensorSwizzle::Bytes32);
    EXPECT_EQ(map->fill, TensorFill::NaN);
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned column = 0; column < 8; ++column) {
        // Of 32 bytes, lines of 128 exchange halves.
        unsigned place = row * 32 + column * 4;
        place ^= place >> 3 & 0x10;
        uint32_t expected =
            column + 4 < 10 ? (row + 1) * 12 + column + 4 : 0x7ff77ff7;
        EXPECT_EQ(arrays.out[place / 4], expected)
            << nameOf(schedule) << " at " << row << ", " << column;
      }
  }
}

/// By generic addresses and in global memory.
TEST(TensorMapOpsTest, OtherSpaces) {
  std::string generic = replaced(allFields, ".shared::cta.b1024", ".b1024");
  generic = replaced(generic, "[%r2]", "[%d5]");
  TestMachine machine(mapKernel("  mov.b64 %d5, 0x200000000000;\n"
                                "  add.u64 %d5, %d5, 1024;\n" +
                                generic));
  Arrays arrays(machine);
  LaunchOutcome outcome = machine.launch({1}, {32}, arrays.original, arrays.map,
                                         arrays.out, arrays.tensor);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(arrays.out[0], 16u);
  for (std::string space : {".global.b1024", ".b1024"}) {
    std::string global = replaced(allFields, ".shared::cta.b1024", space);
    global = replaced(global, "[%r2]", "[%d1]");
    TestMachine other(mapKernel(global));
    Arrays others(other);
    // The copy in shared memory is older.
    outcome = other.launch({1}, {32}, others.original, others.map, others.out,
                           others.tensor);
    EXPECT_EQ(outcome.status, LaunchStatus::Fault);
    outcome = other.launch({1}, {32}, others.original, others.map, others.out,
                           others.tensor);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    EXPECT_EQ(others.out[0], 16u) << space;
  }
}

TEST(TensorMapOpsTest, Faults) {
  auto faults = [](const std::string &text, unsigned mapOffset,
                   const std::string &piece, const std::string &id,
                   const std::string &message) {
    TestMachine machine(text);
    Arrays arrays(machine);
    return isFault(machine.launch({1}, {32}, arrays.original,
                                  arrays.map + mapOffset, arrays.out,
                                  arrays.tensor),
                   text, piece, id, message);
  };
  std::string right = mapKernel(allFields);
  EXPECT_TRUE(faults(right, 16, "tensormap.cp_fenceproxy", "misaligned",
                     "the destination, address"));
  EXPECT_TRUE(faults(right, 64, "tensormap.cp_fenceproxy", "out-of-bounds",
                     "the destination: the 128 bytes at global address 0x"));
  EXPECT_TRUE(faults(
      replaced(right, "[%d2], [%r2], 128", "[%d2], [%r2+32], 128"), 0,
      "tensormap.cp_fenceproxy", "misaligned", "the source, address 0x420"));
  EXPECT_TRUE(faults(replaced(right, "[%d1], 128", "[%d4], 128"), 0,
                     "tensormap.replace", "tensor-map",
                     "these bytes are not a tensor map"));
  EXPECT_TRUE(faults(replaced(right, "[%r2], %d4", "[%r2+16], %d4"), 0,
                     "tensormap.replace", "misaligned", "the tensor map"));
  EXPECT_TRUE(faults(replaced(right, "[%r2], %d4", "[%r2+1024], %d4"), 0,
                     "tensormap.replace", "out-of-bounds", "the tensor map"));
  EXPECT_TRUE(faults(replaced(right, field("rank", "1"), field("rank", "5")), 0,
                     "tensormap.replace.tile.rank", "tensor-map",
                     "rank: expected at most 4 but got 5"));
  EXPECT_TRUE(faults(
      replaced(right, "prefetch.tensormap [%d2]", "prefetch.tensormap [%d2+4]"),
      0, "prefetch", "misaligned", "the tensor map"));
  // Each field is right, but not all together.
  EXPECT_TRUE(faults(replaced(right, "0, 48;", "0, 40;"), 0,
                     "cp.async.bulk.tensor", "tensor-copy",
                     "globalStrides[0]: expected a multiple of 16"));
}
