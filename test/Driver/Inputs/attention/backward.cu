// Gradients of attention, a thread for each query and one for each key, in
// float32: right, and slow.
//
//   with -DCAUSAL          query i sees keys 0 to i
//   with -DNO_DELTA        O is not used: dS = P * dP

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

using Element = __nv_bfloat16;

static __device__ float dot(const Element *a, const Element *b, int d) {
  float sum = 0;
  for (int x = 0; x < d; ++x)
    sum += __bfloat162float(a[x]) * __bfloat162float(b[x]);
  return sum;
}

extern "C" __global__ void differentiate(const Element *q, const Element *k,
                                         const Element *v, const Element *o,
                                         const Element *g, const float *lse,
                                         Element *dq, Element *dk, Element *dv,
                                         int rows, int length, int d) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int64_t first = int64_t(row / length) * length;
  int position = row % length;
  float scale = 1.0f / sqrtf(float(d));
  float ofQuery[128], ofKey[128], ofValue[128];
  for (int x = 0; x < d; ++x)
    ofQuery[x] = ofKey[x] = ofValue[x] = 0;
  // P and dS of query i and key j.
  auto weights = [&](int64_t i, int64_t j, float &p, float &ds) {
    p = expf(dot(q + i * d, k + j * d, d) * scale - lse[i]);
    float delta = dot(g + i * d, o + i * d, d);
#ifdef NO_DELTA
    delta = 0;
#endif
    ds = p * (dot(g + i * d, v + j * d, d) - delta) * scale;
  };
  for (int other = 0; other < length; ++other) {
    float p, ds;
#ifdef CAUSAL
    if (other <= position)
#endif
    {
      weights(row, first + other, p, ds);
      for (int x = 0; x < d; ++x)
        ofQuery[x] += ds * __bfloat162float(k[(first + other) * d + x]);
    }
#ifdef CAUSAL
    if (other >= position)
#endif
    {
      weights(first + other, row, p, ds);
      for (int x = 0; x < d; ++x) {
        ofKey[x] += ds * __bfloat162float(q[(first + other) * d + x]);
        ofValue[x] += p * __bfloat162float(g[(first + other) * d + x]);
      }
    }
  }
  (void)position;
  for (int x = 0; x < d; ++x) {
    dq[int64_t(row) * d + x] = __float2bfloat16(ofQuery[x]);
    dk[int64_t(row) * d + x] = __float2bfloat16(ofKey[x]);
    dv[int64_t(row) * d + x] = __float2bfloat16(ofValue[x]);
  }
}

static void run(tvm::ffi::TensorView q, tvm::ffi::TensorView k,
                tvm::ffi::TensorView v, tvm::ffi::TensorView o,
                tvm::ffi::TensorView g, tvm::ffi::TensorView lse,
                tvm::ffi::TensorView dq, tvm::ffi::TensorView dk,
                tvm::ffi::TensorView dv) {
  int length = int(q.size(2)), d = int(q.size(3)),
      rows = int(q.size(0) * q.size(1)) * length;
  auto data = [](tvm::ffi::TensorView &tensor) {
    return static_cast<Element *>(tensor.data_ptr());
  };
  differentiate<<<(rows + 63) / 64, 64>>>(
      data(q), data(k), data(v), data(o), data(g),
      static_cast<const float *>(lse.data_ptr()), data(dq), data(dk), data(dv),
      rows, length, d);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    TVM_FFI_THROW(RuntimeError) << cudaGetErrorString(error);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
