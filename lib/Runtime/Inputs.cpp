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

void ptxbench::generateCallInput(const ArgumentSpec &tensor, CallInputs inputs,
                                 MutableArrayRef<uint8_t> bytes) {
  InputGenerator(inputs.seed, tensor.name, tensor.type, tensor.distribution)
      .fillAll(bytes, hostThreads());
  rotate(tensor, inputs.rotation, bytes);
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
