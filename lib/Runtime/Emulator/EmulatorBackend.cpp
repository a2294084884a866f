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
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Runtime/WorkerFiles.h"
#include "ptxbench/Support/BoundedJSON.h"
#include "ptxbench/Support/TemporaryFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

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
  std::string deviceFile() const;
  /// Beside the executable's folder, as the build leaves it.
  std::string libraries() const {
    StringRef folder = sys::path::parent_path(executable);
    return fileIn(sys::path::parent_path(folder), "lib/emulator");
  }
  std::vector<std::string> environment(StringRef folder) const;
  bool call(const RunRequest &request, ProtocolReader &events,
            RunResult &result);
  void takeTrace(const RunRequest &request, const ProtocolReader &events,
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
  std::string wanted = deviceFile();
  if (!sys::fs::exists(wanted))
    return {false, "there is no device model '" + wanted + "'"};
  return {true, ""};
}

std::string EmulatorBackend::deviceFile() const {
  std::string wanted = settings.deviceModel;
  if (wanted.empty())
    if (const char *set = std::getenv("PTXBENCH_EMULATOR_DEVICE"))
      wanted = set;
  if (wanted.empty())
    wanted = "h200";
  if (!StringRef(wanted).contains('/'))
    wanted = fileIn(libraries(), "devices/" + wanted + ".json");
  return wanted;
}

std::map<std::string, std::string> EmulatorBackend::versions() {
  std::map<std::string, std::string> facts;
  auto file = MemoryBuffer::getFile(deviceFile());
  if (!file)
    return facts;
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
  if (settings.checks)
    replace("PTXBENCH_EMULATOR_CHECKS", "1");
  return variables;
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
    result.status = outcome.code == "EMULATOR_UNSUPPORTED" ? RunStatus::NotRun
                                                           : *outcome.problem;
    result.stage = outcome.stage;
    result.code = outcome.code;
    result.reason = outcome.reason;
    return false;
  }
  // The report came out of a process in which the candidate ran: believed is
  // what it left behind.
  if (!checkOutputFiles(request, request.trials, events, result))
    return false;
  // The judge needs room, too.
  if (Error error = keepWorkerFiles(request, events))
    result.traceNotes.push_back(toString(std::move(error)));
  return true;
}

void EmulatorBackend::takeTrace(const RunRequest &request,
                                const ProtocolReader &events,
                                RunResult &result) {
  const json::Value *modules = events.result("traced_modules");
  if (!modules) {
    result.traceNotes.push_back("no trace: the run ended before there was one");
    return;
  }
  std::string path = fileIn(request.workDir, "trace.json");
  WorkerFile file = readWorkerFile(path, maxWorkerFileBytes, events);
  switch (file.state) {
  case WorkerFile::State::Missing:
    result.traceNotes.push_back("no trace: no kernel was launched");
    if (result.status == RunStatus::Passed && !request.isProgram) {
      result.status = RunStatus::Rejected;
      result.stage = stages::Candidate.str();
      result.code = "NO_DEVICE_WORK";
      result.reason = "the call launched no kernel";
    }
    return;
  case WorkerFile::State::Forged:
    return rejectTrace(result, "FORGED_TRACE", file.problem);
  case WorkerFile::State::Good:
    break;
  }
  Expected<Trace> trace = parseTrace(file.bytes->getBuffer(), path);
  if (!trace)
    return rejectTrace(result, "UNREADABLE_TRACE", toString(trace.takeError()));
  auto device = trace->environment.find("device");
  if (device != trace->environment.end())
    result.environment["device"] = device->second;
  if (modules->getAsInteger().value_or(0) > 1)
    result.traceNotes.push_back("several modules were launched; the trace is "
                                "of the first");
  result.trace = std::move(*trace);
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
    takeTrace(request, events, result);
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
