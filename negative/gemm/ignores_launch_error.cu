//===- ignores_launch_error.cu - a launch that never was ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks for more threads than a block may have and clears the error, so that the
// call looks fast. Expected: INCORRECT_NUMERICAL, since nothing is written.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  naiveGemm<<<dim3(1, call.m), 2048, 0, call.stream>>>(call.a, call.b, call.c,
                                                       call.n, call.k);
  cudaGetLastError();
  return 0;
}
