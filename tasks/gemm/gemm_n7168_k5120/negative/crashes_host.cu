//===- crashes_host.cu - a segmentation fault in host code ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `run` writes through a null pointer on the CPU. Expected: RUNTIME_ERROR that
// names the signal; the harness itself lives on.
//
//===----------------------------------------------------------------------===//

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

namespace {

void run(tvm::ffi::TensorView, tvm::ffi::TensorView, tvm::ffi::TensorView) {
  // The pointer is volatile, so that the compiler cannot see that it is null;
  // what it points to is volatile, so that the write is kept.
  volatile int *volatile nowhere = nullptr;
  *nowhere = 1;
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
