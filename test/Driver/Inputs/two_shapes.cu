//===- two_shapes.cu - one kernel launched with two shapes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts come as one sum of both launches.
//
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

/// Every thread executes the first instruction; the second one needs n > 4.
extern "C" __global__ void launched(int n) {
  asm volatile("griddepcontrol.launch_dependents;");
  if (n > 4)
    asm volatile("griddepcontrol.wait;" ::: "memory");
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
  launched<<<2, 64, 0, streamOf(a)>>>(3);
  launched<<<3, 32, 0, streamOf(a)>>>(9);
  check(cudaGetLastError(), "launch");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
