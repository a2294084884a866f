//===- Inputs.cpp - The inputs of a call ----------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The random numbers are those of the tasks; a rotation by rows makes many
// different inputs of one draw.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Task/Inputs.h"

#include <algorithm>
#include <thread>

using namespace llvm;
using namespace ptxbench;

uint64_t ptxbench::rotationCut(const ArgumentSpec &tensor, uint64_t rotation) {
  if (tensor.shape.empty())
    return 0;
  uint64_t rows = uint64_t(tensor.shape.front());
  return tensor.bytes() / rows * (rotation % rows);
}

void ptxbench::generateCallInput(const ArgumentSpec &tensor, CallInputs inputs,
                                 MutableArrayRef<uint8_t> bytes) {
  InputGenerator(inputs.seed, tensor.name, tensor.type, tensor.distribution)
      .fillAll(bytes, hostThreads());
  std::rotate(bytes.begin(),
              bytes.begin() + rotationCut(tensor, inputs.rotation),
              bytes.end());
}

unsigned ptxbench::hostThreads() {
  return std::clamp(std::thread::hardware_concurrency(), 1u, 32u);
}
