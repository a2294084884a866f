//===- Findings.h - What the emulator's checks found ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Findings of an emulator in the words of a report: each place once, with the
// line of the PTX and, where it is known, what that line was made of.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_FINDINGS_H
#define PTXBENCH_LIB_DRIVER_FINDINGS_H

#include "ptxbench/Report/Report.h"
#include "ptxbench/Runtime/Run.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxbench {

/// "kernel.cu:42:7", which a line of the PTX was made of; empty: not known.
using SourceOfLine = llvm::function_ref<std::string(unsigned line)>;

/// What PTX leaves open although today's hardware mostly does what is meant: a
/// fence or an order that is missing. The rest is wrong whatever runs it.
bool isWarning(const TraceFinding &finding);

/// One sentence with all places.
std::string describe(const TraceFinding &finding, SourceOfLine sourceOf);

ReportDiagnostic toDiagnostic(const TraceFinding &finding,
                              SourceOfLine sourceOf);

/// Whether both say the same of one place, whatever launch or thread it was.
bool isSamePlace(const TraceFinding &a, const TraceFinding &b);

/// What the checks of an emulator found in all judged calls of a run, each
/// place once.
std::vector<TraceFinding> findingsOf(const RunResult &result);

/// A log without the lines in which an emulator said what was found.
std::string withoutFindings(llvm::StringRef log,
                            llvm::ArrayRef<TraceFinding> findings);

/// "the emulator's checks found 3 missing fences"; empty if they found nothing.
std::string countFindings(llvm::ArrayRef<TraceFinding> findings);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_FINDINGS_H
