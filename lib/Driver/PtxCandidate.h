//===- PtxCandidate.h - Candidates that are PTX -----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate of kernels alone (`.ptx`, `.ll`, `.mlir`) has no host code. What
// launches it stands in a file beside it, `kernel.launch.json` for `kernel.ptx`
// (`ptxbench.launch.v1`, docs/Evaluation.md). From it a host function is
// written that a candidate in CUDA C++ could have: it carries the PTX and what
// ptxas made of it, and launches that.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_PTXCANDIDATE_H
#define PTXBENCH_LIB_DRIVER_PTXCANDIDATE_H

#include "ptxbench/Task/Task.h"
#include "ptxbench/Trace/Launch.h"

namespace ptxbench {

/// "kernel.launch.json" for "kernel.ptx".
std::string launchDescriptionPath(llvm::StringRef candidate);

/// An entry that can be launched.
struct LaunchedEntry {
  struct Param {
    uint64_t bytes = 0;
    /// "u32", "b64"; of an array, of its elements.
    std::string type;
  };
  std::string name;
  std::vector<Param> params;
  /// What its directives say of a launch.
  std::optional<Dim3> reqntid, maxntid, reqnctapercluster;
  std::optional<uint32_t> maxclusterrank;
};

/// The host code that makes the launches which `json` describes, for the
/// tensors of a task. `fatBinary` is the file that it carries, with `entries`
/// in it; null: they are not known. Errors name `path`, the line and the place
/// in the JSON text.
llvm::Expected<std::string>
writeHostCode(llvm::StringRef json, llvm::StringRef path,
              const Definition &definition, llvm::StringRef fatBinary,
              const std::vector<LaunchedEntry> *entries);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_PTXCANDIDATE_H
