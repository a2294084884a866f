//===- forks.cu - a second process ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts a process that could go on working when the call is over. Expected:
// RUNTIME_ERROR: the process that it is in has no right to, or else the
// candidate says what became of it.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <unistd.h>

static int candidate(const Call &call) {
  launchNaive(call);
  int child = fork();
  if (child == 0)
    for (;;)
      pause();
  return -1;
}
