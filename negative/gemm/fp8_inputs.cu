//===- fp8_inputs.cu - three bits of mantissa -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies what is left of A and B in fp8 (e4m3). Expected:
// INCORRECT_NUMERICAL by the relative error of the whole output.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

/// The nearest number with three bits behind the leading one.
__device__ static float toFp8(uint16_t code) {
  uint32_t bits = uint32_t(code) << 16;
  return __uint_as_float((bits + 0x7ffff + (bits >> 20 & 1)) & 0xfff00000);
}

__global__ void fp8Gemm(const uint16_t *a, const uint16_t *b, uint16_t *c,
                        int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum = fmaf(toFp8(a[row * k + i]), toFp8(b[column * k + i]), sum);
  c[row * n + column] = narrow(sum);
}

static int candidate(const Call &call) {
  fp8Gemm<<<dim3(call.n / 128, call.m), 128, 0, call.stream>>>(
      call.a, call.b, call.c, call.n, call.k);
  return 0;
}
