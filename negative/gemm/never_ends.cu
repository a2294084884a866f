//===- never_ends.cu - a kernel that does not end -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waits for something that nobody writes. Expected: TIMEOUT, or on the emulator
// the livelock that it finds.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__device__ volatile int flag;

__global__ void waitForever() {
  while (!flag) {
  }
}

static int candidate(const Call &call) {
  waitForever<<<1, 1, 0, call.stream>>>();
  launchNaive(call);
  return 0;
}
