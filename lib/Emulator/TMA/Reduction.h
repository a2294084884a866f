//===- Reduction.h - Reductions of bulk and tensor copies -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of cp.reduce.async.bulk and cp.reduce.async.bulk.tensor, on
// arrays of elements: each element of the destination is replaced by the
// operation on it and the element of the source. An operation is selected once
// for an instruction and then called for each piece of memory.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_TMA_REDUCTION_H
#define PTXBENCH_LIB_EMULATOR_TMA_REDUCTION_H

#include "ptxbench/Emulator/TensorMap.h"

namespace ptxbench::emulator {

enum class ReductionOp : uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor };

/// The qualifier `.type` of cp.reduce.async.bulk.
enum class ReductionType : uint8_t {
  B32,
  B64,
  U32,
  S32,
  U64,
  S64,
  F16,
  BF16,
  F32,
  F64
};

/// Where the result goes, with the instruction that brings it there; each has
/// its own table of combinations in the ISA.
enum class ReductionTarget : uint8_t {
  SharedCluster, ///< cp.reduce.async.bulk
  Global,        ///< cp.reduce.async.bulk
  Tensor         ///< cp.reduce.async.bulk.tensor
};

/// How an element is replaced.
enum class ReductionFlavour : uint8_t {
  Plain, ///< nobody else touches the destination meanwhile
  Atomic ///< relaxed and atomic per element, if aligned to its size
};

unsigned reductionBytes(ReductionType type);

/// Reduces `bytes`, a multiple of the size of an element, into `destination`.
using Reduction = void (*)(uint8_t *destination, const uint8_t *source,
                           size_t bytes);

/// The function for an operation, or an error where the table of the target
/// does not have the combination.
llvm::Expected<Reduction> selectReduction(ReductionOp op, ReductionType type,
                                          ReductionTarget target,
                                          ReductionFlavour flavour);

/// The type under which the elements of a tensor map are reduced: bitwise
/// operations see bits. Fails for element types without reductions.
llvm::Expected<ReductionType> tensorReductionType(ReductionOp op,
                                                  TensorElementType type);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_TMA_REDUCTION_H
