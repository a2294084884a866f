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
// What becomes of the kernel on its way to PTX may be less than it says. The
// copy has, where it can be said with branches, what may be instead:
//
//   * A text with `ret` in a function is part of the function that this one is
//     inlined into. So the thread may return from any of the callers.
//   * A text that is not `has_side_effects` is removed or moved. Where it ends
//     threads or loops, it stays an operation of which nothing is known.
//   * An operand of a text, or a guard, that may be poison is any value.
//   * A loop without effects is removed, though some threads never leave it. A
//     second copy has a way around such loops; a verdict has to hold of both.
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
  /// `opened`: with a way around loops that may be removed.
  FlatCopy(mlir::Operation *kernel, bool opened);

  /// The kernel's copy; null if some dialect could not make branches.
  mlir::Operation *getKernel() const { return kernel; }
  /// Whether there are loops that may be removed.
  bool hasRemovable() const;
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
