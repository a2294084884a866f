//===- Workers.h - The jobs of worker processes -----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each job runs in a process of its own: `probe` asks what is there, `baseline`
// times what a library proposes as the baseline, `check` calls the candidate on
// fresh inputs and times it, and `trace` counts executions. What the candidate
// left is judged by the parent.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_WORKERS_H
#define PTXBENCH_LIB_RUNTIME_CUDA_WORKERS_H

#include "../Worker/Candidate.h"
#include "Device.h"

#include <vector>

namespace ptxbench {

llvm::Error runProbeWorker(WorkerContext &context);
llvm::Error runBaselineWorker(WorkerContext &context);
llvm::Error runCheckWorker(WorkerContext &context);
/// The calls of runCheckWorker without CUPTI, for which compute-sanitizer
/// leaves no room.
llvm::Error runMemcheckWorker(WorkerContext &context);
llvm::Error runTraceWorker(WorkerContext &context);

class ActivityRecorder;

/// The arguments of a call in device memory.
class CallTensors {
public:
  static llvm::Expected<CallTensors> allocate(const Device &device,
                                              const RunRequest &request);

  /// Makes and uploads the inputs of a call.
  llvm::Error setInputs(const Device &device, const RunRequest &request,
                        CallInputs inputs);
  /// Fills the outputs with NaN bytes.
  llvm::Error poisonOutputs(const Device &device);
  /// Errors if an input differs from what setInputs left, or a guard does.
  llvm::Error checkUntouched(const Device &device);
  /// Writes every output to its file.
  llvm::Error saveOutputs(const Device &device, WorkerContext &context,
                          unsigned call);

  llvm::ArrayRef<CandidateTensor> arguments() const { return argumentList; }
  const GuardedTensor &at(size_t index) const { return *tensors[index]; }
  size_t size() const { return tensors.size(); }
  const GuardedTensor *find(llvm::StringRef name) const;

private:
  std::vector<std::unique_ptr<GuardedTensor>> tensors;
  std::vector<CandidateTensor> argumentList;
  /// Bytes of the inputs on the host; empty for outputs.
  std::vector<std::vector<uint8_t>> hostInputs;
};

/// Opens the candidate for the stream of the device, after this process has
/// given up what a candidate must not do.
llvm::Expected<std::unique_ptr<Candidate>> loadCandidate(WorkerContext &context,
                                                         const Device &device,
                                                         bool confined = true);

/// Times candidate and baseline in turns; reports "timing" and saves the
/// outputs of the judged call.
llvm::Error runTiming(WorkerContext &context, const Device &device,
                      Candidate &candidate, CallTensors &tensors,
                      ActivityRecorder &recorder);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_WORKERS_H
