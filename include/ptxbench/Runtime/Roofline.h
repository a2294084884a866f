//===- Roofline.h - How fast a device can be at most ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call cannot take less time than its operations take on all tensor cores at
// the highest clock, nor than its tensors take to pass the memory's pins. A
// time below that was not measured around the whole work.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_ROOFLINE_H
#define PTXBENCH_RUNTIME_ROOFLINE_H

#include "ptxbench/Runtime/Run.h"
#include "ptxbench/Runtime/Timeline.h"

namespace ptxbench {

/// What the driver says of a device.
struct DeviceFacts {
  int computeMajor = 0, computeMinor = 0;
  int multiprocessors = 0;
  /// Highest clocks.
  int clockKHz = 0, memoryClockKHz = 0;
  int memoryBusBits = 0;
  uint64_t l2Bytes = 0;
};

/// The least time of one call.
struct RooflineFloor {
  /// The longer of the two.
  double ms = 0;
  double computeMs = 0, memoryMs = 0;
};

/// The floor of the request's call. Operations count at the rate of the
/// narrowest type among its tensors. Inputs are read once from memory; of the
/// outputs, what does not fit into the L2. None: the device is not known.
std::optional<RooflineFloor> rooflineFloor(const DeviceFacts &device,
                                           const RunRequest &request);

/// "FASTER_THAN_HARDWARE" if a median time is below the floor by more than the
/// resolution of clocks explains.
std::optional<Violation> checkFloor(double medianMs,
                                    const RooflineFloor &floor);

llvm::json::Value toJSON(const DeviceFacts &device);
bool fromJSON(const llvm::json::Value &value, DeviceFacts &device,
              llvm::json::Path path);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_ROOFLINE_H
