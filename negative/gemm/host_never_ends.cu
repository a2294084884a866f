//===- host_never_ends.cu - host code that does not end -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops on the host. Expected: TIMEOUT.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static volatile bool forever = true;

static int candidate(const Call &) {
  while (forever) {
  }
  return 0;
}
