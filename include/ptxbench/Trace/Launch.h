//===- Launch.h - Shapes and records of kernel launches ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data that describes how a kernel is launched. The same types serve as
// assumptions of an analysis and as records of launches that happened.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TRACE_LAUNCH_H
#define PTXBENCH_TRACE_LAUNCH_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

/// Three extents. A grid counts CTAs, a block threads, a cluster CTAs.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;

  uint64_t volume() const { return uint64_t(x) * y * z; }
  bool operator==(const Dim3 &o) const {
    return x == o.x && y == o.y && z == o.z;
  }
  bool operator!=(const Dim3 &o) const { return !(*this == o); }
};

/// One launch of one kernel as it was observed.
struct LaunchRecord {
  /// Mangled name of the `.entry`.
  std::string kernel;
  Dim3 grid, block, cluster;
  /// Dynamic shared memory in bytes.
  uint32_t dynamicSharedBytes = 0;
  /// The bytes of the kernel's parameter space, if they could be read.
  std::optional<std::vector<uint8_t>> params;
  /// Where each parameter begins in `params`. Empty: where the PTX ISA has it,
  /// each at the next multiple of its alignment. A driver aligns them in the
  /// constant bank instead, in which the first need not be at a multiple of
  /// more than 16 (0x210 for sm_90).
  std::vector<uint64_t> paramOffsets;
  /// How many launches in a row had exactly this record.
  uint64_t count = 1;
};

/// Bytes of the parameter space that an analysis may take as known:
/// `bytes.size()` bytes at `offset` of parameter `index`.
struct ParamAssumption {
  unsigned index = 0;
  uint64_t offset = 0;
  std::vector<uint8_t> bytes;
  /// Byte offset of the parameter in the parameter space of the entry. Needed
  /// to compare the assumption with recorded launches, not to analyse.
  std::optional<uint64_t> address;
};

/// What an analysis may assume about launches. Empty: nothing but the ISA.
struct LaunchAssumptions {
  std::optional<Dim3> grid, block, cluster;
  std::vector<ParamAssumption> params;

  bool empty() const { return !grid && !block && !cluster && params.empty(); }
};

} // namespace ptxbench

#endif // PTXBENCH_TRACE_LAUNCH_H
