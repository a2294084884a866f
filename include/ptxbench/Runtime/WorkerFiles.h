//===- WorkerFiles.h - What a worker left behind ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outputs and traces are files in a folder that the candidate may write to, in
// later calls or from a thread of its own. The worker says over its pipe what
// it writes when it writes it; here the file is held against that.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_WORKERFILES_H
#define PTXBENCH_RUNTIME_WORKERFILES_H

#include "ptxbench/Runtime/WorkerProtocol.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ptxbench {

/// The largest trace or log that is read.
inline constexpr uint64_t maxWorkerFileBytes = uint64_t(256) << 20;

/// The hash by which a file is known, in hexadecimal digits.
std::string hashOfFile(llvm::StringRef bytes);

struct WorkerFile {
  enum class State {
    /// As the worker wrote it.
    Good,
    /// It wrote none, and there is none.
    Missing,
    /// Something else is there, or nothing where it wrote one.
    Forged,
  };
  State state = State::Missing;
  /// Null unless it is good.
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  /// A sentence, empty if it is good.
  std::string problem;
};

/// Reads what a worker with these events left at `path`.
WorkerFile readWorkerFile(llvm::StringRef path, uint64_t maxBytes,
                          const ProtocolReader &events);

/// Whether all outputs of the first `calls` judged calls are there as they were
/// saved. If not, says so in `result`: RUNTIME_ERROR NO_OUTPUT, or REJECTED
/// FORGED_OUTPUT.
bool checkOutputFiles(const RunRequest &request, unsigned calls,
                      const ProtocolReader &events, RunResult &result);

/// Removes what is in the worker's folder besides the files that it wrote and
/// that are as it wrote them, and what those take up beyond their size: what a
/// candidate left must not be in the way of what comes after it. Outputs were
/// looked at by `checkOutputFiles`.
llvm::Error keepWorkerFiles(const RunRequest &request,
                            const ProtocolReader &events);

/// Makes the result of a run whose trace is not what the worker wrote: REJECTED
/// with `code`, unless it failed before.
void rejectTrace(RunResult &result, llvm::StringRef code,
                 const std::string &problem);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_WORKERFILES_H
