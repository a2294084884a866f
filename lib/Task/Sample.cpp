//===- Sample.cpp - A part of a task's work to be judged ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Sample.h"
#include "ptxbench/Task/Inputs.h"

#include <algorithm>
#include <set>

using namespace ptxbench;
using llvm::Twine;

std::vector<int64_t> ptxbench::sampleIndices(uint64_t extent, uint64_t count,
                                             uint64_t seed) {
  std::set<int64_t> indices;
  if (count >= extent) {
    for (uint64_t index = 0; index != extent; ++index)
      indices.insert(int64_t(index));
    return {indices.begin(), indices.end()};
  }
  // The edges of a tensor are where kernels go wrong.
  if (count > 1) {
    indices.insert(0);
    indices.insert(int64_t(extent) - 1);
  }
  InputGenerator random(seed, "rows", ElementType::UInt8);
  for (uint64_t counter = 0; indices.size() < count; ++counter) {
    uint64_t number = 0;
    for (unsigned i = 0; i != 7; ++i)
      number = number << 8 | random.element(7 * counter + i);
    indices.insert(int64_t(number % extent));
  }
  return {indices.begin(), indices.end()};
}

std::vector<std::vector<int64_t>>
ptxbench::sampleAxes(llvm::ArrayRef<int64_t> extents, uint64_t count,
                     uint64_t seed) {
  std::vector<std::vector<int64_t>> indices(extents.size());
  for (size_t axis = extents.size(); axis-- > 0;) {
    uint64_t extent = uint64_t(extents[axis]);
    uint64_t here = std::clamp<uint64_t>(count, 1, extent);
    indices[axis] = sampleIndices(extent, here, seed + axis);
    count /= here;
  }
  return indices;
}

llvm::Expected<std::vector<uint8_t>>
ptxbench::gather(llvm::ArrayRef<uint8_t> tensor, uint64_t elementBytes,
                 llvm::ArrayRef<int64_t> shape,
                 llvm::ArrayRef<std::vector<int64_t>> indices) {
  uint64_t bytes = elementBytes;
  for (int64_t extent : shape)
    bytes *= uint64_t(extent);
  if (tensor.size() != bytes || indices.size() != shape.size())
    return llvm::createStringError("expected a tensor of " + Twine(bytes) +
                                   " bytes but got " + Twine(tensor.size()));
  for (size_t dim = 0; dim != shape.size(); ++dim)
    for (int64_t index : indices[dim])
      if (index < 0 || index >= shape[dim])
        return llvm::createStringError("expected indices below " +
                                       Twine(shape[dim]) + " but got " +
                                       Twine(index));
  // From the last dimension to the first, so that no step sees more than the
  // one before.
  std::vector<uint8_t> result = tensor.vec();
  uint64_t inner = elementBytes;
  for (size_t dim = shape.size(); dim-- > 0;) {
    const std::vector<int64_t> &chosen = indices[dim];
    uint64_t extent = uint64_t(shape[dim]);
    if (chosen.empty()) {
      inner *= extent;
      continue;
    }
    std::vector<uint8_t> next;
    uint64_t outer = result.size() / (extent * inner);
    next.reserve(outer * chosen.size() * inner);
    for (uint64_t i = 0; i != outer; ++i)
      for (int64_t index : chosen) {
        const uint8_t *from =
            result.data() + (i * extent + uint64_t(index)) * inner;
        next.insert(next.end(), from, from + inner);
      }
    result = std::move(next);
    inner *= chosen.size();
  }
  return result;
}
