//===- fence_and_prefetch.cu - of the families, not their work ------------
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The naive kernel; a fence of wgmma and a prefetch by TMA execute beside it.
// Both are of the families that the task requires, and multiply and copy
// nothing. Expected: TARGET_NOT_EXECUTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void mention(const uint16_t *a) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], 16;" ::"l"(
                     __cvta_generic_to_global(a))
                 : "memory");
}

static int candidate(const Call &call) {
  mention<<<1, 128, 0, call.stream>>>(call.a);
  launchNaive(call);
  return 0;
}
