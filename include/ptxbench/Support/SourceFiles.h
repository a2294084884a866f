//===- SourceFiles.h - The files that a compilation read --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By what the compiler itself says of them: the line markers of preprocessed
// text and the list of dependencies of the assembler. So macros, conditions and
// pragmas in a source hide none.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_SOURCEFILES_H
#define PTXBENCH_SUPPORT_SOURCEFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace ptxbench {

/// A file that was read, and where that was asked for.
struct CompiledFile {
  /// As the compiler spells it.
  std::string path;
  /// The file with the directive and its line, 1-based; 0: not known, as of
  /// what the assembler read.
  std::string from;
  unsigned line = 0;
};

/// The files that a text was put together from but for the first, each once, in
/// their order, by its markers (`# 1 "file" 1`, GCC's "Preprocessor Output").
std::vector<CompiledFile> filesInLineMarkers(llvm::StringRef text);

/// The files in the rules for make that GNU as writes (`--MD`), each once. The
/// rules are taken out of the text, which may hold others' lines, too.
std::vector<CompiledFile> takeAssemblerRules(std::string &text);

/// The folders that a compiler looks for headers in, of what it says when it is
/// asked to be verbose.
std::vector<std::string> headerFolders(llvm::StringRef verboseText);

/// Whether a file, links resolved, is below one of the folders, of which links
/// are resolved already.
bool isBelow(llvm::StringRef realPath, llvm::ArrayRef<std::string> folders);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_SOURCEFILES_H
