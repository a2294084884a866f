//===- Stages.h - The stages that a candidate goes through ------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verdicts of the stages that follow from what is known already. Their
// names and order are those of docs/Evaluation.md: inspect, compile,
// inspect-library, static-targets, sanitize, correctness, executed-targets,
// performance.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_STAGES_H
#define PTXBENCH_LIB_DRIVER_STAGES_H

#include "ptxbench/Report/Report.h"
#include "ptxbench/Runtime/Run.h"

namespace ptxbench {

/// Whether each family that the task requires has an instruction which can
/// execute in some launch. Failing ends nothing: what executes is counted all
/// the same.
Stage judgeStaticTargets(const Report &report,
                         llvm::ArrayRef<std::string> required);

/// Whether numbers were right.
Stage judgeCorrectness(const RunResult &result);

/// The least part of the operations of a task that have to be done by the
/// matrix instructions it requires.
constexpr double leastShare = 0.5;

/// What a candidate did not do with the families that its task requires.
struct MissingUse {
  /// Those of which no instruction that does their work executed.
  std::vector<std::string> families;
  /// Whether that is known; else it is only not known that they executed.
  bool observed = true;
  /// Of families that executed: how small a part of the task they did.
  std::vector<std::string> shares;
  /// The judged call that this is said of; empty: the one that was counted.
  std::string call;

  explicit operator bool() const {
    return !families.empty() || !shares.empty();
  }
  /// What is missing, as a part of a sentence.
  std::string describe() const;
};

/// Whether each required family did its work.
Stage judgeExecutedTargets(const RunResult &result,
                           llvm::ArrayRef<std::string> required,
                           const MissingUse &missing);

/// Whether there is a time, beside that of a baseline. Never a number where
/// nothing was timed.
Stage judgePerformance(const Report &report, const RunResult &result,
                       bool emulated);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_STAGES_H
