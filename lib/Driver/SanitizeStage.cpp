//===- SanitizeStage.cpp - Looking for misuse of memory -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are of no interest here, so inputs that a reference would compute are
// drawn, and from another seed than those of the judged calls.
//
//===----------------------------------------------------------------------===//

#include "SanitizeStage.h"
#include "RunRequestBuilder.h"
#include "Versions.h"
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/HostCode.h"
#include "ptxbench/Runtime/Memcheck.h"
#include "llvm/ADT/StringExtras.h"

namespace ptxbench {

/// Operations of a call that is small.
static constexpr unsigned smallOperations = 1 << 27;

bool isSmall(double flops) { return flops > 0 && flops <= smallOperations; }

/// 0: not known.
static double operationsOf(const Task &task, const Workload &workload) {
  llvm::Expected<std::optional<double>> flops =
      countFlops(task.definition, workload);
  if (flops)
    return flops->value_or(0);
  llvm::consumeError(flops.takeError());
  return 0;
}

const Workload *chooseSmallWorkload(const Task &task, bool onCudaCores) {
  llvm::Expected<const Workload *> smallest = selectWorkload(task, "small");
  const Workload *best = nullptr;
  if (smallest)
    best = *smallest;
  else
    llvm::consumeError(smallest.takeError());
  if (best && !onCudaCores &&
      best->uuid == task.definition.extension.smallWorkload)
    return best;
  const Workload *most = nullptr, *least = nullptr;
  double mostFlops = 0, leastFlops = 0;
  for (const Workload &workload : task.workloads) {
    double flops = operationsOf(task, workload);
    if (workload.size != "small" || flops <= 0)
      continue;
    if (isSmall(flops) && flops > mostFlops) {
      mostFlops = flops;
      most = &workload;
    }
    if (!least || flops < leastFlops) {
      leastFlops = flops;
      least = &workload;
    }
  }
  if (most)
    return most;
  return onCudaCores && least ? least : best;
}

const Workload *chooseSecondShape(const Task &task, const Workload &first) {
  double most = std::max<double>(operationsOf(task, first), smallOperations);
  const Workload *best = nullptr;
  size_t bestDifferent = 0;
  double bestFlops = 0;
  for (const Workload &workload : task.workloads) {
    double flops = operationsOf(task, workload);
    if (workload.size != "small" || flops <= 0 || flops > most)
      continue;
    size_t different = 0;
    for (const auto &[axis, extent] : workload.axes) {
      auto other = first.axes.find(axis);
      different += other == first.axes.end() || other->second != extent;
    }
    if (different == 0 || different < bestDifferent ||
        (different == bestDifferent && flops >= bestFlops))
      continue;
    best = &workload;
    bestDifferent = different;
    bestFlops = flops;
  }
  return best;
}

bool sanitizesOnEmulator(const DriverOptions &options,
                         llvm::StringRef backend) {
  return options.sanitize == "emulator" ||
         (options.sanitize == "auto" && backend == "emulator");
}

SanitizeOutcome judgeChecks(const RunResult &result, SourceOfLine sourceOf) {
  SanitizeOutcome outcome;
  outcome.findings = findingsOf(result);
  outcome.log = withoutFindings(result.log, outcome.findings);
  const TraceFinding *first = nullptr;
  for (const TraceFinding &finding : outcome.findings) {
    outcome.diagnostics.push_back(toDiagnostic(finding, sourceOf));
    if (!first && !isWarning(finding))
      first = &finding;
  }
  if (first) {
    outcome.verdict = StageVerdict::Failed;
    outcome.summary = describe(*first, sourceOf);
    return outcome;
  }
  switch (result.status) {
  case RunStatus::Passed:
  case RunStatus::NotJudged:
  case RunStatus::IncorrectNumerical:
    // Findings are in the trace.
    if (!result.trace) {
      outcome.summary =
          result.traceNotes.empty() ? "no trace" : result.traceNotes.back();
      return outcome;
    }
    outcome.verdict = StageVerdict::Passed;
    outcome.summary = outcome.findings.empty()
                          ? "nothing found"
                          : countFindings(outcome.findings);
    return outcome;
  case RunStatus::NotRun:
  case RunStatus::InternalError:
    outcome.summary = "the emulator cannot run it: " + result.reason;
    return outcome;
  case RunStatus::RuntimeError:
  case RunStatus::Timeout:
  case RunStatus::Banned:
  case RunStatus::Rejected:
    break;
  }
  outcome.verdict = StageVerdict::Skipped;
  outcome.summary = "the call did not end as it should: " +
                    (result.code.empty() ? "" : result.code + ": ") +
                    result.reason;
  return outcome;
}

static SanitizeOutcome onEmulator(const RunRequest &request,
                                  const DriverOptions &options,
                                  llvm::StringRef backend,
                                  SourceOfLine sourceOf) {
  EmulatorSettings settings = options.emulator;
  settings.checks = true;
  std::unique_ptr<Backend> emulator = createEmulatorBackend(
      workerProgram(executablePath(), request.library), settings);
  SanitizeOutcome outcome;
  Usability usable = emulator->isUsable();
  if (!usable.usable) {
    outcome.summary = "no emulator: " + usable.reason;
    return outcome;
  }
  RunResult result = emulator->run(request);
  outcome = judgeChecks(result, sourceOf);
  // What fails here, on the emulator that is to judge it, has failed.
  if (backend == "emulator" && (result.status == RunStatus::RuntimeError ||
                                result.status == RunStatus::Rejected))
    outcome.verdict = StageVerdict::Failed;
  return outcome;
}

static SanitizeOutcome underMemcheck(const RunRequest &request,
                                     Toolchain &toolchain) {
  SanitizeOutcome outcome;
  llvm::Expected<CudaTool> tool = toolchain.find(ToolKind::ComputeSanitizer);
  if (!tool) {
    outcome.summary = llvm::toString(tool.takeError());
    return outcome;
  }
  MemcheckResult result = runMemcheck(
      workerProgram(executablePath(), request.library), tool->path, request);
  outcome.log = result.log;
  outcome.summary = result.summary;
  switch (result.end) {
  case MemcheckResult::End::Clean:
    outcome.verdict = StageVerdict::Passed;
    break;
  case MemcheckResult::End::Errors: {
    outcome.verdict = StageVerdict::Failed;
    ReportDiagnostic diagnostic;
    diagnostic.rule = "memcheck";
    diagnostic.severity = Severity::Error;
    diagnostic.message = result.summary;
    outcome.diagnostics.push_back(std::move(diagnostic));
    break;
  }
  case MemcheckResult::End::NotEnded:
    outcome.verdict = StageVerdict::Skipped;
    break;
  case MemcheckResult::End::NotStarted:
    break;
  }
  return outcome;
}

std::string axesOf(const Workload &workload) {
  std::string text;
  for (const auto &[axis, value] : workload.axes)
    text += (text.empty() ? "" : ", ") + axis + "=" + std::to_string(value);
  return text;
}

SanitizeOutcome sanitize(const Task &task, const Workload &asked,
                         const Workload *small, const DriverOptions &options,
                         llvm::StringRef backend, llvm::StringRef library,
                         llvm::StringRef workDirectory, Toolchain &toolchain,
                         SourceOfLine sourceOf) {
  SanitizeOutcome outcome;
  double operations = operationsOf(task, asked);
  const Workload *workload = isSmall(operations) ? &asked : small;
  if (!workload) {
    outcome.summary = "the task has no small workload";
    return outcome;
  }
  DriverOptions other = options;
  other.seed = options.seed ^ 0x5a5a5a5a5a5a5a5a;
  llvm::Expected<RunRequest> request =
      buildRunRequest(task, *workload, other, library, workDirectory);
  if (!request) {
    outcome.summary = llvm::toString(request.takeError());
    return outcome;
  }
  request->trials = 1;
  request->timing.enabled = false;
  request->reference = {};
  for (ArgumentSpec &tensor : request->tensors)
    if (tensor.origin == ArgumentSpec::Origin::Computed)
      tensor.origin = ArgumentSpec::Origin::Drawn;
  bool emulated = sanitizesOnEmulator(options, backend);
  outcome = emulated ? onEmulator(*request, options, backend, sourceOf)
                     : underMemcheck(*request, toolchain);
  std::string where = emulated ? "emulator" : "memcheck";
  if (std::string axes = axesOf(*workload); !axes.empty())
    where += ", " + axes;
  // The small one may be the one that was asked for, of no known size.
  if (!options.workload.empty() && workload->uuid != asked.uuid)
    where +=
        " (" + axesOf(asked) +
        (operations > 0 ? " takes more than " +
                              std::to_string(smallOperations) + " operations)"
                        : " takes a number of operations that is not "
                          "known)");
  outcome.summary = where + ": " + outcome.summary;
  return outcome;
}

} // namespace ptxbench
