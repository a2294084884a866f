//===- adds_to_scratch.cu - relies on new memory that is zero -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums parts of each product, in memory that nobody has written, and allocates
// it in each call. Expected: INCORRECT_NUMERICAL, since such memory is filled
// with NaN.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

constexpr int parts = 4;

__global__ void addParts(const uint16_t *a, const uint16_t *b, float *sums,
                         int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int i = blockIdx.z * (k / parts); i < int(blockIdx.z + 1) * (k / parts);
       ++i)
    sum = fmaf(widen(a[row * k + i]), widen(b[column * k + i]), sum);
  atomicAdd(&sums[row * n + column], sum);
}

__global__ void roundSums(const float *sums, uint16_t *c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  c[row * n + column] = narrow(sums[row * n + column]);
}

static int candidate(const Call &call) {
  float *sums = nullptr;
  if (cudaMalloc(&sums, size_t(call.m) * call.n * sizeof(float)))
    return 1;
  addParts<<<dim3(call.n / 128, call.m, parts), 128, 0, call.stream>>>(
      call.a, call.b, sums, call.n, call.k);
  roundSums<<<dim3(call.n / 128, call.m), 128, 0, call.stream>>>(sums, call.c,
                                                                 call.n);
  return cudaFree(sums);
}
