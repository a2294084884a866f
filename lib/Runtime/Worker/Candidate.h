//===- Candidate.h - A candidate library and its one function ---*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens a library that exports a function of the TVM-FFI calling convention and
// calls it with device tensors, inputs and outputs in the order of the request.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_WORKER_CANDIDATE_H
#define PTXBENCH_LIB_RUNTIME_WORKER_CANDIDATE_H

#include "Worker.h"

#include <memory>

namespace ptxbench {

/// A tensor in device memory.
struct CandidateTensor {
  const ArgumentSpec *spec = nullptr;
  void *data = nullptr;
};

class Candidate {
public:
  virtual ~Candidate();

  /// Opens TVM-FFI, then in the stage Load, where a failure is the candidate's:
  /// the CUDA runtime by the first of `runtimeNames` that can be opened (if
  /// none can, the candidate's own need decides), and the library; sets the
  /// environment's stream.
  static llvm::Expected<std::unique_ptr<Candidate>>
  load(WorkerContext &context, llvm::ArrayRef<std::string> runtimeNames,
       int device, void *stream);

  /// Calls the function. What it returns and what the CUDA runtime's last
  /// error says are checked; the device is not waited for.
  virtual llvm::Error call(llvm::ArrayRef<CandidateTensor> tensors) = 0;
};

/// Loads a candidate whose host code is LLVM IR (Runtime/HostCode.h).
using HostCodeLoader = llvm::Expected<std::unique_ptr<Candidate>> (*)(
    const RunRequest &request, int device, void *stream);
void setHostCodeLoader(HostCodeLoader loader);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_WORKER_CANDIDATE_H
