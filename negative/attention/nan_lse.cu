//===- nan_lse.cu - NaN for LSE -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LSE is NaN, which some comparisons take for equal. Expected:
// INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#define LOG_SUM(largest, sum) NAN
#include "naive.cuh"
