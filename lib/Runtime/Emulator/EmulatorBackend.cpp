//===- EmulatorBackend.cpp - Running candidates on the emulator -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One worker, in a sandbox where there is one, calls the candidate; the outputs
// it left are judged here, by a reference of our own. Nothing is timed: how
// long an emulator takes says nothing about a GPU.
//
//===----------------------------------------------------------------------===//

#include "../Judge/ReferenceJudge.h"
#include "../Worker/Sandbox.h"
#include "EmulateJob.h"
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/DeviceModelFile.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Runtime/WorkerFiles.h"
#include "ptxbench/Support/BoundedJSON.h"
#include "ptxbench/Support/TemporaryFolder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <iterator>

using namespace llvm;
using namespace ptxbench;

namespace {

/// Memory of the emulated device, as far as this machine is to give it.
constexpr uint64_t deviceBytes = uint64_t(16) << 30;

std::string fileIn(StringRef folder, const Twine &name) {
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

class EmulatorBackend : public Backend {
public:
  EmulatorBackend(std::string executable, EmulatorSettings settings)
      : executable(std::move(executable)), settings(std::move(settings)) {}

  StringRef name() const override { return "emulator"; }
  Usability isUsable() override;
  /// "device" and "compute_capability" of the model.
  std::map<std::string, std::string> versions() override;
  RunResult run(const RunRequest &request) override;

private:
  std::string libraries() const { return emulatorFolder(executable); }
  std::vector<std::string> environment(StringRef folder) const;
  bool call(const RunRequest &request, ProtocolReader &events,
            RunResult &result);
  void takeTraces(const RunRequest &request, const ProtocolReader &events,
                  RunResult &result);

  std::string executable;
  EmulatorSettings settings;
};

void internalError(RunResult &result, const Twine &reason) {
  result.status = RunStatus::InternalError;
  result.reason = reason.str();
}

Usability EmulatorBackend::isUsable() {
  std::string file = fileIn(libraries(), PTXBENCH_CUDART_SONAME);
  if (!sys::fs::exists(file))
    return {false, "the emulated CUDA runtime '" + file + "' is not there"};
  auto model = readDeviceModel(executable, settings.deviceModel);
  if (!model)
    return {false, toString(model.takeError())};
  return {true, ""};
}

std::map<std::string, std::string> EmulatorBackend::versions() {
  std::map<std::string, std::string> facts;
  auto file = readDeviceModel(executable, settings.deviceModel);
  if (!file) {
    consumeError(file.takeError());
    return facts;
  }
  Expected<json::Value> value = parseBoundedJSON((*file)->getBuffer());
  if (!value) {
    // The worker says what is wrong with it.
    consumeError(value.takeError());
    return facts;
  }
  const json::Object *model = value->getAsObject();
  const json::Object *attributes =
      model ? model->getObject("attributes") : nullptr;
  if (!attributes)
    return facts;
  if (std::optional<StringRef> name = model->getString("name"))
    facts["device"] = (*name + " (emulated)").str();
  std::optional<int64_t> major =
                             attributes->getInteger("ComputeCapabilityMajor"),
                         minor =
                             attributes->getInteger("ComputeCapabilityMinor");
  if (major && minor)
    facts["compute_capability"] =
        std::to_string(*major) + "." + std::to_string(*minor);
  return facts;
}

/// What the candidate sees of our environment: where things are, what sets the
/// emulator, and nothing that might be a secret.
std::vector<std::string> EmulatorBackend::environment(StringRef folder) const {
  std::string path = libraries();
  if (const char *old = std::getenv("LD_LIBRARY_PATH"))
    path += ":" + std::string(old);
  std::vector<std::string> variables = {
      "LD_LIBRARY_PATH=" + path, ("TMPDIR=" + folder).str(),
      "PTXBENCH_EMULATOR_LIBRARIES=" + libraries(),
      "PTXBENCH_EMULATOR_MEMORY=" + std::to_string(deviceBytes)};
  if (!settings.deviceModel.empty())
    variables.push_back("PTXBENCH_EMULATOR_DEVICE=" + settings.deviceModel);
  for (StringRef name :
       {"PATH", "HOME", "LANG", "CUDA_HOME", "CUDA_PATH",
        "PTXBENCH_TVM_FFI_DIR", "PTXBENCH_EMULATOR_THREADS",
        "PTXBENCH_EMULATOR_SCHEDULE", "PTXBENCH_EMULATOR_CHECKS",
        "PTXBENCH_EMULATOR_MAX_INSTRUCTIONS"})
    if (const char *value = std::getenv(name.data()))
      variables.push_back((name + "=" + value).str());
  // Settings go before the environment.
  auto replace = [&](StringRef name, const std::string &value) {
    erase_if(variables, [&](StringRef variable) {
      return variable.consume_front(name) && variable.starts_with("=");
    });
    variables.push_back((name + "=" + value).str());
  };
  if (!settings.schedule.empty())
    replace("PTXBENCH_EMULATOR_SCHEDULE", settings.schedule);
  // Never missing, so that nothing is left of whether there are checks.
  if (settings.checks)
    replace("PTXBENCH_EMULATOR_CHECKS", "1");
  else if (!std::getenv("PTXBENCH_EMULATOR_CHECKS"))
    replace("PTXBENCH_EMULATOR_CHECKS", "0");
  return variables;
}

RunStatus statusOf(const WorkerOutcome &outcome) {
  if (outcome.code == emulatorUnsupported)
    return RunStatus::NotRun;
  if (outcome.code == workOutsideCall)
    return RunStatus::Rejected;
  return *outcome.problem;
}

/// Runs the worker. False if the outputs are not there to be judged.
bool EmulatorBackend::call(const RunRequest &request, ProtocolReader &events,
                           RunResult &result) {
  std::string file = fileIn(request.workDir, "request-emulate.json");
  Expected<std::string> secret = writeWorkerRequest(request, file);
  if (!secret) {
    internalError(result, toString(secret.takeError()));
    return false;
  }
  SandboxOptions options;
  options.folder = request.workDir;
  options.readable = readablePaths(request, executable);
  Sandbox sandbox = makeSandbox(options);
  result.environment["sandbox"] = sandbox.kind.empty() ? "none" : sandbox.kind;
  if (std::string note = describe(sandbox); !note.empty())
    result.traceNotes.push_back(note);
  SubprocessOptions process;
  process.argv = sandbox.prefix;
  process.argv.insert(process.argv.end(),
                      {executable, workerArgument.str(), "emulate", file});
  process.env = environment(request.workDir);
  WorkerLimits limits{request.candidateSeconds, request.machineSeconds,
                      /*signalsAsExitCodes=*/!sandbox.prefix.empty(), *secret};
  process.timeoutSeconds = (request.trials + 2) *
                           (request.candidateSeconds + request.machineSeconds);
  WorkerOutcome outcome = superviseWorker(std::move(process), limits);
  for (StageTime stage : outcome.events.stageTimes()) {
    stage.name = "emulate/" + stage.name;
    result.stages.push_back(std::move(stage));
  }
  result.log = outcome.log;
  events = std::move(outcome.events);
  if (outcome.problem) {
    result.status = statusOf(outcome);
    result.stage = outcome.stage;
    result.code = outcome.code;
    result.reason = outcome.reason;
    if (result.status == RunStatus::Rejected)
      result.reason = outcome.code + ": " + outcome.reason;
    return false;
  }
  // The report came out of a process in which the candidate ran: believed is
  // what it left behind.
  if (!checkOutputFiles(request, request.trials, events, result))
    return false;
  if (const json::Value *missing = events.result("not_emulated"))
    if (std::optional<StringRef> text = missing->getAsString())
      result.traceNotes.push_back(
          ("the candidate asked for what the emulator has not: " + *text)
              .str());
  // The judge needs room, too.
  if (Error error = keepWorkerFiles(request, events))
    result.traceNotes.push_back(toString(std::move(error)));
  return true;
}

/// The traces of the judged calls, as far as it came.
void EmulatorBackend::takeTraces(const RunRequest &request,
                                 const ProtocolReader &events,
                                 RunResult &result) {
  const json::Value *traced = events.result("traced_modules");
  const json::Array *calls = traced ? traced->getAsArray() : nullptr;
  if (!calls || calls->empty()) {
    result.traceNotes.push_back("no trace: the run ended before there was one");
    return;
  }
  std::vector<Trace> traces;
  for (auto [call, count] : enumerate(*calls)) {
    std::vector<Trace> modules;
    int64_t wanted = count.getAsInteger().value_or(0);
    for (int64_t module = 0; module < std::max<int64_t>(wanted, 1); ++module) {
      std::string path =
          emulatorTraceFile(request, unsigned(call), unsigned(module));
      WorkerFile file = readWorkerFile(path, maxWorkerFileBytes, events);
      if (file.state == WorkerFile::State::Missing && wanted == 0)
        break;
      if (file.state != WorkerFile::State::Good)
        return rejectTrace(result, "FORGED_TRACE", file.problem);
      Expected<Trace> trace = parseTrace(file.bytes->getBuffer(), path);
      if (!trace)
        return rejectTrace(result, "UNREADABLE_TRACE",
                           toString(trace.takeError()));
      modules.push_back(std::move(*trace));
    }
    if (modules.empty()) {
      std::string which = judgedName(request, unsigned(call));
      result.traceNotes.push_back("no trace of " + which +
                                  ": no kernel was launched");
      if (result.status == RunStatus::Passed && !request.isProgram) {
        result.status = RunStatus::Rejected;
        result.stage = stages::Candidate.str();
        result.code = "NO_DEVICE_WORK";
        result.reason = "the call launched no kernel (" + which + ")";
      }
      if (call == 0)
        return;
      continue;
    }
    traces.push_back(
        joinModules(std::move(modules), request.ptxSha256, result.traceNotes));
  }
  result.trace = std::move(traces.front());
  result.laterTraces.assign(std::make_move_iterator(traces.begin() + 1),
                            std::make_move_iterator(traces.end()));
}

RunResult EmulatorBackend::run(const RunRequest &original) {
  RunResult result;
  RunRequest request = original;
  request.timing.enabled = false;
  request.judgedCall.reset();
  if (Error error = validate(request)) {
    internalError(result, toString(std::move(error)));
    return result;
  }
  Usability usability = isUsable();
  if (!usability.usable) {
    result.status = RunStatus::NotRun;
    result.reason = usability.reason;
    return result;
  }
  std::map<std::string, std::string> facts = versions();
  if (auto device = facts.find("device"); device != facts.end())
    result.environment.insert(*device);
  // A folder that no candidate had before: what one leaves in it (links in the
  // place of files) is gone with it.
  TemporaryFolder folder, inputs;
  std::error_code code;
  if (!request.workDir.empty())
    code = sys::fs::create_directories(request.workDir);
  if (!code)
    code = folder.create(request.workDir, "ptxbench-run");
  if (code) {
    internalError(result, "cannot make a folder to work in: " + code.message());
    return result;
  }
  request.workDir = folder.path().str();
  // Not below the working folder, which the candidate may write to.
  if (std::error_code failed = inputs.create("", "ptxbench-inputs")) {
    internalError(result,
                  "cannot make a folder to work in: " + failed.message());
    return result;
  }
  request.inputsDir = inputs.path().str();
  ReferenceJudge judge(request, fileIn(sys::path::parent_path(executable),
                                       "ptxbench-reference"));
  ProtocolReader events;
  if (judge.prepare(result) && call(request, events, result)) {
    if (request.isProgram)
      result.status = RunStatus::Passed;
    else
      judge.judgeAll(result);
  }
  consumeError(inputs.remove());
  if (request.trace.enabled())
    takeTraces(request, events, result);
  if (Error error = folder.remove())
    result.traceNotes.push_back(toString(std::move(error)));
  return result;
}

} // namespace

std::unique_ptr<Backend>
ptxbench::createEmulatorBackend(std::string executable,
                                EmulatorSettings settings) {
  return std::make_unique<EmulatorBackend>(std::move(executable),
                                           std::move(settings));
}
