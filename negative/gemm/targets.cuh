//===- targets.cuh - A wgmma and a TMA copy for show ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction of each required family, which a search of the source, of the
// PTX or of the machine code finds. Whether they execute is up to who calls.
//
//===----------------------------------------------------------------------===//

#ifndef NEGATIVE_GEMM_TARGETS_CUH
#define NEGATIVE_GEMM_TARGETS_CUH

#include <cstdint>

/// Copies a tile by a tensor map to nowhere of interest.
__device__ inline void copyForShow(const void *map, uint32_t shared,
                                   uint32_t barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %3}], [%2];"
               :
               : "r"(shared), "l"(map), "r"(barrier), "r"(0)
               : "memory");
}

/// Multiplies what lies in shared memory. One of the sums is looked at: ptxas
/// removes a product whose sums nobody reads.
__device__ inline void multiplyForShow(uint64_t operand) {
  float sums[4] = {};
  asm volatile("wgmma.fence.sync.aligned;\n\t"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3}, %4, %4, 1, 1, 1, 0, 0;\n\t"
               "wgmma.commit_group.sync.aligned;\n\t"
               "wgmma.wait_group.sync.aligned 0;"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "l"(operand)
               : "memory");
  if (sums[0] == 1e30f)
    __trap();
}

#endif // NEGATIVE_GEMM_TARGETS_CUH
