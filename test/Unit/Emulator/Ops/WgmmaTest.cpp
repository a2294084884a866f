//===- WgmmaTest.cpp - Tests of wgmma -------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole tiles against naive products under every schedule, every kind of
// operand, what is in flight, and who has to take part.
//
//===----------------------------------------------------------------------===//

#include "Matrix/SharedDescriptor.h"
#include "MatrixTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// A K-major matrix without swizzling, as the figures of the ISA have it:
/// eight lines of 16 bytes are contiguous, then the next 16 bytes of those,
/// then the next eight lines.
constexpr uint64_t plainDescriptor(uint32_t address, unsigned k) {
  uint64_t start = address >> 4, leading = 128 >> 4,
           stride = (k * 2 / 16 * 128) >> 4;
  return start | leading << 16 | stride << 32;
}
void putPlain(MatrixKernel &kernel, uint32_t offset, Element element,
              unsigned k, unsigned line, unsigned index, int value) {
  unsigned at = line / 8 * (k * 2 / 16 * 128) + index / 8 * 128 +
                line % 8 * 16 + index % 8 * 2;
  kernel.put(offset + at, element, encode(element, value));
}

/// m64n64k16 of bf16: A at 0, B at 8192.
struct Tile {
  Tile() {
    for (unsigned k = 0; k < 16; ++k)
      for (unsigned i = 0; i < 64; ++i) {
        putPlain(kernel, 0, Element::BF16, 16, i, k, a.at(i, k));
        putPlain(kernel, 8192, Element::BF16, 16, i, k, b.at(k, i));
      }
    kernel.argument0 = plainDescriptor(MatrixKernel::tileAddress, 16);
    kernel.argument1 = plainDescriptor(MatrixKernel::tileAddress + 8192, 16);
  }
  static std::string product(const std::string &scaleD, unsigned first = 0,
                             const std::string &scales = "1, 1, 0, 0") {
    return "  wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " +
           registerList("%f", first, 32) + ", %a0, %a1, " + scaleD + ", " +
           scales + ";\n";
  }
  /// Looks whether record word i is element i of `factor` * A * B.
  void expectProduct(float factor = 1) {
    for (unsigned thread = 0; thread < 128; ++thread)
      for (unsigned i = 0; i < 32; ++i) {
        unsigned lane = thread % 32;
        unsigned row = thread / 32 * 16 + lane / 4 + 8 * (i / 2 % 2);
        unsigned column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        ASSERT_EQ(floatOfBits(kernel.record(thread, i)),
                  factor * naiveDot(a, b, row, column))
            << "thread " << thread << ", register " << i;
      }
  }

  SmallNumbers numbers{1};
  Numbers a{64, 16, Element::BF16, numbers}, b{16, 64, Element::BF16, numbers};
  MatrixKernel kernel;
};

constexpr const char *commit = "  wgmma.commit_group.sync.aligned;\n";
constexpr const char *fence = "  wgmma.fence.sync.aligned;\n";
std::string waitFor(unsigned groups) {
  return "  wgmma.wait_group.sync.aligned " + std::to_string(groups) + ";\n";
}

} // namespace

TEST(WgmmaTest, WholeTileUnderEverySchedule) {
  for (const Schedule &schedule : allSchedules()) {
    Tile tile;
    // Three products, in two groups; the first does not read D.
    tile.kernel.body = fence + Tile::product("0") + Tile::product("1") +
                       commit + Tile::product("1") + commit + waitFor(1) +
                       waitFor(0) + MatrixKernel::keepAll("%f", 32);
    LaunchOutcome outcome = tile.kernel.run(schedule);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
    tile.expectProduct(3);
  }
}

TEST(WgmmaTest, ReadsSharedMemoryWhenItCompletes) {
  // The first element of A is overwritten before the wait.
  for (auto kind : {Schedule::Eager, Schedule::Lazy, Schedule::Adversarial}) {
    Tile tile;
    tile.kernel.body = fence + Tile::product("0") + commit +
                       "  mov.b32 %r0, 0;\n"
                       "  bar.sync 0;\n"
                       "  st.shared.u32 [%tile], %r0;\n"
                       "  bar.sync 0;\n" +
                       waitFor(0) + MatrixKernel::keepAll("%f", 32);
    LaunchOutcome outcome = tile.kernel.run({kind, 0});
    EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    if (kind != Schedule::Eager)
      tile.a.at(0, 0) = tile.a.at(0, 1) = 0;
    tile.expectProduct();
  }
}

TEST(WgmmaTest, LatterProductsSeeNewOperands) {
  // The unpacked columns of B are kept only as long as the bytes are the same.
  Tile tile;
  tile.kernel.body = fence + Tile::product("0") + commit + waitFor(0) +
                     "  bar.sync 0;\n"
                     "  mov.b32 %r0, 0;\n"
                     "  st.shared.u32 [%tile+8192], %r0;\n"
                     "  bar.sync 0;\n" +
                     fence + Tile::product("0") + commit + waitFor(0) +
                     MatrixKernel::keepAll("%f", 32);
  LaunchOutcome outcome = tile.kernel.run();
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  tile.b.at(0, 0) = tile.b.at(1, 0) = 0;
  tile.expectProduct();
}

TEST(WgmmaTest, AWaitIsForAllFourWarps) {
  // The first warp overwrites B once its own wait is over; the others have
  // read B by then.
  for (const Schedule &schedule : allSchedules()) {
    Tile tile;
    tile.kernel.body = fence + Tile::product("0") + commit + waitFor(0) +
                       "  setp.lt.s32 %p0, %tid_, 32;\n"
                       "  mov.b32 %r0, 0;\n"
                       "  @%p0 st.shared.u32 [%tile+8192], %r0;\n" +
                       MatrixKernel::keepAll("%f", 32);
    LaunchOutcome outcome = tile.kernel.run(schedule);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    tile.expectProduct();
  }
}

TEST(WgmmaTest, ScalesAndPredicates) {
  Tile tile;
  // -A * B, then A * -B, then -A * -B: -1 in all. The old D counts by a
  // predicate, which is 0 first, then 1.
  tile.kernel.body = "  setp.lt.s32 %p0, 1, 0;\n  setp.lt.s32 %p1, 0, 1;\n";
  tile.kernel.body += fence + Tile::product("%p0", 0, "-1, 1, 0, 0") +
                      Tile::product("%p1", 0, "1, -1, 0, 0") +
                      Tile::product("%p1", 0, "-1, -1, 0, 0") + commit +
                      waitFor(0) + MatrixKernel::keepAll("%f", 32);
  LaunchOutcome outcome = tile.kernel.run();
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  tile.expectProduct(-1);
}

TEST(WgmmaTest, RowsOfAInRegisters) {
  for (const Schedule &schedule : allSchedules()) {
    Tile tile;
    // Register r of a lane: row lane / 4 + 8 (r % 2), elements
    // 2 (lane % 4 + 4 (r / 2)) and the next. Its address in the plain layout:
    // two groups of eight rows for each warp, 256 bytes apart.
    tile.kernel.body = "  and.b32 %r10, %tid_, 31;\n"
                       "  shl.b32 %r10, %r10, 2;\n"
                       "  and.b32 %r11, %tid_, 96;\n"
                       "  shl.b32 %r11, %r11, 4;\n"
                       "  add.s32 %r10, %r10, %r11;\n"
                       "  add.s32 %r10, %r10, %tile;\n"
                       "  ld.shared.b32 %r0, [%r10];\n"
                       "  ld.shared.b32 %r1, [%r10+256];\n"
                       "  ld.shared.b32 %r2, [%r10+128];\n"
                       "  ld.shared.b32 %r3, [%r10+384];\n";
    tile.kernel.body +=
        fence +
        ("  wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " +
         registerList("%f", 0, 32) + ", " + registerList("%r", 0, 4) +
         ", %a1, 0, 1, 1, 0;\n") +
        commit + waitFor(0) + MatrixKernel::keepAll("%f", 32);
    LaunchOutcome outcome = tile.kernel.run(schedule);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
    tile.expectProduct();
  }
}

//===----------------------------------------------------------------------===//
// Registers in flight
//===----------------------------------------------------------------------===//

TEST(WgmmaTest, AccumulatorReadInFlight) {
  for (const Schedule &schedule : allSchedules()) {
    Tile tile;
    tile.kernel.body = Tile::product("0") + commit +
                       MatrixKernel::keepAll("%f", 32) + waitFor(0);
    LaunchOutcome outcome = tile.kernel.run(schedule);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_EQ(outcome.findings[0].id, "wgmma-register-in-flight");
    EXPECT_EQ(outcome.findings[0].line, MatrixKernel::bodyLine + 2);
    EXPECT_EQ(outcome.findings[0].otherLine, MatrixKernel::bodyLine);
    // The store finds what it would find after a wait.
    tile.expectProduct();
  }
}

TEST(WgmmaTest, WaitsCoverGroupsBefore) {
  // One of two groups may be left: the first one's registers are free.
  std::string products = Tile::product("0") + commit + Tile::product("0", 32) +
                         commit + waitFor(1);
  for (const Schedule &schedule : allSchedules()) {
    Tile tile;
    tile.kernel.body = products + MatrixKernel::keepAll("%f", 32) + waitFor(0);
    LaunchOutcome outcome = tile.kernel.run(schedule);
    EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
    tile.expectProduct();

    Tile other;
    other.kernel.body = products + MatrixKernel::keepAll("%f", 32) +
                        "  mov.b32 %f32, 0f00000000;\n";
    outcome = other.kernel.run(schedule);
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_EQ(outcome.findings[0].line, MatrixKernel::bodyLine + 5 + 32);
    EXPECT_EQ(outcome.findings[0].otherLine, MatrixKernel::bodyLine + 2);
  }
}

TEST(WgmmaTest, GroupsThatAreNotCommittedAreNotWaitedFor) {
  Tile tile;
  tile.kernel.body =
      Tile::product("0") + waitFor(0) + MatrixKernel::keepAll("%f", 32);
  LaunchOutcome outcome = tile.kernel.run({Schedule::Lazy, 0});
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].id, "wgmma-register-in-flight");
  tile.expectProduct();
}

TEST(WgmmaTest, RegistersOfAInFlight) {
  std::string product = "  wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                        "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, %a1, 0, "
                        "1, 1, 0;\n";
  Tile tile;
  tile.kernel.body = product + commit + "  mov.b32 %r2, 0;\n" + waitFor(0);
  LaunchOutcome outcome = tile.kernel.run();
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].line, MatrixKernel::bodyLine + 2);

  // Another register, and a guard that is false everywhere.
  tile.kernel.body = "  setp.lt.s32 %p0, 1, 0;\n" + product + commit +
                     "  mov.b32 %r4, 0;\n  @%p0 mov.b32 %r2, 0;\n" + waitFor(0);
  outcome = tile.kernel.run();
  EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
}

TEST(WgmmaTest, AccumulatorsOfAnotherShapeInFlight) {
  Tile tile;
  std::string narrow = "  wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                       "{%f0, %f1, %f2, %f3}, %a0, %a1, 1, 1, 1, 0, 0;\n";
  tile.kernel.body = Tile::product("0") + narrow + commit + waitFor(0);
  LaunchOutcome outcome = tile.kernel.run();
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].line, MatrixKernel::bodyLine + 1);
  EXPECT_EQ(outcome.findings[0].otherLine, MatrixKernel::bodyLine);

  tile.kernel.body =
      Tile::product("0") + commit + waitFor(0) + narrow + commit + waitFor(0);
  outcome = tile.kernel.run();
  EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {

struct WgmmaCase {
  const char *types;
  Element a, b;
  unsigned n, k;
  /// Of D.
  enum Accumulator { Float, Half, Integer } accumulator;
  bool sparse;
  /// -1: the type has none.
  int transA, transB;
  SwizzleMode swizzle;
};

constexpr WgmmaCase cases[] = {
    {"f32.f16.f16", Element::F16, Element::F16, 40, 16, WgmmaCase::Float, false,
     0, 0, SwizzleMode::B128},
    {"f32.f16.f16", Element::F16, Element::F16, 64, 16, WgmmaCase::Float, false,
     1, 0, SwizzleMode::B128},
    {"f32.bf16.bf16", Element::BF16, Element::BF16, 64, 16, WgmmaCase::Float,
     false, 0, 1, SwizzleMode::B64},
    {"f16.f16.f16", Element::F16, Element::F16, 32, 16, WgmmaCase::Half, false,
     1, 1, SwizzleMode::B128},
    {"f32.tf32.tf32", Element::TF32, Element::TF32, 48, 8, WgmmaCase::Float,
     false, -1, -1, SwizzleMode::B32},
    {"f32.e4m3.e5m2", Element::E4M3, Element::E5M2, 64, 32, WgmmaCase::Float,
     false, -1, -1, SwizzleMode::None},
    {"f16.e5m2.e4m3", Element::E5M2, Element::E4M3, 64, 32, WgmmaCase::Half,
     false, -1, -1, SwizzleMode::B128},
    {"s32.s8.s8", Element::S8, Element::S8, 96, 32, WgmmaCase::Integer, false,
     -1, -1, SwizzleMode::B128},
    {"s32.u8.s8", Element::U8, Element::S8, 32, 32, WgmmaCase::Integer, false,
     -1, -1, SwizzleMode::B64},
    {"s32.b1.b1.and.popc", Element::B1, Element::B1, 64, 256,
     WgmmaCase::Integer, false, -1, -1, SwizzleMode::None},
    {"f32.f16.f16", Element::F16, Element::F16, 64, 32, WgmmaCase::Float, true,
     0, 0, SwizzleMode::B128},
    {"f16.f16.f16", Element::F16, Element::F16, 64, 32, WgmmaCase::Half, true,
     1, 0, SwizzleMode::B128},
    {"s32.s8.u8", Element::S8, Element::U8, 64, 64, WgmmaCase::Integer, true,
     -1, -1, SwizzleMode::B64},
};

/// Lines lie next to each other, blocks behind each other.
SharedDescriptor describe(const WgmmaCase &c, uint32_t address, bool major) {
  SharedDescriptor descriptor;
  descriptor.start = address;
  descriptor.swizzle = c.swizzle;
  unsigned width = descriptor.width();
  descriptor.stride = 128 * width;
  descriptor.leading = 4096;
  if (c.swizzle == SwizzleMode::None) {
    descriptor.stride = 512;
    descriptor.leading = 128;
  }
  EXPECT_TRUE(!major || c.swizzle != SwizzleMode::None);
  return descriptor;
}

void check(const WgmmaCase &c) {
  SmallNumbers numbers(7);
  // As stored: half of A where it is sparse.
  Numbers stored(64, c.sparse ? c.k / 2 : c.k, c.a, numbers);
  Numbers a(64, c.k), b(c.k, c.n, c.b, numbers);
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned k = 0; k < stored.columns; ++k)
      // Of four elements those with the numbers 1 and 3 are kept.
      a.at(row, c.sparse ? 2 * k + 1 : k) = stored.at(row, k);

  MatrixKernel kernel;
  SharedDescriptor descriptorA =
      describe(c, MatrixKernel::tileAddress, c.transA == 1);
  SharedDescriptor descriptorB =
      describe(c, MatrixKernel::tileAddress + 16384, c.transB == 1);
  SharedMatrix placesA(descriptorA, c.a, c.transA == 1 ? Major::MN : Major::K);
  SharedMatrix placesB(descriptorB, c.b, c.transB == 1 ? Major::MN : Major::K);
  auto put = [&](const SharedMatrix &places, Element element, unsigned line,
                 unsigned k, int value) {
    uint32_t at = places.address(line, k) - MatrixKernel::tileAddress;
    ASSERT_LT(at, kernel.tile.size());
    if (element == Element::B1)
      kernel.tile[at] |= value << k % 8;
    else
      kernel.put(at, element, encode(element, value));
  };
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned k = 0; k < stored.columns; ++k)
      put(placesA, c.a, row, k, stored.at(row, k));
  for (unsigned column = 0; column < c.n; ++column)
    for (unsigned k = 0; k < c.k; ++k)
      put(placesB, c.b, column, k, b.at(k, column));
  kernel.argument0 = descriptorA.encode();
  kernel.argument1 = descriptorB.encode();

  bool half = c.accumulator == WgmmaCase::Half;
  unsigned count = c.n / (half ? 4 : 2);
  std::string stem = c.accumulator == WgmmaCase::Float ? "%f" : "%acc";
  kernel.declarations = ".reg .b32 %acc<128>;";
  kernel.body = "  mov.b32 %r0, 0xdddddddd;\n  setp.lt.s32 %p0, 1, 0;\n";
  kernel.body += std::string("  wgmma.mma_async") + (c.sparse ? ".sp" : "") +
                 ".sync.aligned.m64n" + std::to_string(c.n) + "k" +
                 std::to_string(c.k) + "." + c.types + " " +
                 registerList(stem, 0, count) + ", %a0, %a1, " +
                 (c.sparse ? "%r0, 0, " : "") +
                 (c.accumulator == WgmmaCase::Integer ? "%p0" : "0, 1, 1");
  if (c.transA >= 0)
    kernel.body +=
        ", " + std::to_string(c.transA) + ", " + std::to_string(c.transB);
  kernel.body += std::string(";\n") + commit + waitFor(0) +
                 MatrixKernel::keepAll(stem, count);
  LaunchOutcome outcome = kernel.run();
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;

  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < c.n / 2; ++i) {
      unsigned lane = thread % 32;
      unsigned row = thread / 32 * 16 + lane / 4 + 8 * (i / 2 % 2);
      unsigned column = i / 4 * 8 + lane % 4 * 2 + i % 2;
      int expected = naiveDot(a, b, row, column);
      uint32_t word = kernel.record(thread, half ? i / 2 : i);
      double value = half ? floatOfHalf(word >> i % 2 * 16)
                     : c.accumulator == WgmmaCase::Float
                         ? floatOfBits(word)
                         : double(int32_t(word));
      ASSERT_EQ(value, expected)
          << c.types << ", row " << row << ", column " << column;
    }
}

} // namespace

TEST(WgmmaTest, Types) {
  for (const WgmmaCase &c : cases)
    check(c);
}

//===----------------------------------------------------------------------===//
// Who takes part
//===----------------------------------------------------------------------===//

TEST(WgmmaTest, PartOfAWarp) {
  Tile tile;
  tile.kernel.body = "  setp.lt.s32 %p0, %tid_, 7;\n  @%p0 bra Done;\n" +
                     Tile::product("0") + commit + waitFor(0) + "Done:\n";
  LaunchOutcome outcome = tile.kernel.run();
  EXPECT_EQ(outcome.status, LaunchStatus::Fault);
  EXPECT_EQ(outcome.findings.at(0).id, "partial-warp");
  EXPECT_EQ(outcome.findings.at(0).line, MatrixKernel::bodyLine + 2);
}

TEST(WgmmaTest, PartOfAWarpgroup) {
  Tile tile;
  tile.kernel.threads = 96;
  tile.kernel.body = Tile::product("0") + commit + waitFor(0);
  LaunchOutcome outcome = tile.kernel.run();
  EXPECT_EQ(outcome.status, LaunchStatus::Fault);
  EXPECT_EQ(outcome.findings.at(0).id, "partial-warpgroup");
}

TEST(WgmmaTest, WarpsOfOneWarpgroupApart) {
  Tile tile;
  // The last warp executes another instruction.
  tile.kernel.body = "  setp.lt.s32 %p0, %tid_, 96;\n  @%p0 bra Others;\n" +
                     Tile::product("0") + "  bra Done;\nOthers:\n" +
                     Tile::product("0") + "Done:\n" + commit + waitFor(0);
  LaunchOutcome outcome = tile.kernel.run();
  EXPECT_EQ(outcome.status, LaunchStatus::Fault);
  EXPECT_EQ(outcome.findings.at(0).id, "warpgroup-differs");

  // The last warp executes none, or has ended.
  for (const char *end : {"  @!%p0 bra Done;\n", "  @!%p0 ret;\n"}) {
    tile.kernel.body = std::string("  setp.lt.s32 %p0, %tid_, 96;\n") + end +
                       Tile::product("0") + commit + waitFor(0) +
                       "Done:\n  bar.sync 0;\n";
    outcome = tile.kernel.run();
    EXPECT_NE(outcome.status, LaunchStatus::Completed);
    EXPECT_NE(outcome.reason, "");
  }
}

TEST(WgmmaTest, ReadsRaceWithWrites) {
  // Threads write what the products read: ordered by a barrier or not, with a
  // proxy fence or without, before or after.
  const std::string write = "  mov.b32 %r0, 0;\n"
                            "  setp.lt.s32 %p0, %tid_, 32;\n"
                            "  @%p0 st.shared.u32 [%tile+8192], %r0;\n";
  const std::string products = fence + Tile::product("0") + commit;
  const std::string proxyFence = "  fence.proxy.async;\n",
                    barrier = "  bar.sync 0;\n";
  // The tile is filled by all threads at once; that is not looked at here.
  auto findings = [](const std::string &body) {
    Tile tile;
    tile.kernel.checks = true;
    tile.kernel.fillThreads = 32;
    tile.kernel.body = body;
    std::vector<std::string> ids;
    for (const Finding &finding : tile.kernel.run().findings)
      ids.push_back(finding.id);
    return ids;
  };
  using Ids = std::vector<std::string>;
  std::string ready = proxyFence + barrier;
  EXPECT_EQ(findings(ready + write + ready + products + waitFor(0)), Ids());
  EXPECT_EQ(findings(ready + write + barrier + products + waitFor(0)),
            Ids{"missing-proxy-fence"});
  // Some warps read before the write and some after: both are reported.
  const Ids both{"source-in-use", "race"};
  EXPECT_EQ(findings(ready + write + proxyFence + products + waitFor(0)), both);
  // The first warp's wait is for all.
  EXPECT_EQ(findings(ready + products + waitFor(0) + write), Ids());
  EXPECT_EQ(findings(ready + products + write + waitFor(0)), both);
}

TEST(WgmmaTest, DescriptorOutsideOfSharedMemory) {
  Tile tile;
  tile.kernel.argument1 = plainDescriptor(200 << 10, 16);
  tile.kernel.body = Tile::product("0") + commit + waitFor(0);
  for (auto kind : {Schedule::Eager, Schedule::Lazy}) {
    LaunchOutcome outcome = tile.kernel.run({kind, 0});
    EXPECT_EQ(outcome.status, LaunchStatus::Fault);
    EXPECT_EQ(outcome.findings.at(0).id, "out-of-bounds");
    EXPECT_EQ(outcome.findings.at(0).line, MatrixKernel::bodyLine);
  }
}
