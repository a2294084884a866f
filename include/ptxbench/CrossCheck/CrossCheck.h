//===- CrossCheck.h - Verdicts against what executed ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what was proved about target instructions with what a trace counted.
// An instruction executed if more than zero threads did with their guard true.
// The rules, per target:
//
//   verdict     executed  not executed   no machine code     nothing known
//   never       refuted   confirmed      confirmed           unobservable
//   all, some   confirmed refuted        unobservable        unobservable
//   maybe       undecided-executed       unobservable        unobservable
//                         undecided-idle
//
// With these restrictions:
//  * A launch that did not end normally checks `never` only.
//  * Where the machine code found is not complete, a count of zero is nothing
//    known. Where it is not exclusive, an execution does not refute `never`:
//    it may be that of the instruction it was merged with.
//  * Counts are those of one KernelTrace, summed over its launches. Verdicts
//    under assumptions are compared with it in full if all its launches are
//    known to meet them. If only some do, zero still means that those did not
//    execute it, and more than zero is nothing known: the others may have.
//    A trace that keeps launches of several shapes apart has several
//    KernelTraces of one name; what they say is combined.
//  * Where not every launch is recorded, no numbers are compared.
//  * Numbers (predictions, the threads of `all`, the instances of the scope of
//    `some`) are compared only where the trace counts them exactly; one that
//    differs refutes the verdict. Where a prediction differs from a count that
//    is not exact, the reason says why they were not compared.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_CROSSCHECK_CROSSCHECK_H
#define PTXBENCH_CROSSCHECK_CROSSCHECK_H

#include "ptxbench/Trace/Trace.h"
#include "ptxbench/Trace/Verdict.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace ptxbench {

enum class Agreement {
  Confirmed,
  Refuted,
  UndecidedExecuted,
  UndecidedIdle,
  Unobservable,
};
/// "confirmed", "refuted", "undecided-executed", "undecided-idle",
/// "unobservable".
const char *stringifyAgreement(Agreement agreement);
std::optional<Agreement> symbolizeAgreement(const std::string &text);

struct TargetAgreement {
  Agreement agreement = Agreement::Unobservable;
  /// Executions over all launches of the trace; absent if not observed.
  std::optional<ExecutionCount> executed;
  /// State and places in the machine code, as the trace has them.
  std::optional<SassState> sass;
  std::vector<uint64_t> pcs;
  /// Why; empty if there is nothing to add to the counts.
  std::string reason;
};

struct EntryAgreement {
  std::string name;
  /// Parallel to EntryVerdicts::targets.
  std::vector<TargetAgreement> targets;
  /// Why nothing of this entry was compared: it was not launched, or not as the
  /// verdicts assume. Empty if it was.
  std::string obstacle;
};

struct AgreementTotals {
  uint64_t confirmed = 0, refuted = 0, undecidedExecuted = 0, undecidedIdle = 0,
           unobservable = 0;

  uint64_t undecided() const { return undecidedExecuted + undecidedIdle; }
  void add(Agreement agreement);
};

struct CrossCheckResult {
  /// Parallel to the verdicts.
  std::vector<EntryAgreement> entries;
  AgreementTotals totals;

  /// Whether no proof was refuted.
  bool sound() const { return totals.refuted == 0; }
};

struct CrossCheckOptions {
  /// SHA-256 of the PTX text that was analysed. If it is given and the trace
  /// has another one, nothing is compared.
  std::string ptxSha256;
};

CrossCheckResult crossCheck(llvm::ArrayRef<EntryVerdicts> verdicts,
                            const Trace &trace,
                            const CrossCheckOptions &options = {});

/// Whether executions that a trace counts may be those of a launch that meets
/// the assumptions.
bool mayCover(const KernelTrace &kernel, const LaunchAssumptions &assumed);

} // namespace ptxbench

#endif // PTXBENCH_CROSSCHECK_CROSSCHECK_H
