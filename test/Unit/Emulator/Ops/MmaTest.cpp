//===- MmaTest.cpp - Tests of mma, wmma, ldmatrix, stmatrix ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of one warp against naive ones, with the fragments of the ISA
// written out; matrices moved between shared memory and registers.
//
//===----------------------------------------------------------------------===//

#include "MatrixTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// Loads %r<first> … from the thread's own words of the tile: `count` words of
/// 32 threads for each register.
std::string loadFragment(const std::string &stem, unsigned first,
                         unsigned count, uint32_t offset) {
  std::string text = "  shl.b32 %r63, %tid_, 2;\n"
                     "  add.s32 %r63, %r63, %tile;\n";
  for (unsigned i = 0; i < count; ++i)
    text += "  ld.shared.b32 " + stem + std::to_string(first + i) + ", [%r63+" +
            std::to_string(offset + 128 * i) + "];\n";
  return text;
}

struct MmaCase {
  /// Behind the shape, between A and B, before the operands of C.
  const char *mods, *types;
  Element a, b;
  unsigned m, k;
  enum Accumulator { Float, Half, Integer } accumulator;
  bool sparse;
};

constexpr MmaCase cases[] = {
    {"", "f32.bf16.bf16.f32", Element::BF16, Element::BF16, 16, 16,
     MmaCase::Float, false},
    {"", "f32.f16.f16.f32", Element::F16, Element::F16, 16, 8, MmaCase::Float,
     false},
    {"", "f16.f16.f16.f16", Element::F16, Element::F16, 16, 16, MmaCase::Half,
     false},
    {"", "f32.tf32.tf32.f32", Element::TF32, Element::TF32, 16, 8,
     MmaCase::Float, false},
    {"", "f32.e4m3.e5m2.f32", Element::E4M3, Element::E5M2, 16, 32,
     MmaCase::Float, false},
    {"", "s32.s8.u8.s32", Element::S8, Element::U8, 16, 32, MmaCase::Integer,
     false},
    {".satfinite", "s32.u8.s8.s32", Element::U8, Element::S8, 8, 16,
     MmaCase::Integer, false},
    {"", "s32.s4.u4.s32", Element::S4, Element::U4, 16, 64, MmaCase::Integer,
     false},
    {"", "s32.b1.b1.s32.and.popc", Element::B1, Element::B1, 16, 256,
     MmaCase::Integer, false},
    {"", "f32.f16.f16.f32", Element::F16, Element::F16, 16, 32, MmaCase::Float,
     true},
    {"", "s32.s8.s8.s32", Element::S8, Element::S8, 16, 64, MmaCase::Integer,
     true},
};

/// Looks at D of an mma whose fragments follow the pattern of the ISA: a
/// register of A has row lane / 4 (odd ones the row 8 further on, where there
/// are 16) and as many elements as 32 bits hold, from lane % 4 on; every
/// second register of A and every register of B goes on four times that.
void check(const MmaCase &c) {
  SmallNumbers numbers(5);
  unsigned storedK = c.sparse ? c.k / 2 : c.k;
  Numbers stored(c.m, storedK, c.a, numbers);
  Numbers a(c.m, c.k), b(c.k, 8, c.b, numbers);
  Numbers old(c.m, 8, Element::S8, numbers);
  for (unsigned row = 0; row < c.m; ++row)
    for (unsigned k = 0; k < storedK; ++k)
      a.at(row, c.sparse ? 2 * k + 1 : k) = stored.at(row, k);

  MatrixKernel kernel;
  kernel.threads = 32;
  unsigned bits = bitsOf(c.a), per = 32 / bits, halves = c.m / 8;
  unsigned countA = c.m * storedK * bits / 1024, countB = c.k * bits / 128;
  for (unsigned lane = 0; lane < 32; ++lane) {
    auto put = [&](unsigned reg, auto valueAt, Element element) {
      uint32_t word = 0;
      for (unsigned i = 0; i < per; ++i)
        word |= encode(element, valueAt(i)) << i * bits;
      std::memcpy(kernel.tile.data() + reg * 128 + lane * 4, &word, 4);
    };
    for (unsigned r = 0; r < countA; ++r)
      put(
          r,
          [&](unsigned i) {
            return stored.at(lane / 4 + 8 * (r % halves),
                             (lane % 4 + 4 * (r / halves)) * per + i);
          },
          c.a);
    for (unsigned r = 0; r < countB; ++r)
      put(
          countA + r,
          [&](unsigned i) {
            return b.at((lane % 4 + 4 * r) * per + i, lane / 4);
          },
          c.b);
  }
  auto placeOf = [&](unsigned lane, unsigned i) {
    unsigned row = lane / 4 + (halves == 2 ? 8 * (i / 2) : 0);
    return std::make_pair(row, lane % 4 * 2 + i % 2);
  };
  unsigned elements = 2 * halves;
  bool half = c.accumulator == MmaCase::Half;
  unsigned countC = half ? elements / 2 : elements;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < elements; ++i) {
      auto [row, column] = placeOf(lane, i);
      int value = old.at(row, column);
      char *at = reinterpret_cast<char *>(kernel.tile.data()) + 4096 + lane * 4;
      if (half) {
        uint16_t word = halfOfFloat(value);
        std::memcpy(at + i / 2 * 128 + i % 2 * 2, &word, 2);
      } else {
        uint32_t word =
            c.accumulator == MmaCase::Float ? bitsOfFloat(value) : value;
        std::memcpy(at + i * 128, &word, 4);
      }
    }

  // D is written to the registers of C in another order.
  std::string stem = c.accumulator == MmaCase::Float ? "%f" : "%acc";
  kernel.declarations = ".reg .b32 %acc<8>;";
  kernel.body = loadFragment("%r", 0, countA, 0) +
                loadFragment("%r", 20, countB, 128 * countA) +
                loadFragment(stem, 0, countC, 4096) +
                "  mov.b32 %r40, 0xdddddddd;\n";
  std::string d = "{";
  for (unsigned i = 0; i < countC; ++i)
    d += (i ? ", " : "") + stem + std::to_string(countC - 1 - i);
  kernel.body += std::string("  mma") + (c.sparse ? ".sp" : "") +
                 ".sync.aligned.m" + std::to_string(c.m) + "n8k" +
                 std::to_string(c.k) + ".row.col" + c.mods + "." + c.types +
                 " " + d + "}, " + registerList("%r", 0, countA) + ", " +
                 registerList("%r", 20, countB) + ", " +
                 registerList(stem, 0, countC) + (c.sparse ? ", %r40, 0" : "") +
                 ";\n" + MatrixKernel::keepAll(stem, countC);
  LaunchOutcome outcome = kernel.run();
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < elements; ++i) {
      auto [row, column] = placeOf(lane, i);
      int expected = old.at(row, column) + naiveDot(a, b, row, column);
      uint32_t word = kernel.record(lane, countC - 1 - (half ? i / 2 : i));
      double value = half ? floatOfHalf(word >> i % 2 * 16)
                     : c.accumulator == MmaCase::Float ? floatOfBits(word)
                                                       : double(int32_t(word));
      ASSERT_EQ(value, expected) << c.types << " m" << c.m << "k" << c.k
                                 << ", row " << row << ", column " << column;
    }
}

} // namespace

TEST(MmaTest, Types) {
  for (const MmaCase &c : cases)
    check(c);
}

TEST(MmaTest, DIsA) {
  // The identity times B, written over the registers of A.
  MatrixKernel kernel;
  kernel.threads = 32;
  for (unsigned lane = 0; lane < 32; ++lane) {
    float one = lane / 4 == lane % 4, upper = lane / 4 == lane % 4 + 4;
    float words[6] = {one, 0, upper, 0, float(lane), float(lane + 100)};
    for (unsigned i = 0; i < 6; ++i)
      std::memcpy(kernel.tile.data() + i * 128 + lane * 4, &words[i], 4);
  }
  kernel.body = loadFragment("%r", 0, 6, 0) +
                "  mov.b32 %f0, 0f00000000;\n"
                "  mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                "{%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, "
                "{%f0, %f0, %f0, %f0};\n" +
                MatrixKernel::keepAll("%r", 4);
  LaunchOutcome outcome = kernel.run();
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 2; ++i) {
      unsigned k = lane / 4, column = lane % 4 * 2 + i;
      unsigned owner = column * 4 + k % 4;
      EXPECT_EQ(floatOfBits(kernel.record(lane, i)),
                float(k < 4 ? owner : owner + 100));
      EXPECT_EQ(floatOfBits(kernel.record(lane, 2 + i)), 0);
    }
}

TEST(MmaTest, Doubles) {
  MatrixKernel kernel;
  kernel.threads = 32;
  // A register of A: row lane / 4, column lane % 4; of B transposed; C zero.
  for (unsigned lane = 0; lane < 32; ++lane) {
    double words[2] = {double(lane) + 0.5, double(lane) - 7};
    for (unsigned i = 0; i < 2; ++i)
      std::memcpy(kernel.tile.data() + i * 256 + lane * 8, &words[i], 8);
  }
  kernel.declarations = ".reg .f64 %x<4>;";
  kernel.body = "  shl.b32 %r0, %tid_, 3;\n"
                "  add.s32 %r0, %r0, %tile;\n"
                "  ld.shared.f64 %x0, [%r0];\n"
                "  ld.shared.f64 %x1, [%r0+256];\n"
                "  mov.b64 %x2, 0d3FF0000000000000;\n"
                "  mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                "{%x2, %x3}, {%x0}, {%x1}, {%x2, %x2};\n"
                "  st.global.f64 [%record], %x2;\n"
                "  st.global.f64 [%record+8], %x3;\n";
  LaunchOutcome outcome = kernel.run();
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 2; ++i) {
      double sum = 1;
      for (unsigned k = 0; k < 4; ++k)
        sum +=
            (lane / 4 * 4 + k + 0.5) * (double((lane % 4 * 2 + i) * 4 + k) - 7);
      uint64_t bits = kernel.record(lane, 2 * i) |
                      uint64_t(kernel.record(lane, 2 * i + 1)) << 32;
      double value;
      std::memcpy(&value, &bits, 8);
      EXPECT_EQ(value, sum);
    }
}

TEST(MmaTest, QuadPairs) {
  // All of A is 2, B is 3 in the lanes of the first and fourth product: 24.
  MatrixKernel kernel;
  kernel.threads = 32;
  kernel.body =
      "  mov.b32 %r0, 0x40004000;\n"
      "  and.b32 %r1, %tid_, 15;\n"
      "  setp.lt.s32 %p0, %r1, 4;\n"
      "  mov.b32 %r2, 0;\n"
      "  @%p0 mov.b32 %r2, 0x42004200;\n"
      "  mov.b32 %f0, 0f3F800000;\n"
      "  mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3, "
      "%f4, %f5, %f6, %f7}, {%r0, %r0}, {%r2, %r2}, {%f0, %f0, %f0, %f0, %f0, "
      "%f0, %f0, %f0};\n" +
      MatrixKernel::keepAll("%f", 8);
  LaunchOutcome outcome = kernel.run();
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(floatOfBits(kernel.record(lane, i)),
                lane % 16 < 4 ? 25.0f : 1.0f);
}

TEST(MmaTest, PartOfAWarp) {
  MatrixKernel kernel;
  kernel.threads = 16;
  kernel.body = "  mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, "
                "{%f0, %f1, %f2, %f3};\n";
  LaunchOutcome outcome = kernel.run();
  EXPECT_EQ(outcome.status, LaunchStatus::Fault);
  EXPECT_EQ(outcome.findings.at(0).id, "partial-warp");
}

TEST(MmaTest, DivergedLanesMeet) {
  // Every lane comes to the same mma by one of two ways.
  MatrixKernel kernel;
  kernel.threads = 32;
  kernel.body = "  mov.b32 %r0, 0f3F800000;\n"
                "  mov.b32 %f0, 0f00000000;\n"
                "  setp.lt.s32 %p0, %tid_, 9;\n"
                "  @%p0 bra Here;\n"
                "  mov.b32 %r0, 0f40000000;\n"
                "Here:\n"
                "  mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
                "{%f0, %f1, %f2, %f3}, {%r0, %r0}, {%r0}, "
                "{%f0, %f0, %f0, %f0};\n" +
                MatrixKernel::keepAll("%f", 4);
  LaunchOutcome outcome = kernel.run();
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  auto value = [](unsigned lane) { return lane < 9 ? 1 : 2; };
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      float sum = 0;
      for (unsigned k = 0; k < 4; ++k)
        sum += value(lane / 4 * 4 + k) * value((lane % 4 * 2 + i % 2) * 4 + k);
      EXPECT_EQ(floatOfBits(kernel.record(lane, i)), sum);
    }
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

namespace {
/// Rows of 16 bytes, lane l's at 16 (l ^ 5): element e of row l is 8 l + e.
MatrixKernel makeRows() {
  MatrixKernel kernel;
  kernel.threads = 32;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 8; ++i)
      kernel.put(16 * (lane ^ 5) + 2 * i, Element::U8, 8 * lane + i);
  return kernel;
}
constexpr const char *rowAddress = "  xor.b32 %r8, %tid_, 5;\n"
                                   "  shl.b32 %r8, %r8, 4;\n"
                                   "  add.s32 %r8, %r8, %tile;\n";
uint32_t pairOf(unsigned matrix, unsigned lane, bool transposed) {
  unsigned row = lane / 4, column = lane % 4 * 2;
  auto element = [&](unsigned row, unsigned column) {
    return 8 * (8 * matrix + row) + column;
  };
  if (transposed)
    return element(column, row) | element(column + 1, row) << 16;
  return element(row, column) | element(row, column + 1) << 16;
}
} // namespace

TEST(MmaTest, LoadMatrices) {
  for (unsigned count : {1u, 2u, 4u})
    for (bool transposed : {false, true}) {
      MatrixKernel kernel = makeRows();
      kernel.body = std::string(rowAddress) + "  ldmatrix.sync.aligned.m8n8.x" +
                    std::to_string(count) + (transposed ? ".trans" : "") +
                    ".shared.b16 " + registerList("%r", 8, count) +
                    ", [%r8];\n";
      for (unsigned i = 0; i < count; ++i)
        kernel.body += MatrixKernel::keep(i, "%r" + std::to_string(8 + i));
      LaunchOutcome outcome = kernel.run();
      ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < count; ++i)
          EXPECT_EQ(kernel.record(lane, i), pairOf(i, lane, transposed));
    }
}

TEST(MmaTest, StoreMatrices) {
  // What is loaded and stored the same way somewhere else is read back
  // transposed and in order.
  for (bool transposed : {false, true}) {
    MatrixKernel kernel = makeRows();
    kernel.body = std::string(rowAddress) +
                  "  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, "
                  "%r3}, [%r8];\n"
                  "  stmatrix.sync.aligned.m8n8.x4" +
                  (transposed ? ".trans" : "") +
                  ".shared.b16 [%r8+1024], {%r0, %r1, %r2, %r3};\n"
                  "  ld.shared.b32 %r4, [%r8+1024];\n"
                  "  ld.shared.b32 %r5, [%r8+1036];\n" +
                  MatrixKernel::keep(0, "%r4") + MatrixKernel::keep(1, "%r5");
    LaunchOutcome outcome = kernel.run();
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < 2; ++i) {
        // Row lane % 8 of matrix lane / 8, elements 0, 1 and 6, 7.
        unsigned owner = lane % 8 * 4 + 3 * i;
        EXPECT_EQ(kernel.record(lane, i), pairOf(lane / 8, owner, transposed));
      }
  }
}

TEST(MmaTest, MisalignedRow) {
  MatrixKernel kernel = makeRows();
  kernel.body = std::string(rowAddress) +
                "  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r8+8];\n";
  LaunchOutcome outcome = kernel.run();
  EXPECT_EQ(outcome.status, LaunchStatus::Fault);
  EXPECT_EQ(outcome.findings.at(0).id, "misaligned");
}

TEST(MmaTest, MovMatrix) {
  MatrixKernel kernel = makeRows();
  kernel.body = std::string(rowAddress) +
                "  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r8];\n"
                "  movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r0;\n" +
                MatrixKernel::keep(0, "%r0");
  LaunchOutcome outcome = kernel.run();
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(kernel.record(lane, 0), pairOf(0, lane, true));
}

//===----------------------------------------------------------------------===//
// wmma
//===----------------------------------------------------------------------===//

namespace {

struct WmmaCase {
  const char *types, *element, *accumulator;
  Element a;
  unsigned m, n, k, countA, countB, countD;
  bool rowA, rowB;
};

constexpr WmmaCase wmmaCases[] = {
    {"f32.f32", "f16", "f32", Element::F16, 16, 16, 16, 8, 8, 8, true, false},
    {"f32.f32", "f16", "f32", Element::F16, 32, 8, 16, 8, 8, 8, false, true},
    {"f32.bf16.bf16.f32", "bf16", "f32", Element::BF16, 8, 32, 16, 2, 8, 8,
     true, true},
    {"f32.tf32.tf32.f32", "tf32", "f32", Element::TF32, 16, 16, 8, 4, 4, 8,
     false, false},
    {"s32.s8.s8.s32", "s8", "s32", Element::S8, 16, 16, 16, 2, 2, 8, true,
     true},
    {"s32.u4.u4.s32", "u4", "s32", Element::U4, 8, 8, 32, 1, 1, 2, true, false},
    {"s32.b1.b1.s32.and.popc", "b1", "s32", Element::B1, 8, 8, 128, 1, 1, 2,
     true, false},
};

void check(const WmmaCase &c) {
  SmallNumbers numbers(11);
  Numbers a(c.m, c.k, c.a, numbers), b(c.k, c.n, c.a, numbers),
      old(c.m, c.n, Element::S8, numbers);
  MatrixKernel kernel;
  kernel.threads = 32;
  unsigned bits = bitsOf(c.a);
  // Rows are further apart than they are long: 256 elements.
  constexpr unsigned stride = 256;
  auto put = [&](uint32_t base, unsigned row, unsigned column, bool rowMajor,
                 int value) {
    unsigned at = rowMajor ? row * stride + column : column * stride + row;
    uint32_t word = encode(c.a, value);
    if (bits < 8)
      kernel.tile[base + at * bits / 8] |= word << at * bits % 8;
    else
      std::memcpy(&kernel.tile[base + at * bits / 8], &word, bits / 8);
  };
  for (unsigned k = 0; k < c.k; ++k) {
    for (unsigned row = 0; row < c.m; ++row)
      put(0, row, k, c.rowA, a.at(row, k));
    for (unsigned column = 0; column < c.n; ++column)
      put(12288, k, column, c.rowB, b.at(k, column));
  }
  bool isFloat = c.accumulator[0] == 'f';
  for (unsigned row = 0; row < c.m; ++row)
    for (unsigned column = 0; column < c.n; ++column) {
      int value = old.at(row, column);
      uint32_t word = isFloat ? bitsOfFloat(value) : value;
      std::memcpy(&kernel.tile[28672 + 4 * (row * c.n + column)], &word, 4);
    }
  std::string shape = "m" + std::to_string(c.m) + "n" + std::to_string(c.n) +
                      "k" + std::to_string(c.k);
  std::string rowA = c.rowA ? ".row." : ".col.",
              rowB = c.rowB ? ".row." : ".col.";
  std::string stem = isFloat ? "%f" : "%acc";
  std::string d = registerList(stem, 0, c.countD);
  kernel.declarations = ".reg .b32 %acc<8>;";
  kernel.body =
      "  mov.b32 %r40, 256;\n"
      "  wmma.load.a.sync.aligned" +
      rowA + shape + ".shared." + c.element + " " +
      registerList("%r", 0, c.countA) + ", [%tile], %r40;\n" +
      "  wmma.load.b.sync.aligned" + rowB + shape + ".shared." + c.element +
      " " + registerList("%r", 10, c.countB) + ", [%tile+12288], %r40;\n" +
      "  wmma.load.c.sync.aligned.row." + shape + ".shared." + c.accumulator +
      " " + d + ", [%tile+28672];\n" + "  wmma.mma.sync.aligned" +
      rowA.substr(0, 4) + rowB + shape + "." + c.types + " " + d + ", " +
      registerList("%r", 0, c.countA) + ", " +
      registerList("%r", 10, c.countB) + ", " + d + ";\n" +
      // Columns are m elements apart. Each thread keeps some of them.
      "  wmma.store.d.sync.aligned.col." + shape + ".shared." + c.accumulator +
      " [%tile], " + d + ";\n  bar.sync 0;\n  shl.b32 %r50, %tid_, " +
      (c.countD == 8 ? "5" : "3") + ";\n  add.s32 %r50, %r50, %tile;\n";
  for (unsigned i = 0; i < c.countD; ++i)
    kernel.body += "  ld.shared.b32 %r51, [%r50+" + std::to_string(4 * i) +
                   "];\n" + MatrixKernel::keep(i, "%r51");
  LaunchOutcome outcome = kernel.run();
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned row = 0; row < c.m; ++row)
    for (unsigned column = 0; column < c.n; ++column) {
      unsigned index = column * c.m + row;
      uint32_t word = kernel.record(index / c.countD, index % c.countD);
      ASSERT_EQ(isFloat ? floatOfBits(word) : double(int32_t(word)),
                old.at(row, column) + naiveDot(a, b, row, column))
          << c.types << ", row " << row << ", column " << column;
    }
}

} // namespace

TEST(MmaTest, Wmma) {
  for (const WmmaCase &c : wmmaCases)
    check(c);
}

TEST(MmaTest, WmmaOfMixedAccumulators) {
  // All of A is 2, of B 3, of C 1; C is f16 and D f32, and the other way.
  for (bool halfD : {false, true}) {
    MatrixKernel kernel;
    kernel.threads = 32;
    std::string a = registerList("%r", 0, 8), b = registerList("%r", 8, 8);
    for (unsigned i = 0; i < 16; ++i)
      kernel.body += "  mov.b32 %r" + std::to_string(i) +
                     (i < 8 ? ", 0x40004000;\n" : ", 0x42004200;\n");
    for (unsigned i = 0; i < 8; ++i)
      kernel.body += "  mov.b32 %f" + std::to_string(i) +
                     ", 0f3F800000;\n  mov.b32 %r" + std::to_string(20 + i) +
                     ", 0x3c003c00;\n";
    kernel.body +=
        std::string("  wmma.mma.sync.aligned.row.col.m16n16k16.") +
        (halfD ? "f16.f32 " : "f32.f16 ") +
        (halfD ? registerList("%r", 30, 4) : registerList("%f", 0, 8)) + ", " +
        a + ", " + b + ", " +
        (halfD ? registerList("%f", 0, 8) : registerList("%r", 20, 4)) + ";\n";
    for (unsigned i = 0; i < 4; ++i)
      kernel.body += MatrixKernel::keep(i, halfD ? "%r" + std::to_string(30 + i)
                                                 : "%f" + std::to_string(i));
    LaunchOutcome outcome = kernel.run();
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(kernel.record(lane, i),
                  halfD ? halfOfFloat(97) * 0x10001u : bitsOfFloat(97));
  }
}
