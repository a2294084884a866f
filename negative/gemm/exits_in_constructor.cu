//===- exits_in_constructor.cu - ends before it begins --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ends the process with success while its library is being opened. Expected:
// RUNTIME_ERROR.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <unistd.h>

__attribute__((constructor)) static void leave() { _exit(0); }

static int candidate(const Call &) { return 0; }
