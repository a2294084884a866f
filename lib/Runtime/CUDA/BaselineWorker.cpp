//===- BaselineWorker.cpp - Timing what a library proposes ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No candidate is opened here. The inputs are drawn, those that are else
// computed or read, too: times hardly depend on them, and what the baseline
// computes is judged in the run.
//
//===----------------------------------------------------------------------===//

#include "Baseline.h"
#include "Workers.h"
#include "ptxbench/Runtime/Inputs.h"

using namespace llvm;
using namespace ptxbench;

Error ptxbench::runBaselineWorker(WorkerContext &context) {
  const RunRequest &request = context.request;
  context.out.stage(stages::Init);
  Expected<std::unique_ptr<Device>> device = Device::open(request.device);
  if (!device)
    return device.takeError();
  context.out.stage(stages::Inputs);
  std::vector<DeviceBuffer> buffers;
  std::vector<CUdeviceptr> addresses;
  std::vector<uint8_t> bytes;
  for (const ArgumentSpec &tensor : request.tensors) {
    Expected<DeviceBuffer> buffer =
        (*device)->allocate(tensor.bytes(), "tensor '" + tensor.name + "'");
    if (!buffer)
      return buffer.takeError();
    if (tensor.role == TensorRole::Input) {
      bytes.resize(tensor.bytes());
      generateCallInput(tensor, timedInputs(request, 0), bytes);
      if (Error error = (*device)->upload(buffer->address(), bytes))
        return error;
    }
    addresses.push_back(buffer->address());
    buffers.push_back(std::move(*buffer));
  }
  Expected<DeviceBuffer> flush =
      (*device)->allocate(flushBytes(**device), "the L2 flush");
  if (!flush)
    return flush.takeError();

  context.out.stage(stages::Baseline);
  Expected<std::unique_ptr<Baseline>> baseline =
      Baseline::create(**device, context.toolchain, request, addresses);
  if (!baseline)
    return baseline.takeError();
  TuneOptions options;
  options.flush = [&] {
    return (*device)->fill(flush->address(), 0, flush->size());
  };
  options.skip = request.baselineSkip;
  options.trying = [&](StringRef name) { context.out.result("trying", name); };
  if (Error error = (*baseline)->tune(options))
    return error;
  size_t choice = (*baseline)->choice();
  context.out.result(
      "baseline", json::Object{{"name", (*baseline)->name()},
                               {"proposal", (*baseline)->proposalName(choice)},
                               {"ms", (*baseline)->tuned()[choice].ms}});
  return Error::success();
}
