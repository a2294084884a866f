//===- TextPlace.h - What a location says of PTX ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The location of an imported instruction is its place in the PTX text, fused
// with what the `.loc` before it says: the place in the source or, of inlined
// code, a call site (PTX ISA, "Debugging Directives: .loc").
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_TEXTPLACE_H
#define PTXBENCH_DIALECT_PTX_IR_TEXTPLACE_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace ptxbench::ptx {

struct TextPlace {
  /// In the PTX text, 1-based; 0: not known. Of an operation that was not
  /// imported from PTX, its place in the file it stands in.
  unsigned line = 0, column = 0;
  /// "kernel.cu:42:7", the place the line was made of; may be empty.
  std::string source;
  /// Where `source` is in a function that was inlined, the place of the call
  /// in the kernel; else empty.
  std::string inlinedAt;
};

TextPlace getTextPlace(mlir::Location loc);

/// The place of a module. A file without a line `module` is one of line 0,
/// which nobody finds: what is wrong with it is said of the first line.
mlir::Location getModulePlace(mlir::Operation *module);

} // namespace ptxbench::ptx

#endif // PTXBENCH_DIALECT_PTX_IR_TEXTPLACE_H
