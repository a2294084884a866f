//===- Stages.cpp - The stages that a candidate goes through --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verdicts from results. What could not be decided is skipped or unsupported,
// and says why.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "ptxbench/Report/FamilyUse.h"
#include "ptxbench/Trace/ReachCount.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace ptxbench {

static Stage makeStage(StringRef name, StageVerdict verdict,
                       const Twine &log = "") {
  Stage stage;
  stage.name = name.str();
  stage.verdict = verdict;
  stage.log = log.str();
  return stage;
}

Stage judgeStaticTargets(const Report &report, ArrayRef<std::string> required) {
  constexpr StringLiteral name = "static-targets";
  if (report.analysis.state != StaticInfo::State::Complete)
    return makeStage(name, StageVerdict::Unsupported, report.analysis.reason);
  std::vector<std::string> facts;
  bool lacks = false;
  for (const std::string &family : required) {
    size_t all = 0, possible = 0, proved = 0;
    for (const EntryResult &entry : report.entries)
      for (const TargetResult &target : entry.targets)
        if (target.verdict.family == family) {
          ++all;
          possible += target.verdict.reach != Reach::Never;
          proved += target.verdict.reach == Reach::All ||
                    target.verdict.reach == Reach::Some;
        }
    lacks |= possible == 0;
    facts.push_back(
        formatv("{0}: {1}", family, sayPossible(all, possible, proved)));
  }
  return makeStage(name, lacks ? StageVerdict::Failed : StageVerdict::Passed,
                   join(facts, "; "));
}

Stage judgeCorrectness(const RunResult &result) {
  constexpr StringLiteral name = "correctness";
  switch (result.status) {
  case RunStatus::Passed:
    return makeStage(name, StageVerdict::Passed);
  case RunStatus::NotJudged:
    return makeStage(name, StageVerdict::Skipped, result.reason);
  case RunStatus::NotRun:
  case RunStatus::InternalError:
    return makeStage(name, StageVerdict::Unsupported, result.reason);
  default:
    // What fails behind right numbers is of another stage.
    if (result.correct.value_or(false))
      return makeStage(name, StageVerdict::Passed);
    return makeStage(name, StageVerdict::Failed, result.reason);
  }
}

std::string MissingUse::describe() const {
  std::string text;
  if (!families.empty()) {
    SmallVector<std::string, 2> works;
    for (const std::string &family : families)
      if (ArrayRef<StringLiteral> work = workOf(family); !work.empty())
        works.push_back(join(work, " or "));
    bool one = families.size() == 1;
    text = std::string("no instruction of the required ") +
           (one ? "family " : "families ") + join(families, " and ");
    if (!works.empty())
      text += std::string(" that does ") + (one ? "its" : "their") + " work (" +
              join(works, "; ") + ")";
    text += observed ? " executed" : " is known to have executed";
  }
  if (!shares.empty())
    text += (text.empty() ? "" : "; ") + join(shares, ", ") +
            formatv("; at least {0:f0} % is required", 1e2 * leastShare).str();
  if (!call.empty())
    text += " (in " + call + ", other than in the first call)";
  return text;
}

Stage judgeExecutedTargets(const RunResult &result,
                           ArrayRef<std::string> required,
                           const MissingUse &missing) {
  constexpr StringLiteral name = "executed-targets";
  if (required.empty())
    return makeStage(name, StageVerdict::Skipped, "the task requires none");
  if (!result.trace)
    return makeStage(name, StageVerdict::Skipped, "there is no trace");
  if (!missing)
    return makeStage(name, StageVerdict::Passed, join(required, ", "));
  return makeStage(
      name, missing.observed ? StageVerdict::Failed : StageVerdict::Unsupported,
      missing.describe());
}

Stage judgePerformance(const Report &report, const RunResult &result,
                       bool emulated) {
  constexpr StringLiteral name = "performance";
  if (emulated)
    return makeStage(name, StageVerdict::Unsupported,
                     "an emulator is not timed");
  if (!report.performance || !report.performance->latencyMs)
    return makeStage(name, StageVerdict::Skipped, "nothing was timed");
  if (result.status == RunStatus::Rejected)
    return makeStage(name, StageVerdict::Failed, result.reason);
  if (result.status != RunStatus::Passed)
    return makeStage(name, StageVerdict::Skipped,
                     "times of what did not pass are not comparable");
  if (!report.performance->speedupFactor)
    return makeStage(name, StageVerdict::Unsupported,
                     "there is no baseline to compare with");
  return makeStage(name, StageVerdict::Passed);
}

} // namespace ptxbench
