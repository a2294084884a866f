//===- OutputCounter.cpp - Outputs of timed calls on the device -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputCounter.h"

#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace ptxbench;

Error OutputCounter::prepare(const Device &onDevice, const RunRequest &what) {
  device = &onDevice;
  request = &what;
  const DriverApi &driver = device->api();
  for (size_t i = 0; i < request->tensors.size(); ++i) {
    const ArgumentSpec &tensor = request->tensors[i];
    if (tensor.role != TensorRole::Output || !formatOnDevice(tensor.type))
      continue;
    Expected<DeviceBuffer> copy = device->allocate(
        tensor.bytes(), "a copy of '" + tensor.name + "' of a timed call");
    if (!copy)
      return copy.takeError();
    outputs.push_back({i, std::move(*copy)});
  }
  if (outputs.empty())
    return Error::success();
  CUmodule module = nullptr;
  if (Error error =
          driver.check(driver.cuModuleLoadData(&module, countOutputKernel),
                       "the kernel that counts outputs"))
    return error;
  if (Error error = driver.check(
          driver.cuModuleGetFunction(&function, module, "count_output"),
          "the kernel that counts outputs"))
    return error;
  Expected<DeviceBuffer> buffer = device->allocate(
      sizeof(TimedCounts) * outputs.size() * request->timing.calls,
      "counts of outputs");
  if (!buffer)
    return buffer.takeError();
  counts = std::move(*buffer);
  return device->fill(counts.address(), 0, counts.size());
}

Error OutputCounter::copy(const CallTensors &tensors) {
  for (const Output &output : outputs)
    if (Error error = device->api().check(
            device->api().cuMemcpyDtoDAsync_v2(
                output.copy.address(), tensors.at(output.tensor).data(),
                output.copy.size(), device->stream()),
            "copy of an output"))
      return error;
  return Error::success();
}

Error OutputCounter::count(unsigned call, ArrayRef<DeviceBuffer> copies,
                           ArrayRef<DeviceBuffer> baseline) {
  constexpr unsigned threads = 256, mostBlocks = 1024;
  compared = !baseline.empty();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ArgumentSpec &tensor = request->tensors[outputs[i].tensor];
    Tolerance limits = limitsToBaseline(toleranceOf(*request, tensor));
    const DeviceBuffer &copy =
        copies.empty() ? outputs[i].copy : copies[outputs[i].tensor];
    CUdeviceptr data = copy.address();
    CUdeviceptr other = compared ? baseline[outputs[i].tensor].address() : 0;
    uint64_t elements = tensor.elements();
    CUdeviceptr to =
        counts.address() + sizeof(TimedCounts) * (call * outputs.size() + i);
    uint32_t format = *formatOnDevice(tensor.type);
    auto poison = uint32_t(poisonBits(tensor.type).value_or(0));
    auto atol = float(limits.atol), rtol = float(limits.rtol);
    void *arguments[] = {&data,   &other,  &elements, &to,
                         &format, &poison, &atol,     &rtol};
    auto blocks = unsigned(std::clamp<uint64_t>(
        (elements + threads - 1) / threads, 1, mostBlocks));
    if (Error error =
            device->api().check(device->api().cuLaunchKernel(
                                    function, blocks, 1, 1, threads, 1, 1, 0,
                                    device->stream(), arguments, nullptr),
                                "counting outputs"))
      return error;
  }
  return Error::success();
}

Expected<std::vector<TimedOutput>> OutputCounter::read() const {
  std::vector<TimedOutput> result;
  if (outputs.empty())
    return result;
  std::vector<uint8_t> bytes(counts.size());
  if (Error error = device->download(bytes, counts.address()))
    return std::move(error);
  for (size_t i = 0; i < bytes.size() / sizeof(TimedCounts); ++i) {
    TimedCounts read;
    std::memcpy(&read, bytes.data() + i * sizeof(read), sizeof(read));
    TimedOutput output;
    output.call = unsigned(i / outputs.size());
    output.name = request->tensors[outputs[i % outputs.size()].tensor].name;
    output.compared = compared;
    output.unwritten = read.unwritten;
    output.wrong = read.wrong;
    if (read.firstComplement)
      output.first = ~read.firstComplement;
    output.errorSquares = read.errorSquares;
    output.squares = read.squares;
    result.push_back(std::move(output));
  }
  return result;
}
