//===- Record.h - What became of one sample ---------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line of results.jsonl (`ptxbench.evaluation.v1`): the outcome of a sample
// in so few words that thousands can be counted. The report of the run says the
// rest. What was not measured is absent.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_EVALUATION_RECORD_H
#define PTXBENCH_EVALUATION_RECORD_H

#include "ptxbench/Evaluation/Sample.h"
#include "ptxbench/Report/Report.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace ptxbench {

/// How far a sample came, in the order of the stages.
enum class Milestone : uint8_t {
  /// Nothing: there was no code in it.
  None,
  Extracted,
  /// It does not call libraries that it must not call.
  Allowed,
  Compiled,
  /// It ended, and in time.
  Ran,
  /// Its numbers are right.
  Correct,
  /// Instructions of every required family executed.
  TargetsExecuted,
  /// Its time was measured beside the baseline's.
  Timed,
};
constexpr unsigned milestoneCount = unsigned(Milestone::Timed) + 1;
/// "extracted", "allowed", "compiled", "ran", "correct", "targets-executed",
/// "timed".
const char *stringifyMilestone(Milestone milestone);

struct Record {
  std::string key;
  /// Its place among the samples when it ran or, where another had that, the
  /// next number that was free: N of its files.
  size_t index = 0;
  std::string task, name, author;
  std::optional<std::string> trajectory;
  std::optional<int64_t> turn;
  Status status = Status::NotRun;
  std::string reason;
  /// Of NOT_RUN: by its report, the machine or we are to blame.
  bool retry = false;
  /// Absent if the sample could not be judged here (NOT_RUN, our own bugs).
  std::optional<Milestone> reached;
  std::optional<double> latencyMs, baselineMs, speedup;
  std::optional<double> maxAbsoluteError, maxRelativeError;
  std::optional<MachineCode> machineCode;
  /// The verdicts of the stages that were reached, "extract" the first.
  std::map<std::string, std::string> stages;
  std::string backend, device;
  /// Of the environment: "driver", "cuda" ...
  std::map<std::string, std::string> versions;
  /// The workload that was timed and traced. The errors above are its own.
  std::string workload;
  std::map<std::string, int64_t> axes;
  /// Those that were judged, too; the status is theirs if one is not right.
  std::vector<OtherWorkload> otherWorkloads;
  /// Wall time of the whole, in seconds, and when it ended (ISO 8601, UTC).
  double seconds = 0;
  std::string timestamp;
  /// The report of the run, relative to the folder of the results; empty: none.
  std::string report;

  /// The sample's part, without an outcome.
  static Record of(const Sample &sample);
  /// Takes the outcome of a run.
  void take(const Report &report);
  /// Whether nothing is known of it for a reason that the sample is not to
  /// blame for (its run could not start or left no report, or `retry`): another
  /// one may know more.
  bool wantsAnotherRun() const;
};

/// How far a candidate came that ended with a status; absent if that was not
/// its doing. `timed`: whether there is a time.
std::optional<Milestone> milestoneOf(Status status, bool timed);

llvm::json::Value toJSON(const Record &record);
/// Reads what toJSON writes, from one line of the file.
llvm::Expected<Record> parseRecord(llvm::StringRef line, llvm::StringRef path,
                                   unsigned number);

} // namespace ptxbench

#endif // PTXBENCH_EVALUATION_RECORD_H
