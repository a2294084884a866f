//===- SignTurner.cpp - Fresh inputs from old ones ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is text for any device, which the driver compiles in no time.
//
//===----------------------------------------------------------------------===//

#include "SignTurner.h"
#include "ptxbench/Runtime/Inputs.h"

using namespace llvm;
using namespace ptxbench;

static constexpr unsigned threads = 256;

Error SignTurner::load(const Device &onDevice) {
  device = &onDevice;
  const DriverApi &driver = device->api();
  CUmodule module = nullptr;
  if (Error error =
          driver.check(driver.cuModuleLoadData(&module, turnSignsKernel),
                       "the kernel that turns signs"))
    return error;
  return driver.check(
      driver.cuModuleGetFunction(&function, module, "turn_signs"),
      "the kernel that turns signs");
}

Error SignTurner::turn(const GuardedTensor &tensor, uint32_t signs) const {
  uint32_t mask = signBits(tensor.spec().type);
  uint64_t words = tensor.spec().bytes() / 4;
  if (!mask || !words)
    return Error::success();
  CUdeviceptr data = tensor.data();
  void *arguments[] = {&data, &words, &signs, &mask};
  return device->api().check(
      device->api().cuLaunchKernel(
          function, unsigned((words + threads - 1) / threads), 1, 1, threads, 1,
          1, 0, device->stream(), arguments, nullptr),
      "turning signs of inputs");
}
