//===- token_product.cu - one product by wgmma ----------------------------
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The naive kernel computes everything; one small wgmma of zeros executes
// beside it. Expected: TARGET_NOT_EXECUTED, since it does next to nothing of
// the task.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include "targets.cuh"

__global__ void token() {
  __shared__ __align__(128) uint16_t tile[64 * 16];
  for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x)
    tile[i] = 0;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  uint64_t address = __cvta_generic_to_shared(tile);
  multiplyForShow((address >> 4 & 0x3fff) | uint64_t(8) << 16 |
                  uint64_t(16) << 32);
}

static int candidate(const Call &call) {
  token<<<1, 128, 0, call.stream>>>();
  launchNaive(call);
  return 0;
}
