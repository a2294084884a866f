//===- cublas_by_pointer.cu - cuBLAS through a pointer --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares one function of cuBLAS itself and calls it by its address. Expected:
// BANNED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

extern "C" int cublasCreate_v2(void **);

static int candidate(const Call &call) {
  int (*create)(void **) = &cublasCreate_v2;
  void *handle = nullptr;
  launchNaive(call);
  return create(&handle);
}
