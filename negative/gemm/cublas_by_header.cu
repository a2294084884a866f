//===- cublas_by_header.cu - cuBLAS, in plain sight -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Includes and calls cuBLAS. Expected: BANNED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cublas_v2.h>

static int candidate(const Call &call) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float one = 1, zero = 0;
  return cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, call.n, call.m, call.k,
                      &one, call.b, CUDA_R_16BF, call.k, call.a, CUDA_R_16BF,
                      call.k, &zero, call.c, CUDA_R_16BF, call.n,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
