//===- DiagnosticPlace.h - Places of what has no line -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file without a line `module` is a module of line 0, which nobody finds.
// What is wrong with such a module is said of the first line, and what is wrong
// with an option of no line at all.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_DIAGNOSTICPLACE_H
#define PTXBENCH_DIALECT_PTX_IR_DIAGNOSTICPLACE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace ptxbench {

/// The place of a module, with a line.
inline mlir::Location placeOfModule(mlir::Operation *module) {
  auto place = module->getLoc()->findInstanceOf<mlir::FileLineColLoc>();
  if (!place || place.getLine())
    return module->getLoc();
  return mlir::FileLineColLoc::get(place.getFilename(), 1, 1);
}

/// An error about the value of an option of a pass: it names both and no place.
inline mlir::InFlightDiagnostic emitOptionError(mlir::MLIRContext *context,
                                                llvm::StringRef pass,
                                                llvm::StringRef option) {
  return mlir::emitError(mlir::UnknownLoc::get(context))
         << "option '" << option << "' of -" << pass << ": ";
}

} // namespace ptxbench

#endif // PTXBENCH_DIALECT_PTX_IR_DIAGNOSTICPLACE_H
