//===- writes_past_the_end.cu - one element too many ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes one element behind C. Expected: RUNTIME_ERROR: on the emulator the
// access itself, on a GPU the bytes that guard the tensor.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void mark(uint16_t *c) { *c = 1; }

static int candidate(const Call &call) {
  launchNaive(call);
  mark<<<1, 1, 0, call.stream>>>(call.c + call.m * call.n);
  return 0;
}
