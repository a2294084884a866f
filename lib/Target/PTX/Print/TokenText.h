//===- TokenText.h - Canonical spacing of text kept as it is ----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some directives are text in the syntax tree: `.section`, `.alias`, call
// prototypes, attributes. Here their tokens are written again, without comments
// and with the spacing of everything else.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_PRINT_TOKENTEXT_H
#define PTXBENCH_LIB_TARGET_PTX_PRINT_TOKENTEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxbench::syntax {

/// Writes a directive on one line, without its end.
void printTokens(llvm::raw_ostream &os, llvm::StringRef text);

/// Writes `.section name { … }`, one row a line.
void printSection(llvm::raw_ostream &os, llvm::StringRef text);

} // namespace ptxbench::syntax

#endif // PTXBENCH_LIB_TARGET_PTX_PRINT_TOKENTEXT_H
