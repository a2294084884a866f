//===- AsmSite.h - One place with inline assembly ---------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the operations with inline assembly have in common, in LLVM's terms, and
// the checks of what the text does against what the constraints say.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_INLINEASM_ASMSITE_H
#define PTXBENCH_LIB_CONVERSION_INLINEASM_ASMSITE_H

#include "AsmText.h"
#include "mlir/IR/Operation.h"
#include "ptxbench/Dialect/PTX/IR/AsmConstraints.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"

#include <optional>

namespace ptxbench {

/// The `.version` and `.target` that a text is held against.
struct AsmTarget {
  std::string arch;
  PTXVersion version = 90;
};

struct AsmSite {
  mlir::Operation *op = nullptr;
  /// Stands in front of the text: a guard.
  std::string prefix;
  llvm::StringRef text;
  /// Of the text, made when a place is first asked for.
  mutable std::optional<TextLines> lines;
  ptx::AsmConstraints constraints;
  /// Of the constraints that are no outputs, in order.
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Type> outputTypes;
  bool sideEffects = false;
  /// Whether the author chose the constraints.
  bool hasConstraints = true;
  /// Whether nobody wrote the text: there are no places in it, and nothing to
  /// warn of.
  bool isGenerated = false;
  /// The numbering of `nvvm.inline_ptx`.
  std::optional<OperandClasses> classes;

  const TextLines &getLines() const {
    if (!lines)
      lines.emplace(text);
    return *lines;
  }
  /// A diagnostic begins with "in inline asm, line 2 column 5: ".
  mlir::InFlightDiagnostic report(mlir::DiagnosticSeverity severity,
                                  size_t offset) const;
  /// The location of what stands at the offset.
  mlir::Location getLoc(size_t offset) const;
  /// What the user wrote for an operand: "$0 ('=r')".
  std::string describe(unsigned operand) const;
};

/// What the operation or one around it says of the target: `ptx.target`, or
/// the first `#nvvm.target`.
std::optional<AsmTarget> findAsmTarget(mlir::Operation *op);

/// The constraint that upstream's lowering gives a value; 0 if it has none.
char getConstraintLetter(mlir::Type type);

/// The text as a `ptx.inline` in front of the operation, which stays; null
/// after an error. Without a target, instructions of every architecture are
/// taken. `uid` is what `${:uid}` stands for.
ptx::InlineOp importSite(const AsmSite &site, std::optional<AsmTarget> target,
                         unsigned uid);

/// Warns of operands whose values do not fit the registers of their
/// constraints.
void checkOperandWidths(const AsmSite &site);

/// Warns where the instructions of the body do not do what the constraints say:
/// what is read and written, widths and kinds, memory and other effects.
void checkBody(const AsmSite &site, ptx::InlineOp op);

} // namespace ptxbench

#endif // PTXBENCH_LIB_CONVERSION_INLINEASM_ASMSITE_H
