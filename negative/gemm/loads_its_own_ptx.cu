//===- loads_its_own_ptx.cu - PTX in a string -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads PTX that lies in its own text and launches it beside its kernel. That
// is allowed, though what is in the string is not analysed, so that nothing in
// it counts for a target. TARGET_NOT_EXECUTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cuda.h>

static const char text[] = ".version 8.0\n"
                           ".target sm_80\n"
                           ".address_size 64\n"
                           ".visible .entry extra() {\n"
                           "  ret;\n"
                           "}\n";

static int candidate(const Call &call) {
  static CUfunction extra = nullptr;
  CUmodule module;
  if (!extra && (cuModuleLoadData(&module, text) != CUDA_SUCCESS ||
                 cuModuleGetFunction(&extra, module, "extra") != CUDA_SUCCESS))
    return -1;
  launchNaive(call);
  cuLaunchKernel(extra, 1, 1, 1, 1, 1, 1, 0, call.stream, nullptr, nullptr);
  return 0;
}
