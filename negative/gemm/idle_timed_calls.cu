//===- idle_timed_calls.cu - Timed calls that do nothing ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right in the first calls, in which outputs are judged; after that it returns
// at once. A call without any work on record has no time: REJECTED,
// NO_DEVICE_WORK.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  static int calls = 0;
  if (calls++ < 3)
    launchNaive(call);
  return 0;
}
