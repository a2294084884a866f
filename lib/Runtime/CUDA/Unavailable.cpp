//===- Unavailable.cpp - A build without CUDA's headers -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in for this folder where the headers of CUDA or TVM-FFI were not there
// at build time. Says so and runs nothing.
//
//===----------------------------------------------------------------------===//

#include "../Worker/Worker.h"
#include "ptxbench/Runtime/Backend.h"

static constexpr const char *reason =
    "this program was built without the headers of CUDA and TVM-FFI, so it "
    "cannot run candidates on a GPU";

std::unique_ptr<ptxbench::Backend>
ptxbench::createCudaBackend(std::string /*executable*/) {
  return createNullBackend(reason);
}

ptxbench::WorkerJob ptxbench::findCudaJob(llvm::StringRef /*name*/) {
  return nullptr;
}
