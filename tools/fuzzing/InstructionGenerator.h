//===- InstructionGenerator.h - Instructions from the table -----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes instructions that their records accept, most of the time: any form of
// any opcode, with modifiers and operands by chance.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TOOLS_FUZZING_INSTRUCTIONGENERATOR_H
#define PTXBENCH_TOOLS_FUZZING_INSTRUCTIONGENERATOR_H

#include "Random.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace ptxbench::fuzzing {

/// The registers that generated instructions use, as declarations; those of 128
/// bits, `%fzq<4>`, are not among them, since few targets have them.
llvm::StringRef getRegisterDeclarations();
/// A part of them that stands in no other text.
llvm::StringRef getRegisterMark();

/// An instruction with its `;`. `names` are identifiers of the text around it,
/// for labels, variables and functions.
std::string generateInstruction(Random &random,
                                llvm::ArrayRef<std::string> names);

/// An opcode with modifiers.
std::string generateMnemonic(Random &random);

/// A modifier, type, special register, directive or number.
std::string generateToken(Random &random);

} // namespace ptxbench::fuzzing

#endif // PTXBENCH_TOOLS_FUZZING_INSTRUCTIONGENERATOR_H
