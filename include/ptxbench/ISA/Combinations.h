//===- Combinations.h - All instructions of a form --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table says which modifiers a form takes and which go together; here that
// is turned around, for what is to be tried with every instruction there is.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ISA_COMBINATIONS_H
#define PTXBENCH_ISA_COMBINATIONS_H

#include "ptxbench/ISA/Instruction.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxbench {

/// Calls `use` with each list of modifiers, in the order of the slots, that the
/// form has on an architecture in a version of the ISA.
void forEachModifierList(const InstForm &form, TargetArch target,
                         PTXVersion version,
                         llvm::function_ref<void(llvm::ArrayRef<Mod>)> use);

/// Whether the section of the ISA is one of computing with registers: integers
/// with and without carries, floating-point numbers, bits, comparisons.
bool isArithmetic(const OpcodeInfo &info);

/// "fma.rn.f32".
std::string mnemonicOf(const OpcodeInfo &info, llvm::ArrayRef<Mod> mods);

} // namespace ptxbench

#endif // PTXBENCH_ISA_COMBINATIONS_H
