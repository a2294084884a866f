//===- Versions.h - The versions of everything found ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `--version` prints: this tool, LLVM, the CUDA tools and the GPU's
// libraries.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_VERSIONS_H
#define PTXBENCH_LIB_DRIVER_VERSIONS_H

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace ptxbench {

/// Writes our version, LLVM's, the tools of the toolkit and the device with its
/// driver and libraries; what is not there is named as not found.
void printVersions(llvm::raw_ostream &os);

/// Path of the running program.
std::string executablePath();

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_VERSIONS_H
