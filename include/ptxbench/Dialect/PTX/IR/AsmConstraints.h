//===- AsmConstraints.h - Constraints of inline assembly --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constraint string of LLVM's inline assembly, as its NVPTX target reads
// it: "=r,=&f,l,n,0,~{memory}". An operand `$i` of the text is the i-th
// constraint that is no clobber.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_ASMCONSTRAINTS_H
#define PTXBENCH_DIALECT_PTX_IR_ASMCONSTRAINTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace ptxbench::ptx {

struct AsmConstraint {
  enum Kind : uint8_t {
    /// Written: "=r".
    Output,
    /// Read: "r".
    Input,
    /// Read; in the register of an output: "0".
    Tied,
    /// A constant that stands in the text: "n".
    Immediate,
  } kind = Input;
  /// `&`: written before all inputs are read.
  bool earlyClobber = false;
  /// The letter, for registers and immediates.
  char letter = 0;
  /// Tied: the output.
  unsigned tiedTo = 0;
};

struct AsmConstraints {
  /// Outputs come first.
  llvm::SmallVector<AsmConstraint, 8> operands;
  unsigned numOutputs = 0;
  /// "~{memory}" is among the clobbers.
  bool clobbersMemory = false;
  /// The clobbers as they are written.
  llvm::SmallVector<std::string, 1> clobbers;

  /// The type that a register of the operand is declared with ("b32"); empty
  /// for an immediate.
  llvm::StringRef getRegisterType(unsigned operand) const;
  /// The output that the operand stands in the register of, itself if none.
  unsigned getRegisterOf(unsigned operand) const {
    const AsmConstraint &constraint = operands[operand];
    return constraint.kind == AsmConstraint::Tied ? constraint.tiedTo : operand;
  }
  /// In LLVM's spelling.
  std::string str() const;
};

/// Reads a constraint string. "+r", which LLVM's own text does not have, is an
/// output with a tied input, which is put behind all other operands.
/// `takesAny`: an input may be "X", of which the value decides what it is.
llvm::Expected<AsmConstraints> parseAsmConstraints(llvm::StringRef text,
                                                   bool takesAny = false);

/// The register type of a constraint letter; empty if it names no register.
llvm::StringRef getConstraintRegisterType(char letter);

} // namespace ptxbench::ptx

#endif // PTXBENCH_DIALECT_PTX_IR_ASMCONSTRAINTS_H
