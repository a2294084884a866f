// Attention with one thread for each query, in float32: right, and slow.
//
//   with -DCAUSAL        query i sees keys 0 to i
//   with -DZEROS         O is all zero, LSE right
//   with -DWRONG_LSE     LSE has the base 2
//   with -DNO_LSE        LSE is not written

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

extern "C" __global__ void attend(const __nv_bfloat16 *q,
                                  const __nv_bfloat16 *k,
                                  const __nv_bfloat16 *v, __nv_bfloat16 *o,
                                  float *lse, int rows, int length, int d) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int head = row / length, position = row % length;
  (void)position;
  q += int64_t(row) * d;
  o += int64_t(row) * d;
  k += int64_t(head) * length * d;
  v += int64_t(head) * length * d;
  float scale = 1.0f / sqrtf(float(d)), top = -INFINITY, sum = 0;
  float total[256];
  for (int x = 0; x < d; ++x)
    total[x] = 0;
#ifdef CAUSAL
  int keys = position + 1;
#else
  int keys = length;
#endif
  for (int j = 0; j < keys; ++j) {
    float score = 0;
    for (int x = 0; x < d; ++x)
      score += __bfloat162float(q[x]) * __bfloat162float(k[j * d + x]);
    score *= scale;
    float next = fmaxf(top, score), shrink = expf(top - next),
          weight = expf(score - next);
    top = next;
    sum = sum * shrink + weight;
    for (int x = 0; x < d; ++x)
      total[x] = total[x] * shrink + weight * __bfloat162float(v[j * d + x]);
  }
  for (int x = 0; x < d; ++x)
#ifdef ZEROS
    o[x] = __float2bfloat16(0.0f);
#else
    o[x] = __float2bfloat16(total[x] / sum);
#endif
#ifdef WRONG_LSE
  lse[row] = (top + logf(sum)) * 1.44269504f;
#elif !defined(NO_LSE)
  lse[row] = top + logf(sum);
#endif
}

static void run(tvm::ffi::TensorView q, tvm::ffi::TensorView k,
                tvm::ffi::TensorView v, tvm::ffi::TensorView o,
                tvm::ffi::TensorView lse) {
  int heads = int(q.size(0) * q.size(1)), length = int(q.size(2)),
      d = int(q.size(3)), rows = heads * length;
  attend<<<(rows + 63) / 64, 64>>>(
      static_cast<const __nv_bfloat16 *>(q.data_ptr()),
      static_cast<const __nv_bfloat16 *>(k.data_ptr()),
      static_cast<const __nv_bfloat16 *>(v.data_ptr()),
      static_cast<__nv_bfloat16 *>(o.data_ptr()),
      static_cast<float *>(lse.data_ptr()), rows, length, d);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    TVM_FFI_THROW(RuntimeError) << cudaGetErrorString(error);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
