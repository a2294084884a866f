//===- returns_an_error.cu - an error without a message -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Returns what means failure, after right work. Expected: RUNTIME_ERROR.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  launchNaive(call);
  return -1;
}
