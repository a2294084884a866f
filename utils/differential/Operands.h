//===- Operands.h - Numbers that are hard to get right ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of instructions, from a seed: values at the edges of their format,
// halfway points of the formats that they are converted to, numbers close to
// each other, and random bits.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_OPERANDS_H
#define PTXBENCH_UTILS_DIFFERENTIAL_OPERANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxbench::differential {

/// Numbers from a seed, the same on all hosts.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  /// Seeded by a name.
  explicit Random(llvm::StringRef name);

  uint64_t next();
  /// Below `bound`.
  uint64_t below(uint64_t bound) { return next() % bound; }
  /// Once in `n` times.
  bool oneIn(unsigned n) { return below(n) == 0; }
  template <class T> const T &pick(llvm::ArrayRef<T> values) {
    return values[below(values.size())];
  }

private:
  uint64_t state;
};

/// What the bits of an operand are.
struct Kind {
  enum Base : uint8_t {
    Predicate,
    Integer,
    /// Small floats: every code is as good as any other one.
    Code,
    F16,
    BF16,
    F32,
    F64
  } base;
  /// Bits of one element, and how many there are in a register.
  unsigned bits, lanes = 1;

  unsigned width() const { return bits * lanes; }
};
/// Of a type as PTX spells it: "f16x2", "u32", "e4m3x2" (as integers), "pred".
Kind kindOfType(llvm::StringRef spelling);

/// The bits of an f32 or f64 number.
uint64_t bitsOf(Kind::Base base, double value);

class OperandSource {
public:
  OperandSource(llvm::ArrayRef<Kind> kinds, Random &random)
      : kinds(kinds.begin(), kinds.end()), random(random) {}

  /// The operands of thread `index` of `count`, one value for each kind. First
  /// come all pairs of the values at the edges.
  void fill(size_t index, size_t count, llvm::MutableArrayRef<uint64_t> values);

private:
  uint64_t element(const Kind &kind, uint64_t previous, bool hasPrevious);

  std::vector<Kind> kinds;
  Random &random;
};

/// The values at the edges of a format.
const std::vector<uint64_t> &edgesOf(const Kind &kind);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_OPERANDS_H
