//===- Sandbox.h - Where candidates run ----------------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// bubblewrap, where it is installed and works: no network, no file system to
// write to but one folder, no other processes to see. Limits of memory and
// files are the worker's own, see limitResources().
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_EMULATOR_SANDBOX_H
#define PTXBENCH_LIB_RUNTIME_EMULATOR_SANDBOX_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxbench {

struct Sandbox {
  /// What a command line begins with; empty: there is no sandbox.
  std::vector<std::string> prefix;
  /// Why there is none.
  std::string reason;
};

/// The sandbox in which `folder` can be written to.
Sandbox makeSandbox(llvm::StringRef folder);

/// Limits of this process: address space, size of a file, no core dumps.
void limitResources(uint64_t addressBytes, uint64_t fileBytes);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_EMULATOR_SANDBOX_H
