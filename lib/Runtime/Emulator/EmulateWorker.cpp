//===- EmulateWorker.cpp - Calling a candidate on the emulator ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The job `emulate`: opens the emulated CUDA libraries, which the candidate
// then finds in the place of CUDA's, and calls it on fresh inputs. The first
// call is traced. An address of the device is one of this process, so tensors
// are filled and read in place.
//
//===----------------------------------------------------------------------===//

#include "../Worker/Candidate.h"
#include "../Worker/Sandbox.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Support/DynamicLibrary.h"
#include "ptxbench/Task/Inputs.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace ptxbench;

namespace {

/// What is used of the emulated runtime. Nothing here is compiled with CUDA's
/// headers.
struct EmulatedRuntime {
  int (*cudaMalloc)(void **, size_t) = nullptr;
  int (*cudaDeviceSynchronize)() = nullptr;
  const char *(*cudaGetErrorName)(int) = nullptr;
  void (*ptxbenchEmulatorClearTrace)() = nullptr;
  const char *(*ptxbenchEmulatorTrace)(unsigned *) = nullptr;
  const char *(*ptxbenchEmulatorFault)() = nullptr;
  const char *(*ptxbenchEmulatorFaultStatus)() = nullptr;

  Error open(StringRef folder);
};

Error EmulatedRuntime::open(StringRef folder) {
  SmallString<256> path(folder);
  sys::path::append(path, PTXBENCH_CUDART_SONAME);
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "the emulated CUDA runtime", {path.str().str()}, /*global=*/true);
  if (!library)
    return library.takeError();
#define FIND(name)                                                             \
  if (Error error = library->lookUp(#name, name))                              \
  return error
  FIND(cudaMalloc);
  FIND(cudaDeviceSynchronize);
  FIND(cudaGetErrorName);
  FIND(ptxbenchEmulatorClearTrace);
  FIND(ptxbenchEmulatorTrace);
  FIND(ptxbenchEmulatorFault);
  FIND(ptxbenchEmulatorFaultStatus);
#undef FIND
  // A candidate may be linked with the driver, too.
  path = folder;
  sys::path::append(path, "libcuda.so.1");
  Expected<DynamicLibrary> driver = DynamicLibrary::open(
      "the emulated CUDA driver", {path.str().str()}, /*global=*/true);
  return driver ? Error::success() : driver.takeError();
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
  Error writeTrace();
  /// Adds what the emulator knows to how a call ended.
  Error explain(Error error);

  WorkerContext &context;
  const RunRequest &request;
  EmulatedRuntime runtime;
  std::vector<HostTensor> tensors;
  std::vector<CandidateTensor> arguments;
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
  std::string fault = runtime.ptxbenchEmulatorFault();
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
  if (StringRef(runtime.ptxbenchEmulatorFaultStatus()) == "unsupported")
    code = "EMULATOR_UNSUPPORTED";
  return makeFailure(code, fault, place);
}

Error EmulateRun::call(Candidate &candidate) {
  if (Error error = candidate.call(arguments))
    return explain(std::move(error));
  if (int code = runtime.cudaDeviceSynchronize())
    return explain(
        makeFailure(runtime.cudaGetErrorName(code), "after the call"));
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

Error EmulateRun::writeTrace() {
  unsigned modules = 0;
  StringRef text = runtime.ptxbenchEmulatorTrace(&modules);
  context.out.result("traced_modules", modules);
  if (!modules)
    return Error::success();
  SmallString<256> path(request.workDir);
  sys::path::append(path, "trace.json");
  return saveFile(context.out, path, arrayRefFromStringRef(text));
}

Error EmulateRun::run(StringRef folder, StringRef runtimeFile) {
  context.out.stage(stages::Init);
  if (Error error = runtime.open(folder))
    return error;
  if (Error error = allocate())
    return error;
  context.out.stage(stages::Load);
  Expected<std::unique_ptr<Candidate>> candidate =
      Candidate::load(request, context.toolchain, {runtimeFile.str()},
                      /*device=*/0, /*stream=*/nullptr);
  if (!candidate)
    return candidate.takeError();
  for (unsigned trial = 0; trial < request.trials; ++trial) {
    context.out.stage(stages::Inputs);
    if (Error error = setInputs(trial))
      return error;
    if (trial == 0)
      runtime.ptxbenchEmulatorClearTrace();
    context.out.stage(stages::Candidate);
    Error error = call(**candidate);
    if (trial == 0 && request.trace.enabled())
      error = joinErrors(std::move(error), writeTrace());
    if (error)
      return error;
    if (Error failed = save(trial))
      return failed;
  }
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
