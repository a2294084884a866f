//===- Slice.h - Values that decide where threads go ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most integers of a kernel are addresses, which no guard depends on. Only the
// backward slice of the guards and of the indices of `brx.idx` is worth a
// range.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_REACHABILITY_SLICE_H
#define PTXBENCH_LIB_ANALYSIS_REACHABILITY_SLICE_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"

namespace ptxbench::reachability {

/// Width in bits of what the analysis has a range of: integers of up to 64
/// bits; 0: none.
unsigned getRangeWidth(mlir::Type type);

/// The integers from which the guards of terminators and of the instructions
/// that are always kept, and the indices of `brx.idx`, are computed. What an
/// instruction that is not pure computes (loads, atomics) depends only on its
/// guard and on what its register held before; the operand of a shuffle is
/// followed.
llvm::DenseSet<mlir::Value>
findDecidingValues(llvm::ArrayRef<mlir::Block *> blocks);

} // namespace ptxbench::reachability

#endif // PTXBENCH_LIB_ANALYSIS_REACHABILITY_SLICE_H
