//===- Backend.cpp - The anchor of the backend interface ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Out-of-line pieces of the interface that belong to no one backend.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/HostCode.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

ptxbench::Backend::~Backend() = default;

std::string ptxbench::hostProgram(llvm::StringRef executable) {
  llvm::SmallString<256> path(llvm::sys::path::parent_path(executable));
  llvm::sys::path::append(path, "ptxbench-host");
  return path.str().str();
}

std::string ptxbench::workerProgram(llvm::StringRef executable,
                                    llvm::StringRef library) {
  return library.ends_with(hostCodeEnding) ? hostProgram(executable)
                                           : executable.str();
}
