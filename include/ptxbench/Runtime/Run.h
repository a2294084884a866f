//===- Run.h - What is run and what came of it ------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data: the tensors a candidate is called with, how it is judged, timed
// and traced; and the result. A request is written to a file for the worker
// process, so every type has a JSON form.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_RUN_H
#define PTXBENCH_RUNTIME_RUN_H

#include "ptxbench/Report/Report.h"
#include "ptxbench/Task/ElementType.h"
#include "ptxbench/Task/Task.h"
#include "ptxbench/Trace/ClockReading.h"
#include "ptxbench/Trace/Trace.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

//===----------------------------------------------------------------------===//
// Request
//===----------------------------------------------------------------------===//

enum class TensorRole { Input, Output };

/// One dense row-major tensor argument.
struct ArgumentSpec {
  std::string name;
  std::vector<int64_t> shape;
  ElementType type = ElementType::BFloat16;
  TensorRole role = TensorRole::Input;
  /// How an input is drawn. The name is part of the seed.
  Distribution distribution = Distribution::Normal;
  /// Names of the axes; empty, or one for each extent.
  std::vector<std::string> axes;
  /// Where an input comes from if it is not drawn.
  enum class Origin {
    Drawn,
    /// A plain number, no tensor.
    Scalar,
    /// Bytes of a file.
    File,
    /// By the reference, from other inputs: a file of `inputsDir`.
    Computed,
  };
  Origin origin = Origin::Drawn;
  double value = 0;
  std::string file;
  uint64_t fileOffset = 0;
  /// The leading axes, taken as one, along which timed calls rotate an input;
  /// 0: not at all.
  unsigned rotatedAxes = 1;
  /// Whether timed calls turn around the signs of its elements (see
  /// CallInputs): what is drawn with either sign, and computes no other input.
  bool turnsSigns = false;
  /// Of an output, in place of the request's.
  std::optional<Tolerance> tolerance;

  bool isScalar() const { return origin == Origin::Scalar; }

  uint64_t elements() const { return elementCount(shape); }
  uint64_t bytes() const { return elements() * sizeOf(type); }
};

/// What the outputs are compared with.
struct ReferenceSpec {
  enum class Kind {
    /// Nothing that is known without a reference in MLIR.
    None,
    /// out[M,N] = a[M,K] · b[N,K]ᵀ.
    GemmNT,
  };
  Kind kind = Kind::None;
  /// Names of tensors.
  std::string a, b, out;

  /// The definition of the task, which has a reference in MLIR; empty without
  /// one.
  std::string definition;
  /// Values of the var axes, and of all independent ones.
  std::map<std::string, int64_t> axes;
  std::vector<std::string> independentAxes;
  /// Operations of the whole; 0: not known.
  double flops = 0;

  bool isEmpty() const { return kind == Kind::None && definition.empty(); }
};

struct TimingSpec {
  bool enabled = true;
  unsigned warmups = 10, calls = 50;
  /// Warming up goes on for at least this many seconds: under load a device
  /// lowers its clocks only after a while (an H200 after about 0.1 s, by a
  /// tenth), and times from before and after do not mix.
  double warmupSeconds = 0.5;
};

struct TraceSpec {
  /// Executions per machine instruction (CUPTI SASS metrics).
  bool sass = true;
  /// Shapes and parameters of launches (CUPTI callbacks).
  bool launches = true;

  bool enabled() const { return sass || launches; }
};

struct RunRequest {
  /// The candidate's shared library.
  std::string library;
  std::string symbol = "__tvm_ffi_run";
  /// A program that makes its data itself: it is called once, without tensors,
  /// and neither judged nor timed.
  bool isProgram = false;
  /// The machine code that the compiler made of it; empty: not known.
  std::string cubin;
  /// SHA-256, in hex, of the PTX texts that the library carries for a driver to
  /// compile; empty: not known.
  std::vector<std::string> ptxSha256;
  /// In the order of the call.
  std::vector<ArgumentSpec> tensors;
  ReferenceSpec reference;
  /// What a candidate's time is compared with: a name of Task/Baseline.h whose
  /// operation fits the tensors; empty: nothing.
  std::string baseline;
  /// Of the ways that its library proposes: the one to take, and those that are
  /// not to be tried. A backend fills in both.
  std::string baselineProposal;
  std::vector<std::string> baselineSkip;
  Tolerance tolerance;
  /// Calls with fresh inputs that are judged.
  unsigned trials = 3;
  uint64_t seed = 1;
  TimingSpec timing;
  TraceSpec trace;
  /// The timed call whose output is judged; below `timing.calls`. A backend
  /// chooses it at random where it is absent.
  std::optional<unsigned> judgedCall;
  /// What the signs of that call's inputs were turned by; known afterwards.
  std::optional<uint32_t> judgedSigns;
  /// Wall-clock limits of one stage in seconds: of the candidate's, of ours.
  double candidateSeconds = 60, machineSeconds = 300;
  /// Ordinal of the device.
  int device = 0;
  /// Folder for outputs and captured cubins; made if missing. Empty: a
  /// temporary one, and the cubins are not kept.
  std::string workDir;
  /// Folder with the inputs that are computed; a backend makes it.
  std::string inputsDir;
  /// See ToolchainOptions.
  std::string cudaPath, tvmFfiPath;

  const ArgumentSpec *findTensor(llvm::StringRef name) const;
};

/// The limits of an output: its own, or the request's.
const Tolerance &toleranceOf(const RunRequest &request,
                             const ArgumentSpec &output);

/// The inputs of one call: drawn from `seed`, then every tensor rotated by
/// `rotation` rows (see ArgumentSpec::rotatedAxes). Trials have fresh seeds;
/// timed calls share one and differ by rotation and by `signs`, so that no two
/// calls see equal inputs: half of the elements of an input that allows it have
/// the other sign, which ones depends on `signs`. A timed call draws that when
/// it is made, so that nothing about its outputs can be known before. `set`
/// counts the seeds: trials, then that of the timed calls.
struct CallInputs {
  uint64_t seed = 0, rotation = 0;
  unsigned set = 0;
  std::optional<uint32_t> signs = std::nullopt;
};
CallInputs trialInputs(const RunRequest &request, unsigned trial);
CallInputs timedInputs(const RunRequest &request, unsigned call);

/// How many calls are judged: the trials, and the timed call if there is one.
unsigned judgedCalls(const RunRequest &request);
/// The inputs of a judged call, and its name in reports: "trial 0".
CallInputs judgedInputs(const RunRequest &request, unsigned call);
std::string judgedName(const RunRequest &request, unsigned call);

/// The file in the working folder that holds output number `tensor` (its place
/// among all arguments) of a judged call: trials first, then the timed call.
std::string outputFile(const RunRequest &request, unsigned call,
                       unsigned tensor);

/// The file that holds what the baseline made of the inputs of the judged timed
/// call; it need not be there.
std::string baselineFile(const RunRequest &request, unsigned tensor);

/// Where the computed input `tensor` of set `set` is (see CallInputs).
std::string computedFile(const RunRequest &request, unsigned set,
                         unsigned tensor);

/// Says what is wrong with a request: unknown names, shapes that do not fit the
/// reference, sizes out of range.
llvm::Error validate(const RunRequest &request);

llvm::json::Value toJSON(const RunRequest &request);
/// `path` names the text in errors.
llvm::Expected<RunRequest> parseRunRequest(llvm::StringRef json,
                                           llvm::StringRef path);

//===----------------------------------------------------------------------===//
// Result
//===----------------------------------------------------------------------===//

enum class RunStatus {
  Passed,
  /// It ran, and there was no reference to judge it by.
  NotJudged,
  IncorrectNumerical,
  RuntimeError,
  Timeout,
  /// It launches kernels that are not its own.
  Banned,
  /// Its times are not those of its work.
  Rejected,
  /// No usable backend.
  NotRun,
  /// Our own or the machine's fault.
  InternalError,
};

/// One output of one call against the reference.
struct OutputCheck {
  /// "trial 0", "timed call 17".
  std::string call;
  OutputCorrectness output;
  /// The reference itself has a NaN: nothing can be said.
  bool undecided = false;
};

/// Times of single calls in milliseconds, in the order they were made.
struct TimeSamples {
  std::vector<double> ms;

  /// The q-quantile (0 to 1), linear between samples; none without samples.
  std::optional<double> quantile(double q) const;
  std::optional<double> median() const { return quantile(0.5); }
};

struct RunTiming {
  /// From the beginning of a call's first work on the device to the end of its
  /// last, on all streams.
  TimeSamples candidate, baseline;
  /// "cuBLASLt 13.1.0"; empty: none.
  std::string baselineName;
  unsigned warmups = 0, calls = 0;
  /// Bytes written to flush the L2 before each call.
  uint64_t flushBytes = 0;
  /// "cupti-activity".
  std::string method;
  /// Of the candidate's calls, medians: time in which any of its work ran, time
  /// between events around the call, time for which the call kept the host.
  std::optional<double> busyMs, eventMs, hostMs;
  /// Kernels, copies and fills of one call; the most there were.
  uint64_t worksPerCall = 0;
  /// No call can take less; none: the device is not known.
  std::optional<double> floorMs;
  ClockReading clocksBefore, clocksAfter;
  /// What makes the numbers doubtful.
  std::vector<std::string> warnings;

  /// Median over the calls of baseline time by candidate time, each pair taken
  /// under one state of the clocks; above 1 the candidate is faster. None
  /// without a baseline.
  std::optional<double> pairedSpeedup() const;
};

/// Takes the baseline out of `timing`, with a warning that says why, unless
/// `checks` compare its outputs of the judged call with the reference and none
/// failed: what computes something else is no baseline.
void dropWrongBaseline(RunTiming &timing, llvm::ArrayRef<OutputCheck> checks);

/// Machine code as the driver loaded it.
struct CapturedCubin {
  std::string path;
  uint32_t crc = 0;
  /// Functions of it that executed.
  std::vector<std::string> functions;
};

struct StageTime {
  /// "check/candidate".
  std::string name;
  double seconds = 0;
};

struct RunResult {
  RunStatus status = RunStatus::NotRun;
  /// The stage at which it failed ("candidate"); empty if it did not.
  std::string stage;
  /// One sentence on why; empty if it passed.
  std::string reason;
  /// "CUDA_ERROR_ILLEGAL_ADDRESS", "SIGSEGV", "GUARD_OVERWRITTEN" ...; may be
  /// empty.
  std::string code;
  /// "device", "chip", "driver", "cuda", "cublaslt", "cupti".
  std::map<std::string, std::string> environment;
  std::vector<OutputCheck> checks;
  /// The baseline's outputs against the same reference.
  std::vector<OutputCheck> baselineChecks;
  /// Whether all outputs passed; absent if the reference judged none or not
  /// all.
  std::optional<bool> correct;
  std::optional<RunTiming> timing;
  /// Kernels with raw counts per machine instruction; targets are not filled.
  std::optional<Trace> trace;
  /// Of an emulator: the traces of the judged calls behind the first.
  std::vector<Trace> laterTraces;
  /// Why there is no trace, or what it lacks.
  std::vector<std::string> traceNotes;
  std::vector<CapturedCubin> cubins;
  std::vector<StageTime> stages;
  /// What the candidate printed, bounded. Never interpreted.
  std::string log;
};

/// What a run without checks is worth where a call did not end in
/// `limitSeconds` with them, in `watched`. Checks make a call several times as
/// long (utils/benchmarks/emulated_gemm.py); one that ends in less than a
/// hundredth of the limit without them did something else where it was watched:
/// if it passed, it becomes a TIMEOUT. Under a limit of less than 5 s nothing
/// is concluded: checks cost something at once, too.
void refuseStalling(RunResult &unwatched, const RunResult &watched,
                    double limitSeconds);

llvm::json::Value toJSON(const OutputCheck &check);
llvm::json::Value toJSON(const RunTiming &timing);
llvm::json::Value toJSON(const CapturedCubin &cubin);
bool fromJSON(const llvm::json::Value &value, OutputCheck &check,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, RunTiming &timing,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, CapturedCubin &cubin,
              llvm::json::Path path);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_RUN_H
