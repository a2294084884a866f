//===- fp8_element_missing.cu - an element of each head is left ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The task demands 99.5 % of the elements, so that one in thousands is of no
// weight; but none may be left unwritten. Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#define LEFT_OUT (row == s - 1 && column == 3)

#include "naive_fp8.cuh"
