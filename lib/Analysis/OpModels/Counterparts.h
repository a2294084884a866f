//===- Counterparts.h - What operations become in PTX -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of upstream's dialects that have an instruction of PTX.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_OPMODELS_COUNTERPARTS_H
#define PTXBENCH_LIB_ANALYSIS_OPMODELS_COUNTERPARTS_H

#include "ptxbench/Analysis/OpModels.h"
#include "llvm/ADT/ArrayRef.h"

namespace ptxbench {

struct Counterpart {
  /// "nvvm.wgmma.mma_async".
  llvm::StringLiteral operation;
  /// The opcode of PTX.
  llvm::StringLiteral opcode;
  /// The instruction has `.aligned`.
  bool isAligned;
};

llvm::ArrayRef<Counterpart> getCounterparts();

/// Says that the operation becomes the instruction that the table names;
/// returns false if it names none.
bool describeCounterpart(OpModel &model, mlir::Operation *op);

/// The same of a call of LLVM's intrinsic `name` ("llvm.nvvm.mapa"), where that
/// is a target instruction.
bool describeIntrinsic(OpModel &model, llvm::StringRef name);

} // namespace ptxbench

#endif // PTXBENCH_LIB_ANALYSIS_OPMODELS_COUNTERPARTS_H
