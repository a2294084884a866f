//===- lse_base_two.cu - a logarithm of another base ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LSE is the binary logarithm. Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#define LOG_SUM(largest, sum) ((largest)*1.44269504f + log2f(sum))
#include "naive.cuh"
