//===- Compare.h - Whether two outcomes are the same ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outcome of a case on the recorded machine and on the emulator.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_COMPARE_H
#define PTXBENCH_UTILS_DIFFERENTIAL_COMPARE_H

#include "Recording.h"

namespace ptxbench::differential {

struct Comparison {
  enum Result : uint8_t { Exact, Within, Different } result = Exact;
  /// How many elements are there, and differ by more than they may. 0 where
  /// only hashes were compared.
  uint64_t elements = 0, different = 0;
  /// The largest errors of elements that are no infinities, and no NaNs, on
  /// either machine; relative ones and those in units of the last place only of
  /// those that the absolute bound does not cover.
  double absolute = 0, relative = 0, ulps = 0;
  /// What differs, a line each; only the first ones of many.
  std::vector<std::string> messages;
};

/// `messages`: how many of them are wanted.
Comparison compare(const Case &testCase, const RecordedCase &recorded,
                   const Outcome &emulated, unsigned messages);

/// The value of a number of the format, whose bits are those.
double valueOf(Format format, uint64_t bits);
/// How many numbers lie between two; -0 and +0 are one.
double ulpsBetween(Format format, uint64_t a, uint64_t b);
/// 2, 4 or 8; of Format::Bits 4.
unsigned bytesOf(Format format);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_COMPARE_H
