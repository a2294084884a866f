//===- pipe_for_output.cu - lets the reader wait --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts a pipe that nobody writes to, and a link to a device without an end, in
// the place of saved files. Expected: REJECTED, at once.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <sys/stat.h>
#include <unistd.h>

static int candidate(const Call &call) {
  launchNaive(call);
  if (unlink("call0.arg2.bin") == 0 && mkfifo("call0.arg2.bin", 0600) != 0)
    return 1;
  if (unlink("trace.json") == 0 && symlink("/dev/zero", "trace.json") != 0)
    return 1;
  return 0;
}
