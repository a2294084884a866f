//===- does_not_compile.cu - no C++ ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected: COMPILE_ERROR.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) { return launchNaive(call).value; }
