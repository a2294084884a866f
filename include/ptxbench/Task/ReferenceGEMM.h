//===- ReferenceGEMM.h - A matrix product in double precision ---*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference of last resort: no GPU, no library, float64 throughout. For
// large products it computes chosen rows only; a row costs N*K operations,
// about 20 ms at N=7168, K=5120.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TASK_REFERENCEGEMM_H
#define PTXBENCH_TASK_REFERENCEGEMM_H

#include "ptxbench/Task/Compare.h"

namespace ptxbench {

/// The rows `rows` of C[M,N] = A[M,K] * transpose(B[N,K]), all row-major, one
/// after the other. Errors: sizes that do not fit, a row beyond M.
llvm::Expected<std::vector<double>>
referenceGEMM(const TensorView &a, const TensorView &b, uint64_t m, uint64_t n,
              uint64_t k, llvm::ArrayRef<int64_t> rows, unsigned threads = 1);

} // namespace ptxbench

#endif // PTXBENCH_TASK_REFERENCEGEMM_H
