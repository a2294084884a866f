//===- SignTurner.cpp - Fresh inputs from old ones ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is text for any device; the driver compiles it in no time.
//
//===----------------------------------------------------------------------===//

#include "SignTurner.h"
#include "ptxbench/Runtime/Inputs.h"

using namespace llvm;
using namespace ptxbench;

static constexpr unsigned threads = 256;

static constexpr const char *kernelText = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry turn_signs(.param .u64 data, .param .u64 words,
                           .param .u32 signs, .param .u32 mask)
{
  .reg .pred %outside;
  .reg .b32 %block, %size, %thread, %word, %hash, %part, %signs, %mask;
  .reg .b64 %data, %words, %i, %offset;
  ld.param.u64 %data, [data];
  ld.param.u64 %words, [words];
  ld.param.u32 %signs, [signs];
  ld.param.u32 %mask, [mask];
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mov.u32 %thread, %tid.x;
  mul.wide.u32 %i, %block, %size;
  cvt.u64.u32 %offset, %thread;
  add.u64 %i, %i, %offset;
  setp.ge.u64 %outside, %i, %words;
  @%outside ret;
  cvt.u32.u64 %hash, %i;
  xor.b32 %hash, %hash, %signs;
  shr.u32 %part, %hash, 16;
  xor.b32 %hash, %hash, %part;
  mul.lo.u32 %hash, %hash, 0x85ebca6b;
  shr.u32 %part, %hash, 13;
  xor.b32 %hash, %hash, %part;
  mul.lo.u32 %hash, %hash, 0xc2b2ae35;
  shr.u32 %part, %hash, 16;
  xor.b32 %hash, %hash, %part;
  and.b32 %hash, %hash, %mask;
  shl.b64 %offset, %i, 2;
  add.u64 %data, %data, %offset;
  ld.global.u32 %word, [%data];
  xor.b32 %word, %word, %hash;
  st.global.u32 [%data], %word;
  ret;
}
)";

Error SignTurner::load(const Device &onDevice) {
  device = &onDevice;
  const DriverApi &driver = device->api();
  CUmodule module = nullptr;
  if (Error error = driver.check(driver.cuModuleLoadData(&module, kernelText),
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
