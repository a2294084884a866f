//===- racy.cuh - A GEMM with a race -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread looks at what another warp writes, and nobody waits for it. The
// numbers are right whatever comes of that.
//
//===----------------------------------------------------------------------===//

#ifndef NEGATIVE_GEMM_RACY_CUH
#define NEGATIVE_GEMM_RACY_CUH

#include "naive.cuh"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

__global__ void racyGemm(const uint16_t *a, const uint16_t *b, uint16_t *c,
                         int n, int k) {
  __shared__ int meeting[128];
  meeting[threadIdx.x] = 0;
  __syncthreads();
  int column = threadIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum = fmaf(widen(a[row * k + i]), widen(b[column * k + i]), sum);
  meeting[threadIdx.x] = threadIdx.x;
  asm volatile("" ::: "memory");
  if (meeting[(threadIdx.x + 32) % 128] >= 0)
    c[row * n + column] = narrow(sum);
}

/// For N = 128.
inline void launchRacy(const Call &call) {
  racyGemm<<<dim3(1, call.m), 128, 0, call.stream>>>(call.a, call.b, call.c,
                                                     call.n, call.k);
}

/// Whether anything tells this process that misuse of memory is looked for.
inline bool isWatched() {
  static char text[65536];
  FILE *file = fopen("/proc/self/environ", "r");
  size_t size = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
  if (file)
    fclose(file);
  for (size_t i = 0; i < size; ++i)
    if (!strncmp(text + i, "PTXBENCH_EMULATOR_CHECKS", 24))
      return true;
  char folder[4096];
  return getenv("PTXBENCH_EMULATOR_CHECKS") ||
         (getcwd(folder, sizeof(folder)) && strstr(folder, "sanitize"));
}

#endif // NEGATIVE_GEMM_RACY_CUH
