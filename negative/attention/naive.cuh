//===- naive.cuh - A right attention on CUDA cores, and its call ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// O = softmax(Q K^T / sqrt(D)) V for each head, and the natural logarithm of
// the sums; a block for each row. What goes into the two outputs can be changed
// by macros before the header is included.
//
//===----------------------------------------------------------------------===//

#ifndef NEGATIVE_ATTENTION_NAIVE_CUH
#define NEGATIVE_ATTENTION_NAIVE_CUH

#include <cmath>
#include <cstdint>
#include <cuda_runtime.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#ifndef OUTPUT
#define OUTPUT(value) (value)
#endif
#ifndef LOG_SUM
#define LOG_SUM(largest, sum) ((largest) + logf(sum))
#endif
#ifndef WEIGHT
#define WEIGHT(value) (value)
#endif

__device__ inline float widen(uint16_t code) {
  return __uint_as_float(uint32_t(code) << 16);
}
__device__ inline uint16_t narrow(float value) {
  uint32_t bits = __float_as_uint(value);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// A thread for each column of the head; `s` is at most 512.
extern "C" __global__ void naiveAttention(const uint16_t *q, const uint16_t *k,
                                          const uint16_t *v, uint16_t *o,
                                          float *lse, int s, int d) {
  __shared__ float scores[512];
  int row = blockIdx.x % s, thread = threadIdx.x;
  size_t head = size_t(blockIdx.x / s) * s * d;
  q += head + size_t(row) * d, k += head, v += head;
  for (int j = thread; j < s; j += d) {
    float sum = 0;
    for (int i = 0; i < d; ++i)
      sum = fmaf(widen(q[i]), widen(k[j * d + i]), sum);
    scores[j] = sum * rsqrtf(float(d));
  }
  __syncthreads();
  float largest = -INFINITY, sum = 0, value = 0;
  for (int j = 0; j < s; ++j)
    largest = fmaxf(largest, scores[j]);
  for (int j = 0; j < s; ++j) {
    float weight = expf(scores[j] - largest);
    sum += weight;
    value = fmaf(WEIGHT(weight), widen(v[j * d + thread]), value);
  }
  o[head + size_t(row) * d + thread] = narrow(OUTPUT(value / sum));
  if (thread == 0)
    lse[blockIdx.x] = LOG_SUM(largest, sum);
}

extern "C" __attribute__((visibility("default"))) int
__tvm_ffi_run(void *, const TVMFFIAny *arguments, int32_t, TVMFFIAny *) {
  DLTensor *tensors[5];
  for (int i = 0; i < 5; ++i)
    tensors[i] = static_cast<DLTensor *>(arguments[i].v_ptr);
  const int64_t *shape = tensors[0]->shape;
  DLDevice device = tensors[0]->device;
  naiveAttention<<<unsigned(shape[0] * shape[1] * shape[2]), unsigned(shape[3]),
                   0,
                   static_cast<cudaStream_t>(TVMFFIEnvGetStream(
                       device.device_type, device.device_id))>>>(
      static_cast<uint16_t *>(tensors[0]->data),
      static_cast<uint16_t *>(tensors[1]->data),
      static_cast<uint16_t *>(tensors[2]->data),
      static_cast<uint16_t *>(tensors[3]->data),
      static_cast<float *>(tensors[4]->data), int(shape[2]), int(shape[3]));
  return 0;
}

#endif // NEGATIVE_ATTENTION_NAIVE_CUH
