//===- DynamicLibrary.h - Libraries opened at run time ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shared library that may be missing. It is opened by the first of several
// names that works, and its symbols are read into a table that one list (an
// X-macro) declares. A missing library or symbol is a sentence that names what
// was tried.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_DYNAMICLIBRARY_H
#define PTXBENCH_SUPPORT_DYNAMICLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace ptxbench {

/// A handle on an opened library. It stays open for the life of the process:
/// libraries of a GPU driver do not survive being closed.
class DynamicLibrary {
public:
  DynamicLibrary() = default;

  /// Opens the first of `names` that can be opened; `what` names the library in
  /// the error ("the CUDA driver"). `global` makes its symbols visible to
  /// libraries opened later.
  static llvm::Expected<DynamicLibrary> open(llvm::StringRef what,
                                             llvm::ArrayRef<std::string> names,
                                             bool global = false);

  explicit operator bool() const { return handle; }
  /// The address of `name`, null if there is none.
  void *find(const char *name) const;
  /// The address of `name`, or an error that names library and symbol.
  llvm::Expected<void *> get(const char *name) const;
  /// The same, into a pointer to a function.
  template <typename Function>
  llvm::Error lookUp(const char *name, Function &to) const {
    llvm::Expected<void *> address = get(name);
    if (!address)
      return address.takeError();
    to = reinterpret_cast<Function>(*address);
    return llvm::Error::success();
  }
  /// What dlopen gave, for code that looks up symbols by itself.
  void *native() const { return handle; }
  /// The file that was opened.
  llvm::StringRef path() const { return openedPath; }

private:
  void *handle = nullptr;
  std::string label, openedPath;
};

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_DYNAMICLIBRARY_H
