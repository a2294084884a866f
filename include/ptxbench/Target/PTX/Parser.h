//===- Parser.h - From PTX text to the syntax tree --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_PTX_PARSER_H
#define PTXBENCH_TARGET_PTX_PARSER_H

#include "ptxbench/Target/PTX/SyntaxTree.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <vector>

namespace ptxbench::syntax {

enum class Severity : uint8_t { Error, Warning, Note };

struct Diagnostic {
  Severity severity = Severity::Error;
  /// 1-based; a column counts bytes.
  unsigned line = 0, column = 0;
  /// Length in bytes of the offending text on that line, at least 1.
  unsigned length = 1;
  /// Lower case, without a full stop: "unknown instruction 'wgmma.mma_asink'".
  std::string message;
  /// "did you mean 'wgmma.mma_async'?"; may be empty.
  std::string hint;
};

/// Turns byte offsets into 1-based lines and columns. Built once, in O(n).
class LineTable {
public:
  explicit LineTable(llvm::StringRef buffer);
  std::pair<unsigned, unsigned> lineAndColumn(SourceOffset offset) const;
  /// The text of a 1-based line without its end.
  llvm::StringRef line(unsigned number) const;

private:
  llvm::StringRef buffer;
  std::vector<SourceOffset> starts;
};

struct ParseOptions {
  /// After so many errors the rest of the file is not read.
  unsigned maxErrors = 20;
  /// Take the instructions of all architectures, whatever `.target` says: for
  /// text whose target is decided elsewhere.
  bool anyTarget = false;
  /// The body of a function ends where the file does, and no brace ends it: for
  /// text that somebody else has written, and may have closed too often.
  bool openBody = false;
};

/// Parses and checks a whole file. Every diagnostic goes to `report`, in the
/// order of the text. Returns null if there was an error; never a partial tree.
/// `buffer` must outlive the tree and be smaller than 4 GiB.
std::unique_ptr<Module>
parseModule(llvm::MemoryBufferRef buffer, const LineTable &lines,
            llvm::function_ref<void(const Diagnostic &)> report,
            const ParseOptions &options = {});

/// Prints "file:line:col: error: message", the source line, a caret, the hint.
void printDiagnostic(llvm::raw_ostream &os, llvm::StringRef path,
                     const LineTable &lines, const Diagnostic &diagnostic);

} // namespace ptxbench::syntax

#endif // PTXBENCH_TARGET_PTX_PARSER_H
