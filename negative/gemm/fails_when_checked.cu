//===- fails_when_checked.cu - Fails only where it is watched ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Returns an error where something tells it that it is watched, so that there
// is no end and no finding, and has a race where nothing does. What is watched
// are the judged calls, and nothing tells: RUNTIME_ERROR, a race.
//
//===----------------------------------------------------------------------===//

#include "racy.cuh"

static int candidate(const Call &call) {
  if (isWatched())
    return -1;
  launchRacy(call);
  return 0;
}
