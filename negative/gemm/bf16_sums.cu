//===- bf16_sums.cu - sums in bfloat16 ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds up in bfloat16 instead of float32. Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void roughGemm(const uint16_t *a, const uint16_t *b, uint16_t *c,
                          int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  uint16_t sum = 0;
  for (int i = 0; i < k; ++i)
    sum = narrow(
        fmaf(widen(a[row * k + i]), widen(b[column * k + i]), widen(sum)));
  c[row * n + column] = sum;
}

static int candidate(const Call &call) {
  roughGemm<<<dim3(call.n / 128, call.m), 128, 0, call.stream>>>(
      call.a, call.b, call.c, call.n, call.k);
  return 0;
}
