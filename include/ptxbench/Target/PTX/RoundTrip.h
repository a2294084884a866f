//===- RoundTrip.h - Does a module survive its text forms? ------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_PTX_ROUNDTRIP_H
#define PTXBENCH_TARGET_PTX_ROUNDTRIP_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace ptxbench {

/// Where two texts part.
struct TextDifference {
  /// 1-based.
  unsigned line;
  /// That line of each, without its end; a text that has ended has none.
  std::optional<std::string> first, second;
};

/// The first line in which two texts differ, the ends of lines included.
std::optional<TextDifference> findDifference(llvm::StringRef first,
                                             llvm::StringRef second);

/// Checks that a module is the same again after its MLIR text was parsed, and
/// that its PTX text, imported, is exported as the same text. Where
/// `isImported`, the module came from PTX text untouched, so the import of its
/// export has to be the same module, too. An error at the module says what
/// changed and shows the first line of it.
llvm::LogicalResult verifyRoundTrip(mlir::ModuleOp module, bool isImported);

} // namespace ptxbench

#endif // PTXBENCH_TARGET_PTX_ROUNDTRIP_H
