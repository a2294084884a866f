//===- leaves_launch_error.cu - an error for whoever comes next -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same, and the error is left behind. Expected: RUNTIME_ERROR.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  launchNaive(call);
  naiveGemm<<<dim3(1, call.m), 2048, 0, call.stream>>>(call.a, call.b, call.c,
                                                       call.n, call.k);
  return 0;
}
