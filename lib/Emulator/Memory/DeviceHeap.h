//===- DeviceHeap.h - What malloc in a kernel gives out ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA C++ Programming Guide, "Dynamic Global Memory Allocation": a heap of the
// device, of a fixed size, whose contents outlive a launch. It is one
// allocation of global memory, so that accesses are checked against the heap
// and not against single blocks.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MEMORY_DEVICEHEAP_H
#define PTXBENCH_LIB_EMULATOR_MEMORY_DEVICEHEAP_H

#include <cstdint>
#include <map>
#include <mutex>

namespace ptxbench::emulator {

/// Thread-safe.
class DeviceHeap {
public:
  /// What cudaLimitMallocHeapSize is unless it is set.
  static constexpr uint64_t defaultBytes = 8 << 20;

  DeviceHeap(uint64_t base, uint64_t bytes) { holes[base] = bytes; }

  /// `bytes`, aligned to 16; 0 if there is no hole of that size, or for none.
  uint64_t allocate(uint64_t bytes);
  /// False if no block begins at `address`.
  bool release(uint64_t address);

private:
  std::mutex mutex;
  /// Sizes by first address.
  std::map<uint64_t, uint64_t> blocks, holes;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MEMORY_DEVICEHEAP_H
