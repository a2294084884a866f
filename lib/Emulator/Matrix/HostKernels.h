//===- HostKernels.h - Inner loops for vectors ---------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops over lanes that take the time of a product, chosen once for the
// vectors that the host has. Every choice gives the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_HOSTKERNELS_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_HOSTKERNELS_H

#include <cstdint>

namespace ptxbench::emulator {

/// A product of panels (see Panels.h) of f32 numbers.
struct FloatJob {
  const float *a;
  const uint32_t *mask;
  const float *b;
  float *const *d;
  unsigned k, n, halves;
  bool sparse, accumulate;
};

/// A product of panels of words.
struct WordJob {
  const uint32_t *a;
  const uint32_t *b;
  int32_t *const *d;
  unsigned k, n, halves;
  bool accumulate, saturate;
};

struct DoubleJob {
  const double *a;
  const double *b;
  double *const *d;
  unsigned k, n, halves;
  bool accumulate;
};

/// Converts `count` elements, a multiple of 32, to f32.
using ExpandFunction = void (*)(const void *from, unsigned count, float *to);

struct HostKernels {
  void (*floats)(const FloatJob &);
  void (*pairs)(const WordJob &);
  void (*andBits)(const WordJob &);
  void (*xorBits)(const WordJob &);
  void (*doubles)(const DoubleJob &);

  ExpandFunction half, bfloat, tf32, e4m3, e5m2;
  /// 32 lanes of two halves to two rows of lanes, and back.
  void (*widen)(const uint32_t *from, float *low, float *high);
  void (*narrow)(const float *low, const float *high, uint32_t *to);
};

/// Those in use.
const HostKernels &hostKernels();

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_HOSTKERNELS_H
