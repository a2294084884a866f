//===- forks_by_number.cu - a second process by a system call -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same by its number. Expected: RUNTIME_ERROR.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <sys/syscall.h>
#include <unistd.h>

static int candidate(const Call &call) {
  launchNaive(call);
  long child = syscall(SYS_clone, 17, 0, 0, 0, 0);
  if (child == 0)
    for (;;)
      pause();
  return -1;
}
