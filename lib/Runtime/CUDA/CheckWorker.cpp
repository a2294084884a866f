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

#include "Workers.h"

using namespace llvm;
using namespace ptxbench;

Expected<std::unique_ptr<Candidate>>
ptxbench::loadCandidate(WorkerContext &context, const Device &device) {
  return Candidate::load(
      context.request, context.toolchain,
      context.toolchain.cudaLibraryNames(cudaSoname("cudart")),
      device.ordinal(), device.stream());
}

Error ptxbench::runCheckWorker(WorkerContext &context) {
  const RunRequest &request = context.request;
  context.out.stage(stages::Init);
  Expected<std::unique_ptr<Device>> device = Device::open(request.device);
  if (!device)
    return device.takeError();
  Expected<CallTensors> tensors = CallTensors::allocate(**device, request);
  if (!tensors)
    return tensors.takeError();

  context.out.stage(stages::Load);
  Expected<std::unique_ptr<Candidate>> candidate =
      loadCandidate(context, **device);
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
    if (Error error = tensors->saveOutputs(**device, request, trial))
      return error;
  }
  if (request.timing.enabled)
    return runTiming(context, **device, **candidate, *tensors);
  return Error::success();
}
