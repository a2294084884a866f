//===- crashes_host.cu - a segmentation fault -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes through a null pointer on the host. Expected: RUNTIME_ERROR that names
// the signal.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &) {
  volatile int *volatile nowhere = nullptr;
  *nowhere = 1;
  return 0;
}
