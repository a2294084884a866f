//===- patches_timers.cu - clocks that stand still ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The naive kernel in a library that has the functions by which times are
// taken. Harmless: nobody asks it for the time. Expected: TARGET_NOT_EXECUTED,
// as without them.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <ctime>

extern "C" __attribute__((visibility("default"))) int
clock_gettime(clockid_t, timespec *time) noexcept {
  *time = {1, 0};
  return 0;
}

extern "C" __attribute__((visibility("default"))) cudaError_t
cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 1e-6f;
  return cudaSuccess;
}

static int candidate(const Call &call) {
  launchNaive(call);
  return 0;
}
