//===- reads_past_the_end.cu - a product too many -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last row of A is read past its end, and what is found there multiplied by
// zero. Expected: RUNTIME_ERROR from the sanitizer.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void readOn(const uint16_t *a, uint16_t *c) {
  if (widen(*a) == 1e30f)
    *c = 0;
}

static int candidate(const Call &call) {
  launchNaive(call);
  readOn<<<1, 1, 0, call.stream>>>(call.a + size_t(call.m) * call.k, call.c);
  return 0;
}
