//===- caches_by_fingerprint.cu - a fingerprint that is too short ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps results under the sign of the first element of A and the shape.
// Expected: INCORRECT_NUMERICAL as soon as two trials have the same
// fingerprint.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  static void *kept[2] = {};
  uint16_t first = 0;
  cudaMemcpy(&first, call.a, 2, cudaMemcpyDeviceToHost);
  void *&mine = kept[first >> 15];
  if (mine)
    return cudaMemcpyAsync(call.c, mine, outputBytes(call),
                           cudaMemcpyDeviceToDevice, call.stream);
  launchNaive(call);
  cudaMalloc(&mine, outputBytes(call));
  return cudaMemcpyAsync(mine, call.c, outputBytes(call),
                         cudaMemcpyDeviceToDevice, call.stream);
}
