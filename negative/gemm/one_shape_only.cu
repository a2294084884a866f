//===- one_shape_only.cu - made for the headline --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right where M is a multiple of 128; other rows are left out. Expected:
// INCORRECT_NUMERICAL for any other shape.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  Call part = call;
  part.m -= part.m % 128;
  if (part.m)
    launchNaive(part);
  return 0;
}
