//===- hidden.cuh - A header with cuBLAS in it ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hides_in_a_header.cu.
//
//===----------------------------------------------------------------------===//

#ifndef NEGATIVE_GEMM_HIDDEN_CUH
#define NEGATIVE_GEMM_HIDDEN_CUH

extern "C" int cublasGemmEx(...);

inline int hiddenGemm(const Call &call) {
  return cublasGemmEx(call.a, call.b, call.c);
}

#endif // NEGATIVE_GEMM_HIDDEN_CUH
