//===- GlobalMemory.cpp - Global memory -----------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The range is reserved without access; an allocation makes its pages
// accessible, its end gives them back to the system. Each has pages of its own
// and one without access behind them. Addresses are given out in order, and
// those of memory that was released only when the end of the range is reached,
// so that who still uses them is found.
//
//===----------------------------------------------------------------------===//

#include "GlobalMemory.h"
#include "llvm/Support/MathExtras.h"

#include <cerrno>
#include <sys/mman.h>

using namespace llvm;
using namespace ptxbench::emulator;

static constexpr uint64_t pageBytes = 4096;

Expected<std::unique_ptr<GlobalMemory>> GlobalMemory::create(uint64_t bytes) {
  bytes = alignTo(bytes, pageBytes);
  // Always the same addresses where they are free: runs can be repeated.
  void *hint = reinterpret_cast<void *>(uint64_t(0x100000000000));
  void *base = mmap(hint, bytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return createStringError(std::error_code(errno, std::generic_category()),
                             "cannot reserve addresses for the memory of the "
                             "emulated device");
  uint64_t first = reinterpret_cast<uint64_t>(base);
  if (first < localWindow + windowBytes && first + bytes > sharedWindow) {
    munmap(base, bytes);
    return createStringError(
        inconvertibleErrorCode(),
        "the addresses of the emulated device's memory overlap its windows");
  }
  return std::unique_ptr<GlobalMemory>(new GlobalMemory(first, bytes));
}

GlobalMemory::GlobalMemory(uint64_t base, uint64_t bytes)
    : reserved{base, base + bytes}, unused(base) {
  holes[base] = bytes;
}

GlobalMemory::~GlobalMemory() {
  munmap(reinterpret_cast<void *>(reserved.begin),
         reserved.end - reserved.begin);
}

uint64_t GlobalMemory::allocate(uint64_t bytes) {
  if (bytes > reserved.end - reserved.begin)
    return 0;
  uint64_t needed = alignTo(std::max<uint64_t>(bytes, 1), pageBytes);
  uint64_t taken = needed + pageBytes;
  for (uint64_t from : {unused, reserved.begin})
    for (auto [begin, size] : holes) {
      uint64_t base = std::max(begin, from), end = begin + size;
      if (base >= end || end - base < taken)
        continue;
      if (mprotect(reinterpret_cast<void *>(base), needed,
                   PROT_READ | PROT_WRITE))
        return 0;
      holes.erase(begin);
      if (base > begin)
        holes[begin] = base - begin;
      if (end > base + taken)
        holes[base + taken] = end - base - taken;
      allocations[base] = {base, base + bytes};
      pages[base] = taken;
      unused = std::max(unused, base + taken);
      return base;
    }
  return 0;
}

bool GlobalMemory::makeHeap() {
  if (kernelHeap)
    return true;
  uint64_t base = allocate(DeviceHeap::defaultBytes);
  if (!base)
    return false;
  kernelHeap = std::make_unique<DeviceHeap>(base, DeviceHeap::defaultBytes);
  return true;
}

bool GlobalMemory::release(uint64_t address) {
  auto it = allocations.find(address);
  if (it == allocations.end())
    return false;
  uint64_t size = pages[address];
  // A fresh mapping is zeroed and holds no memory.
  mmap(reinterpret_cast<void *>(address), size, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  allocations.erase(it);
  pages.erase(address);
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

std::optional<AddressRange> GlobalMemory::find(uint64_t address) const {
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return std::nullopt;
  --it;
  if (address >= it->second.end)
    return std::nullopt;
  return it->second;
}

bool GlobalMemory::lookUp(uint64_t first, uint64_t last,
                          AddressRange &cache) const {
  std::optional<AddressRange> range = find(first);
  if (!range || !range->contains(first, last))
    return false;
  cache = *range;
  return true;
}
