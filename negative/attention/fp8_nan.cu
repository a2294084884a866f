//===- fp8_nan.cu - an element of each head is NaN -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The task demands 99.5 % of the elements, so that one in thousands is of no
// weight; but none may be NaN. Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#define CODE (row == s - 1 && column == 3 ? 0x7f : code)

#include "naive_fp8.cuh"
