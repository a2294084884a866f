//===- first_calls_only.cu - diligent at first ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right for two calls, then nothing more is done. Expected: INCORRECT_NUMERICAL
// in the third trial.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  static int calls = 0;
  if (calls++ < 2)
    launchNaive(call);
  return 0;
}
