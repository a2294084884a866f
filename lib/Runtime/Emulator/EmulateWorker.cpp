//===- EmulateWorker.cpp - Calling a candidate on the emulator ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The job `emulate`: opens the emulated CUDA libraries, which the candidate
// then finds in the place of CUDA's, and calls it on fresh inputs. Each call is
// traced by itself. An address of the device is one of this process, so tensors
// are filled and read in place.
//
//===----------------------------------------------------------------------===//

#include "../EmulatedCUDA/Control.h"
#include "../Worker/Candidate.h"
#include "../Worker/Sandbox.h"
#include "EmulateJob.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Support/DynamicLibrary.h"
#include "ptxbench/Task/Inputs.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

namespace {

/// What is used of the emulated runtime. Nothing here is compiled with CUDA's
/// headers.
struct EmulatedRuntime {
  int (*cudaMalloc)(void **, size_t) = nullptr;
  int (*cudaDeviceSynchronize)() = nullptr;
  const char *(*cudaGetErrorName)(int) = nullptr;
  const emulated::Control *control = nullptr;

  Error open(StringRef folder);
};

Error EmulatedRuntime::open(StringRef folder) {
  SmallString<256> path(folder);
  sys::path::append(path, PTXBENCH_CUDART_SONAME);
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "the emulated CUDA runtime", {path.str().str()}, /*global=*/true);
  if (!library)
    return library.takeError();
  PtxbenchEmulatorControl *ptxbenchEmulatorControl = nullptr;
#define FIND(name)                                                             \
  if (Error error = library->lookUp(#name, name))                              \
  return error
  FIND(cudaMalloc);
  FIND(cudaDeviceSynchronize);
  FIND(cudaGetErrorName);
  FIND(ptxbenchEmulatorControl);
#undef FIND
  control = ptxbenchEmulatorControl();
  if (!control)
    return createStringError(inconvertibleErrorCode(),
                             "the emulated CUDA runtime is controlled by "
                             "something else");
  // A candidate may be linked with the driver, too.
  path = folder;
  sys::path::append(path, "libcuda.so.1");
  Expected<DynamicLibrary> driver = DynamicLibrary::open(
      "the emulated CUDA driver", {path.str().str()}, /*global=*/true);
  return driver ? Error::success() : driver.takeError();
}

/// Takes what sets the emulator out of the environment, where it has been read:
/// a candidate is not to know how it is looked at. Also the bytes, which
/// /proc/self/environ shows.
void hideSettings() {
  std::vector<StringRef> settings;
  for (char **entry = environ; *entry; ++entry)
    if (StringRef text(*entry); text.starts_with("PTXBENCH_EMULATOR_"))
      settings.push_back(text);
  for (StringRef text : settings) {
    ::unsetenv(text.split('=').first.str().c_str());
    ::explicit_bzero(const_cast<char *>(text.data()), text.size());
  }
}

struct HostTensor {
  const ArgumentSpec *spec = nullptr;
  uint8_t *data = nullptr;
  /// What an input was filled with.
  std::vector<uint8_t> input;

  MutableArrayRef<uint8_t> bytes() const { return {data, spec->bytes()}; }
};

class EmulateRun {
public:
  explicit EmulateRun(WorkerContext &context)
      : context(context), request(context.request) {}

  Error run(StringRef folder, StringRef runtimeFile);

private:
  Error allocate();
  Error setInputs(unsigned trial);
  Error call(Candidate &candidate);
  Error save(unsigned trial);
  Error writeTraces(unsigned trial);
  /// Adds what the emulator knows to how a call ended.
  Error explain(Error error);

  WorkerContext &context;
  const RunRequest &request;
  EmulatedRuntime runtime;
  std::vector<HostTensor> tensors;
  std::vector<CandidateTensor> arguments;
  /// Of each call: how many modules it launched something of.
  json::Array modules;
};

Error EmulateRun::allocate() {
  for (const ArgumentSpec &spec : request.tensors) {
    HostTensor tensor;
    tensor.spec = &spec;
    if (spec.isScalar()) {
      arguments.push_back({&spec, nullptr});
      tensors.push_back(std::move(tensor));
      continue;
    }
    void *data = nullptr;
    if (int code = runtime.cudaMalloc(&data, spec.bytes()))
      return createStringError(inconvertibleErrorCode(),
                               "cannot allocate " + Twine(spec.bytes()) +
                                   " bytes for tensor '" + spec.name +
                                   "': " + runtime.cudaGetErrorName(code));
    tensor.data = static_cast<uint8_t *>(data);
    arguments.push_back({&spec, data});
    tensors.push_back(std::move(tensor));
  }
  return Error::success();
}

Error EmulateRun::setInputs(unsigned trial) {
  for (unsigned i = 0; i < tensors.size(); ++i) {
    HostTensor &tensor = tensors[i];
    if (tensor.spec->isScalar())
      continue;
    if (tensor.spec->role == TensorRole::Output) {
      fillPoison(tensor.spec->type, tensor.bytes());
      continue;
    }
    if (Error error = makeCallInput(request, trialInputs(request, trial), i,
                                    tensor.bytes()))
      return error;
    tensor.input.assign(tensor.data, tensor.data + tensor.spec->bytes());
  }
  return Error::success();
}

Error EmulateRun::explain(Error error) {
  std::string fault = runtime.control->fault();
  if (!error || fault.empty())
    return error;
  std::string code, place;
  handleAllErrors(
      std::move(error),
      [&](const RuntimeFailure &failure) {
        code = failure.code;
        place = failure.place;
      },
      [&](const ErrorInfoBase &) {});
  // What the emulator cannot execute is no fault of the candidate.
  if (StringRef(runtime.control->faultStatus()) == "unsupported")
    code = emulatorUnsupported.str();
  return makeFailure(code, fault, place);
}

Error EmulateRun::call(Candidate &candidate) {
  runtime.control->beginCall();
  Error error = candidate.call(arguments);
  runtime.control->endCall();
  if (error)
    return explain(std::move(error));
  if (int code = runtime.cudaDeviceSynchronize())
    return explain(
        makeFailure(runtime.cudaGetErrorName(code), "after the call"));
  // A candidate that does not look at errors goes on.
  if (StringRef fault = runtime.control->fault(); !fault.empty())
    context.out.result("not_emulated", fault);
  for (const HostTensor &tensor : tensors)
    if (tensor.spec->role == TensorRole::Input && !tensor.spec->isScalar() &&
        std::memcmp(tensor.data, tensor.input.data(), tensor.input.size()) != 0)
      return makeFailure("INPUT_MODIFIED",
                         "input '" + tensor.spec->name + "' was written to");
  return Error::success();
}

Error EmulateRun::save(unsigned trial) {
  for (unsigned i = 0; i < tensors.size(); ++i)
    if (tensors[i].spec->role == TensorRole::Output)
      if (Error error = saveFile(context.out, outputFile(request, trial, i),
                                 tensors[i].bytes()))
        return error;
  return Error::success();
}

/// One file for each module, so that nothing is lost of those that a candidate
/// loads beside its own.
Error EmulateRun::writeTraces(unsigned trial) {
  unsigned count = runtime.control->modules();
  modules.push_back(count);
  context.out.result("traced_modules", json::Array(modules));
  for (unsigned module = 0; module < count; ++module) {
    StringRef text = runtime.control->trace(module);
    if (Error error =
            saveFile(context.out, emulatorTraceFile(request, trial, module),
                     arrayRefFromStringRef(text)))
      return error;
  }
  return Error::success();
}

Error EmulateRun::run(StringRef folder, StringRef runtimeFile) {
  context.out.stage(stages::Init);
  if (Error error = runtime.open(folder))
    return error;
  hideSettings();
  if (Error error = allocate())
    return error;
  Expected<std::unique_ptr<Candidate>> candidate =
      Candidate::load(context, {runtimeFile.str()}, /*device=*/0,
                      /*stream=*/nullptr);
  if (!candidate)
    return candidate.takeError();
  for (unsigned trial = 0; trial < request.trials; ++trial) {
    context.out.stage(stages::Inputs);
    if (Error error = setInputs(trial))
      return error;
    context.out.stage(stages::Candidate);
    Error error = call(**candidate);
    if (request.trace.enabled())
      error = joinErrors(std::move(error), writeTraces(trial));
    if (error)
      return error;
    if (Error failed = save(trial))
      return failed;
  }
  // As on a device, where it would be in no call's time.
  if (std::string work = runtime.control->strayWork(); !work.empty())
    return makeFailure(workOutsideCall, work + " was asked for outside of a "
                                               "call");
  return Error::success();
}

Error runEmulateWorker(WorkerContext &context) {
  const char *folder = std::getenv("PTXBENCH_EMULATOR_LIBRARIES");
  if (!folder)
    return createStringError(inconvertibleErrorCode(),
                             "PTXBENCH_EMULATOR_LIBRARIES is not set");
  uint64_t outputs = 0;
  for (const ArgumentSpec &tensor : context.request.tensors)
    outputs = std::max(outputs, tensor.bytes());
  uint64_t memory = uint64_t(16) << 30;
  if (const char *text = std::getenv("PTXBENCH_EMULATOR_MEMORY"))
    StringRef(text).getAsInteger(10, memory);
  limitResources(memory + (uint64_t(16) << 30), outputs + (1 << 28));
  if (Error error = denySystemCalls())
    return error;
  SmallString<256> runtimeFile(folder);
  sys::path::append(runtimeFile, PTXBENCH_CUDART_SONAME);
  return EmulateRun(context).run(folder, runtimeFile);
}

} // namespace

WorkerJob ptxbench::findEmulatorJob(StringRef name) {
  return name == "emulate" ? &runEmulateWorker : nullptr;
}
