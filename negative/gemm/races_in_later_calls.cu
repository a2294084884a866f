//===- races_in_later_calls.cu - The first call is clean -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What looks at one call only looks at the first. This one has a race in the
// others. RUNTIME_ERROR.
//
//===----------------------------------------------------------------------===//

#include "racy.cuh"

static int candidate(const Call &call) {
  static int calls = 0;
  if (calls++)
    launchRacy(call);
  else
    launchNaive(call);
  return 0;
}
