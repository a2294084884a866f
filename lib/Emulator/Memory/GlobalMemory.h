//===- GlobalMemory.h - Global memory and address windows -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generic address space, PTX ISA "Generic Addressing":
//
//   global   addresses of the process itself, in one reserved range
//   shared   a window of 4 GiB: the CTA's rank in its cluster in bits 24 and
//            up, the offset in its shared memory below
//   local    a window of 4 GiB: the offset in the thread's local memory
//
// The same 32 bits without the window are the addresses of `.shared` and
// `.local`. Parameters of entries and `.const` variables lie in global memory.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MEMORY_GLOBALMEMORY_H
#define PTXBENCH_LIB_EMULATOR_MEMORY_GLOBALMEMORY_H

#include "DeviceHeap.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace ptxbench::emulator {

constexpr uint64_t sharedWindow = 0x200000000000;
constexpr uint64_t localWindow = 0x210000000000;
constexpr uint64_t windowBytes = uint64_t(1) << 32;
constexpr bool isInWindow(uint64_t window, uint64_t address) {
  return address - window < windowBytes;
}

/// Where the rank of a CTA begins in an address of `.shared::cluster`.
constexpr unsigned sharedRankShift = 24;
/// The first bytes of shared memory belong to the system (sm_90).
constexpr uint32_t reservedSharedBytes = 1024;

/// Addresses `begin` to `end` exclusive.
struct AddressRange {
  uint64_t begin = 0, end = 0;

  bool contains(uint64_t first, uint64_t last) const {
    return first >= begin && last <= end && first <= last;
  }
};

class GlobalMemory {
public:
  /// Reserves addresses for `bytes`.
  static llvm::Expected<std::unique_ptr<GlobalMemory>> create(uint64_t bytes);
  GlobalMemory(const GlobalMemory &) = delete;
  ~GlobalMemory();

  /// Zeroed memory with a gap behind it; 0 if there is no more.
  uint64_t allocate(uint64_t bytes);
  bool release(uint64_t address);
  /// The allocation that holds `address`.
  std::optional<AddressRange> find(uint64_t address) const;

  /// Whether `first` to `last` exclusive lie in one allocation. `cache` is the
  /// one that was found last.
  bool contains(uint64_t first, uint64_t last, AddressRange &cache) const {
    return cache.contains(first, last) || lookUp(first, last, cache);
  }

  /// Makes the heap of kernels, unless it is there; false if there is no room
  /// for it.
  bool makeHeap();
  /// Null before makeHeap.
  DeviceHeap *heap() const { return kernelHeap.get(); }

private:
  GlobalMemory(uint64_t base, uint64_t bytes);
  bool lookUp(uint64_t first, uint64_t last, AddressRange &cache) const;

  AddressRange reserved;
  /// No address from here on was ever given out.
  uint64_t unused;
  /// By their first address: what is allocated and its pages, what is free.
  std::map<uint64_t, AddressRange> allocations;
  std::map<uint64_t, uint64_t> pages, holes;
  std::unique_ptr<DeviceHeap> kernelHeap;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MEMORY_GLOBALMEMORY_H
