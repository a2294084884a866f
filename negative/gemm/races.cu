//===- races.cu - a reduction without a barrier ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two halves of each sum meet in shared memory, and nobody waits for the other.
// Expected: RUNTIME_ERROR from the sanitizer, whatever the numbers are.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void racyGemm(const uint16_t *a, const uint16_t *b, uint16_t *c,
                         int n, int k) {
  __shared__ float parts[256];
  parts[threadIdx.x] = 0;
  __syncthreads();
  int column = threadIdx.x % 128, half = threadIdx.x / 128, row = blockIdx.y;
  float sum = 0;
  for (int i = half * k / 2; i < (half + 1) * k / 2; ++i)
    sum = fmaf(widen(a[row * k + i]), widen(b[column * k + i]), sum);
  parts[threadIdx.x] = sum;
  asm volatile("" ::: "memory");
  if (half == 0)
    c[row * n + column] = narrow(sum + parts[128 + column]);
}

static int candidate(const Call &call) {
  racyGemm<<<dim3(1, call.m), 256, 0, call.stream>>>(call.a, call.b, call.c,
                                                     call.n, call.k);
  return 0;
}
