//===- all_zeros.cu - zeros for an answer ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills C with zeros. Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  return cudaMemsetAsync(call.c, 0, outputBytes(call), call.stream);
}
