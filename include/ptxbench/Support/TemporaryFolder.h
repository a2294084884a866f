//===- TemporaryFolder.h - Folders that end with the program ----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folders to work in, removed with all that programs left in them, also when
// the program is told to end by a signal: what it has started is ended first.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_TEMPORARYFOLDER_H
#define PTXBENCH_SUPPORT_TEMPORARYFOLDER_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <system_error>

namespace ptxbench {

class TemporaryFolder {
public:
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() { llvm::consumeError(remove()); }

  /// Makes a folder with a new name that begins with `name`, in `parent` or,
  /// where that is empty, where temporary files are. Its path is absolute.
  std::error_code create(llvm::StringRef parent, llvm::StringRef name);
  /// Removes it, if it was made and is still there.
  llvm::Error remove();

  llvm::StringRef path() const { return folder; }
  explicit operator bool() const { return !folder.empty(); }

private:
  llvm::SmallString<128> folder;
};

/// From now on SIGINT, SIGTERM and SIGHUP end the programs that this one
/// started (by SIGTERM, if they are to clean up themselves, else by SIGKILL),
/// remove temporary folders, and then do what they did before. Before there are
/// other threads.
void cleanUpOnSignals(bool childrenCleanUp);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_TEMPORARYFOLDER_H
