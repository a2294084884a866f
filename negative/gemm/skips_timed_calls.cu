//===- skips_timed_calls.cu - Faster than the memory can be ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right in the first calls, in which outputs are judged; after that it writes
// one element. No device reads the operands in that time: REJECTED,
// FASTER_THAN_HARDWARE.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void touch(uint16_t *c) { *c = 0; }

static int candidate(const Call &call) {
  static int calls = 0;
  if (calls++ < 3)
    launchNaive(call);
  else
    touch<<<1, 1, 0, call.stream>>>(call.c);
  return 0;
}
