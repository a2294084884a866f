//===- adds_to_output.cu - relies on outputs that are zero ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds to what C holds, as if it were zero. Expected: INCORRECT_NUMERICAL,
// since it is a NaN pattern.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void addGemm(const uint16_t *a, const uint16_t *b, uint16_t *c,
                        int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  float sum = widen(c[row * n + column]);
  for (int i = 0; i < k; ++i)
    sum = fmaf(widen(a[row * k + i]), widen(b[column * k + i]), sum);
  c[row * n + column] = narrow(sum);
}

static int candidate(const Call &call) {
  addGemm<<<dim3(call.n / 128, call.m), 128, 0, call.stream>>>(
      call.a, call.b, call.c, call.n, call.k);
  return 0;
}
