//===- ReductionOperands.cpp - Operands of reductions ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Zeros, units, infinities, NaNs quiet and signalling, subnormal and extreme
// numbers of each type.
//
//===----------------------------------------------------------------------===//

#include "ReductionOperands.h"

using namespace ptxbench;
using namespace ptxbench::differential;

std::vector<uint64_t> differential::specialValues(const std::string &type) {
  if (type == "f16")
    return {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00,
            0xfe00, 0x7fff, 0x7c01, 0xfd55, 0x0001, 0x8003, 0x0400,
            0x7bff, 0xfbff, 0x3555, 0x6400, 0x1001};
  if (type == "bf16")
    return {0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0,
            0xffc0, 0x7fff, 0x7f81, 0xffa5, 0x0001, 0x8003, 0x0080,
            0x7f7f, 0xff7f, 0x3eaa, 0x4380, 0x3a01};
  if (type == "f32")
    return {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
            0xff800000, 0x7fc00000, 0xffc00000, 0x7fffffff, 0x7f800001,
            0xffa55555, 0x00000001, 0x80000003, 0x007fffff, 0x00800000,
            0x80800000, 0x7f7fffff, 0xff7fffff, 0x3eaaaaab, 0x4b800000,
            0x33800001};
  if (type == "f64")
    return {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000,
            0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000,
            0x7ff8000000000000, 0xfff8000000000000, 0x7fffffffffffffff,
            0x7ff0000000000001, 0xfff5555555555555, 0x0000000000000001,
            0x8000000000000003, 0x000fffffffffffff, 0x0010000000000000,
            0x7fefffffffffffff, 0xffefffffffffffff, 0x3fd5555555555555,
            0x4340000000000000, 0x3ca0000000000001};
  return {0,
          1,
          2,
          3,
          0x7fffffff,
          0x80000000,
          0xffffffff,
          0xfffffffe,
          0x55aa55aa,
          0x7fffffffffffffff,
          0x8000000000000000,
          0xffffffffffffffff,
          0x100000000,
          0x123456789abcdef0};
}

void differential::drawOperands(const std::string &type, unsigned bits,
                                Random &draw, std::vector<uint8_t> &first,
                                std::vector<uint8_t> &second) {
  auto append = [&](std::vector<uint8_t> &bytes, uint64_t value) {
    for (unsigned i = 0; i < bits / 8; ++i)
      bytes.push_back(uint8_t(value >> 8 * i));
  };
  std::vector<uint64_t> values = specialValues(type);
  for (uint64_t one : values)
    for (uint64_t other : values) {
      append(first, one);
      append(second, other);
    }
  for (unsigned i = 0; i < 64 || first.size() % 128; ++i) {
    // Near each other, so that sums round and minima have to look closely.
    uint64_t one = draw.next(), other = draw.next();
    append(first, one);
    append(second, i % 2 ? other : one ^ (other & 0x81));
  }
}
