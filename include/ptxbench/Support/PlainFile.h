//===- PlainFile.h - Files where others could write -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate can put a link, a pipe, a device or a file without an end where a
// file of ours is expected. What is read or written here is a regular file, or
// it is an error: links are not followed, nothing blocks, and no more is read
// than the caller says.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_PLAINFILE_H
#define PTXBENCH_SUPPORT_PLAINFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace ptxbench {

/// Whether anything has that name: a file, a folder, a link to nothing.
bool isAnythingThere(llvm::StringRef path);

/// The whole of a regular file of at most `maxBytes` bytes, copied into memory.
/// Errors name the file: it is not there (errc::no_such_file_or_directory), it
/// is no regular file, it is larger, it cannot be read.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readPlainFile(llvm::StringRef path, uint64_t maxBytes);

/// Writes a file that is new: what has the name is removed (never what it is a
/// link to) unless it is a folder that is not empty. Errors name the file.
llvm::Error writeNewFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_PLAINFILE_H
