//===- cublas_by_alias.cu - cuBLAS by an alias of the assembler -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The name of the function stands in a string only, behind which the compiler
// puts no meaning. Expected: BANNED, by what the library imports.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

extern "C" int makeHandle(void **) __asm__("cub"
                                           "lasCreate_v2");

static int candidate(const Call &call) {
  void *handle = nullptr;
  launchNaive(call);
  return makeHandle(&handle);
}
