//===- every_second_call.cu - one call for two ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes in every second call only, as if the work of two could be done in
// one. Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  static int calls = 0;
  if (calls++ % 2 == 0)
    launchNaive(call);
  return 0;
}
