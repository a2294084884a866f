//===- fails_on_device.cu - an illegal access -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes to an address that nobody has. Expected: RUNTIME_ERROR; the next
// candidate is not harmed.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

__global__ void poke(uint16_t *where) { *where = 1; }

static int candidate(const Call &call) {
  launchNaive(call);
  poke<<<1, 1, 0, call.stream>>>(reinterpret_cast<uint16_t *>(0x10000));
  return 0;
}
