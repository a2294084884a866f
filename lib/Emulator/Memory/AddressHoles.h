//===- AddressHoles.h - Addresses that are free -----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What global memory and the heap of kernels keep of what nobody has.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MEMORY_ADDRESSHOLES_H
#define PTXBENCH_LIB_EMULATOR_MEMORY_ADDRESSHOLES_H

#include <cstdint>
#include <iterator>
#include <map>

namespace ptxbench::emulator {

/// Sizes by first address.
using AddressHoles = std::map<uint64_t, uint64_t>;

/// Adds a hole; holes side by side become one.
inline void addHole(AddressHoles &holes, uint64_t address, uint64_t size) {
  auto next = holes.lower_bound(address);
  if (next != holes.end() && next->first == address + size) {
    size += next->second;
    next = holes.erase(next);
  }
  if (next != holes.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      previous->second += size;
      return;
    }
  }
  holes[address] = size;
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MEMORY_ADDRESSHOLES_H
