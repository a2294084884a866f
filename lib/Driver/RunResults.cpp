//===- RunResults.cpp - A backend's results in the report -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers, times and versions, in the words of the report.
//
//===----------------------------------------------------------------------===//

#include "CandidateRun.h"
#include "Stages.h"
#include "Versions.h"
#include "ptxbench/Task/Compare.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/VersionTuple.h"

namespace ptxbench {

static Correctness toCorrectness(const RunResult &result,
                                 const Definition &definition) {
  Correctness out;
  // The outputs of one call are judged together.
  std::vector<std::string> calls;
  std::map<std::string, std::vector<OutputCorrectness>> outputs;
  for (const OutputCheck &check : result.checks) {
    if (!outputs.count(check.call))
      calls.push_back(check.call);
    outputs[check.call].push_back(check.output);
  }
  for (const std::string &call : calls)
    addTrial(out, outputs[call], definition.extension.tolerance);
  out.passed = result.correct.value_or(false);
  // A backend's environment has what it calls its reference.
  auto reference = result.environment.find("reference");
  if (reference != result.environment.end())
    out.reference = reference->second;
  return out;
}

static TimeSpread toSpread(const TimeSamples &samples) {
  TimeSpread spread;
  spread.minMs = samples.quantile(0);
  spread.p25Ms = samples.quantile(0.25);
  spread.p75Ms = samples.quantile(0.75);
  spread.maxMs = samples.quantile(1);
  return spread;
}

static Performance toPerformance(const RunTiming &timing,
                                 std::optional<double> flops) {
  Performance out;
  out.latencyMs = timing.candidate.median();
  out.baselineMs = timing.baseline.median();
  out.baseline = timing.baselineName;
  out.speedupFactor = timing.pairedSpeedup();
  if (out.latencyMs)
    out.spread = toSpread(timing.candidate);
  if (out.baselineMs)
    out.baselineSpread = toSpread(timing.baseline);
  out.busyMs = timing.busyMs;
  out.eventMs = timing.eventMs;
  out.hostMs = timing.hostMs;
  out.floorMs = timing.floorMs;
  out.clocksBefore = timing.clocksBefore;
  out.clocksAfter = timing.clocksAfter;
  out.runs = timing.calls;
  out.warmups = timing.warmups;
  out.flops = flops;
  out.method = timing.method;
  out.warnings = timing.warnings;
  return out;
}

/// The newest toolkit whose PTX the front end reads.
static constexpr unsigned newestToolkit[] = {13, 0};

void CandidateRun::takeToolVersions() {
  for (ToolKind kind : {ToolKind::Nvcc, ToolKind::Ptxas})
    if (llvm::Expected<CudaTool> tool = toolchain->find(kind))
      report.dynamic->versions[stringifyToolKind(kind)] = tool->version;
    else
      llvm::consumeError(tool.takeError());
  llvm::VersionTuple nvcc;
  auto found = report.dynamic->versions.find("nvcc");
  if (found != report.dynamic->versions.end() &&
      !nvcc.tryParse(found->second) &&
      llvm::VersionTuple(nvcc.getMajor(), nvcc.getMinor().value_or(0)) >
          llvm::VersionTuple(newestToolkit[0], newestToolkit[1]))
    report.dynamic->notes.push_back(
        "nvcc " + found->second +
        " writes newer PTX than this tool reads, which is that of CUDA " +
        std::to_string(newestToolkit[0]) + "." +
        std::to_string(newestToolkit[1]) + " (PTX 9.0)");
}

void CandidateRun::takeResults(const RunResult &result) {
  for (const auto &[key, version] : result.environment)
    report.dynamic->versions[key] = version;
  auto device = report.dynamic->versions.find("device");
  if (device != report.dynamic->versions.end()) {
    report.dynamic->device = device->second;
    report.dynamic->versions.erase(device);
  }
  for (const std::string &note : result.traceNotes)
    report.dynamic->notes.push_back(note);
  for (const StageTime &stage : result.stages) {
    Stage out;
    out.name = stage.name;
    out.seconds = stage.seconds;
    report.stages.push_back(std::move(out));
  }
  // The one that the run ended in.
  if (result.status != RunStatus::Passed &&
      result.status != RunStatus::NotJudged && !result.stage.empty())
    for (Stage &stage : llvm::reverse(report.stages))
      if (llvm::StringRef(stage.name).ends_with("/" + result.stage)) {
        stage.verdict = StageVerdict::Failed;
        stage.log = result.log;
        break;
      }
  if (!result.checks.empty() || result.correct)
    report.correctness = toCorrectness(result, task.definition);
  if (result.timing) {
    std::optional<double> flops;
    if (auto counted = countFlops(task.definition, *workload))
      flops = *counted;
    else
      llvm::consumeError(counted.takeError());
    report.performance = toPerformance(*result.timing, flops);
    // Times of wrong numbers are not comparable, nor are wrong times.
    if ((report.correctness && !report.correctness->passed) ||
        result.status == RunStatus::Rejected)
      report.performance->speedupFactor.reset();
  }
}

} // namespace ptxbench
