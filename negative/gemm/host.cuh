//===- host.cuh - A GEMM on the host -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What candidates that leave the device idle compute with.
//
//===----------------------------------------------------------------------===//

#ifndef NEGATIVE_GEMM_HOST_CUH
#define NEGATIVE_GEMM_HOST_CUH

#include "naive.cuh"

#include <cstring>

inline float widenOnHost(uint16_t code) {
  uint32_t bits = uint32_t(code) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// C[m,n] = A[m,k] * B[n,k]^T.
inline void computeOnHost(const uint16_t *a, const uint16_t *b, uint16_t *c,
                          const Call &call) {
  for (int row = 0; row < call.m; ++row)
    for (int column = 0; column < call.n; ++column) {
      float sum = 0;
      for (int i = 0; i < call.k; ++i)
        sum += widenOnHost(a[row * call.k + i]) *
               widenOnHost(b[column * call.k + i]);
      uint32_t bits;
      std::memcpy(&bits, &sum, sizeof bits);
      c[row * call.n + column] =
          uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
}

#endif // NEGATIVE_GEMM_HOST_CUH
