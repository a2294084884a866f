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

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cstring>
#include <thread>

using namespace llvm;
using namespace ptxbench;

uint64_t ptxbench::rotationCut(const ArgumentSpec &tensor, uint64_t rotation) {
  uint64_t rows = 1;
  for (size_t axis = 0; axis < tensor.rotatedAxes && axis < tensor.shape.size();
       ++axis)
    rows *= uint64_t(tensor.shape[axis]);
  return tensor.bytes() / rows * (rotation % rows);
}

static void rotate(const ArgumentSpec &tensor, uint64_t rotation,
                   MutableArrayRef<uint8_t> bytes) {
  std::rotate(bytes.begin(), bytes.begin() + rotationCut(tensor, rotation),
              bytes.end());
}

uint32_t ptxbench::signBits(ElementType type) {
  if (!isFloat(type))
    return 0;
  switch (sizeOf(type)) {
  case 1:
    return 0x80808080;
  case 2:
    return 0x80008000;
  case 4:
    return 0x80000000;
  default:
    return 0;
  }
}

/// Mixes all bits into all others (the finalizer of MurmurHash3).
static uint32_t signHash(uint32_t word) {
  word ^= word >> 16;
  word *= 0x85ebca6b;
  word ^= word >> 13;
  word *= 0xc2b2ae35;
  return word ^ word >> 16;
}

void ptxbench::turnSigns(ElementType type, uint32_t signs,
                         MutableArrayRef<uint8_t> bytes) {
  uint32_t mask = signBits(type);
  uint64_t words = mask ? bytes.size() / 4 : 0;
  for (uint64_t i = 0; i < words; ++i) {
    uint32_t word;
    std::memcpy(&word, bytes.data() + 4 * i, 4);
    word ^= signHash(uint32_t(i) ^ signs) & mask;
    std::memcpy(bytes.data() + 4 * i, &word, 4);
  }
}

const char *const ptxbench::turnSignsKernel =
    R"(.version 7.0
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

void ptxbench::generateCallInput(const ArgumentSpec &tensor, CallInputs inputs,
                                 MutableArrayRef<uint8_t> bytes) {
  InputGenerator(inputs.seed, tensor.name, tensor.type, tensor.distribution)
      .fillAll(bytes, hostThreads());
  rotate(tensor, inputs.rotation, bytes);
  if (inputs.signs && tensor.turnsSigns)
    turnSigns(tensor.type, *inputs.signs, bytes);
}

Error ptxbench::makeCallInput(const RunRequest &request, CallInputs inputs,
                              unsigned index, MutableArrayRef<uint8_t> bytes) {
  const ArgumentSpec &tensor = request.tensors[index];
  switch (tensor.origin) {
  case ArgumentSpec::Origin::Drawn:
    generateCallInput(tensor, inputs, bytes);
    return Error::success();
  case ArgumentSpec::Origin::Scalar:
    storeBits(tensor.type, bytes.data(), 0, encode(tensor.type, tensor.value));
    return Error::success();
  case ArgumentSpec::Origin::File:
  case ArgumentSpec::Origin::Computed:
    break;
  }
  bool isFile = tensor.origin == ArgumentSpec::Origin::File;
  std::string path =
      isFile ? tensor.file : computedFile(request, inputs.set, index);
  uint64_t offset = isFile ? tensor.fileOffset : 0, size = 0;
  std::error_code code = sys::fs::file_size(path, size);
  // A slice beyond the end would be filled with zeros.
  if (!code && (offset > size || bytes.size() > size - offset))
    return createStringError(inconvertibleErrorCode(),
                             "expected " + Twine(bytes.size()) +
                                 " bytes of input '" + tensor.name + "' in '" +
                                 path + "' but got " +
                                 Twine(size - std::min(size, offset)));
  auto buffer = code ? ErrorOr<std::unique_ptr<MemoryBuffer>>(code)
                     : MemoryBuffer::getFileSlice(path, bytes.size(), offset);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read '" + path +
                                 "': " + buffer.getError().message());
  std::memcpy(bytes.data(), (*buffer)->getBufferStart(), bytes.size());
  rotate(tensor, inputs.rotation, bytes);
  return Error::success();
}

unsigned ptxbench::hostThreads() {
  return std::clamp(std::thread::hardware_concurrency(), 1u, 32u);
}
