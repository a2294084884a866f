//===- CountRules.h - Counts of registers that forms compute ----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that are named in a record because they are arithmetic over several
// modifiers: how many registers a fragment has.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ISA_COUNTRULES_H
#define PTXBENCH_LIB_ISA_COUNTRULES_H

#include "ptxbench/ISA/Instruction.h"

namespace ptxbench {

/// The count of registers that the rule `index` (CountRule::Named) gives.
unsigned applyCountRule(unsigned index, const ModMatch &match,
                        llvm::ArrayRef<Mod> mods);

} // namespace ptxbench

#endif // PTXBENCH_LIB_ISA_COUNTRULES_H
