//===- SanitizeStage.h - Looking for misuse of memory -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate on a small workload, under something that watches its accesses:
// the emulator with all checks, or compute-sanitizer's memcheck on a GPU. Where
// the emulator runs the candidate anyway, on such a workload, the judged calls
// themselves are watched, so that none differs from what was looked at.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_SANITIZESTAGE_H
#define PTXBENCH_LIB_DRIVER_SANITIZESTAGE_H

#include "Findings.h"
#include "Options.h"
#include "ptxbench/Report/Report.h"
#include "ptxbench/Runtime/Run.h"
#include "ptxbench/Support/Toolchain.h"
#include "ptxbench/Task/Task.h"

namespace ptxbench {

struct SanitizeOutcome {
  /// Passed: it ran to its end and nothing was found. Failed: something was.
  /// Skipped: it did not come to its end, for a reason that others find, too.
  /// Unsupported: nothing here can look.
  StageVerdict verdict = StageVerdict::Unsupported;
  /// One sentence, of any verdict.
  std::string summary;
  /// What watched printed; may be empty.
  std::string log;
  /// What the emulator found.
  std::vector<TraceFinding> findings;
  /// What is to be reported. Findings that do not fail a candidate are
  /// warnings.
  std::vector<ReportDiagnostic> diagnostics;
};

/// Whether so many operations are few enough for an emulator to do them several
/// times, or with checks, on CUDA cores. 0: not known, and not few.
bool isSmall(double flops);

/// The workload of a task for what is slow: the one that the task names for it.
/// Where it names none, and for a candidate that works `onCudaCores`: of those
/// marked small that isSmall holds for the one that takes most, so that tiles
/// repeat and edges are there; else the smallest there is.
const Workload *chooseSmallWorkload(const Task &task, bool onCudaCores);

/// Another small workload beside `first` that takes no longer: one that differs
/// in as many axes as can be, and of those the least. Null if there is none.
const Workload *chooseSecondShape(const Task &task, const Workload &first);

/// "M=200"; empty for a task without variable axes.
std::string axesOf(const Workload &workload);

/// What is said of a run on an emulator with all checks.
SanitizeOutcome judgeChecks(const RunResult &result, SourceOfLine sourceOf);

/// Whether the emulator is what `--sanitize` asks for before a run by `backend`
/// ("cuda", "emulator").
bool sanitizesOnEmulator(const DriverOptions &options, llvm::StringRef backend);

/// Looks at one call of the candidate's library, in a process of its own: on
/// the workload that it will run on or, where that is not small, on `small`.
SanitizeOutcome sanitize(const Task &task, const Workload &asked,
                         const Workload *small, const DriverOptions &options,
                         llvm::StringRef backend, llvm::StringRef library,
                         llvm::StringRef workDirectory, Toolchain &toolchain,
                         SourceOfLine sourceOf);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_SANITIZESTAGE_H
