//===- BaselineTuning.cpp - Choosing a baseline before the run ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker names each proposal before it tries it for the first time; if that
// is the last that is heard of it, the next one does without.
//
//===----------------------------------------------------------------------===//

#include "BaselineTuning.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ptxbench;

/// Each costs the start of a process, and the plans are few.
static constexpr size_t mostCrashes = 8;

/// A baseline that takes longer beside the candidate by more than this was
/// hindered; clocks under another load explain about a tenth.
static constexpr double hindered = 1.5, hinderedMs = 0.05;

BaselineTuning ptxbench::tuneBaseline(RunRequest &request,
                                      WorkerStarter start) {
  BaselineTuning tuning;
  if (request.baseline.empty()) {
    tuning.reason = "the task names none";
    return tuning;
  }
  while (true) {
    WorkerOutcome outcome = start("baseline", request);
    const json::Value *value = outcome.events.result("baseline");
    const json::Object *found = value ? value->getAsObject() : nullptr;
    std::optional<StringRef> name = found ? found->getString("name")
                                          : std::nullopt,
                             proposal = found ? found->getString("proposal")
                                              : std::nullopt;
    std::optional<double> ms = found ? found->getNumber("ms") : std::nullopt;
    if (!outcome.problem && name && proposal && ms && *ms > 0) {
      tuning.name = name->str();
      tuning.ms = *ms;
      request.baselineProposal = proposal->str();
      return tuning;
    }
    const json::Value *tried = outcome.events.result("trying");
    std::optional<StringRef> last = tried ? tried->getAsString() : std::nullopt;
    if (last && !last->empty() && request.baselineSkip.size() < mostCrashes &&
        !is_contained(request.baselineSkip, *last)) {
      request.baselineSkip.push_back(last->str());
      continue;
    }
    tuning.reason =
        outcome.problem
            ? outcome.code + (outcome.code.empty() ? "" : ": ") + outcome.reason
            : "nothing was reported of it";
    request.baseline.clear();
    return tuning;
  }
}

void ptxbench::checkBaselineTime(RunTiming &timing,
                                 const BaselineTuning &tuning) {
  if (!tuning.reason.empty()) {
    timing.warnings.push_back("no baseline: " + tuning.reason);
    return;
  }
  std::optional<double> median = timing.baseline.median();
  if (!median || *median <= hindered * tuning.ms ||
      *median - tuning.ms <= hinderedMs)
    return;
  std::string text;
  raw_string_ostream(text) << "no baseline: " << timing.baselineName << " took "
                           << format("%.3f", *median)
                           << " ms beside the candidate and "
                           << format("%.3f", tuning.ms) << " ms by itself";
  timing.warnings.push_back(std::move(text));
  timing.baselineName.clear();
  timing.baseline.ms.clear();
}
