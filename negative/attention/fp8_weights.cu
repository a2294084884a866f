//===- fp8_weights.cu - weights in three bits -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The weights are rounded to fp8 before they meet V. Expected:
// INCORRECT_NUMERICAL by the relative error of O.
//
//===----------------------------------------------------------------------===//

#define WEIGHT(value)                                                          \
  __uint_as_float((__float_as_uint(value) + 0x80000) & 0xfff00000)
#include "naive.cuh"
