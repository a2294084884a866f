//===- Sample.h - A part of a task's work to be judged ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the whole reference would take too long on a CPU, some indices of the
// independent axes are computed and compared: rows of a product, heads of an
// attention.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TASK_SAMPLE_H
#define PTXBENCH_TASK_SAMPLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace ptxbench {

/// `count` of the numbers below `extent` in rising order: for two or more the
/// first and the last, the others drawn from `seed`; all if there are no more.
std::vector<int64_t> sampleIndices(uint64_t extent, uint64_t count,
                                   uint64_t seed);

/// For each axis its indices, so that about `count` combinations are chosen,
/// and at least one: as many as possible of the last axis first.
std::vector<std::vector<int64_t>> sampleAxes(llvm::ArrayRef<int64_t> extents,
                                             uint64_t count, uint64_t seed);

/// The elements of a row-major tensor at some indices of some dimensions, in
/// order. `indices` has one list for each dimension, empty for all of it.
/// Errors: another size, an index that is none.
llvm::Expected<std::vector<uint8_t>>
gather(llvm::ArrayRef<uint8_t> tensor, uint64_t elementBytes,
       llvm::ArrayRef<int64_t> shape,
       llvm::ArrayRef<std::vector<int64_t>> indices);

} // namespace ptxbench

#endif // PTXBENCH_TASK_SAMPLE_H
