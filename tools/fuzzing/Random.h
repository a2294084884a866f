//===- Random.h - Numbers for mutations -------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same numbers on every machine, so that a mutation can be made again from
// its seed.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TOOLS_FUZZING_RANDOM_H
#define PTXBENCH_TOOLS_FUZZING_RANDOM_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace ptxbench::fuzzing {

/// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// A number below `bound`, which is not 0.
  size_t below(size_t bound) { return next() % bound; }
  /// True once in `n` times.
  bool oneIn(size_t n) { return below(n) == 0; }
  template <typename T> const T &pick(llvm::ArrayRef<T> from) {
    return from[below(from.size())];
  }

private:
  uint64_t state;
};

} // namespace ptxbench::fuzzing

#endif // PTXBENCH_TOOLS_FUZZING_RANDOM_H
