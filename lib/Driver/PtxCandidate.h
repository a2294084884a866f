//===- PtxCandidate.h - Candidates that are PTX -----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `.ptx` or `.mlir` candidate has no host code. What launches it stands in a
// file beside it, `kernel.launch.json` for `kernel.ptx`
// (`ptxbench.launch.v1`, docs/Evaluation.md). From it a host function is
// written that a candidate in CUDA C++ could have: it carries the PTX and what
// ptxas made of it, and launches that.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_PTXCANDIDATE_H
#define PTXBENCH_LIB_DRIVER_PTXCANDIDATE_H

#include "ptxbench/Task/Task.h"

namespace ptxbench {

/// "kernel.launch.json" for "kernel.ptx".
std::string launchDescriptionPath(llvm::StringRef candidate);

/// The host code that makes the launches which `json` describes, for the
/// tensors of a task. `cubin` and `ptx` are the files that it carries. Errors
/// name `path`, the line and the place in the JSON text.
llvm::Expected<std::string> writeHostCode(llvm::StringRef json,
                                          llvm::StringRef path,
                                          const Definition &definition,
                                          llvm::StringRef fatBinary);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_PTXCANDIDATE_H
