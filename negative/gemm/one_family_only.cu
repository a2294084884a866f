//===- one_family_only.cu - one of two families ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wgmma executes for show, TMA does not. Expected: TARGET_NOT_EXECUTED that
// names the family which is missing.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include "targets.cuh"

__global__ void showGemm(const uint16_t *a, const uint16_t *b, uint16_t *c,
                         int n, int k) {
  __shared__ __align__(128) uint16_t tile[64 * 16];
  for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x)
    tile[i] = 0;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  uint64_t address = __cvta_generic_to_shared(tile);
  multiplyForShow((address >> 4 & 0x3fff) | uint64_t(8) << 16 |
                  uint64_t(16) << 32);
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum = fmaf(widen(a[row * k + i]), widen(b[column * k + i]), sum);
  c[row * n + column] = narrow(sum);
}

static int candidate(const Call &call) {
  showGemm<<<dim3(call.n / 128, call.m), 128, 0, call.stream>>>(
      call.a, call.b, call.c, call.n, call.k);
  return 0;
}
