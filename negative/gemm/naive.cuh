//===- naive.cuh - A right GEMM on CUDA cores, and how it is called -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the candidates of this folder start from. They are called through
// TVM-FFI's C interface, whose one header compiles in no time. A candidate
// writes `candidate(const Call &)`; what it returns is what `run` returns.
//
//===----------------------------------------------------------------------===//

#ifndef NEGATIVE_GEMM_NAIVE_CUH
#define NEGATIVE_GEMM_NAIVE_CUH

#include <cstdint>
#include <cuda_runtime.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

/// C[m,n] = A[m,k] * B[n,k]^T in bfloat16, whose codes are passed as integers.
struct Call {
  uint16_t *a, *b, *c;
  int m, n, k;
  cudaStream_t stream;
};

__device__ inline float widen(uint16_t code) {
  return __uint_as_float(uint32_t(code) << 16);
}

/// To the nearest, ties to even.
__device__ inline uint16_t narrow(float value) {
  uint32_t bits = __float_as_uint(value);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// One element: a thread for each column, a block for each row.
extern "C" __global__ void naiveGemm(const uint16_t *a, const uint16_t *b,
                                     uint16_t *c, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum = fmaf(widen(a[row * k + i]), widen(b[column * k + i]), sum);
  c[row * n + column] = narrow(sum);
}

inline void launchNaive(const Call &call) {
  naiveGemm<<<dim3(call.n / 128, call.m), 128, 0, call.stream>>>(
      call.a, call.b, call.c, call.n, call.k);
}

inline size_t outputBytes(const Call &call) {
  return size_t(call.m) * call.n * sizeof(uint16_t);
}

static int candidate(const Call &call);

extern "C" __attribute__((visibility("default"))) int
__tvm_ffi_run(void *, const TVMFFIAny *arguments, int32_t, TVMFFIAny *) {
  auto *a = static_cast<DLTensor *>(arguments[0].v_ptr);
  auto *b = static_cast<DLTensor *>(arguments[1].v_ptr);
  auto *c = static_cast<DLTensor *>(arguments[2].v_ptr);
  Call call;
  call.a = static_cast<uint16_t *>(a->data);
  call.b = static_cast<uint16_t *>(b->data);
  call.c = static_cast<uint16_t *>(c->data);
  call.m = int(a->shape[0]);
  call.n = int(b->shape[0]);
  call.k = int(a->shape[1]);
  call.stream = static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(a->device.device_type, a->device.device_id));
  return candidate(call);
}

#endif // NEGATIVE_GEMM_NAIVE_CUH
