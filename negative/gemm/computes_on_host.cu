//===- computes_on_host.cu - uses no device -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host computes is copied to the device and back. No kernel is
// launched. Expected: REJECTED.
//
//===----------------------------------------------------------------------===//

#include "host.cuh"

#include <vector>

static int candidate(const Call &call) {
  std::vector<uint16_t> a(size_t(call.m) * call.k), b(size_t(call.n) * call.k),
      c(size_t(call.m) * call.n);
  cudaMemcpy(a.data(), call.a, 2 * a.size(), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), call.b, 2 * b.size(), cudaMemcpyDeviceToHost);
  computeOnHost(a.data(), b.data(), c.data(), call);
  cudaMemcpy(call.c, c.data(), 2 * c.size(), cudaMemcpyHostToDevice);
  return 0;
}
