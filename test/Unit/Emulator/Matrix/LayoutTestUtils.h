//===- LayoutTestUtils.h - Layouts as shapes and strides --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An evaluator of layouts in the notation that the ISA and CUTLASS use, shape
// over stride with the first mode fastest: what the tests hold the emulator's
// formulas against.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_MATRIX_LAYOUTTESTUTILS_H
#define PTXBENCH_TEST_UNIT_EMULATOR_MATRIX_LAYOUTTESTUTILS_H

#include <cstdint>
#include <vector>

namespace ptxbench::emulator {

struct TestMode {
  uint32_t size;
  uint32_t stride;
};

/// The offset of coordinate `index` of one (nested) mode.
inline uint32_t offsetIn(const std::vector<TestMode> &modes, uint32_t index) {
  uint32_t offset = 0;
  for (const TestMode &mode : modes) {
    offset += index % mode.size * mode.stride;
    index /= mode.size;
  }
  return offset;
}

/// A layout of (lane, value) as an index into a column-major matrix.
struct TestLayout {
  std::vector<TestMode> lanes;
  std::vector<TestMode> values;

  uint32_t operator()(uint32_t lane, uint32_t value) const {
    return offsetIn(lanes, lane) + offsetIn(values, value);
  }
  uint32_t valueCount() const {
    uint32_t count = 1;
    for (const TestMode &mode : values)
      count *= mode.size;
    return count;
  }
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_TEST_UNIT_EMULATOR_MATRIX_LAYOUTTESTUTILS_H
