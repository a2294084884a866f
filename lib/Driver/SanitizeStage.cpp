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

bool isSmall(double flops) { return flops > 0 && flops <= double(1 << 27); }

const Workload *chooseSmallWorkload(const Task &task) {
  llvm::Expected<const Workload *> smallest = selectWorkload(task, "small");
  const Workload *best = nullptr;
  if (smallest)
    best = *smallest;
  else
    llvm::consumeError(smallest.takeError());
  double most = 0;
  for (const Workload &workload : task.workloads) {
    llvm::Expected<std::optional<double>> flops =
        countFlops(task.definition, workload);
    if (!flops) {
      llvm::consumeError(flops.takeError());
      continue;
    }
    if (workload.size == "small" && *flops && isSmall(**flops) &&
        **flops > most) {
      most = **flops;
      best = &workload;
    }
  }
  return best;
}

/// What PTX leaves open although today's hardware mostly does what is meant: a
/// fence or an order that is missing. The rest is wrong whatever runs it.
static bool isWarning(llvm::StringRef id) { return id.starts_with("missing-"); }

static std::string describe(const TraceFinding &finding) {
  std::string text = finding.id + " in kernel '" + finding.kernel + "'";
  if (finding.line)
    text += " at line " + std::to_string(finding.line) + " of the PTX";
  llvm::StringRef message = finding.message;
  if (message.consume_front(finding.id))
    message.consume_front(": ");
  return text + ": " + message.str();
}

static SanitizeOutcome onEmulator(const RunRequest &request,
                                  const DriverOptions &options) {
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
  outcome.log = result.log;
  std::vector<TraceFinding> findings;
  if (result.trace)
    findings = result.trace->findings;
  const TraceFinding *first = nullptr;
  for (const TraceFinding &finding : findings) {
    ReportDiagnostic diagnostic;
    diagnostic.rule = finding.id;
    diagnostic.severity =
        isWarning(finding.id) ? Severity::Warning : Severity::Error;
    diagnostic.line = finding.line;
    diagnostic.column = finding.column;
    diagnostic.message = "kernel '" + finding.kernel + "': " + finding.message;
    outcome.findings.push_back(std::move(diagnostic));
    if (!first && !isWarning(finding.id))
      first = &finding;
  }
  if (first) {
    outcome.verdict = StageVerdict::Failed;
    outcome.summary = describe(*first);
    return outcome;
  }
  switch (result.status) {
  case RunStatus::Passed:
  case RunStatus::NotJudged:
    outcome.verdict = StageVerdict::Passed;
    outcome.summary = findings.empty()
                          ? "nothing found"
                          : std::to_string(findings.size()) + " warnings";
    return outcome;
  case RunStatus::NotRun:
  case RunStatus::InternalError:
    outcome.summary = "the emulator cannot run it: " + result.reason;
    return outcome;
  case RunStatus::IncorrectNumerical:
  case RunStatus::RuntimeError:
  case RunStatus::Timeout:
  case RunStatus::Banned:
  case RunStatus::Rejected:
    break;
  }
  outcome.verdict = StageVerdict::Skipped;
  outcome.summary = "the call did not end as it should: " + result.reason;
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
    outcome.findings.push_back(std::move(diagnostic));
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

SanitizeOutcome sanitize(const Task &task, const DriverOptions &options,
                         llvm::StringRef backend, llvm::StringRef library,
                         llvm::StringRef workDirectory, Toolchain &toolchain) {
  SanitizeOutcome outcome;
  const Workload *workload = chooseSmallWorkload(task);
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
  bool emulated = options.sanitize == "emulator" ||
                  (options.sanitize == "auto" && backend == "emulator");
  outcome = emulated ? onEmulator(*request, options)
                     : underMemcheck(*request, toolchain);
  std::string where = emulated ? "emulator" : "memcheck";
  for (const auto &[axis, value] : workload->axes)
    where += ", " + axis + "=" + std::to_string(value);
  outcome.summary = where + ": " + outcome.summary;
  return outcome;
}

} // namespace ptxbench
