//===- races_in_other_ptx.cu - A race out of a string --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Its own kernel is right; beside it runs one out of PTX that lies in a string,
// where each thread writes to the same place. It is no part of what was
// analysed, and looked at all the same: RUNTIME_ERROR, a race.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cuda.h>

static const char text[] = ".version 8.0\n"
                           ".target sm_80\n"
                           ".address_size 64\n"
                           ".visible .entry racy() {\n"
                           "  .reg .b32 %r<2>;\n"
                           "  .shared .align 4 .b32 place;\n"
                           "  mov.u32 %r1, %tid.x;\n"
                           "  st.shared.u32 [place], %r1;\n"
                           "  ret;\n"
                           "}\n";

static int candidate(const Call &call) {
  static CUfunction racy = nullptr;
  CUmodule module;
  launchNaive(call);
  if (!racy && (cuModuleLoadData(&module, text) != CUDA_SUCCESS ||
                cuModuleGetFunction(&racy, module, "racy") != CUDA_SUCCESS))
    return -1;
  cuLaunchKernel(racy, 1, 1, 1, 64, 1, 1, 0, call.stream, nullptr, nullptr);
  return 0;
}
