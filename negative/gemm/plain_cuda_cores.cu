//===- plain_cuda_cores.cu - right numbers, no tensor core ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The naive kernel as it is. Expected: TARGET_NOT_EXECUTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  launchNaive(call);
  return 0;
}
