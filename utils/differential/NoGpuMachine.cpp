//===- NoGpuMachine.cpp - Built without the headers of CUDA ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cases are recorded by a tool that was built with them.
//
//===----------------------------------------------------------------------===//

#include "Machines.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

Error differential::runOnGpu(
    ArrayRef<Module>, const std::string &, unsigned,
    function_ref<void(const MachineInfo &)>,
    function_ref<void(const Case &, const Outcome &)>) {
  return createStringError("this tool was built without the headers of CUDA");
}
