//===- Facts.cpp - The facts at the head of a readable report -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How it ended, in a sentence, and what of numbers, times, clocks and tools is
// known, a row each.
//
//===----------------------------------------------------------------------===//

#include "Digest.h"

#include "llvm/ADT/StringExtras.h"

using namespace ptxbench;
using namespace ptxbench::digest;
using llvm::StringRef;

static std::string numbersPhrase(const Correctness &numbers) {
  std::string text = numbers.passed ? "right" : "WRONG";
  if (!numbers.reason.empty())
    text += ": " + clean(numbers.reason);
  std::vector<std::string> parts;
  if (numbers.relativeL2) {
    parts.push_back("relative L2 error " + shortNumber(*numbers.relativeL2));
    if (numbers.maxRelativeL2)
      parts.back() += " (limit " + shortNumber(*numbers.maxRelativeL2) + ")";
  }
  if (numbers.maxAbsoluteError)
    parts.push_back("max absolute error " +
                    shortNumber(*numbers.maxAbsoluteError));
  if (numbers.matchedRatio)
    parts.push_back(shortNumber(*numbers.matchedRatio * 100, 6) +
                    " % of the elements match");
  if (!numbers.reference.empty())
    parts.push_back("reference: " + clean(numbers.reference));
  if (!parts.empty())
    text += "; " + llvm::join(parts, ", ");
  return text;
}

/// `right`: whether the numbers are, so that the times can be compared.
static std::string timePhrase(const Performance &time, bool right) {
  std::vector<std::string> parts;
  if (time.latencyMs)
    parts.push_back(shortNumber(*time.latencyMs) + " ms");
  else
    parts.push_back("not measured");
  if (time.spread && time.spread->minMs && time.spread->maxMs)
    parts.back() += " (" + shortNumber(*time.spread->minMs) + " to " +
                    shortNumber(*time.spread->maxMs) + ")";
  // Work that was not done has no rate.
  if (std::optional<double> rate = time.tflops(); rate && right)
    parts.push_back(shortNumber(*rate) + " TFLOP/s");
  std::string baseline =
      time.baseline.empty() ? "baseline" : clean(time.baseline);
  if (time.baselineMs)
    parts.push_back(baseline + " " + shortNumber(*time.baselineMs) + " ms");
  if (!right)
    parts.push_back("not comparable: the numbers are wrong");
  else if (time.speedupFactor)
    parts.push_back("speedup " + shortNumber(*time.speedupFactor, 3) + "x");
  if (time.runs)
    parts.push_back("median of " + grouped(*time.runs) + " runs");
  return llvm::join(parts, ", ");
}

/// Empty if nothing is known.
static std::string clockPhrase(const Performance &time) {
  std::vector<std::string> parts;
  const ClockReading &before = time.clocksBefore, &after = time.clocksAfter;
  if (before.smMHz && after.smMHz)
    parts.push_back(grouped(*before.smMHz) + " MHz before the calls, " +
                    grouped(*after.smMHz) + " MHz after them");
  if (after.throttleReasons)
    parts.push_back(after.throttling().empty()
                        ? "not held down"
                        : "held down by " + clean(after.throttling()));
  if (after.powerW)
    parts.push_back(grouped(*after.powerW) + " W");
  if (after.temperatureC)
    parts.push_back(grouped(*after.temperatureC) + " °C");
  return llvm::join(parts, ", ");
}

std::string digest::outcome(const Report &report) {
  std::string text = describeStatus(report.status);
  if (report.reason.empty())
    return text;
  // The reason names the families that the general sentence speaks of.
  if (report.status == Status::TargetNotExecuted)
    return "the kernel ran, but " + clean(report.reason);
  // What a launch was found to do is the reason to look at it all the same.
  if (report.status == Status::Passed &&
      llvm::any_of(report.diagnostics, [](const ReportDiagnostic &diagnostic) {
        return diagnostic.launches.has_value();
      }))
    return "the candidate passed; " + clean(report.reason) + ", see below";
  // A check that could not be made was not passed.
  if (report.status == Status::Passed &&
      llvm::any_of(report.stages, [](const Stage &stage) {
        return stage.name == "sanitize" &&
               stage.verdict != StageVerdict::Passed;
      }))
    return "the candidate passed every other check; " + clean(report.reason);
  return text + " - " + clean(report.reason);
}

std::vector<std::pair<std::string, std::string>>
digest::facts(const Report &report) {
  std::vector<std::pair<std::string, std::string>> rows;
  auto add = [&](StringRef name, const std::string &value) {
    if (!value.empty())
      rows.emplace_back(name.str(), value);
  };
  if (report.analysis.state != StaticInfo::State::Complete)
    add("analysis",
        std::string(report.analysis.state == StaticInfo::State::NotRun
                        ? "not done"
                        : "not possible, our bug") +
            (report.analysis.reason.empty()
                 ? ""
                 : ": " + clean(report.analysis.reason)));
  if (report.correctness)
    add("numbers", numbersPhrase(*report.correctness));
  if (report.performance) {
    add("time", timePhrase(*report.performance,
                           !report.correctness || report.correctness->passed));
    add("clocks", clockPhrase(*report.performance));
    for (const std::string &warning : report.performance->warnings)
      add("", "doubtful: " + clean(warning));
  }
  if (report.crosscheck) {
    const CrossCheckTotals &totals = *report.crosscheck;
    add("verdicts", grouped(totals.confirmed) + " confirmed by the run, " +
                        grouped(totals.refuted) + " refuted, " +
                        grouped(totals.undecided) + " undecided, " +
                        grouped(totals.unobservable) + " unobservable");
  }
  std::string module;
  if (!report.module.ptxVersion.empty())
    module = "PTX " + clean(report.module.ptxVersion);
  if (!report.module.target.empty())
    module += (module.empty() ? "" : ", ") + clean(report.module.target);
  add("module", module);
  if (report.dynamic) {
    const DynamicInfo &dynamic = *report.dynamic;
    std::string task = clean(dynamic.task);
    for (const auto &[axis, extent] : dynamic.axes)
      task += (task.empty() ? "" : ", ") + clean(axis) + "=" +
              std::to_string(extent);
    if (!task.empty() && dynamic.seed)
      task += ", seed " + std::to_string(*dynamic.seed);
    add("task", task);
    for (const OtherWorkload &other : dynamic.otherWorkloads) {
      std::string text;
      for (const auto &[axis, extent] : other.axes)
        text += (text.empty() ? "" : ", ") + clean(axis) + "=" +
                std::to_string(extent);
      text +=
          std::string(text.empty() ? "" : ": ") + stringifyStatus(other.status);
      if (!other.reason.empty())
        text += ", " + clean(other.reason);
      add("judged, too", text);
    }
    std::vector<std::string> tools;
    for (const auto &[name, version] : dynamic.versions)
      if (name != "device")
        tools.push_back(clean(name) + " " + clean(version));
    if (dynamic.backend.empty() || dynamic.backend == "null") {
      add("tools", llvm::join(tools, ", "));
    } else {
      tools.insert(
          tools.begin(),
          clean(dynamic.backend) +
              (dynamic.device.empty() ? "" : " on " + clean(dynamic.device)));
      add("run by", llvm::join(tools, ", "));
    }
    for (const std::string &note : dynamic.notes)
      add("note", clean(note));
  }
  return rows;
}
