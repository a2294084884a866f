//===- FlatMarks.h - What models say of a flat copy -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of another dialect is analysed on a copy with branches, which
// OpModelInterface::flatten() makes. What a compiler may do to the kernel on
// its way to PTX is said by attributes of the copy's operations.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ANALYSIS_FLATMARKS_H
#define PTXBENCH_ANALYSIS_FLATMARKS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace ptxbench::marks {

/// On the root, set before flatten(): a loop that may be removed gets a way
/// around it, or an end that may come at any time.
inline constexpr llvm::StringLiteral kOpened = "ptxbench.opened";
/// On the root, set by flatten(): there are such loops.
inline constexpr llvm::StringLiteral kRemovable = "ptxbench.removable";
/// On an operation: its results may be poison, which is another value at each
/// use.
inline constexpr llvm::StringLiteral kPoison = "ptxbench.poison";
/// On a call: it may return from the function around it.
inline constexpr llvm::StringLiteral kReturns = "ptxbench.returns";
/// On a call: what follows may be reached though the callee never returns.
inline constexpr llvm::StringLiteral kGoesOn = "ptxbench.goes_on";
/// On `ptx.ret`: it may end the thread instead.
inline constexpr llvm::StringLiteral kEnds = "ptxbench.ends";

inline void set(mlir::Operation *op, llvm::StringRef mark) {
  op->setDiscardableAttr(mark, mlir::UnitAttr::get(op->getContext()));
}

/// A value that nothing is known of, in place of `of`.
inline mlir::Value createUnknown(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Type type, mlir::ValueRange of = {}) {
  return mlir::UnrealizedConversionCastOp::create(builder, loc, type, of)
      .getResult(0);
}

} // namespace ptxbench::marks

#endif // PTXBENCH_ANALYSIS_FLATMARKS_H
