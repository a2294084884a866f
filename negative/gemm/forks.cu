//===- forks.cu - a second process ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts a process that could go on working when the call is over. Expected:
// BANNED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <unistd.h>

static int candidate(const Call &call) {
  launchNaive(call);
  return fork() < 0;
}
