//===- races_unless_checked.cu - Looks for who is looking ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sets the emulator's checks, and the folder that a worker has, would tell
// a candidate whether it is watched. This one has no race where it finds a sign
// of that. The judged calls are those that are watched, and nothing is in the
// environment: RUNTIME_ERROR, a race.
//
//===----------------------------------------------------------------------===//

#include "racy.cuh"

static int candidate(const Call &call) {
  if (isWatched())
    launchNaive(call);
  else
    launchRacy(call);
  return 0;
}
