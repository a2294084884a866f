//===- computes_beside_a_kernel.cu - A kernel for show --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host computes everything, in the device's memory, beside a kernel that
// does nothing. No host can reach that memory on a machine with a device, and
// on the emulator, where it could, it must not: RUNTIME_ERROR, SIGSEGV.
//
//===----------------------------------------------------------------------===//

#include "host.cuh"

__global__ void nothing() {}

static int candidate(const Call &call) {
  nothing<<<1, 1, 0, call.stream>>>();
  computeOnHost(call.a, call.b, call.c, call);
  return 0;
}
