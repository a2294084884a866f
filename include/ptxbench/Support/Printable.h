//===- Printable.h - Text of others on a terminal ---------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a candidate, a file of samples or a worker says is shown to people. It
// must not move a cursor, overwrite what stands there, or hide.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_PRINTABLE_H
#define PTXBENCH_SUPPORT_PRINTABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ptxbench {

/// The text as one line of UTF-8: blanks are spaces, other control characters
/// and those that cannot be seen are '?'.
std::string toPrintable(llvm::StringRef text);

/// The same of each line.
std::string toPrintableLines(llvm::StringRef text);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_PRINTABLE_H
