//===- ReductionOperands.h - Operands of reductions -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What bulk and tensor reductions are tried with.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_REDUCTIONOPERANDS_H
#define PTXBENCH_UTILS_DIFFERENTIAL_REDUCTIONOPERANDS_H

#include "MatrixText.h"

namespace ptxbench::differential {

/// Values at which operations of a type turn; of integers the low bits count.
std::vector<uint64_t> specialValues(const std::string &type);
/// Each special value with each other one, in `first` and `second`, and random
/// ones up to a multiple of 128 bytes.
void drawOperands(const std::string &type, unsigned bits, Random &draw,
                  std::vector<uint8_t> &first, std::vector<uint8_t> &second);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_REDUCTIONOPERANDS_H
