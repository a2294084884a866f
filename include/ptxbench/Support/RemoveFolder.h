//===- RemoveFolder.h - Removing what others left ---------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For folders that a program which is not trusted could write to: whatever it
// made there (folders so deep that no path names them, folders that nobody may
// enter, links to elsewhere) is removed, and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_REMOVEFOLDER_H
#define PTXBENCH_SUPPORT_REMOVEFOLDER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ptxbench {

/// Removes a folder with all that is in it; what is not there is no error.
/// Links are removed, not followed. An error names the first thing that could
/// not be removed; all else is.
llvm::Error removeFolder(llvm::StringRef path);

/// Removes all that is in a folder but for the entries of its own that are to
/// be kept.
llvm::Error emptyFolder(llvm::StringRef path,
                        llvm::function_ref<bool(llvm::StringRef)> isKept);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_REMOVEFOLDER_H
