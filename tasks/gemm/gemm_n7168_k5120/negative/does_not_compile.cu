//===- does_not_compile.cu - inline PTX that ptxas refuses ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C++ is fine. The wgmma is not: m64n8k16 with f32 has four accumulator
// registers per thread, and three are given. Expected: COMPILE_ERROR with the
// message of ptxas.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

extern "C" __global__ void doesNotCompile(float *out) {
  float x = 0, y = 0, z = 0;
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.eq.u32 p, 0, 0;\n\t"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
               "{%0, %1, %2}, %3, %3, p, 1, 1, 0, 0;\n\t"
               "}"
               : "+f"(x), "+f"(y), "+f"(z)
               : "l"(uint64_t{0}));
  *out = x + y + z;
}

namespace {

void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    TVM_FFI_THROW(RuntimeError) << what << ": " << cudaGetErrorString(error);
}

cudaStream_t streamOf(tvm::ffi::TensorView tensor) {
  DLDevice device = tensor.device();
  check(cudaSetDevice(device.device_id), "cudaSetDevice");
  return static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
}

void run(tvm::ffi::TensorView a, tvm::ffi::TensorView, tvm::ffi::TensorView) {
  doesNotCompile<<<1, 128, 0, streamOf(a)>>>(nullptr);
  check(cudaGetLastError(), "launch of doesNotCompile");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
