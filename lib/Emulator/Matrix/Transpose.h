//===- Transpose.h - Four lines of four words -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that turns elements along K into elements along the lines, or the
// other way round, in vectors that every host has.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_TRANSPOSE_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_TRANSPOSE_H

#include <cstdint>
#include <cstring>

namespace ptxbench::emulator {

/// Four numbers of 32 bits.
typedef uint32_t FourWords __attribute__((vector_size(16)));

/// Writes element i of each of `line` to `target + i * stride`.
inline void transposeFour(const FourWords (&line)[4], void *target,
                          unsigned strideInWords) {
  FourWords low01 = __builtin_shufflevector(line[0], line[1], 0, 4, 1, 5);
  FourWords low23 = __builtin_shufflevector(line[2], line[3], 0, 4, 1, 5);
  FourWords high01 = __builtin_shufflevector(line[0], line[1], 2, 6, 3, 7);
  FourWords high23 = __builtin_shufflevector(line[2], line[3], 2, 6, 3, 7);
  const FourWords out[4] = {
      __builtin_shufflevector(low01, low23, 0, 1, 4, 5),
      __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
      __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
      __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
  for (unsigned i = 0; i != 4; ++i)
    std::memcpy(static_cast<char *>(target) + i * strideInWords * 4, &out[i],
                sizeof out[i]);
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_TRANSPOSE_H
