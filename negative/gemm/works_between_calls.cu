//===- works_between_calls.cu - A thread goes on after the call -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every call computes what it should, while a thread that the first one started
// keeps the device at work, also between calls, as one would to prepare them
// outside of their time. Every piece of work has the call that asked for it on
// record, and some were asked for by none: REJECTED, WORK_OUTSIDE_CALL.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <chrono>
#include <thread>

__global__ void prepare(uint16_t *scratch) { scratch[threadIdx.x] = 1; }

static void worker() {
  cudaStream_t stream;
  uint16_t *scratch;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&scratch, 4096);
  for (;;) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    prepare<<<1, 256, 0, stream>>>(scratch);
  }
}

static int candidate(const Call &call) {
  static bool started = false;
  if (!started)
    std::thread(worker).detach();
  started = true;
  launchNaive(call);
  return 0;
}
