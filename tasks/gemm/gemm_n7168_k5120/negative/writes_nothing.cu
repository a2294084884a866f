//===- writes_nothing.cu - a kernel that leaves C untouched ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launch succeeds and C keeps what stood in it. If the harness hands out
// memory that still holds an earlier result, this passes; with poisoned outputs
// it cannot. Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

extern "C" __global__ void writesNothing() {}

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
  writesNothing<<<1, 32, 0, streamOf(a)>>>();
  check(cudaGetLastError(), "launch of writesNothing");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
