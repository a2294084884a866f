//===- Inputs.h - Random inputs that can be made again ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element i of an input is a function of (seed, name of the input, i) alone, so
// that any part can be made on any thread, or on a device, and made again to
// see whether a candidate changed its inputs. The function uses integer
// arithmetic and correctly rounded operations only: every machine gets the same
// bits.
//
//   key  = mix(seed + 0x9e3779b97f4a7c15 * (fnv1a64(name) | 1))
//   h    = mix(key + 0x9e3779b97f4a7c15 * (i + 1))
//   mix(x): x ^= x >> 30; x *= 0xbf58476d1ce4e5b9;
//           x ^= x >> 27; x *= 0x94d049bb133111eb; x ^= x >> 31
//
// Normal: the sum of the four 16-bit parts of h, minus 131070, times the float
// 0x1.bb67aep-16 (one over its standard deviation): mean 0, variance 1, at most
// 3.47 in magnitude. Narrow types round that float to nearest even;
// float8 types clamp it to [-2, 2] before.
// Outliers: the normal value, plus 10 times the normal value of key + 1 for the
// elements with mix(h) mod 1000 = 0: N(0,1) + N(0,100) * Bernoulli(0.001).
// Uniform: (h >> 40) * 2^-23 - 1, in [-1, 1).
// Positive: 1 + (h >> 41) * 2^-23, halved where h is even: in [0.5, 2).
// Integers: uniform in [-1024, 1023]; int8 and uint8: all values; bool: a bit.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TASK_INPUTS_H
#define PTXBENCH_TASK_INPUTS_H

#include "ptxbench/Task/ElementType.h"
#include "ptxbench/Task/Task.h"
#include "llvm/ADT/ArrayRef.h"

namespace ptxbench {

/// The random numbers of one input.
class InputGenerator {
public:
  InputGenerator(uint64_t seed, llvm::StringRef name, ElementType type,
                 Distribution distribution = Distribution::Normal);

  /// Bits of element `index`.
  uint64_t element(uint64_t index) const;

  /// Writes elements `first`, `first + 1`, ... into `out`, whose size must be
  /// a multiple of the element size.
  void fill(uint64_t first, llvm::MutableArrayRef<uint8_t> out) const;

  /// Fills all of `out` from element 0 with at most `threads` threads.
  void fillAll(llvm::MutableArrayRef<uint8_t> out, unsigned threads = 1) const;

private:
  float floatElement(uint64_t index) const;

  uint64_t key;
  ElementType type;
  Distribution distribution;
};

/// Fills an output before a run: with the poison NaN of its type, or with
/// bytes 0xa5 where there is none (then unwritten elements cannot be told).
void fillPoison(ElementType type, llvm::MutableArrayRef<uint8_t> out);

} // namespace ptxbench

#endif // PTXBENCH_TASK_INPUTS_H
