//===- MatrixTestUtils.h - Kernels around matrix instructions ---*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that fills shared memory from an array, executes what a test gives
// it, and writes registers of each thread to a record of its own. Elements of
// matrices are small whole numbers, so that all sums are exact.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_OPS_MATRIXTESTUTILS_H
#define PTXBENCH_TEST_UNIT_EMULATOR_OPS_MATRIXTESTUTILS_H

#include "EmulatorTestUtils.h"
#include "Matrix/Element.h"
#include "Memory/GlobalMemory.h"

#include <functional>

namespace ptxbench::emulator {

/// "{%f4, %f5, %f6}".
inline std::string registerList(const std::string &stem, unsigned first,
                                unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + stem + std::to_string(first + i);
  return text + "}";
}

/// The bits of a whole number.
inline uint32_t encode(Element element, int value) {
  switch (element) {
  case Element::F16:
    return halfOfFloat(value);
  case Element::BF16:
    return bitsOfFloat(value) >> 16;
  case Element::TF32:
    return bitsOfFloat(value);
  case Element::E5M2:
    return halfOfFloat(value) >> 8;
  case Element::E4M3:
    for (uint32_t bits = 0; bits < 256; ++bits)
      if (floatOfE4M3(bits) == float(value))
        return bits;
    ADD_FAILURE() << value << " is no e4m3";
    return 0;
  default:
    return uint32_t(value) & ((uint64_t(1) << bitsOf(element)) - 1);
  }
}

/// Whole numbers from -range to range, or from 0 for types without a sign.
class SmallNumbers {
public:
  explicit SmallNumbers(uint32_t seed) : state(seed) {}
  int next(Element element, int range = 2) {
    state = state * 1664525 + 1013904223;
    uint32_t number = state >> 16;
    if (element == Element::B1)
      return number & 1;
    if (element == Element::U8 || element == Element::U4)
      return number % (range + 1);
    return int(number % (2 * range + 1)) - range;
  }

private:
  uint32_t state;
};

/// A matrix of whole numbers.
struct Numbers {
  Numbers(unsigned rows, unsigned columns)
      : rows(rows), columns(columns), values(rows * columns) {}
  Numbers(unsigned rows, unsigned columns, Element element,
          SmallNumbers &numbers)
      : Numbers(rows, columns) {
    for (int &value : values)
      value = numbers.next(element);
  }
  int &at(unsigned row, unsigned column) {
    return values[row * columns + column];
  }

  unsigned rows, columns;
  std::vector<int> values;
};

inline int naiveDot(Numbers &a, Numbers &b, unsigned row, unsigned column) {
  int sum = 0;
  for (unsigned k = 0; k < a.columns; ++k)
    sum += a.at(row, k) * b.at(k, column);
  return sum;
}

/// Shared memory of 32 KiB from `tileAddress` on, filled by the kernel, and
/// records of 128 words for each thread.
struct MatrixKernel {
  static constexpr uint32_t tileAddress = reservedSharedBytes;
  static constexpr unsigned recordWords = 128;

  /// What the kernel executes. It may use %r0 to %r63, %f0 to %f255, %d0 to
  /// %d7, %p0 to %p3; finds %tid.x in %tid_, parameters in %a0 and %a1, the
  /// address of its record in %record, that of the tile in %tile.
  std::string body;
  std::string declarations;
  std::vector<uint8_t> tile = std::vector<uint8_t>(32768);
  uint64_t argument0 = 0, argument1 = 0;
  unsigned threads = 128;
  /// Only the threads below fill the tile.
  unsigned fillThreads = 1024;
  /// Whether misuse is looked for.
  bool checks = false;

  /// The line in which `body` begins.
  static constexpr unsigned bodyLine = 35;

  void put(uint32_t offset, Element element, uint32_t bits) {
    std::memcpy(tile.data() + offset, &bits, bitsOf(element) / 8);
  }
  /// Writes a register to word `index` of the record.
  static std::string keep(unsigned index, const std::string &reg) {
    return "  st.global.b32 [%record+" + std::to_string(4 * index) + "], " +
           reg + ";\n";
  }
  static std::string keepAll(const std::string &stem, unsigned count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += keep(i, stem + std::to_string(i));
    return text;
  }

  LaunchOutcome run(Schedule schedule = {}) {
    TestMachine machine(text());
    uint8_t *image = machine.upload(tile);
    std::vector<uint32_t> empty(threads * recordWords, 0xdeadbeef);
    uint32_t *out = machine.upload(empty);
    machine.options.schedule = schedule;
    machine.options.checks = checks;
    LaunchOutcome outcome =
        machine.launch({1}, {threads}, image, out, argument0, argument1);
    records.assign(out, out + empty.size());
    return outcome;
  }
  /// A word of the record of a thread.
  uint32_t record(unsigned thread, unsigned index) const {
    return records[thread * recordWords + index];
  }

private:
  std::string text() const {
    return R"(.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 image, .param .u64 out, .param .u64 a0, .param .u64 a1) {
  .reg .b32 %r<64>; .reg .f32 %f<256>; .reg .b64 %d<8>; .reg .pred %p<4>;
  .reg .b64 %a0, %a1, %record, %from; .reg .b32 %tid_, %tile, %to, %count;
  .reg .pred %more, %fills;
  .shared .align 1024 .b8 tile[32768];
  .local .align 8 .b32 wide[2];
  )" + declarations +
           R"(
  ld.param.u64 %from, [image];
  ld.param.u64 %record, [out];
  ld.param.u64 %a0, [a0];
  ld.param.u64 %a1, [a1];
  mov.u32 %tid_, %tid.x;
  setp.lt.s32 %fills, %tid_, )" +
           std::to_string(fillThreads) + R"(;
  mov.u32 %tile, tile;
  mov.u32 %to, tile;
  shl.b32 %count, %tid_, 9;
  st.local.u32 [wide], %count;
  mov.u32 %count, 0;
  st.local.u32 [wide+4], %count;
  ld.local.u64 %d0, [wide];
  add.s64 %record, %record, %d0;
Copy:
  ld.global.u64 %d0, [%from];
  @%fills st.shared.u64 [%to], %d0;
  add.s64 %from, %from, 8;
  add.s32 %to, %to, 8;
  add.s32 %count, %count, 8;
  setp.lt.s32 %more, %count, 32768;
  @%more bra Copy;
  bar.sync 0;

)" + body + "  ret;\n}\n";
  }

  std::vector<uint32_t> records;
};

/// All kinds, random ones with several seeds.
inline std::vector<Schedule> allSchedules() {
  return {{Schedule::Eager, 0},  {Schedule::Lazy, 0},
          {Schedule::Random, 1}, {Schedule::Random, 2},
          {Schedule::Random, 3}, {Schedule::Adversarial, 0}};
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_TEST_UNIT_EMULATOR_OPS_MATRIXTESTUTILS_H
