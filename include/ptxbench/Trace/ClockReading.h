//===- ClockReading.h - Clocks of a device at one moment --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TRACE_CLOCKREADING_H
#define PTXBENCH_TRACE_CLOCKREADING_H

#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

/// One reading of the clocks by NVML; what the driver does not say is absent.
struct ClockReading {
  std::optional<unsigned> smMHz, memoryMHz, temperatureC, powerW;
  /// Names of what holds the clocks down ("sw-power-cap"); none if it said
  /// nothing does.
  std::optional<std::vector<std::string>> throttleReasons;

  bool empty() const {
    return !smMHz && !memoryMHz && !temperatureC && !powerW && !throttleReasons;
  }
  /// Those of the reasons that slow a busy device down, separated by commas;
  /// empty if there are none. An idle device and clocks that somebody set do
  /// not.
  std::string throttling() const;
};

} // namespace ptxbench

#endif // PTXBENCH_TRACE_CLOCKREADING_H
