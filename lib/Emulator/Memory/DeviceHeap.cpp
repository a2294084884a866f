//===- DeviceHeap.cpp - What malloc in a kernel gives out -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first hole that is large enough; holes side by side become one.
//
//===----------------------------------------------------------------------===//

#include "DeviceHeap.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxbench::emulator;

uint64_t DeviceHeap::allocate(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (bytes == 0)
    return 0;
  for (auto [begin, size] : holes) {
    if (size < bytes || size < llvm::alignTo(bytes, 16))
      continue;
    bytes = llvm::alignTo(bytes, 16);
    holes.erase(begin);
    if (size > bytes)
      holes[begin + bytes] = size - bytes;
    blocks[begin] = bytes;
    return begin;
  }
  return 0;
}

bool DeviceHeap::release(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto block = blocks.find(address);
  if (block == blocks.end())
    return false;
  uint64_t size = block->second;
  blocks.erase(block);
  auto next = holes.lower_bound(address);
  if (next != holes.end() && next->first == address + size) {
    size += next->second;
    next = holes.erase(next);
  }
  if (next != holes.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      previous->second += size;
      return true;
    }
  }
  holes[address] = size;
  return true;
}
