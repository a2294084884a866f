//===- SanitizeStage.h - Looking for misuse of memory -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call of a candidate on a small workload, under something that watches
// its accesses: the emulator with all checks, or compute-sanitizer's memcheck
// on a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_SANITIZESTAGE_H
#define PTXBENCH_LIB_DRIVER_SANITIZESTAGE_H

#include "Findings.h"
#include "Options.h"
#include "ptxbench/Report/Report.h"
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

/// The workload of a task for what is slow: of those marked small that isSmall
/// holds for the one that takes most, so that tiles repeat and edges
/// are there; else the smallest there is.
const Workload *chooseSmallWorkload(const Task &task);

/// Looks at the candidate's library, on the workload that it will run on or,
/// where that is not small, on a small one. `backend` is the one that will run
/// it ("cuda", "emulator"); what `--sanitize=auto` means follows from it.
SanitizeOutcome sanitize(const Task &task, const Workload &asked,
                         const DriverOptions &options, llvm::StringRef backend,
                         llvm::StringRef library, llvm::StringRef workDirectory,
                         Toolchain &toolchain, SourceOfLine sourceOf);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_SANITIZESTAGE_H
