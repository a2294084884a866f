//===- CrossCheckCommand.cpp - Verdicts against a recorded trace ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Repeats the comparison of a report's verdicts with a recorded trace. The two
// must be of one PTX text and share a kernel; everything else of the report
// stays as it was recorded, and its reason says so.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ptxbench/Report/ReportIO.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ptxbench {

CrossCheckResult addCrossCheck(Report &report, const Trace &trace,
                               const CrossCheckOptions &options) {
  std::vector<EntryVerdicts> verdicts;
  for (const EntryResult &entry : report.entries) {
    EntryVerdicts &out = verdicts.emplace_back();
    out.name = entry.name;
    out.assumptions = entry.assumptions;
    for (const TargetResult &target : entry.targets)
      out.targets.push_back(target.verdict);
  }
  CrossCheckResult result = crossCheck(verdicts, trace, options);
  for (auto [entry, checked] : llvm::zip(report.entries, result.entries)) {
    entry.launches.clear();
    for (const KernelTrace &kernel : trace.kernels)
      if (kernel.name == entry.name && mayCover(kernel, entry.assumptions))
        llvm::append_range(entry.launches, kernel.launches);
    for (auto [target, agreement] : llvm::zip(entry.targets, checked.targets)) {
      target.sass.reset();
      if (agreement.sass)
        target.sass = SassPlace{*agreement.sass, agreement.pcs, ""};
      target.executed.reset();
      if (agreement.executed)
        target.executed = ExecutedInfo{*agreement.executed, trace.source};
      target.agreement = stringifyAgreement(agreement.agreement);
      target.agreementReason = agreement.reason;
    }
  }
  report.crosscheck = countAgreements(report.entries);
  return result;
}

/// Reads a file and parses it; prints the error.
template <typename T>
static std::optional<T> readFile(const std::string &path,
                                 llvm::Expected<T> (*parse)(llvm::StringRef,
                                                            llvm::StringRef)) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    fail("cannot read '" + llvm::Twine(path) +
             "': " + file.getError().message(),
         2);
    return std::nullopt;
  }
  llvm::Expected<T> value = parse((*file)->getBuffer(), path);
  if (!value) {
    fail(llvm::toString(value.takeError()), 2);
    return std::nullopt;
  }
  return std::move(*value);
}

/// The names in quotes, in the order given, each once.
template <typename Range> static std::string listNames(const Range &range) {
  std::vector<std::string> names;
  for (const auto &item : range)
    if (std::string name = "'" + item.name + "'";
        !llvm::is_contained(names, name))
      names.push_back(std::move(name));
  return names.empty() ? "none" : llvm::join(names, ", ");
}

/// Why a report and a trace cannot be of one candidate; empty if they can.
static std::string findMisfit(const Report &report, const Trace &trace,
                              const DriverOptions &options) {
  if (report.module.sha256 != trace.ptxSha256 && !report.module.sha256.empty())
    return "expected a report and a trace of one PTX text but '" +
           options.input + "' is of the text with SHA-256 " +
           report.module.sha256 + " and '" + options.trace + "' of " +
           (trace.ptxSha256.empty() ? "an unknown one" : trace.ptxSha256);
  if (llvm::none_of(report.entries, [&](const EntryResult &entry) {
        return trace.findKernel(entry.name);
      }))
    return "expected a report and a trace with a kernel in common but '" +
           options.input + "' has " + listNames(report.entries) + " and '" +
           options.trace + "' has " + listNames(trace.kernels);
  return "";
}

static constexpr llvm::StringLiteral repeatedFrom =
    "cross-check repeated from ";

/// What was compared, in one sentence for the head of the report.
static std::string describe(const Report &report,
                            const CrossCheckResult &result,
                            llvm::StringRef trace) {
  std::string text = repeatedFrom.str();
  text += trace;
  text += " (the rest is as the report recorded it): ";
  const AgreementTotals &totals = result.totals;
  size_t skipped = 0;
  std::string why;
  for (auto [entry, checked] : llvm::zip(report.entries, result.entries)) {
    if (checked.obstacle.empty() || entry.targets.empty())
      continue;
    ++skipped;
    if (why.empty())
      why = checked.obstacle;
  }
  uint64_t compared = totals.confirmed + totals.refuted + totals.undecided();
  if (compared + totals.unobservable == 0)
    return text + "the report has no target instruction";
  text += compared ? "" : "nothing could be compared, ";
  text += std::to_string(totals.confirmed) + " confirmed, " +
          std::to_string(totals.refuted) + " refuted, " +
          std::to_string(totals.undecided()) + " undecided, " +
          std::to_string(totals.unobservable) + " unobservable";
  if (skipped)
    text += "; " + std::to_string(skipped) +
            (skipped == 1 ? " entry" : " entries") + " not compared: " + why;
  return text;
}

int runCrossCheck(const DriverOptions &options) {
  std::optional<Report> report = readFile<Report>(options.input, parseReport);
  std::optional<Trace> trace = readFile<Trace>(options.trace, parseTrace);
  if (!report || !trace)
    return 2;
  if (std::string misfit = findMisfit(*report, *trace, options);
      !misfit.empty())
    return fail(misfit, 2);
  CrossCheckOptions checkOptions;
  checkOptions.ptxSha256 = report->module.sha256;
  CrossCheckResult result = addCrossCheck(*report, *trace, checkOptions);
  // What an earlier repetition said of itself goes.
  std::string &reason = report->reason;
  if (size_t at = reason.find(repeatedFrom.str()); at != std::string::npos)
    reason = llvm::StringRef(reason).take_front(at).rtrim("; ").str();
  if (!result.sound()) {
    report->status = Status::Refuted;
    reason = "an execution contradicts a verdict";
  } else if (report->status == Status::Refuted) {
    report->status = Status::Analyzed;
    reason.clear();
  }
  reason += reason.empty() ? "" : "; ";
  reason += describe(*report, result, options.trace);
  if (!writeReport(*report, options))
    return 3;
  // What a candidate failed at stays its own; here only soundness counts.
  return result.sound() ? 0 : 3;
}

} // namespace ptxbench
