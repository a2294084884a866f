//===- Unavailable.cpp - A build without the emulated CUDA runtime --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in for this folder where the headers of CUDA or TVM-FFI were not there
// at build time.
//
//===----------------------------------------------------------------------===//

#include "../Worker/Worker.h"
#include "ptxbench/Runtime/Backend.h"

std::unique_ptr<ptxbench::Backend>
ptxbench::createEmulatorBackend(std::string /*executable*/,
                                EmulatorSettings /*settings*/) {
  return createNullBackend("this program was built without the headers of CUDA "
                           "and TVM-FFI, so it cannot run candidates on the "
                           "emulator");
}

ptxbench::WorkerJob ptxbench::findEmulatorJob(llvm::StringRef /*name*/) {
  return nullptr;
}
