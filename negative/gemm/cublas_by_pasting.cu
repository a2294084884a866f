//===- cublas_by_pasting.cu - cuBLAS by token pasting ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No token of the source is a name of cuBLAS; the preprocessor makes one.
// Expected: BANNED, by what the library imports.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#define BLAS(name) cub##las##name

extern "C" int BLAS(Create_v2)(void **);

static int candidate(const Call &call) {
  void *handle = nullptr;
  launchNaive(call);
  return BLAS(Create_v2)(&handle);
}
