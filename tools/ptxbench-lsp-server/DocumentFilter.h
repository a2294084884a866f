//===- DocumentFilter.h - Keeps PTX text from the server --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's language server takes every document for MLIR. An editor that is set
// up for `.mlir` and `.ptx` alike would show one meaningless error in each PTX
// file. So messages that open, change or close such a document are not passed
// on; the server then knows nothing of it, and answers every question about it
// with nothing.
//
// A document that is nested so deeply that MLIR's parser would run out of stack
// is closed for the server, and opened again once it no longer is. For that the
// filter keeps the text of each document.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TOOLS_LSP_SERVER_DOCUMENTFILTER_H
#define PTXBENCH_TOOLS_LSP_SERVER_DOCUMENTFILTER_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <cstdio>
#include <optional>
#include <string>

namespace ptxbench {

class DocumentFilter {
public:
  /// What the server is to see of a message (JSON text, of any kind): the
  /// message, another one, or nothing. Text that is no JSON is passed on, too.
  std::optional<std::string> filter(llvm::StringRef message);

  /// Copies messages from `in` to `out` up to the end of `in`: those of the
  /// protocol, or (`delimited`) those of MLIR's tests, which are separated by
  /// lines `// -----`. Returns false if `out` takes no more.
  bool run(std::FILE *in, std::FILE *out, bool delimited);

private:
  struct Document {
    std::string text;
    int64_t version = 0;
    /// The server does not have it.
    bool withheld = false;
  };
  /// Behind an edit of the document.
  std::optional<std::string> judge(llvm::StringRef uri, Document &document,
                                   llvm::StringRef message);

  llvm::StringMap<Document> documents;
  /// Documents that were opened as PTX, whatever they are called.
  llvm::StringSet<> ptxDocuments;
};

} // namespace ptxbench

#endif // PTXBENCH_TOOLS_LSP_SERVER_DOCUMENTFILTER_H
