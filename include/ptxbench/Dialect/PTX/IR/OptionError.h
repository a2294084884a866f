//===- OptionError.h - Errors about options of passes -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of an option stands in no file: an error about it names the pass
// and the option, and no place.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_OPTIONERROR_H
#define PTXBENCH_DIALECT_PTX_IR_OPTIONERROR_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

namespace ptxbench {

/// An error about the value of an option of a pass: it names both and no place.
inline mlir::InFlightDiagnostic emitOptionError(mlir::MLIRContext *context,
                                                llvm::StringRef pass,
                                                llvm::StringRef option) {
  return mlir::emitError(mlir::UnknownLoc::get(context))
         << "option '" << option << "' of -" << pass << ": ";
}

} // namespace ptxbench

#endif // PTXBENCH_DIALECT_PTX_IR_OPTIONERROR_H
