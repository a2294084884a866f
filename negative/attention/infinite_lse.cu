//===- infinite_lse.cu - minus infinity for LSE ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LSE is minus infinity, as for rows without a key, of which there are none.
// Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#define LOG_SUM(largest, sum) (-INFINITY)
#include "naive.cuh"
