//===- never_ends.cu - a kernel that waits for ever -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread waits for a phase of an mbarrier on which nobody arrives.
// Expected: TIMEOUT, after which the next candidate runs on a working device.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

extern "C" __global__ void neverEnds() {
  __shared__ __align__(8) uint64_t barrierStorage;
  uint32_t barrier =
      static_cast<uint32_t>(__cvta_generic_to_shared(&barrierStorage));
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier)
               : "memory");
  uint32_t done;
  do {
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t"
                 "}"
                 : "=r"(done)
                 : "r"(barrier)
                 : "memory");
  } while (!done);
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
  neverEnds<<<1, 1, 0, streamOf(a)>>>();
  check(cudaGetLastError(), "launch of neverEnds");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
