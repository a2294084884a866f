//===- FamilyUse.h - Whether a family of instructions was used --*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fence, a prefetch or one product in a corner is of a family, too. Whether a
// candidate used it is told by the instructions that do the family's work, and,
// where these are counted in operations, by how much of the task they did.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_REPORT_FAMILYUSE_H
#define PTXBENCH_REPORT_FAMILYUSE_H

#include "ptxbench/Report/Report.h"

namespace ptxbench {

struct FamilyUse {
  /// Whether an instruction that does the family's work executed.
  bool executed = false;
  /// If none is known to have: whether it is known that none did.
  bool observed = true;
  /// Floating-point operations of what executed, at least; none for a family
  /// that is not counted in operations.
  std::optional<double> flops;
  /// The same, at most: by what the machine code executed, where it is known.
  /// Equal to `flops` if every instruction was observed.
  std::optional<double> flopsAtMost;
};

/// The opcodes that do the work of a family: "wgmma.mma_async"; none for a
/// family in which every instruction does.
llvm::ArrayRef<llvm::StringLiteral> workOf(llvm::StringRef family);

/// 2 * m * n * k of a mnemonic with ".mMnNkK" (PTX ISA, "Matrix Shape"); none
/// of another.
std::optional<double> flopsOfProduct(llvm::StringRef mnemonic);

/// What the executions in a report say of `family`. An instruction counts once,
/// under however many launches it was analysed. `launched`: the kernels that
/// were launched; what stands in another did not execute.
FamilyUse findUse(const Report &report, llvm::StringRef family,
                  llvm::ArrayRef<std::string> launched);

} // namespace ptxbench

#endif // PTXBENCH_REPORT_FAMILYUSE_H
