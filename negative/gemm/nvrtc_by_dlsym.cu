//===- nvrtc_by_dlsym.cu - a compiler at run time -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks for NVRTC among what the process has loaded. Expected: BANNED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <dlfcn.h>

static int candidate(const Call &call) {
  launchNaive(call);
  return dlsym(RTLD_DEFAULT, "nvrtcCompileProgram") ? 0 : -1;
}
