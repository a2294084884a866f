//===- Memcheck.h - A candidate under compute-sanitizer ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The job `memcheck` of the CUDA backend, started under NVIDIA's tool.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_MEMCHECK_H
#define PTXBENCH_RUNTIME_MEMCHECK_H

#include "ptxbench/Runtime/Run.h"

namespace ptxbench {

struct MemcheckResult {
  enum class End {
    /// It ran to its end, and nothing was found.
    Clean,
    /// Something was found.
    Errors,
    /// The candidate failed otherwise, or took too long.
    NotEnded,
    /// Nothing was watched: the tool did not work here.
    NotStarted,
  } end = End::NotStarted;
  /// One sentence: the first error, or why there is no answer.
  std::string summary;
  /// What tool and candidate printed, bounded; never interpreted but by
  /// parseMemcheckLog, which the tool writes to a file of its own.
  std::string log;
};

/// What the tool's own log says: the first error, and how many there were. None
/// if it is not whole, that is without its last line.
struct MemcheckLog {
  unsigned errors = 0;
  /// "Invalid __global__ write of size 2 bytes at kernel(...)+0x10".
  std::string first;
};
std::optional<MemcheckLog> parseMemcheckLog(llvm::StringRef text);

/// Runs `request` (without timing) once under `tool`, compute-sanitizer.
/// `executable` becomes the worker, as for createCudaBackend.
MemcheckResult runMemcheck(llvm::StringRef executable, llvm::StringRef tool,
                           const RunRequest &request);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_MEMCHECK_H
