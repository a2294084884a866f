//===- naive_fp8.cuh - Right attention in fp8 on CUDA cores ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the candidates of fp8 tasks start from. Q, K, V and O are in
// float8_e4m3fn, with a scale in float32 for each of the inputs. Two may be
// defined before: LEFT_OUT, whether an element of the output (`row`, `column`)
// is left alone, and CODE, what it gets in place of `code`.
//
//===----------------------------------------------------------------------===//

#ifndef NEGATIVE_ATTENTION_NAIVE_FP8_CUH
#define NEGATIVE_ATTENTION_NAIVE_FP8_CUH

#include <cmath>
#include <cstdint>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#ifndef LEFT_OUT
#define LEFT_OUT false
#endif
#ifndef CODE
#define CODE code
#endif

__device__ inline float widen(uint8_t code) {
  __nv_fp8_e4m3 value;
  value.__x = code;
  return float(value);
}

/// A block for each row; `s` is at most 512.
extern "C" __global__ void
naiveAttention(const uint8_t *q, const uint8_t *k, const uint8_t *v,
               const float *scaleQ, const float *scaleK, const float *scaleV,
               uint8_t *o, float *lse, int s, int d) {
  __shared__ float scores[512];
  int row = blockIdx.x % s, thread = threadIdx.x;
  size_t head = size_t(blockIdx.x / s) * s * d;
  q += head + size_t(row) * d, k += head, v += head, o += head;
  for (int j = thread; j < s; j += blockDim.x) {
    float sum = 0;
    for (int i = 0; i < d; ++i)
      sum = fmaf(widen(q[i]), widen(k[j * d + i]), sum);
    scores[j] = sum * *scaleQ * *scaleK * rsqrtf(float(d));
  }
  __syncthreads();
  float largest = -INFINITY, sum = 0;
  for (int j = 0; j < s; ++j)
    largest = fmaxf(largest, scores[j]);
  for (int j = 0; j < s; ++j)
    sum += expf(scores[j] - largest);
  if (thread == 0)
    lse[blockIdx.x] = largest + logf(sum);
  for (int column = thread; column < d; column += blockDim.x) {
    float value = 0;
    for (int j = 0; j < s; ++j)
      value = fmaf(expf(scores[j] - largest), widen(v[j * d + column]), value);
    uint8_t code = __nv_fp8_e4m3(value / sum * *scaleV).__x;
    if (!(LEFT_OUT))
      o[size_t(row) * d + column] = CODE;
  }
}

extern "C" __attribute__((visibility("default"))) int
__tvm_ffi_run(void *, const TVMFFIAny *arguments, int32_t, TVMFFIAny *) {
  DLTensor *tensors[8];
  for (int i = 0; i < 8; ++i)
    tensors[i] = static_cast<DLTensor *>(arguments[i].v_ptr);
  const int64_t *shape = tensors[0]->shape;
  DLDevice device = tensors[0]->device;
  auto codes = [&](int i) { return static_cast<uint8_t *>(tensors[i]->data); };
  auto numbers = [&](int i) { return static_cast<float *>(tensors[i]->data); };
  naiveAttention<<<unsigned(shape[0] * shape[1] * shape[2]), 64, 0,
                   static_cast<cudaStream_t>(TVMFFIEnvGetStream(
                       device.device_type, device.device_id))>>>(
      codes(0), codes(1), codes(2), numbers(3), numbers(4), numbers(5),
      codes(6), numbers(7), int(shape[2]), int(shape[3]));
  return 0;
}

#endif // NEGATIVE_ATTENTION_NAIVE_FP8_CUH
