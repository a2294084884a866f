//===- Version.cpp - What --version prints --------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTXBENCH_VERSION is set by CMake, for this file alone: a new version compiles
// nothing else again.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

namespace ptxbench {

const char *getVersion() { return PTXBENCH_VERSION; }

void printVersion(llvm::raw_ostream &os) {
  os << "ptxbench-mlir " << getVersion() << "\n"
     << "LLVM/MLIR " << LLVM_VERSION_STRING << "\n";
}

void setVersionPrinter() { llvm::cl::SetVersionPrinter(printVersion); }

} // namespace ptxbench
