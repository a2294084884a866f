//===- Printer.h - From the syntax tree to canonical PTX --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_PTX_PRINTER_H
#define PTXBENCH_TARGET_PTX_PRINTER_H

#include "ptxbench/Target/PTX/SyntaxTree.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxbench::syntax {

/// Writes a module in its canonical form: one statement a line, statements
/// behind a tab, labels at the margin, modifiers in the order of the manual,
/// constants as their values, registers at the head of the function, nested
/// scopes flat. Comments are not part of the tree, but for the markers of
/// inline assembly. Printing what the output parses to gives the output again.
void printModule(llvm::raw_ostream &os, const Module &module);

} // namespace ptxbench::syntax

#endif // PTXBENCH_TARGET_PTX_PRINTER_H
