//===- exits_in_call.cu - ends the process --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ends the process with success in the first call. Expected: RUNTIME_ERROR.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cstdlib>

static int candidate(const Call &) { std::exit(0); }
