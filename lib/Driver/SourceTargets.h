//===- SourceTargets.h - Target operations before they are lowered -*- C++ -*-//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes of MLIR and of LLVM remove what is dead, so that the PTX of a kernel
// has nothing of it and no verdict is given on it. These are the verdicts on
// the operations themselves, by which the report says what is gone and why.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_SOURCETARGETS_H
#define PTXBENCH_LIB_DRIVER_SOURCETARGETS_H

#include "mlir/IR/Operation.h"
#include "ptxbench/Trace/Verdict.h"

#include <string>
#include <vector>

namespace ptxbench {

/// An operation that stands for target instructions.
struct SourceTarget {
  /// "gemm.mlir:42:7".
  std::string place;
  /// "nvgpu.warpgroup.mma".
  std::string operation;
  std::string family;
  /// Whether no launch of any kernel executes it, and why.
  bool isDead = false;
  std::string reason;
};

/// Those of a module, or of a `gpu.module`, which is not changed; each place
/// once, as far as it is known. Empty where the module cannot be analysed: what
/// is wrong with it is for the lowering to say. The context needs what
/// registerOpModels() adds.
std::vector<SourceTarget> findSourceTargets(mlir::Operation *module);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_SOURCETARGETS_H
