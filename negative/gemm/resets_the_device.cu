//===- resets_the_device.cu - takes everything away -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resets the device in the call, and with it the memory of the tensors.
// Expected: RUNTIME_ERROR.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  launchNaive(call);
  cudaDeviceReset();
  return 0;
}
