//===- last_row_missing.cu - all rows but one -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last row is not written. Expected: INCORRECT_NUMERICAL with the number of
// elements that were never written.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  Call most = call;
  --most.m;
  launchNaive(most);
  return 0;
}
