//===- Compare.h - Outputs against a reference ------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Judges one output. The element-wise rule is that of FlashInfer-Bench (an
// element fails if the absolute *and* the relative error are too large), but it
// lets an output of zeros pass where the values are small; so the error of the
// whole, relative to the reference in the 2-norm, must be small, too. What is
// not finite is compared exactly, and an element that still holds the pattern
// of fillPoison() was never written and never matches.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TASK_COMPARE_H
#define PTXBENCH_TASK_COMPARE_H

#include "ptxbench/Report/Report.h"
#include "ptxbench/Task/ElementType.h"
#include "ptxbench/Task/Task.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace ptxbench {

/// Elements in memory.
struct TensorView {
  ElementType type = ElementType::Float32;
  llvm::ArrayRef<uint8_t> bytes;

  uint64_t count() const { return bytes.size() / sizeOf(type); }
};

struct Comparison {
  enum class Verdict {
    Matched,
    Mismatched,
    /// The reference has a NaN: nothing can be said.
    Undecided,
  };
  Verdict verdict = Verdict::Undecided;

  /// Elements in all; those that failed, for whatever reason; of these those
  /// that were never written, and those where one side is not finite and the
  /// other is different.
  uint64_t elements = 0, mismatched = 0, unwritten = 0, nonFinite = 0;
  /// NaN in the reference that was not taken as a match.
  uint64_t referenceNaN = 0;
  /// Over the elements that are finite on both sides. The relative error is
  /// |candidate - reference| / (|reference| + 1e-8).
  double maxAbsoluteError = 0, maxRelativeError = 0;
  /// |candidate - reference|₂ / |reference|₂; infinite if an element failed
  /// for not being finite or written, or if the reference is all zero and the
  /// candidate is not.
  double relativeL2 = 0;
  double matchedRatio = 0;
  /// The first failed element.
  struct Mismatch {
    uint64_t index = 0;
    double got = 0, expected = 0;
  };
  std::optional<Mismatch> first;
  /// Which rule failed, with the values; empty if matched.
  std::string reason;

  bool passed() const { return verdict == Verdict::Matched; }
};

/// Compares element by element. `reference` has element type float32, float64
/// or that of the candidate. The result does not depend on `threads`. Errors:
/// different element counts, no elements, another type of the reference, a
/// partial element.
llvm::Expected<Comparison> compareOutputs(const TensorView &candidate,
                                          const TensorView &reference,
                                          const Tolerance &tolerance,
                                          unsigned threads = 1);

/// The form that the report has.
OutputCorrectness toReport(llvm::StringRef name, const Comparison &comparison);

/// Folds the outputs of one trial into `total`: keeps the worst numbers, counts
/// the trial, notes the limits.
void addTrial(Correctness &total, const std::vector<OutputCorrectness> &outputs,
              const Tolerance &tolerance);

} // namespace ptxbench

#endif // PTXBENCH_TASK_COMPARE_H
