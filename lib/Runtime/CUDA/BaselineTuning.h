//===- BaselineTuning.h - Choosing a baseline before the run ----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parent's side. What a library proposes is tried in processes of its own,
// which no candidate enters: some plans of cuDNN end the context they run in,
// and the candidate must not pay for that. It also gives a time that nothing in
// the candidate's process can have touched.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_BASELINETUNING_H
#define PTXBENCH_LIB_RUNTIME_CUDA_BASELINETUNING_H

#include "ptxbench/Runtime/WorkerProtocol.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxbench {

struct BaselineTuning {
  /// Why there is no baseline; empty if there is one.
  std::string reason;
  /// Its name, "cuDNN 9.19.0", and its time in milliseconds by itself.
  std::string name;
  double ms = 0;
};

/// Starts a job of a worker and waits for its end.
using WorkerStarter =
    llvm::function_ref<WorkerOutcome(llvm::StringRef, const RunRequest &)>;

/// Has the proposals for `request.baseline` timed, leaving out one after the
/// other that ends its process, and puts the fastest into the request. Without
/// one, `request.baseline` is empty afterwards.
BaselineTuning tuneBaseline(RunRequest &request, WorkerStarter start);

/// Says in `timing` why there is no baseline, and takes out one that was far
/// slower beside the candidate than by itself.
void checkBaselineTime(RunTiming &timing, const BaselineTuning &tuning);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_BASELINETUNING_H
