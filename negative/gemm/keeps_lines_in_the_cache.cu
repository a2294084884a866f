//===- keeps_lines_in_the_cache.cu - A window that survives the flush -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the device to keep an operand in the L2 from call to call. The lines are
// given up before each call, with the flush: harmless, and no target executes.
// TARGET_NOT_EXECUTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  static bool asked = false;
  if (!asked) {
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, size_t(8) << 20);
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = call.b;
    value.accessPolicyWindow.num_bytes =
        size_t(call.n) * call.k * sizeof(uint16_t);
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    cudaStreamSetAttribute(call.stream, cudaStreamAttributeAccessPolicyWindow,
                           &value);
  }
  asked = true;
  // Asking is worth a try.
  cudaGetLastError();
  launchNaive(call);
  return 0;
}
