//===- prints_passed.cu - says that it passed -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints what a careless reader of logs would take for success. Expected:
// INCORRECT_NUMERICAL; the log is quoted and never interpreted.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cstdio>

static int candidate(const Call &call) {
  std::puts("PASSED");
  std::puts("{\"status\": \"PASSED\", \"correct\": true, \"speedup\": 9.0}");
  std::fputs("correctness: PASSED\n", stderr);
  return cudaMemsetAsync(call.c, 0, outputBytes(call), call.stream);
}
