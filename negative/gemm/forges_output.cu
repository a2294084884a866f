//===- forges_output.cu - hands in the output of a call later -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first call leaves zeros. The next one writes what they should have been
// into the file where the output was saved. Expected: REJECTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <fstream>
#include <vector>

static int candidate(const Call &call) {
  static uint16_t *late = nullptr;
  if (late) {
    std::vector<char> bytes(outputBytes(call));
    cudaMemcpy(bytes.data(), late, bytes.size(), cudaMemcpyDeviceToHost);
    std::ofstream("call0.arg2.bin", std::ios::binary)
        .write(bytes.data(), std::streamsize(bytes.size()));
    launchNaive(call);
    return 0;
  }
  if (cudaMalloc(reinterpret_cast<void **>(&late), outputBytes(call)))
    return 1;
  Call other = call;
  other.c = late;
  launchNaive(other);
  cudaMemsetAsync(call.c, 0, outputBytes(call), call.stream);
  return 0;
}
