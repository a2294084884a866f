//===- Result.cpp - Results: statistics and JSON --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a worker hands to its parent. Numbers that are not finite travel as
// absent ones.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Run.h"
#include "ptxbench/Runtime/WorkerProtocol.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace ptxbench;

std::optional<double> TimeSamples::quantile(double q) const {
  if (ms.empty())
    return std::nullopt;
  std::vector<double> sorted = ms;
  std::sort(sorted.begin(), sorted.end());
  double at = std::clamp(q, 0.0, 1.0) * double(sorted.size() - 1);
  size_t low = size_t(at);
  size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - double(low));
}

void ptxbench::refuseStalling(RunResult &unwatched, const RunResult &watched,
                              double limitSeconds) {
  constexpr double mostByChecks = 100, leastLimit = 5;
  if (watched.status != RunStatus::Timeout ||
      watched.stage != stages::Candidate || limitSeconds < leastLimit)
    return;
  double longest = 0;
  for (const StageTime &stage : unwatched.stages)
    if (StringRef(stage.name).rsplit('/').second == stages::Candidate)
      longest = std::max(longest, stage.seconds);
  if (unwatched.status != RunStatus::Passed ||
      longest * mostByChecks >= limitSeconds)
    return;
  unwatched.status = RunStatus::Timeout;
  unwatched.reason = formatv(
      "with checks a call did not end in {0:f0} s, without them it took "
      "{1:f3} s: what is so much longer where it is watched does "
      "something else there",
      limitSeconds, longest);
}

void ptxbench::dropWrongBaseline(RunTiming &timing,
                                 ArrayRef<OutputCheck> checks) {
  if (timing.baselineName.empty())
    return;
  std::string wrong;
  if (checks.empty())
    wrong = "was not compared with the reference";
  for (const OutputCheck &check : checks)
    if (!check.output.passed && !check.undecided && wrong.empty())
      wrong = "differs from the reference: " + check.output.reason;
  if (wrong.empty())
    return;
  timing.warnings.push_back("no baseline: the output of " +
                            timing.baselineName + " " + wrong);
  timing.baselineName.clear();
  timing.baseline.ms.clear();
}

std::optional<double> RunTiming::pairedSpeedup() const {
  if (candidate.ms.size() != baseline.ms.size())
    return std::nullopt;
  TimeSamples ratios;
  for (size_t i = 0; i < candidate.ms.size(); ++i) {
    if (!(candidate.ms[i] > 0))
      return std::nullopt;
    ratios.ms.push_back(baseline.ms[i] / candidate.ms[i]);
  }
  return ratios.median();
}

json::Value ptxbench::toJSON(const OutputCheck &check) {
  const OutputCorrectness &output = check.output;
  json::Object object{{"tensor", output.name},
                      {"call", check.call},
                      {"passed", output.passed},
                      {"undecided", check.undecided},
                      {"reason", output.reason}};
  const std::pair<StringRef, std::optional<double>> numbers[] = {
      {"max_absolute_error", output.maxAbsoluteError},
      {"max_relative_error", output.maxRelativeError},
      {"relative_l2", output.relativeL2},
      {"matched_ratio", output.matchedRatio}};
  for (auto [key, value] : numbers)
    if (value && std::isfinite(*value))
      object[key] = *value;
  const std::pair<StringRef, std::optional<uint64_t>> counts[] = {
      {"elements", output.elements},
      {"mismatched", output.mismatched},
      {"unwritten", output.unwritten},
      {"non_finite", output.nonFinite}};
  for (auto [key, value] : counts)
    if (value)
      object[key] = *value;
  return object;
}

bool ptxbench::fromJSON(const json::Value &value, OutputCheck &check,
                        json::Path path) {
  json::ObjectMapper map(value, path);
  OutputCorrectness &output = check.output;
  return map && map.map("tensor", output.name) && map.map("call", check.call) &&
         map.map("passed", output.passed) &&
         map.map("undecided", check.undecided) &&
         map.map("reason", output.reason) &&
         map.mapOptional("max_absolute_error", output.maxAbsoluteError) &&
         map.mapOptional("max_relative_error", output.maxRelativeError) &&
         map.mapOptional("relative_l2", output.relativeL2) &&
         map.mapOptional("matched_ratio", output.matchedRatio) &&
         map.mapOptional("elements", output.elements) &&
         map.mapOptional("mismatched", output.mismatched) &&
         map.mapOptional("unwritten", output.unwritten) &&
         map.mapOptional("non_finite", output.nonFinite);
}

static json::Value toJSON(const ClockReading &clocks) {
  json::Object object;
  if (clocks.smMHz)
    object["sm_mhz"] = *clocks.smMHz;
  if (clocks.memoryMHz)
    object["memory_mhz"] = *clocks.memoryMHz;
  if (clocks.temperatureC)
    object["temperature_c"] = *clocks.temperatureC;
  if (clocks.powerW)
    object["power_w"] = *clocks.powerW;
  if (clocks.throttleReasons)
    object["throttle_reasons"] = json::Array(*clocks.throttleReasons);
  return object;
}

static bool fromJSON(const json::Value &value, ClockReading &clocks,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.mapOptional("sm_mhz", clocks.smMHz) &&
         map.mapOptional("memory_mhz", clocks.memoryMHz) &&
         map.mapOptional("temperature_c", clocks.temperatureC) &&
         map.mapOptional("power_w", clocks.powerW) &&
         map.mapOptional("throttle_reasons", clocks.throttleReasons);
}

json::Value ptxbench::toJSON(const RunTiming &timing) {
  json::Object object{{"candidate_ms", json::Array(timing.candidate.ms)},
                      {"baseline_ms", json::Array(timing.baseline.ms)},
                      {"baseline", timing.baselineName},
                      {"warmups", timing.warmups},
                      {"calls", timing.calls},
                      {"flush_bytes", timing.flushBytes},
                      {"method", timing.method},
                      {"works_per_call", timing.worksPerCall},
                      {"clocks_before", ::toJSON(timing.clocksBefore)},
                      {"clocks_after", ::toJSON(timing.clocksAfter)},
                      {"warnings", json::Array(timing.warnings)}};
  const std::pair<StringRef, std::optional<double>> medians[] = {
      {"busy_ms", timing.busyMs},
      {"event_ms", timing.eventMs},
      {"host_ms", timing.hostMs},
      {"floor_ms", timing.floorMs}};
  for (auto [key, value] : medians)
    if (value)
      object[key] = *value;
  return object;
}

bool ptxbench::fromJSON(const json::Value &value, RunTiming &timing,
                        json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("candidate_ms", timing.candidate.ms) ||
      !map.map("baseline_ms", timing.baseline.ms) ||
      !map.map("baseline", timing.baselineName) ||
      !map.map("warmups", timing.warmups) || !map.map("calls", timing.calls) ||
      !map.map("flush_bytes", timing.flushBytes) ||
      !map.map("method", timing.method) ||
      !map.map("warnings", timing.warnings) ||
      !map.map("works_per_call", timing.worksPerCall) ||
      !map.mapOptional("busy_ms", timing.busyMs) ||
      !map.mapOptional("event_ms", timing.eventMs) ||
      !map.mapOptional("host_ms", timing.hostMs) ||
      !map.mapOptional("floor_ms", timing.floorMs))
    return false;
  const json::Object &object = *value.getAsObject();
  for (auto [key, clocks] : {std::pair<StringRef, ClockReading *>(
                                 "clocks_before", &timing.clocksBefore),
                             std::pair<StringRef, ClockReading *>(
                                 "clocks_after", &timing.clocksAfter)})
    if (const json::Value *reading = object.get(key))
      if (!::fromJSON(*reading, *clocks, path.field(key)))
        return false;
  return true;
}

json::Value ptxbench::toJSON(const CapturedCubin &cubin) {
  return json::Object{{"path", cubin.path},
                      {"crc", cubin.crc},
                      {"functions", json::Array(cubin.functions)}};
}

bool ptxbench::fromJSON(const json::Value &value, CapturedCubin &cubin,
                        json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("path", cubin.path) && map.map("crc", cubin.crc) &&
         map.map("functions", cubin.functions);
}
