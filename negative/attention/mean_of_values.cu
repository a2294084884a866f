//===- mean_of_values.cu - the mean for an answer -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All weights are equal, which for random scores is close to right. Expected:
// INCORRECT_NUMERICAL.
//
//===----------------------------------------------------------------------===//

#define WEIGHT(value) 1
#define OUTPUT(value) ((value)*sum / float(s))
#include "naive.cuh"
