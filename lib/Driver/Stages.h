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

/// Whether each required family executed. `missing` are those that are not
/// known to have; `observed`: it is known that they did not.
Stage judgeExecutedTargets(const RunResult &result,
                           llvm::ArrayRef<std::string> required,
                           llvm::ArrayRef<std::string> missing, bool observed);

/// Whether there is a time, beside that of a baseline. Never a number where
/// nothing was timed.
Stage judgePerformance(const Report &report, const RunResult &result,
                       bool emulated);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_STAGES_H
