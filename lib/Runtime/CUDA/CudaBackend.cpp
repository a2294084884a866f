//===- CudaBackend.cpp - Running candidates on CUDA devices ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parent's side. It opens no CUDA library itself: every job is a worker
// process, so nothing that a candidate or a driver does can take it down. It
// judges itself, by what the reference's own process computes, and no choice
// that matters for that (seeds, the judged call, file names) is made by a
// process the candidate ran in.
//
//===----------------------------------------------------------------------===//

#include "../Judge/ReferenceJudge.h"
#include "../Worker/Sandbox.h"
#include "BaselineTuning.h"
#include "Scrutiny.h"
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/HostCode.h"
#include "ptxbench/Runtime/TimedOutputs.h"
#include "ptxbench/Runtime/WorkerFiles.h"
#include "ptxbench/Support/PlainFile.h"
#include "ptxbench/Support/TemporaryFolder.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

using namespace llvm;
using namespace ptxbench;

namespace {

class CudaBackend : public Backend {
public:
  explicit CudaBackend(std::string executable)
      : executable(std::move(executable)) {}

  StringRef name() const override { return "cuda"; }
  Usability isUsable() override { return probe().first; }
  std::map<std::string, std::string> versions() override {
    return probe().second;
  }
  RunResult run(const RunRequest &request) override;

private:
  using Probe = std::pair<Usability, std::map<std::string, std::string>>;
  const Probe &probe();
  WorkerOutcome start(StringRef job, const RunRequest &request);
  /// The sandbox for jobs that open the candidate.
  const Sandbox &sandboxFor(StringRef job, const RunRequest &request);

  std::string executable;
  StringMap<Sandbox> sandboxes;
  std::optional<Probe> probed;
  DeviceFacts facts;
};

std::string fileIn(StringRef folder, StringRef name) {
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

/// Reads an array of a reported type.
template <typename T>
bool readArray(const json::Value *value, std::vector<T> &to) {
  if (!value)
    return false;
  json::Path::Root root("worker");
  const json::Array *array = value->getAsArray();
  if (!array)
    return false;
  for (size_t i = 0; i < array->size(); ++i) {
    to.emplace_back();
    if (!fromJSON((*array)[i], to.back(), json::Path(root).index(i)))
      return false;
  }
  return true;
}

void addStages(RunResult &result, StringRef job, const ProtocolReader &events) {
  for (StageTime stage : events.stageTimes()) {
    stage.name = (job + "/" + stage.name).str();
    result.stages.push_back(std::move(stage));
  }
}

void takeProblem(RunResult &result, const WorkerOutcome &outcome) {
  result.status = *outcome.problem;
  result.stage = outcome.stage;
  result.code = outcome.code;
  result.reason = outcome.reason;
}

/// Something is wrong with what a worker reported.
void internalError(RunResult &result, StringRef stage, std::string reason) {
  result.status = RunStatus::InternalError;
  result.stage = stage.str();
  result.reason = std::move(reason);
}

} // namespace

const Sandbox &CudaBackend::sandboxFor(StringRef job,
                                       const RunRequest &request) {
  auto [entry, isNew] = sandboxes.try_emplace(job);
  if (isNew) {
    SandboxOptions options;
    options.folder = request.workDir;
    options.readable = readablePaths(request, executable);
    options.gpu = true;
    // Counters of instructions are for the superuser on many machines.
    options.privileged = job == "trace";
    entry->second = makeSandbox(options);
  }
  return entry->second;
}

WorkerOutcome CudaBackend::start(StringRef job, const RunRequest &request) {
  WorkerOutcome outcome;
  std::string file =
      fileIn(request.workDir, ("request-" + job + ".json").str());
  Expected<std::string> secret = writeWorkerRequest(request, file);
  if (!secret) {
    outcome.problem = RunStatus::InternalError;
    outcome.reason = toString(secret.takeError());
    return outcome;
  }
  SubprocessOptions process;
  WorkerLimits limits{request.candidateSeconds, request.machineSeconds,
                      /*signalsAsExitCodes=*/false, *secret};
  if (opensCandidate(job)) {
    process.argv = sandboxFor(job, request).prefix;
    limits.signalsAsExitCodes = !process.argv.empty();
    process.env = candidateEnvironment(request.workDir);
    // CUPTI counts what of a module is loaded at its first launch.
    if (job == "trace" && StringRef(request.library).ends_with(hostCodeEnding))
      process.env->push_back("CUDA_MODULE_LOADING=EAGER");
  }
  append_range(
      process.argv,
      ArrayRef<std::string>{executable, workerArgument.str(), job.str(), file});
  // Stages begin anew their limits, so their number is bounded, too: a worker
  // whose pipe is written to by a candidate could announce them for ever.
  process.timeoutSeconds = (request.trials + 4) *
                           (request.candidateSeconds + request.machineSeconds);
  return superviseWorker(std::move(process), limits);
}

const CudaBackend::Probe &CudaBackend::probe() {
  if (probed)
    return *probed;
  probed.emplace();
  TemporaryFolder folder;
  if (std::error_code code = folder.create("", "ptxbench-probe")) {
    probed->first.reason = "cannot make a temporary folder: " + code.message();
    return *probed;
  }
  // A request that is valid and names nothing real: the probe reads the device
  // only.
  RunRequest request;
  request.library = "none";
  request.tensors.push_back(
      {"out", {1}, ElementType::Float32, TensorRole::Output});
  request.workDir = folder.path().str();
  request.machineSeconds = 60;
  WorkerOutcome outcome = start("probe", request);
  if (outcome.problem) {
    probed->first.reason = outcome.code.empty()
                               ? outcome.reason
                               : outcome.code + ": " + outcome.reason;
    return *probed;
  }
  const json::Value *facts = outcome.events.result("environment");
  if (!facts || !facts->getAsObject()) {
    probed->first.reason = "the probe reported nothing";
    return *probed;
  }
  json::Path::Root root("device");
  const json::Value *device = outcome.events.result("device");
  if (!device || !fromJSON(*device, this->facts, root)) {
    probed->first.reason = "the probe did not describe the device";
    return *probed;
  }
  for (const auto &[key, value] : *facts->getAsObject())
    if (std::optional<StringRef> text = value.getAsString())
      probed->second[key.str()] = text->str();
  probed->first.usable = true;
  return *probed;
}

namespace {

/// One run: the jobs in order, each adding to the result.
class CudaRun {
public:
  using Starter = function_ref<WorkerOutcome(StringRef, const RunRequest &)>;

  /// `keepIn`: where captured machine code is kept; empty: nowhere.
  CudaRun(RunRequest &request, StringRef keepIn, const DeviceFacts &facts,
          Starter start, ReferenceJudge &judge, RunResult &result)
      : request(request), keepIn(keepIn), facts(facts), start(start),
        judge(judge), result(result) {}

  void run() {
    if (request.isProgram)
      return runProgram();
    if (!judge.prepare(result) || !check())
      return;
    judge.judgeAll(result);
    if (result.status == RunStatus::InternalError)
      return;
    if (result.timing && !hasWrongTrial() &&
        (!scrutinizeTimes(request, facts, reported, result) ||
         !judgeTimedOutputs()))
      return;
    // What executed is of interest for wrong numbers, too.
    if (request.trace.enabled())
      trace();
    if (result.trace && result.timing && result.status == RunStatus::Passed)
      scrutinizeKernels(reported, result);
  }

private:
  bool check();
  bool judgeTimedOutputs();
  void runProgram();
  void trace();
  void takeTrace(const RunRequest &traced, const WorkerOutcome &outcome);
  bool keepCubins(const RunRequest &traced, const ProtocolReader &events);
  /// Whether what was judged apart from the times is wrong: that comes first.
  bool hasWrongTrial() const {
    return any_of(result.checks, [](const OutputCheck &check) {
      return StringRef(check.call).starts_with("trial") &&
             !check.output.passed && !check.undecided;
    });
  }

  /// Also the judge's.
  RunRequest &request;
  StringRef keepIn;
  const DeviceFacts &facts;
  Starter start;
  ReferenceJudge &judge;
  RunResult &result;
  /// By the process that timed.
  ProtocolReader reported;
};

bool CudaRun::check() {
  WorkerOutcome outcome = start("check", request);
  addStages(result, "check", outcome.events);
  result.log = outcome.log;
  if (outcome.problem) {
    takeProblem(result, outcome);
    return false;
  }
  // The report came out of a process in which the candidate ran: believed is
  // what it left behind.
  if (!checkOutputFiles(request, judgedCalls(request), outcome.events, result))
    return false;
  if (Error error = keepWorkerFiles(request, outcome.events))
    result.traceNotes.push_back(toString(std::move(error)));
  if (!scrutinizeOrigins(request, outcome.events, result))
    return false;
  if (!request.timing.enabled)
    return true;
  RunTiming timing;
  json::Path::Root root("timing");
  const json::Value *value = outcome.events.result("timing");
  if (!value || !fromJSON(*value, timing, root)) {
    internalError(result, stages::Timing,
                  value ? toString(root.getError())
                        : "the worker reported no timing");
    return false;
  }
  if (timing.candidate.ms.size() != request.timing.calls) {
    internalError(result, stages::Timing,
                  "expected " + std::to_string(request.timing.calls) +
                      " times but got " +
                      std::to_string(timing.candidate.ms.size()));
    return false;
  }
  result.timing = std::move(timing);
  if (const json::Value *signs = outcome.events.result("judged_signs"))
    if (std::optional<int64_t> value = signs->getAsInteger())
      request.judgedSigns = uint32_t(*value);
  if (request.judgedCall && !request.judgedSigns) {
    internalError(result, stages::Timing,
                  "the worker did not report the inputs of the judged call");
    return false;
  }
  reported = std::move(outcome.events);
  return true;
}

/// All timed calls, by what was counted on the device. False: the worker did
/// not report that.
bool CudaRun::judgeTimedOutputs() {
  std::vector<TimedOutput> outputs;
  if (!readArray(reported.result("timed_outputs"), outputs)) {
    internalError(result, stages::Timing,
                  "the worker did not report the outputs of the timed calls");
    return false;
  }
  bool baselineHolds =
      !result.baselineChecks.empty() &&
      all_of(result.baselineChecks,
             [](const OutputCheck &check) { return check.output.passed; });
  Expected<std::optional<OutputCheck>> wrong =
      findWrongCall(request, outputs, baselineHolds);
  if (!wrong) {
    internalError(result, stages::Timing, toString(wrong.takeError()));
    return false;
  }
  if (!baselineHolds)
    result.timing->warnings.push_back(
        "no baseline is known to be right: of the timed calls but one, it was "
        "only looked whether every element was written");
  if (!*wrong || result.status != RunStatus::Passed)
    return true;
  result.status = RunStatus::IncorrectNumerical;
  result.stage = stages::Compare.str();
  result.correct = false;
  result.reason = (*wrong)->call + ", output " + (*wrong)->output.name + ": " +
                  (*wrong)->output.reason;
  result.checks.push_back(std::move(**wrong));
  return true;
}

/// A program is called once, and traced.
void CudaRun::runProgram() {
  WorkerOutcome outcome = start("trace", request);
  addStages(result, "trace", outcome.events);
  result.log = outcome.log;
  if (outcome.problem)
    return takeProblem(result, outcome);
  result.status = RunStatus::Passed;
  takeTrace(request, outcome);
}

void CudaRun::trace() {
  auto note = [&](const Twine &text) {
    result.traceNotes.push_back(text.str());
  };
  // Not the folder that the candidate had while it was timed.
  TemporaryFolder folder;
  if (std::error_code code =
          folder.create(sys::path::parent_path(request.workDir), "trace")) {
    note("no trace: cannot make a folder to work in: " + code.message());
    return;
  }
  RunRequest traced = request;
  traced.workDir = folder.path().str();
  WorkerOutcome outcome = start("trace", traced);
  addStages(result, "trace", outcome.events);
  if (outcome.problem) {
    note("no trace: " + outcome.code + (outcome.code.empty() ? "" : ": ") +
         outcome.reason + " (stage '" + outcome.stage + "')");
    return;
  }
  takeTrace(traced, outcome);
}

/// Takes the machine code that was captured out of the worker's folder. False
/// if it is not what the worker wrote.
bool CudaRun::keepCubins(const RunRequest &traced,
                         const ProtocolReader &events) {
  for (CapturedCubin &cubin : result.cubins) {
    StringRef name = sys::path::filename(cubin.path);
    WorkerFile file = readWorkerFile(fileIn(traced.workDir, name),
                                     maxWorkerFileBytes, events);
    if (file.state != WorkerFile::State::Good) {
      rejectTrace(result, "FORGED_TRACE", file.problem);
      return false;
    }
    std::string path = fileIn(keepIn, name);
    if (Error error = writeNewFile(path, file.bytes->getBuffer())) {
      result.traceNotes.push_back(toString(std::move(error)));
      result.cubins.clear();
      return true;
    }
    cubin.path = std::move(path);
  }
  return true;
}

/// What a worker that traced left behind.
void CudaRun::takeTrace(const RunRequest &traced,
                        const WorkerOutcome &outcome) {
  auto note = [&](const Twine &text) {
    result.traceNotes.push_back(text.str());
  };
  if (const json::Value *notes = outcome.events.result("notes"))
    if (const json::Array *array = notes->getAsArray())
      for (const json::Value &text : *array)
        if (std::optional<StringRef> line = text.getAsString())
          note(*line);
  if (!readArray(outcome.events.result("cubins"), result.cubins))
    note("the captured machine code was not reported");
  // Without a folder of the caller's nothing outlives the run.
  if (keepIn.empty())
    result.cubins.clear();
  if (!keepCubins(traced, outcome.events)) {
    result.cubins.clear();
    return;
  }
  std::string path = fileIn(traced.workDir, "trace.json");
  WorkerFile file = readWorkerFile(path, maxWorkerFileBytes, outcome.events);
  if (file.state != WorkerFile::State::Good)
    return rejectTrace(result, "FORGED_TRACE", file.problem);
  Expected<Trace> trace = parseTrace(file.bytes->getBuffer(), path);
  if (!trace)
    return rejectTrace(result, "UNREADABLE_TRACE", toString(trace.takeError()));
  result.trace = std::move(*trace);
}

} // namespace

RunResult CudaBackend::run(const RunRequest &original) {
  RunResult result;
  if (Error error = validate(original)) {
    internalError(result, "", toString(std::move(error)));
    return result;
  }
  Usability usability = isUsable();
  if (!usability.usable) {
    result.status = RunStatus::NotRun;
    result.reason = usability.reason;
    return result;
  }
  result.environment = versions();

  RunRequest request = original;
  std::string keepIn = request.workDir;
  if (!keepIn.empty())
    if (std::error_code code = sys::fs::create_directories(keepIn)) {
      internalError(result, "",
                    "cannot make the folder '" + keepIn +
                        "': " + code.message());
      return result;
    }
  // A folder that no candidate had before: what one leaves in it (links in the
  // place of files) is gone with it.
  TemporaryFolder around, folder;
  std::error_code failed = around.create(keepIn, "ptxbench-run");
  if (!failed)
    failed = folder.create(around.path(), "call");
  if (failed) {
    internalError(result, "",
                  "cannot make a folder to work in: " + failed.message());
    return result;
  }
  request.workDir = folder.path().str();
  if (!request.timing.enabled)
    request.judgedCall.reset();
  else if (!request.judgedCall)
    request.judgedCall = std::random_device()() % request.timing.calls;
  // Not below the working folder, which the candidate may write to.
  TemporaryFolder inputs;
  if (std::error_code code = inputs.create("", "ptxbench-inputs")) {
    internalError(result, "",
                  "cannot make a temporary folder: " + code.message());
    return result;
  }
  request.inputsDir = inputs.path().str();
  sandboxes.clear();
  const Sandbox &sandbox =
      sandboxFor(request.isProgram ? "trace" : "check", request);
  result.environment["sandbox"] = sandbox.kind.empty() ? "none" : sandbox.kind;
  if (std::string note = ptxbench::describe(sandbox); !note.empty())
    result.traceNotes.push_back(note);
  ReferenceJudge judge(
      request, fileIn(sys::path::parent_path(executable), "ptxbench-reference"),
      request.device);
  auto startJob = [&](StringRef job, const RunRequest &r) {
    WorkerOutcome outcome = start(job, r);
    if (job == "baseline")
      addStages(result, job, outcome.events);
    return outcome;
  };
  BaselineTuning tuning;
  if (request.timing.enabled)
    tuning = tuneBaseline(request, startJob);
  CudaRun(request, keepIn, facts, startJob, judge, result).run();
  if (result.timing) {
    checkBaselineTime(*result.timing, tuning);
    // A candidate that is wrong is not judged up to the timed call.
    if (result.correct.value_or(false) || !result.baselineChecks.empty())
      dropWrongBaseline(*result.timing, result.baselineChecks);
  }
  return result;
}

std::unique_ptr<Backend> ptxbench::createCudaBackend(std::string executable) {
  return std::make_unique<CudaBackend>(std::move(executable));
}
