//===- BackendChoice.h - What is to run a candidate -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--backend`, held against what is here. `auto` is the first backend that can
// run anything that is compiled for the target.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_BACKENDCHOICE_H
#define PTXBENCH_LIB_DRIVER_BACKENDCHOICE_H

#include "Options.h"
#include "ptxbench/Runtime/Backend.h"

namespace ptxbench {

struct BackendChoice {
  /// Null if there is none.
  std::unique_ptr<Backend> backend;
  /// Why not those that would have come first; empty if none was refused.
  std::string refusal;
  /// Whether one is refused because it is not here or does not answer, and not
  /// because it never runs such a target.
  bool isMissing = false;
};

/// `program` is what the backend's workers are.
BackendChoice chooseBackend(const DriverOptions &options,
                            llvm::StringRef program);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_BACKENDCHOICE_H
