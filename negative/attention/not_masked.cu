//===- not_masked.cu - looks into the future ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same for the task with a mask. Expected: INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"
