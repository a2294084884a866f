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
#include "Operands.h"
#include "ptxbench/ISA/Instruction.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxbench::differential {

/// An operand of a thread kernel.
struct ThreadOperand {
  Kind kind;
  /// The register: "%h1", "%p0".
  std::string name;
};

/// A kernel in which each thread does the same with operands of its own. The
/// registers %p, %h, %r, %d are of 1, 16, 32 and 64 bits, %t is the number of
/// the thread.
struct ThreadKernel {
  std::string name, family;
  std::vector<ThreadOperand> inputs, outputs;
  /// What is done between loads and stores.
  std::string body;
  uint32_t threads = 1024;
  Tolerance tolerance;

  /// Makes the case; `operands` gives those of a thread, one after the other.
  Case make(llvm::function_ref<void(size_t, llvm::MutableArrayRef<uint64_t>)>
                operands) const;
};

/// A register of a kind with that number.
std::string registerOf(const Kind &kind, unsigned number);

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
