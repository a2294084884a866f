//===- sticky_error.cu - an illegal address on the device -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel writes to an address that is not mapped. The launch itself reports
// success; the error appears at the next synchronisation and stays with the
// context, so every later CUDA call in the same process fails too. Expected:
// RUNTIME_ERROR, after which the next candidate is not affected.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

extern "C" __global__ void stickyError() {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(uint64_t{16}), "r"(1u)
               : "memory");
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
  stickyError<<<1, 1, 0, streamOf(a)>>>();
  check(cudaGetLastError(), "launch of stickyError");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
