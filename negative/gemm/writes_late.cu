//===- writes_late.cu - a thread that works on after the return -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Returns at once and computes in a thread of its own, a while later. Expected:
// INCORRECT_NUMERICAL, since outputs are read when the device has finished
// after the return.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <thread>
#include <unistd.h>

static int candidate(const Call &call) {
  std::thread([call] {
    usleep(500000);
    launchNaive(call);
  }).detach();
  return 0;
}
