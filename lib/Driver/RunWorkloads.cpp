//===- RunWorkloads.cpp - The shapes that a candidate is judged on --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One workload is timed and traced. Others are judged behind it, since right on
// one shape is not right.
//
//===----------------------------------------------------------------------===//

#include "CandidateRun.h"
#include "RunRequestBuilder.h"
#include "SanitizeStage.h"
#include "Stages.h"
#include "ptxbench/Task/Compare.h"
#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace ptxbench {

bool CandidateRun::isOnCudaCores() const {
  return llvm::any_of(report.stages, [](const Stage &stage) {
    return stage.name == "static-targets" &&
           stage.verdict == StageVerdict::Failed;
  });
}

bool CandidateRun::isCheap(const Workload &candidate) const {
  if (&candidate == chooseSmallWorkload(task, isOnCudaCores()))
    return true;
  llvm::Expected<std::optional<double>> flops =
      countFlops(task.definition, candidate);
  if (flops)
    return isSmall(flops->value_or(0));
  llvm::consumeError(flops.takeError());
  return false;
}

/// Without another choice: on the emulator a small workload and another beside
/// it; on a device the small one beside the headline: more than one shape has
/// to be right.
void CandidateRun::chooseWorkload(bool emulated) {
  if (!options.workload.empty())
    return;
  const Workload *small =
      chooseSmallWorkload(task, emulated && isOnCudaCores());
  if (!small)
    return; // Then the one there is.
  if (!emulated) {
    if (small != workload)
      otherWorkloads.push_back(small);
    return;
  }
  workload = small;
  if (const Workload *second = chooseSecondShape(task, *small))
    otherWorkloads.push_back(second);
  report.dynamic->workload = workload->uuid;
  report.dynamic->axes = workload->axes;
  report.dynamic->notes.push_back(
      otherWorkloads.empty()
          ? "the emulator ran a small workload; --workload chooses another"
          : "the emulator ran small workloads; --workload chooses others");
}

/// Judges the other workloads; an exit status if one is not right.
std::optional<int> CandidateRun::judgeOthers(Backend &backend, bool emulated) {
  for (const Workload *other : otherWorkloads) {
    startStage("other-workload");
    llvm::Expected<RunRequest> request = buildRunRequest(
        task, *other, options, compiled.library, work.file("run"));
    if (!request)
      return fail(llvm::toString(request.takeError()), 2);
    request->timing.enabled = false;
    request->cubin = compiled.cubin;
    request->ptxSha256 = hashOwnPtx();
    // One call is enough of a shape that nobody asked for.
    if (emulated && (options.workload.empty() || !isCheap(*other)))
      request->trials = 1;
    // Findings are in the trace.
    bool isChecked = checked && isCheap(*other);
    request->trace = {/*sass=*/false, /*launches=*/isChecked};
    RunResult result = (isChecked ? *checked : backend).run(*request);
    if (isChecked && result.status == RunStatus::Timeout) {
      isChecked = request->trace.launches = false;
      RunResult watched = std::exchange(result, backend.run(*request));
      refuseStalling(result, watched, request->candidateSeconds);
      // The candidate may have known that it was watched.
      if (notSanitized.empty())
        notSanitized = "nothing is known of misuse of memory in workload " +
                       axesOf(*other) +
                       ": under the checks it did not end in time";
    }
    if (isChecked) {
      SanitizeOutcome outcome =
          judgeChecks(result, [this](unsigned line) { return sourceOf(line); });
      takeFindings(result);
      if (outcome.verdict == StageVerdict::Failed) {
        result.status = RunStatus::RuntimeError;
        result.reason = outcome.summary;
        result.log = outcome.log;
      }
    }
    Correctness numbers;
    for (const OutputCheck &check : result.checks)
      addTrial(numbers, {check.output}, task.definition.extension.tolerance);
    OtherWorkload judged{other->uuid,
                         other->axes,
                         toStatus(result.status),
                         result.reason,
                         numbers.maxAbsoluteError,
                         numbers.maxRelativeError};
    bool passed = judged.status == Status::Passed;
    // What could not be judged has not failed.
    bool failed = judged.status != Status::NotRun;
    endStage(passed   ? StageVerdict::Passed
             : failed ? StageVerdict::Failed
                      : StageVerdict::Unsupported,
             passed               ? llvm::StringRef()
             : result.log.empty() ? llvm::StringRef(result.reason)
                                  : llvm::StringRef(result.log));
    std::string name = "workload " + other->uuid;
    for (const auto &[axis, extent] : other->axes)
      name += ", " + axis + "=" + std::to_string(extent);
    report.dynamic->otherWorkloads.push_back(judged);
    if (passed)
      continue;
    // Right on one workload is not right, and its times are worth nothing.
    if (failed && report.correctness) {
      report.correctness->passed = false;
      report.correctness->reason = name + ": " + result.reason;
    }
    for (Stage &stage : report.stages)
      if (stage.name == "performance" &&
          stage.verdict == StageVerdict::Passed) {
        stage.verdict = StageVerdict::Skipped;
        stage.log = "times of what did not pass are not comparable";
      }
    return finish(judged.status, name + ": " + result.reason,
                  result.status == RunStatus::InternalError);
  }
  return std::nullopt;
}

} // namespace ptxbench
