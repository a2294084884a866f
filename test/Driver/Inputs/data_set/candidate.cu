// Y = X * factor + shift, negated if asked: a tensor of a file, and numbers.

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

extern "C" __global__ void scale(const __half *x, float factor, int shift,
                                 bool negate, float *y) {
  float value = __half2float(x[threadIdx.x]) * factor + float(shift);
  y[threadIdx.x] = negate ? -value : value;
}

static void run(tvm::ffi::TensorView x, double factor, int64_t shift,
                bool negate, tvm::ffi::TensorView y) {
  scale<<<1, unsigned(x.size(0) * x.size(1))>>>(
      static_cast<const __half *>(x.data_ptr()), float(factor), int(shift),
      negate, static_cast<float *>(y.data_ptr()));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
