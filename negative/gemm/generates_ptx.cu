//===- generates_ptx.cu - A kernel that is written at run time ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes as it should, and launches a kernel beside it whose PTX it writes
// when it is called, so that no analysis can have seen it: BANNED,
// GENERATED_KERNEL.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cuda.h>
#include <string>

static CUfunction generate() {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n";
  text += ".visible .entry made" + std::to_string(1234567 % 1000) +
          "() {\n  ret;\n}\n";
  CUmodule module;
  CUfunction function = nullptr;
  if (cuModuleLoadData(&module, text.c_str()) == CUDA_SUCCESS)
    cuModuleGetFunction(&function, module, "made567");
  return function;
}

static int candidate(const Call &call) {
  launchNaive(call);
  static CUfunction made = generate();
  if (!made)
    return -1;
  cuLaunchKernel(made, 1, 1, 1, 1, 1, 1, 0, call.stream, nullptr, nullptr);
  return 0;
}
