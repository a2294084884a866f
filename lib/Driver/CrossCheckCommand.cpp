//===- CrossCheckCommand.cpp - Verdicts against a recorded trace ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ptxbench/Report/ReportIO.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ptxbench {

bool addCrossCheck(Report &report, const Trace &trace,
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
    if (const KernelTrace *kernel = trace.findKernel(entry.name))
      entry.launches = kernel->launches;
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
  return result.sound();
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

int runCrossCheck(const DriverOptions &options) {
  std::optional<Report> report = readFile<Report>(options.input, parseReport);
  std::optional<Trace> trace = readFile<Trace>(options.trace, parseTrace);
  if (!report || !trace)
    return 2;
  CrossCheckOptions checkOptions;
  checkOptions.ptxSha256 = report->module.sha256;
  bool sound = addCrossCheck(*report, *trace, checkOptions);
  if (!sound) {
    report->status = Status::Refuted;
    report->reason = "an execution contradicts a verdict";
  } else if (report->status == Status::Refuted) {
    report->status = Status::Analyzed;
    report->reason.clear();
  }
  if (!writeReport(*report, options))
    return 3;
  // What a candidate failed at stays its own; here only soundness counts.
  return sound ? 0 : 3;
}

} // namespace ptxbench
