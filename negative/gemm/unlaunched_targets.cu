//===- unlaunched_targets.cu - in a kernel that nobody launches -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma and TMA stand in a second kernel, which would execute them if it were
// launched. Expected: TARGET_NOT_EXECUTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include "targets.cuh"

__global__ void neverLaunched(const void *map) {
  copyForShow(map, 0, 0);
  multiplyForShow(0);
}

/// Keeps the kernel in the file.
extern "C" const void *const keep =
    reinterpret_cast<const void *>(&neverLaunched);

static int candidate(const Call &call) {
  launchNaive(call);
  return 0;
}
