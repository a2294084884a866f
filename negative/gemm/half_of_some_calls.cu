//===- half_of_some_calls.cu - less work in some of the timed calls -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right in the trials; after them every second call leaves out half of the
// rows, so that the median is that of half of the work. Expected:
// INCORRECT_NUMERICAL in a timed call, whichever it is that the reference
// judges.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  static int calls = 0;
  Call part = call;
  if (calls++ > 3 && calls % 2)
    part.m = call.m / 2;
  launchNaive(part);
  return 0;
}
