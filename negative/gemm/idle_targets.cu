//===- idle_targets.cu - behind an argument that is always zero -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same behind a parameter: it may execute, and never does. Expected:
// TARGET_NOT_EXECUTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include "targets.cuh"

__global__ void showGemm(const uint16_t *a, const uint16_t *b, uint16_t *c,
                         int n, int k, int really) {
  if (really) {
    copyForShow(a, 0, 0);
    multiplyForShow(0);
  }
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum = fmaf(widen(a[row * k + i]), widen(b[column * k + i]), sum);
  c[row * n + column] = narrow(sum);
}

static int candidate(const Call &call) {
  showGemm<<<dim3(call.n / 128, call.m), 128, 0, call.stream>>>(
      call.a, call.b, call.c, call.n, call.k, 0);
  return 0;
}
