//===- Scrutiny.cpp - Whether what was measured can be true ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report that lacks what every worker reports is a failure, too: it came out
// of a process in which the candidate ran.
//
//===----------------------------------------------------------------------===//

#include "Scrutiny.h"
#include "ptxbench/Inspection/Inspection.h"
#include "ptxbench/Runtime/HostCode.h"
#include "ptxbench/Runtime/Origin.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>
#include <set>

using namespace llvm;
using namespace ptxbench;

static bool refuse(RunResult &result, RunStatus status, StringRef stage,
                   const Violation &violation) {
  result.status = status;
  result.stage = stage.str();
  result.code = violation.code;
  result.reason = violation.code + ": " + violation.message;
  return false;
}

static bool noReport(RunResult &result, StringRef stage, std::string reason) {
  result.status = RunStatus::InternalError;
  result.stage = stage.str();
  result.reason = std::move(reason);
  return false;
}

bool ptxbench::scrutinizeOrigins(const RunRequest &request,
                                 const ProtocolReader &events,
                                 RunResult &result) {
  OriginRecords records;
  json::Path::Root root("origins");
  const json::Value *value = events.result("origins");
  if (!value || !fromJSON(*value, records, root))
    return noReport(result, stages::Candidate,
                    value ? toString(root.getError())
                          : "the worker did not report where kernels are from");
  std::unique_ptr<MemoryBuffer> cubin;
  if (!request.cubin.empty()) {
    auto file = MemoryBuffer::getFile(request.cubin, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
    if (!file)
      return noReport(result, stages::Candidate,
                      "cannot read '" + request.cubin +
                          "': " + file.getError().message());
    cubin = std::move(*file);
  }
  CompiledCode compiled;
  if (cubin)
    compiled.cubin = cubin->getBuffer();
  compiled.fromMemory = StringRef(request.library).ends_with(hostCodeEnding);
  std::optional<Violation> violation =
      judgeOrigins(records, compiled, bannedLibrary);
  return !violation ||
         refuse(result, RunStatus::Banned, stages::Candidate, *violation);
}

bool ptxbench::scrutinizeTimes(const RunRequest &request,
                               const DeviceFacts &device,
                               const ProtocolReader &events,
                               RunResult &result) {
  auto reject = [&](const Violation &violation) {
    return refuse(result, RunStatus::Rejected, stages::Timing, violation);
  };
  if (const json::Value *value = events.result("violation")) {
    Violation violation;
    json::Path::Root root("violation");
    if (!fromJSON(*value, violation, root))
      return noReport(result, stages::Timing, toString(root.getError()));
    return reject(violation);
  }
  RunTiming &timing = *result.timing;
  // All calls lie within the stage that this process saw begin and end.
  double reported = 0, wall = 0;
  for (const TimeSamples *samples : {&timing.candidate, &timing.baseline})
    reported =
        std::accumulate(samples->ms.begin(), samples->ms.end(), reported);
  for (const StageTime &stage : events.stageTimes())
    if (stage.name == stages::Timing)
      wall += 1e3 * stage.seconds;
  if (!(reported <= wall)) {
    std::string text;
    raw_string_ostream(text)
        << "the reported times are " << format("%.3f", reported)
        << " ms in sum, but all calls were made within " << format("%.3f", wall)
        << " ms";
    return reject({"TIMES_EXCEED_WALL", text});
  }
  std::optional<RooflineFloor> floor = rooflineFloor(device, request);
  if (!floor) {
    timing.warnings.push_back(
        "the highest speed of this device is not known: times are not "
        "compared with it");
    return true;
  }
  timing.floorMs = floor->ms;
  if (std::optional<Violation> violation =
          checkFloor(*timing.candidate.median(), *floor))
    return reject(*violation);
  return true;
}

bool ptxbench::scrutinizeKernels(const ProtocolReader &events,
                                 RunResult &result) {
  std::vector<std::vector<std::string>> reported;
  json::Path::Root root("timed_kernels");
  const json::Value *value = events.result("timed_kernels");
  if (!value || !fromJSON(*value, reported, root))
    return noReport(result, stages::Timing,
                    value ? toString(root.getError())
                          : "the worker did not report the timed kernels");
  std::vector<std::set<std::string>> timed;
  for (const std::vector<std::string> &names : reported)
    timed.emplace_back(names.begin(), names.end());
  std::set<std::string> traced;
  for (const KernelTrace &kernel : result.trace->kernels)
    if (!kernel.launches.empty() ||
        any_of(kernel.sass, [](const SassCount &count) { return count.warps; }))
      traced.insert(kernel.name);
  std::optional<Violation> violation = compareKernels(timed, traced);
  return !violation ||
         refuse(result, RunStatus::Rejected, stages::Timing, *violation);
}
