//===- two_kernels.cu - several kernels in one call ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profiler may count the first of them only.
//
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

extern "C" __global__ void first() {
  asm volatile("griddepcontrol.launch_dependents;");
}

extern "C" __global__ void second() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

struct alignas(64) Block {
  char bytes[64];
};

/// The driver has `n` 48 bytes behind where the PTX ISA has it.
extern "C" __global__ void aligned(__grid_constant__ const Block block, int n) {
  if (n > 4)
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

/// Of the same module, and not launched.
extern "C" __global__ void idle() {
  asm volatile("griddepcontrol.launch_dependents;");
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
  first<<<2, 64, 0, streamOf(a)>>>();
  second<<<3, 32, 0, streamOf(a)>>>();
  first<<<2, 64, 0, streamOf(a)>>>();
  aligned<<<1, 32, 0, streamOf(a)>>>(Block{}, 9);
  check(cudaGetLastError(), "launch");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
