//===- Report.cpp - Words, exit status and sums of the result model -------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each enumeration has one table here, read in both directions.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Report/Report.h"

#include "llvm/Support/ErrorHandling.h"

using namespace ptxbench;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

namespace {
struct StatusRow {
  Status status;
  const char *word;
  int exit;
  const char *sentence;
};

template <typename T> struct WordRow {
  T value;
  const char *word;
};
} // namespace

static const StatusRow statusTable[] = {
    {Status::Passed, "PASSED", 0, "the candidate passed every check"},
    {Status::TargetNotExecuted, "TARGET_NOT_EXECUTED", 1,
     "the kernel ran, but a required instruction family did not execute"},
    {Status::IncorrectShape, "INCORRECT_SHAPE", 1,
     "an output has another shape than the task asks for"},
    {Status::IncorrectNumerical, "INCORRECT_NUMERICAL", 1,
     "the numbers differ from the reference"},
    {Status::IncorrectDtype, "INCORRECT_DTYPE", 1,
     "an output has another element type than the task asks for"},
    {Status::RuntimeError, "RUNTIME_ERROR", 1, "the candidate failed to run"},
    {Status::CompileError, "COMPILE_ERROR", 1,
     "the candidate does not compile"},
    {Status::Timeout, "TIMEOUT", 1, "the candidate did not end in time"},
    {Status::ExtractionError, "EXTRACTION_ERROR", 1,
     "the sample has no code in it"},
    {Status::Banned, "BANNED", 1,
     "the candidate calls a library that it must not call"},
    {Status::Rejected, "REJECTED", 1,
     "what the candidate leaves (times, outputs, trace) is not of its work"},
    {Status::NotRun, "NOT_RUN", 3, "the candidate could not be judged here"},
    {Status::Analyzed, "ANALYZED", 0, "static analysis only; nothing was run"},
    {Status::Refuted, "REFUTED", 3,
     "the run refuted a verdict of the analysis: a bug of ptxbench, not of "
     "the candidate"},
    {Status::Unsupported, "UNSUPPORTED", 3,
     "ptxas takes this file and ptxbench does not: a bug of ptxbench"},
};

static const StatusRow &lookUp(Status status) {
  for (const StatusRow &row : statusTable)
    if (row.status == status)
      return row;
  llvm_unreachable("status without a row");
}

const char *ptxbench::stringifyStatus(Status status) {
  return lookUp(status).word;
}

std::optional<Status> ptxbench::symbolizeStatus(StringRef text) {
  for (const StatusRow &row : statusTable)
    if (text == row.word)
      return row.status;
  return std::nullopt;
}

const char *ptxbench::describeStatus(Status status) {
  return lookUp(status).sentence;
}

int ptxbench::exitCode(Status status, bool staticOnly) {
  if (staticOnly && status == Status::CompileError)
    return 2;
  return lookUp(status).exit;
}

template <typename T, size_t N>
static const char *toWord(const WordRow<T> (&table)[N], T value) {
  for (const WordRow<T> &row : table)
    if (row.value == value)
      return row.word;
  llvm_unreachable("value without a word");
}

template <typename T, size_t N>
static std::optional<T> fromWord(const WordRow<T> (&table)[N], StringRef text) {
  for (const WordRow<T> &row : table)
    if (text == row.word)
      return row.value;
  return std::nullopt;
}

static const WordRow<Severity> severityTable[] = {
    {Severity::Error, "error"},
    {Severity::Warning, "warning"},
    {Severity::Remark, "remark"},
    {Severity::Note, "note"}};

const char *ptxbench::stringifySeverity(Severity severity) {
  return toWord(severityTable, severity);
}

std::optional<Severity> ptxbench::symbolizeSeverity(StringRef text) {
  return fromWord(severityTable, text);
}

static const WordRow<StageVerdict> stageTable[] = {
    {StageVerdict::Passed, "passed"},
    {StageVerdict::Failed, "failed"},
    {StageVerdict::Skipped, "skipped"},
    {StageVerdict::Unsupported, "unsupported"}};

const char *ptxbench::stringifyStageVerdict(StageVerdict verdict) {
  return toWord(stageTable, verdict);
}

std::optional<StageVerdict> ptxbench::symbolizeStageVerdict(StringRef text) {
  return fromWord(stageTable, text);
}

static const WordRow<StaticInfo::State> staticTable[] = {
    {StaticInfo::State::Complete, "complete"},
    {StaticInfo::State::Unsupported, "unsupported"},
    {StaticInfo::State::NotRun, "not-run"}};

const char *ptxbench::stringifyStaticState(StaticInfo::State state) {
  return toWord(staticTable, state);
}

bool ptxbench::isAgreement(StringRef text) {
  return text == "confirmed" || text == "refuted" ||
         text == "undecided-executed" || text == "undecided-idle" ||
         text == "unobservable";
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

EntryResult::EntryResult(const EntryVerdicts &verdicts)
    : name(verdicts.name), assumptions(verdicts.assumptions) {
  targets.reserve(verdicts.targets.size());
  for (const TargetVerdict &verdict : verdicts.targets) {
    targets.emplace_back();
    targets.back().verdict = verdict;
  }
}

std::map<std::string, FamilySummary>
ptxbench::summarize(const EntryResult &entry) {
  std::map<std::string, FamilySummary> result;
  for (const TargetResult &target : entry.targets) {
    FamilySummary &family = result[target.verdict.family];
    switch (target.verdict.reach) {
    case Reach::All:
      ++family.all;
      break;
    case Reach::Some:
      ++family.some;
      break;
    case Reach::Maybe:
      ++family.maybe;
      break;
    case Reach::Never:
      ++family.never;
      break;
    }
  }
  return result;
}

std::optional<CrossCheckTotals>
ptxbench::countAgreements(const std::vector<EntryResult> &entries) {
  CrossCheckTotals totals;
  bool any = false;
  for (const EntryResult &entry : entries) {
    for (const TargetResult &target : entry.targets) {
      if (!target.agreement)
        continue;
      any = true;
      StringRef word = *target.agreement;
      totals.confirmed += word == "confirmed";
      totals.refuted += word == "refuted";
      totals.undecided += word.starts_with("undecided-");
      totals.unobservable += word == "unobservable";
    }
  }
  if (!any)
    return std::nullopt;
  return totals;
}

std::optional<double> Performance::tflops() const {
  if (!flops || !latencyMs || !(*latencyMs > 0))
    return std::nullopt;
  return *flops / *latencyMs / 1e9;
}
