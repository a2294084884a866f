//===- FlatCopy.h - A kernel as blocks and branches -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis knows blocks and branches. Kernels of other dialects also have
// loops and conditions with regions, inline assembly with a body, and
// operations that end a thread in the middle of a block. They are analysed on a
// copy of the kernel's module in which all of that has become branches; every
// operation keeps the number that it had in the original, so that verdicts find
// back.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_REACHABILITY_FLATCOPY_H
#define PTXBENCH_LIB_ANALYSIS_REACHABILITY_FLATCOPY_H

#include "mlir/IR/OwningOpRef.h"
#include "ptxbench/Analysis/Reachability.h"

namespace ptxbench::reachability {

/// On operations of the copy that an operation with regions became: its name.
inline constexpr llvm::StringLiteral kMadeFrom = "ptxbench.made_from";

class FlatCopy {
public:
  explicit FlatCopy(mlir::Operation *kernel);

  /// The kernel's copy; null if some dialect could not make branches.
  mlir::Operation *getKernel() const { return kernel; }
  /// Replaces operations of the copy by those of the original, in the order of
  /// the original.
  void restoreOperations(EntryReachability &result) const;

private:
  mlir::OwningOpRef<mlir::Operation *> module;
  mlir::Operation *kernel = nullptr;
  /// The original's operations by number.
  std::vector<mlir::Operation *> originals;
};

} // namespace ptxbench::reachability

#endif // PTXBENCH_LIB_ANALYSIS_REACHABILITY_FLATCOPY_H
