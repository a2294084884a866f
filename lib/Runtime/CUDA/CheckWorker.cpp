//===- CheckWorker.cpp - Calling a candidate on fresh inputs --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every trial draws new inputs, fills the outputs with NaN bytes, calls, waits
// for the whole device, and looks at guards and inputs before the outputs are
// saved for the judge.
//
//===----------------------------------------------------------------------===//

#include "../CUPTI/ActivityRecorder.h"
#include "../Worker/Sandbox.h"
#include "../Worker/WorkScope.h"
#include "Workers.h"

using namespace llvm;
using namespace ptxbench;

/// What the candidate's code may do from now on.
static Error confine(const RunRequest &request) {
  uint64_t largest = 0, all = 0;
  for (const ArgumentSpec &tensor : request.tensors) {
    largest = std::max(largest, tensor.bytes());
    all += tensor.bytes();
  }
  // CUDA and the profiler take gigabytes, and tensors are kept on the host.
  limitDeviceProcess((uint64_t(16) << 30) + 4 * all,
                     largest + (uint64_t(1) << 28));
  return denySystemCalls();
}

Expected<std::unique_ptr<Candidate>>
ptxbench::loadCandidate(WorkerContext &context, const Device &device,
                        bool confined) {
  if (confined)
    if (Error error = confine(context.request))
      return std::move(error);
  return Candidate::load(
      context, context.toolchain.cudaLibraryNames(cudaSoname("cudart")),
      device.ordinal(), device.stream());
}

/// Watches from before the context is made.
static Expected<ActivityRecorder *> startRecorder(WorkerContext &context) {
  Expected<const DriverApi *> driver = DriverApi::get();
  if (!driver)
    return driver.takeError();
  Expected<const CuptiApi *> cupti = CuptiApi::get(context.toolchain);
  if (!cupti)
    return cupti.takeError();
  return ActivityRecorder::start(**cupti, **driver, context.request.library);
}

/// The calls of all trials. Under compute-sanitizer, which is a subscriber of
/// CUPTI itself and works in this process, nothing is recorded and no system
/// call is given up.
static Error check(WorkerContext &context, bool underSanitizer) {
  const RunRequest &request = context.request;
  WorkScope tool(WorkOwner::Tool);
  context.out.stage(stages::Init);
  ActivityRecorder *recorder = nullptr;
  if (!underSanitizer) {
    Expected<ActivityRecorder *> started = startRecorder(context);
    if (!started)
      return started.takeError();
    recorder = *started;
  }
  Expected<std::unique_ptr<Device>> device = Device::open(request.device);
  if (!device)
    return device.takeError();
  Expected<CallTensors> tensors = CallTensors::allocate(**device, request);
  if (!tensors)
    return tensors.takeError();

  if (recorder)
    recorder->noteLibraries();
  Expected<std::unique_ptr<Candidate>> candidate =
      loadCandidate(context, **device, /*confined=*/!underSanitizer);
  if (!candidate)
    return candidate.takeError();

  for (unsigned trial = 0; trial < request.trials; ++trial) {
    context.out.stage(stages::Inputs);
    if (Error error =
            tensors->setInputs(**device, request, trialInputs(request, trial)))
      return error;
    if (Error error = tensors->poisonOutputs(**device))
      return error;
    if (Error error = (*device)->synchronize("before the call"))
      return error;
    context.out.stage(stages::Candidate);
    if (Error error = (*candidate)->call(tensors->arguments()))
      return error;
    if (Error error = (*device)->synchronize("after the call"))
      return error;
    if (Error error = tensors->checkUntouched(**device))
      return error;
    if (Error error = tensors->saveOutputs(**device, context, trial))
      return error;
  }
  if (!recorder)
    return Error::success();
  if (request.timing.enabled) {
    if (Error error =
            runTiming(context, **device, **candidate, *tensors, *recorder))
      return error;
    // A write beyond a tensor in a timed call is the candidate's.
    context.out.stage(stages::Candidate);
    for (size_t i = 0; i < tensors->size(); ++i)
      if (Error error = tensors->at(i).checkGuards(**device))
        return error;
  } else {
    recorder->takeLibraries();
  }
  context.out.result("origins", toJSON(recorder->origins()));
  return Error::success();
}

Error ptxbench::runCheckWorker(WorkerContext &context) {
  return check(context, /*underSanitizer=*/false);
}

Error ptxbench::runMemcheckWorker(WorkerContext &context) {
  return check(context, /*underSanitizer=*/true);
}
