//===- Report.h - The result model ptxbench.report.v1 -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that is known about one candidate, as plain data: what was proved
// about its target instructions, what ptxas said, what executed, whether the
// numbers are right, how long it took. The JSON, text and HTML forms
// (ReportIO.h) are made from this and from nothing else. docs/Report.md
// explains the fields, docs/report.schema.json fixes the JSON form.
//
// What was not measured is absent (std::optional, an empty string, an empty
// vector), never zero.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_REPORT_REPORT_H
#define PTXBENCH_REPORT_REPORT_H

#include "ptxbench/Trace/ClockReading.h"
#include "ptxbench/Trace/Launch.h"
#include "ptxbench/Trace/Trace.h"
#include "ptxbench/Trace/Verdict.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

/// How it ended.
enum class Status {
  Passed,
  /// Right numbers, but a required family did not execute.
  TargetNotExecuted,
  IncorrectShape,
  IncorrectNumerical,
  IncorrectDtype,
  RuntimeError,
  CompileError,
  Timeout,
  /// A sample without code in it; it has no report.
  ExtractionError,
  /// It uses a library or kernels that are not its own.
  Banned,
  /// Its times are not those of its work.
  Rejected,
  /// It could not be judged here: no GPU, no emulator for it, no reference.
  NotRun,
  /// Static analysis only, as asked.
  Analyzed,
  /// A verdict of ours was refuted by an execution: our bug.
  Refuted,
  /// ptxas takes it and we do not: our bug.
  Unsupported,
};

/// "PASSED", "TARGET_NOT_EXECUTED", ...
const char *stringifyStatus(Status status);
std::optional<Status> symbolizeStatus(llvm::StringRef text);
/// One sentence for people, without a full stop.
const char *describeStatus(Status status);

/// The exit status of the runner: 0 passed, 1 the candidate failed, 2 bad
/// input, 3 our own or the machine's fault. A file that ptxas refuses is bad
/// input of a purely static run and a failed candidate otherwise.
int exitCode(Status status, bool staticOnly = false);

/// How grave a diagnostic is.
enum class Severity { Error, Warning, Remark, Note };
const char *stringifySeverity(Severity severity);
std::optional<Severity> symbolizeSeverity(llvm::StringRef text);

/// How a stage of a run ended.
enum class StageVerdict { Passed, Failed, Skipped, Unsupported };
const char *stringifyStageVerdict(StageVerdict verdict);
std::optional<StageVerdict> symbolizeStageVerdict(llvm::StringRef text);

/// The words of `agreement`: "confirmed", "refuted", "undecided-executed",
/// "undecided-idle", "unobservable".
bool isAgreement(llvm::StringRef text);

//===----------------------------------------------------------------------===//
// Static part
//===----------------------------------------------------------------------===//

struct ModuleInfo {
  std::string path;
  /// "9.0"; empty if not known.
  std::string ptxVersion;
  /// "sm_90a"; empty if not known.
  std::string target;
  /// SHA-256 of the PTX text in hex; empty if not computed.
  std::string sha256;
};

/// Where an instruction went in the machine code.
struct SassPlace {
  SassState state = SassState::Unobservable;
  /// Byte offsets in the kernel's text section.
  std::vector<uint64_t> pcs;
  /// Why it is absent or unobservable.
  std::string reason;
};

struct ExecutedInfo {
  ExecutionCount count;
  /// "cupti" or "emulator".
  std::string source;
};

/// One target instruction of one entry under one set of assumptions.
struct TargetResult {
  TargetVerdict verdict;
  std::optional<SassPlace> sass;
  std::optional<ExecutedInfo> executed;
  /// One of the words of isAgreement().
  std::optional<std::string> agreement;
  std::string agreementReason;
};

/// The verdicts on one entry under one set of assumptions. A kernel that was
/// launched with two shapes has three of these: without assumptions, and under
/// each shape.
struct EntryResult {
  std::string name;
  LaunchAssumptions assumptions;
  std::vector<TargetResult> targets;
  /// The launches that these executions cover.
  std::vector<LaunchRecord> launches;

  EntryResult() = default;
  /// Without executions.
  explicit EntryResult(const EntryVerdicts &verdicts);
};

struct FamilySummary {
  uint64_t all = 0, some = 0, maybe = 0, never = 0;

  uint64_t total() const { return all + some + maybe + never; }
  bool operator==(const FamilySummary &o) const {
    return all == o.all && some == o.some && maybe == o.maybe &&
           never == o.never;
  }
};

/// How many instructions of each family have which verdict.
std::map<std::string, FamilySummary> summarize(const EntryResult &entry);

/// A finding about the candidate: a broken protocol rule, a limit.
struct ReportDiagnostic {
  /// Rule id such as "wgmma-missing-fence"; may be empty.
  std::string rule;
  Severity severity = Severity::Error;
  /// Place in the PTX text, 1-based; 0: none.
  unsigned line = 0, column = 0;
  std::string message;
  /// What to write instead; may be empty.
  std::string fix;
  /// Place that the line was made of, the call it was inlined at, and the name
  /// of the operation there; as in TargetVerdict.
  std::string source, inlinedAt, sourceOperation;
  /// In how many launches it was seen; absent for what is not of a launch.
  std::optional<uint64_t> launches;
};

/// Whether the static analysis was done.
struct StaticInfo {
  enum class State { Complete, Unsupported, NotRun };
  State state = State::Complete;
  /// Why it is not complete.
  std::string reason;
};
const char *stringifyStaticState(StaticInfo::State state);

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

struct PtxasDiagnostic {
  Severity severity = Severity::Error;
  /// "C7510"; may be empty.
  std::string code;
  /// Line of the PTX text, 1-based; 0: none.
  unsigned line = 0;
  std::string message;
  /// As in ReportDiagnostic.
  std::string source, inlinedAt, sourceOperation;
};

/// What one entry takes. Bytes, except the registers and barriers.
struct PtxasResources {
  std::string entry;
  std::optional<uint64_t> registers, barriers, stack, spillStores, spillLoads,
      smem, cmem, lmem;
};

struct PtxasInfo {
  std::string version;
  /// Absent if ptxas was not run to its end.
  std::optional<bool> accepted;
  std::vector<PtxasDiagnostic> diagnostics;
  std::vector<PtxasResources> resources;
};

//===----------------------------------------------------------------------===//
// Dynamic part
//===----------------------------------------------------------------------===//

/// A workload beside the one that was timed and traced.
struct OtherWorkload {
  std::string uuid;
  std::map<std::string, int64_t> axes;
  Status status = Status::NotRun;
  /// Empty if it passed.
  std::string reason;
  /// The worst over its outputs and trials; absent if none was judged.
  std::optional<double> maxAbsoluteError, maxRelativeError;
};

struct DynamicInfo {
  /// "cuda", "emulator" or "null".
  std::string backend;
  std::string device;
  /// "driver", "cuda", "cupti", ... to their versions.
  std::map<std::string, std::string> versions;
  /// Name of the task, and the workload's uuid and axes.
  std::string task, workload;
  std::map<std::string, int64_t> axes;
  /// Those that were judged, too.
  std::vector<OtherWorkload> otherWorkloads;
  /// Families that the task wants executed.
  std::vector<std::string> requiredFamilies;
  /// Seed of the inputs.
  std::optional<uint64_t> seed;
  /// Why this backend, what was not done, in sentences.
  std::vector<std::string> notes;
  /// What a program printed; none: it is no program, or did not run.
  std::optional<std::string> printed;
};

struct CrossCheckTotals {
  uint64_t confirmed = 0, refuted = 0, undecided = 0, unobservable = 0;
};
/// Counts the agreements of all entries; absent if there is none.
std::optional<CrossCheckTotals>
countAgreements(const std::vector<EntryResult> &entries);

/// The comparison of one output, the worst over the trials.
struct OutputCorrectness {
  std::string name;
  bool passed = false;
  std::optional<double> maxAbsoluteError, maxRelativeError, relativeL2,
      matchedRatio;
  /// Elements in all, elements that failed, elements that still hold the
  /// pattern the output was filled with, elements of which one side is not
  /// finite and the other is different.
  std::optional<uint64_t> elements, mismatched, unwritten, nonFinite;
  /// What is wrong, with the first bad element; empty if it passed.
  std::string reason;
};

struct Correctness {
  bool passed = false;
  /// The worst over the outputs.
  std::optional<double> maxAbsoluteError, maxRelativeError, relativeL2,
      matchedRatio;
  /// The limits it was judged by.
  std::optional<double> atol, rtol, requiredMatchedRatio, maxRelativeL2;
  std::optional<uint64_t> trials;
  /// What the reference was: "cuBLASLt fp32", "fp64 on 64 sampled rows".
  std::string reference;
  std::string reason;
  std::vector<OutputCorrectness> outputs;
};

/// How the timed runs scatter, in milliseconds.
struct TimeSpread {
  std::optional<double> minMs, p25Ms, p75Ms, maxMs;
};

struct Performance {
  /// Median time of one call, in milliseconds.
  std::optional<double> latencyMs;
  std::optional<double> baselineMs;
  /// "cuBLASLt 13.1", "cuDNN 9.19".
  std::string baseline;
  /// baselineMs / latencyMs; above 1 the candidate is faster.
  std::optional<double> speedupFactor;
  std::optional<TimeSpread> spread, baselineSpread;
  /// Of one call, medians: time in which the device worked, time between events
  /// around it, and for how long it kept the host.
  std::optional<double> busyMs, eventMs, hostMs;
  /// The least time that the device could take.
  std::optional<double> floorMs;
  /// Before the first call, warm-ups and all, and after the last.
  ClockReading clocksBefore, clocksAfter;
  std::optional<uint64_t> runs, warmups;
  /// Floating-point operations of one call, as the task counts them.
  std::optional<double> flops;
  /// "cupti-activity", "cuda-events".
  std::string method;
  /// Throttling, a time below the roofline: what makes the numbers doubtful.
  std::vector<std::string> warnings;

  /// 10^12 operations per second, if both are known.
  std::optional<double> tflops() const;
};

/// Instructions of one family of PTXBench's in the machine code.
struct MachineFamily {
  uint64_t instructions = 0;
  /// How many threads executed them with the guard true, summed over all
  /// instructions; absent if nothing was counted.
  std::optional<uint64_t> threads;
};

/// The machine code that was compiled, in the words of PTXBench, which counts
/// without regard to what an instruction is for.
struct MachineCode {
  /// SHA-256 of the cubin in hex.
  std::string sha256;
  /// "gmma" (HGMMA and its like), "tma" (UTMALDG, UTMASTG, UTMAREDG), "tcgen"
  /// (what begins with UTC, LDTM, STTM); all three are there.
  std::map<std::string, MachineFamily> families;
};

struct Stage {
  /// "compile", "analyze", "run", "trace", "crosscheck", "compare", "time" ...
  std::string name;
  StageVerdict verdict = StageVerdict::Passed;
  /// Wall time.
  std::optional<double> seconds;
  /// What it printed or why it failed; never interpreted.
  std::string log;
};

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

struct Report {
  ModuleInfo module;
  Status status = Status::Analyzed;
  /// One sentence on why this status; may be empty.
  std::string reason;
  /// Of NOT_RUN: the machine, or we, are to blame, so that another run of the
  /// same may know more.
  bool retry = false;
  StaticInfo analysis;
  std::vector<EntryResult> entries;
  std::vector<ReportDiagnostic> diagnostics;
  std::optional<PtxasInfo> ptxas;
  std::optional<MachineCode> machineCode;
  std::optional<DynamicInfo> dynamic;
  std::optional<CrossCheckTotals> crosscheck;
  std::optional<Correctness> correctness;
  std::optional<Performance> performance;
  std::vector<Stage> stages;
};

} // namespace ptxbench

#endif // PTXBENCH_REPORT_REPORT_H
