//===- own_stream.cu - Work that the caller's stream does not wait for ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes on a stream of its own and returns: events on the caller's stream
// see nothing of it, and neither does whatever the caller runs next. Its time
// counts all the same, but the output of one timed call is copied on the
// caller's stream, where it is not there yet: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  static cudaStream_t own = nullptr;
  if (!own)
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  Call elsewhere = call;
  elsewhere.stream = own;
  launchNaive(elsewhere);
  return 0;
}
