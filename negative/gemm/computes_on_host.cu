//===- computes_on_host.cu - uses no device -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator's memory is the host's, which this relies on. No kernel is
// launched. Expected: REJECTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cstring>

static float widenOnHost(uint16_t code) {
  uint32_t bits = uint32_t(code) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

static int candidate(const Call &call) {
  for (int row = 0; row < call.m; ++row)
    for (int column = 0; column < call.n; ++column) {
      float sum = 0;
      for (int i = 0; i < call.k; ++i)
        sum += widenOnHost(call.a[row * call.k + i]) *
               widenOnHost(call.b[column * call.k + i]);
      uint32_t bits;
      std::memcpy(&bits, &sum, sizeof bits);
      call.c[row * call.n + column] =
          uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
  return 0;
}
