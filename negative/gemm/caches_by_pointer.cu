//===- caches_by_pointer.cu - the answer to an earlier question -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the result of the first call and gives it again to whoever passes the
// same pointers. Expected: INCORRECT_NUMERICAL in the second trial, whose
// inputs are fresh.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  static const uint16_t *known = nullptr;
  static void *kept = nullptr;
  if (known == call.a)
    return cudaMemcpyAsync(call.c, kept, outputBytes(call),
                           cudaMemcpyDeviceToDevice, call.stream);
  known = call.a;
  launchNaive(call);
  cudaMalloc(&kept, outputBytes(call));
  return cudaMemcpyAsync(kept, call.c, outputBytes(call),
                         cudaMemcpyDeviceToDevice, call.stream);
}
