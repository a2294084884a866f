//===- NestingDepth.h - How deep a text is nested ---------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parsers of MLIR and LLVM IR recurse, and a text that is nested deeply
// enough ends the process. So its depth is counted before it is parsed: ( { [
// and < outside of strings and comments, and signs that follow signs.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_NESTINGDEPTH_H
#define PTXBENCH_SUPPORT_NESTINGDEPTH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ptxbench {

enum class NestedText { MLIR, LLVM };

/// What the parsers take with a stack of 8 MiB, and what follows them, three
/// times over.
constexpr unsigned maxNestingDepth = 1000;

/// "path:line:column: error: ..." at the first place that is too deep. Bitcode
/// and bytecode are no text and pass.
llvm::Error checkNestingDepth(llvm::StringRef text, llvm::StringRef path,
                              NestedText kind,
                              unsigned limit = maxNestingDepth);

/// The same of a file; one that cannot be read passes, since whoever reads it
/// says so.
llvm::Error checkFileNestingDepth(llvm::StringRef path, NestedText kind);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_NESTINGDEPTH_H
