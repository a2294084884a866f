//===- CallTensors.cpp - The arguments of a call in device memory ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs are kept on the host, too, so that a candidate that writes to them is
// found out.
//
//===----------------------------------------------------------------------===//

#include "Workers.h"
#include "ptxbench/Runtime/Inputs.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;

Expected<CallTensors> CallTensors::allocate(const Device &device,
                                            const RunRequest &request) {
  CallTensors result;
  for (const ArgumentSpec &spec : request.tensors) {
    Expected<GuardedTensor> tensor = GuardedTensor::allocate(device, spec);
    if (!tensor)
      return tensor.takeError();
    result.tensors.push_back(
        std::make_unique<GuardedTensor>(std::move(*tensor)));
    const GuardedTensor &made = *result.tensors.back();
    result.argumentList.push_back(
        {&made.spec(), reinterpret_cast<void *>(made.data())});
    result.hostInputs.emplace_back(spec.role == TensorRole::Input ? spec.bytes()
                                                                  : 0);
  }
  return std::move(result);
}

const GuardedTensor *CallTensors::find(StringRef name) const {
  for (const auto &tensor : tensors)
    if (tensor->spec().name == name)
      return tensor.get();
  return nullptr;
}

Error CallTensors::setInputs(const Device &device, const RunRequest &request,
                             CallInputs inputs) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i]->spec().role != TensorRole::Input)
      continue;
    if (Error error =
            makeCallInput(request, inputs, unsigned(i), hostInputs[i]))
      return error;
    if (Error error = device.upload(tensors[i]->data(), hostInputs[i]))
      return error;
  }
  return Error::success();
}

Error CallTensors::poisonOutputs(const Device &device) {
  for (const auto &tensor : tensors)
    if (tensor->spec().role == TensorRole::Output)
      if (Error error = device.poison(tensor->data(), tensor->spec().type,
                                      tensor->spec().elements()))
        return error;
  return Error::success();
}

Error CallTensors::checkUntouched(const Device &device) {
  std::vector<uint8_t> now;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const GuardedTensor &tensor = *tensors[i];
    if (Error error = tensor.checkGuards(device))
      return error;
    if (tensor.spec().role != TensorRole::Input)
      continue;
    now.resize(hostInputs[i].size());
    if (Error error = device.download(now, tensor.data()))
      return error;
    if (std::memcmp(now.data(), hostInputs[i].data(), now.size()) != 0)
      return makeFailure("INPUT_MODIFIED",
                         "input '" + tensor.spec().name + "' was written to");
  }
  return Error::success();
}

Error CallTensors::saveOutputs(const Device &device, WorkerContext &context,
                               unsigned call) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ArgumentSpec &spec = tensors[i]->spec();
    if (spec.role != TensorRole::Output)
      continue;
    bytes.resize(spec.bytes());
    if (Error error = device.download(bytes, tensors[i]->data()))
      return error;
    if (Error error = saveFile(
            context.out, outputFile(context.request, call, unsigned(i)), bytes))
      return error;
  }
  return Error::success();
}
