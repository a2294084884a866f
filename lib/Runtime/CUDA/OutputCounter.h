//===- OutputCounter.h - Outputs of timed calls on the device ---*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds copies of the outputs of one timed call and counts, on the device, how
// they differ from the baseline's. See TimedOutputs.h.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_OUTPUTCOUNTER_H
#define PTXBENCH_LIB_RUNTIME_CUDA_OUTPUTCOUNTER_H

#include "Device.h"
#include "Workers.h"
#include "ptxbench/Runtime/TimedOutputs.h"

namespace ptxbench {

class OutputCounter {
public:
  /// Loads the kernel, makes room for the outputs and the counts of
  /// `request.timing.calls` calls. `device` and `request` outlive it.
  llvm::Error prepare(const Device &device, const RunRequest &request);
  /// Puts on the stream a copy of what a call has written.
  llvm::Error copy(const CallTensors &tensors);
  /// Puts on the stream the count of what was copied or, where they are not
  /// empty, of the copies that the caller has made instead, for each tensor.
  /// `baseline`: for each tensor, the baseline's; no address for inputs. Empty:
  /// no baseline.
  llvm::Error count(unsigned call, llvm::ArrayRef<DeviceBuffer> copies,
                    llvm::ArrayRef<DeviceBuffer> baseline);
  /// The counts of all calls.
  llvm::Expected<std::vector<TimedOutput>> read() const;

private:
  struct Output {
    size_t tensor = 0;
    DeviceBuffer copy;
  };

  const Device *device = nullptr;
  const RunRequest *request = nullptr;
  CUfunction function = nullptr;
  std::vector<Output> outputs;
  /// TimedCounts, for each call those of each output.
  DeviceBuffer counts;
  bool compared = false;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_OUTPUTCOUNTER_H
