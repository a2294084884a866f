//===- works_between_calls.cu - A thread goes on after the call -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every call computes what it should, and wakes a thread that gives the device
// more to do once the call is over, as one would to prepare the next call
// outside of its time. Every piece of work has the call that asked for it on
// record, and this one was asked for by none: REJECTED, WORK_OUTSIDE_CALL.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<int> wanted{0};

__global__ void prepare(uint16_t *scratch) { scratch[threadIdx.x] = 1; }

static void worker() {
  cudaStream_t stream;
  uint16_t *scratch;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&scratch, 4096);
  for (int done = 0;; ++done) {
    while (wanted == done)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    prepare<<<1, 256, 0, stream>>>(scratch);
  }
}

static int candidate(const Call &call) {
  static bool started = false;
  if (!started)
    std::thread(worker).detach();
  started = true;
  launchNaive(call);
  ++wanted;
  return 0;
}
