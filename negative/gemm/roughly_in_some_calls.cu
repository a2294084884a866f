//===- roughly_in_some_calls.cu - worse numbers in some timed calls -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right in the trials; after them every second call sums up every second
// product only. All elements are written, and most are wrong. Expected:
// INCORRECT_NUMERICAL in a timed call, whichever it is that the reference
// judges.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void everySecondProduct(const uint16_t *a, const uint16_t *b,
                                   uint16_t *c, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int i = 0; i < k; i += 2)
    sum = fmaf(widen(a[row * k + i]), widen(b[column * k + i]), sum);
  c[row * n + column] = narrow(sum);
}

static int candidate(const Call &call) {
  static int calls = 0;
  if (calls++ > 3 && calls % 2)
    everySecondProduct<<<dim3(call.n / 128, call.m), 128, 0, call.stream>>>(
        call.a, call.b, call.c, call.n, call.k);
  else
    launchNaive(call);
  return 0;
}
