//===- DocumentFilter.cpp - Keeps PTX text from the server ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages are looked at and passed on as they came; none is written anew.
//
//===----------------------------------------------------------------------===//

#include "DocumentFilter.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <optional>
#include <string>

using llvm::StringRef;

namespace ptxbench {

bool DocumentFilter::passes(StringRef message) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(message);
  if (!value) {
    llvm::consumeError(value.takeError());
    return true;
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return true;
  StringRef method = object->getString("method").value_or("");
  // Each of them is a notification: nobody waits for an answer.
  if (!method.starts_with("textDocument/did"))
    return true;
  const llvm::json::Object *params = object->getObject("params");
  const llvm::json::Object *document =
      params ? params->getObject("textDocument") : nullptr;
  if (!document)
    return true;
  StringRef uri = document->getString("uri").value_or("");
  bool isPTX = uri.ends_with_insensitive(".ptx") || ptxDocuments.contains(uri);
  if (method == "textDocument/didOpen" &&
      (isPTX || document->getString("languageId").value_or("") == "ptx")) {
    ptxDocuments.insert(uri);
    llvm::errs() << "ptxbench-lsp-server: " << uri
                 << " is PTX text, not MLIR, and is not looked at\n";
    return false;
  }
  if (method == "textDocument/didClose")
    ptxDocuments.erase(uri);
  return !isPTX;
}

/// One line with its end; nothing at the end of the file.
static std::optional<std::string> readLine(std::FILE *in) {
  std::string line;
  for (int c; (c = std::fgetc(in)) != EOF;) {
    line.push_back(char(c));
    if (c == '\n')
      break;
  }
  if (line.empty())
    return std::nullopt;
  return line;
}

/// As many bytes as `length` says, or up to the end of the file. What is not
/// there costs no memory, whatever the header says.
static std::string readBody(std::FILE *in, size_t length) {
  std::string body;
  char part[1 << 14];
  while (body.size() < length) {
    size_t wanted = std::min(length - body.size(), sizeof part);
    size_t got = std::fread(part, 1, wanted, in);
    body.append(part, got);
    if (got != wanted)
      break;
  }
  return body;
}

bool DocumentFilter::run(std::FILE *in, std::FILE *out, bool delimited) {
  auto write = [&](StringRef text) {
    return std::fwrite(text.data(), 1, text.size(), out) == text.size() &&
           std::fflush(out) == 0;
  };
  // What stands before a message and is passed on with it; the message.
  std::string head, body;
  size_t length = 0;
  while (std::optional<std::string> line = readLine(in)) {
    StringRef text = StringRef(*line).trim();
    if (delimited) {
      if (text == "// -----") {
        if (passes(body) && !write(body + *line))
          return false;
        body.clear();
      } else if (!text.starts_with("//")) {
        body += *line;
      }
      continue;
    }
    head += *line;
    StringRef header = text;
    if (header.consume_front_insensitive("Content-Length:")) {
      if (header.trim().getAsInteger(10, length))
        length = 0;
      continue;
    }
    if (!text.empty())
      continue;
    body = readBody(in, length);
    if (passes(body) && !write(head + body))
      return false;
    head.clear();
    length = 0;
  }
  return !delimited || body.empty() || !passes(body) || write(body);
}

} // namespace ptxbench
