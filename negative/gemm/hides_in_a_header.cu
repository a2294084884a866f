//===- hides_in_a_header.cu - cuBLAS in another file ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The source itself is clean; the header that it includes is not. Expected:
// BANNED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include "hidden.cuh"

static int candidate(const Call &call) { return hiddenGemm(call); }
