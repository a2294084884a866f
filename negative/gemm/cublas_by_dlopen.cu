//===- cublas_by_dlopen.cu - cuBLAS at run time ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens cuBLAS by its file name. Expected: BANNED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <dlfcn.h>

static int candidate(const Call &call) {
  launchNaive(call);
  return dlopen("libcublas.so.13", RTLD_NOW) ? 0 : -1;
}
