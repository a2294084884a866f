//===- mutates_inputs.cu - changes the question ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets A to zero, so that zeros are the right answer. Expected: RUNTIME_ERROR,
// for an input was written to.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  cudaMemsetAsync(call.a, 0, size_t(call.m) * call.k * 2, call.stream);
  return cudaMemsetAsync(call.c, 0, outputBytes(call), call.stream);
}
