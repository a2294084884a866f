//===- Version.h - What --version prints ------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One version for all tools, the plugin and the CMake package: that of the
// project in CMakeLists.txt.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_VERSION_H
#define PTXBENCH_SUPPORT_VERSION_H

#include "llvm/Support/raw_ostream.h"

namespace ptxbench {

/// "0.1.0".
const char *getVersion();

/// Writes two lines, "ptxbench-mlir 0.1.0" and "LLVM/MLIR 22.1.8": the LLVM
/// that the program was built with.
void printVersion(llvm::raw_ostream &os);

/// Makes `--version` of this program print that. Call it before the command
/// line is parsed.
void setVersionPrinter();

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_VERSION_H
