//===- writes_nan.cu - NaN everywhere -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills C with NaN, which compares equal to nothing and unequal to nothing.
// Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void fill(uint16_t *c, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    c[i] = 0x7fc1;
}

static int candidate(const Call &call) {
  int size = call.m * call.n;
  fill<<<(size + 127) / 128, 128, 0, call.stream>>>(call.c, size);
  return 0;
}
