//===- launches_nothing.cu - a candidate without a launch ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It has a kernel and never starts it.
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

void run(tvm::ffi::TensorView, tvm::ffi::TensorView, tvm::ffi::TensorView) {}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
