//===- ArithmeticCases.h - A kernel for each instruction --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions without memory, from the instruction table: a kernel loads the
// operands of each thread, executes one instruction and stores what it gives.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_ARITHMETICCASES_H
#define PTXBENCH_UTILS_DIFFERENTIAL_ARITHMETICCASES_H

#include "Case.h"
#include "ThreadKernel.h"
#include "ptxbench/ISA/Instruction.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxbench::differential {

/// Adds a kernel for each instruction of the opcodes that `isWanted`, with the
/// spellings of its modifiers.
void addArithmeticCases(
    std::vector<Case> &cases,
    llvm::function_ref<bool(const OpcodeInfo &, llvm::ArrayRef<std::string>)>
        isWanted);

/// Whether one of the modifiers is a type of floating-point numbers.
bool isOnFloats(llvm::ArrayRef<std::string> mods);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_ARITHMETICCASES_H
