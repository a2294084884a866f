//===- DocumentFilter.cpp - Keeps PTX text from the server ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages are looked at and passed on as they came, but for a document whose
// nesting becomes too deep, or no longer is: then the message becomes one that
// closes or opens it.
//
//===----------------------------------------------------------------------===//

#include "DocumentFilter.h"
#include "ptxbench/Support/NestingDepth.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using llvm::StringRef;

namespace ptxbench {

/// Whether LLVM's parser of JSON, which recurses, can read the message.
static bool isFlatJSON(StringRef message) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < message.size(); ++i) {
    char c = message[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{'))
      ++depth;
    else if (!inString && (c == ']' || c == '}') && depth)
      --depth;
    if (depth > maxNestingDepth)
      return false;
  }
  return true;
}

static std::string notify(StringRef method, llvm::json::Object document) {
  return llvm::formatv(
      "{0}", llvm::json::Value(llvm::json::Object{
                 {"jsonrpc", "2.0"},
                 {"method", method},
                 {"params",
                  llvm::json::Object{{"textDocument", std::move(document)}}}}));
}

std::optional<std::string>
DocumentFilter::judge(StringRef uri, Document &document, StringRef message) {
  bool wasWithheld = document.withheld;
  llvm::Error deep = checkNestingDepth(document.text, uri, NestedText::MLIR);
  document.withheld = bool(deep);
  if (document.withheld) {
    std::string text = llvm::toString(std::move(deep));
    if (wasWithheld)
      return std::nullopt;
    llvm::errs() << "ptxbench-lsp-server: " << text
                 << "; the document is not looked at until it is less\n";
    return notify("textDocument/didClose", llvm::json::Object{{"uri", uri}});
  }
  if (!wasWithheld)
    return message.str();
  return notify("textDocument/didOpen",
                llvm::json::Object{{"uri", uri},
                                   {"languageId", "mlir"},
                                   {"version", document.version},
                                   {"text", document.text}});
}

std::optional<std::string> DocumentFilter::filter(StringRef message) {
  if (!isFlatJSON(message)) {
    llvm::errs() << "ptxbench-lsp-server: a message is nested more than "
                 << maxNestingDepth << " deep and is not looked at\n";
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(message);
  if (!value) {
    llvm::consumeError(value.takeError());
    return message.str();
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return message.str();
  StringRef method = object->getString("method").value_or("");
  // Each of them is a notification: nobody waits for an answer.
  if (!method.starts_with("textDocument/did"))
    return message.str();
  const llvm::json::Object *params = object->getObject("params");
  const llvm::json::Object *document =
      params ? params->getObject("textDocument") : nullptr;
  if (!document)
    return message.str();
  StringRef uri = document->getString("uri").value_or("");
  bool isPTX = uri.ends_with_insensitive(".ptx") || ptxDocuments.contains(uri);
  if (method == "textDocument/didOpen" &&
      (isPTX || document->getString("languageId").value_or("") == "ptx")) {
    ptxDocuments.insert(uri);
    llvm::errs() << "ptxbench-lsp-server: " << uri
                 << " is PTX text, not MLIR, and is not looked at\n";
    return std::nullopt;
  }
  if (method == "textDocument/didClose")
    ptxDocuments.erase(uri);
  if (isPTX)
    return std::nullopt;

  int64_t version = document->getInteger("version").value_or(0);
  if (method == "textDocument/didOpen") {
    Document &opened = documents[uri];
    opened = {document->getString("text").value_or("").str(), version, false};
    std::optional<std::string> passed = judge(uri, opened, message);
    // The server never had it.
    if (opened.withheld)
      return std::nullopt;
    return passed;
  }
  auto known = documents.find(uri);
  if (known == documents.end())
    return message.str();
  if (method == "textDocument/didClose") {
    bool wasWithheld = known->second.withheld;
    documents.erase(known);
    if (wasWithheld)
      return std::nullopt;
    return message.str();
  }
  if (method != "textDocument/didChange")
    return message.str();
  llvm::lsp::DidChangeTextDocumentParams change;
  llvm::json::Path::Root root("params");
  std::string text = known->second.text;
  if (!fromJSON(*object->get("params"), change, root) ||
      failed(llvm::lsp::TextDocumentContentChangeEvent::applyTo(
          change.contentChanges, text))) {
    // The server says so, if it has the document.
    if (known->second.withheld)
      return std::nullopt;
    return message.str();
  }
  known->second.text = std::move(text);
  known->second.version = version;
  return judge(uri, known->second, message);
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
        std::optional<std::string> passed = filter(body);
        if (passed && !write(StringRef(*passed).rtrim().str() + "\n" + *line))
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
    std::optional<std::string> passed = filter(body);
    if (passed && *passed != body)
      head = "Content-Length: " + std::to_string(passed->size()) + "\r\n\r\n";
    if (passed && !write(head + *passed))
      return false;
    head.clear();
    length = 0;
  }
  if (!delimited || body.empty())
    return true;
  std::optional<std::string> passed = filter(body);
  return !passed || write(*passed);
}

} // namespace ptxbench
