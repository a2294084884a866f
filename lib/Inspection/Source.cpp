//===- Source.cpp - Names in the source of a candidate --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scanner for C++'s comments, literals and identifiers ([lex.phases],
// [lex.string] of C++17); everything else is passed over. A line that a
// backslash continues is one line, as for the preprocessor.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace ptxbench;

namespace {

class SourceScanner {
public:
  explicit SourceScanner(StringRef text) {
    // Phase 2: spliced lines, with the number of the line that each comes from.
    unsigned line = 1;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\' && text.substr(i + 1, 1) == "\n") {
        ++line, ++i;
        continue;
      }
      if (text[i] == '\\' && text.substr(i + 1, 2) == "\r\n") {
        ++line, i += 2;
        continue;
      }
      spliced += text[i];
      lines.push_back(line);
      line += text[i] == '\n';
    }
    rest = spliced;
  }

  std::vector<InspectionFinding> scan() {
    while (!rest.empty()) {
      if (rest.starts_with("//"))
        skipTo(rest.find('\n'));
      else if (rest.starts_with("/*"))
        skipTo(rest.find("*/", 2) == StringRef::npos ? StringRef::npos
                                                     : rest.find("*/", 2) + 2);
      else if (rest.front() == '"' || rest.front() == '\'')
        literal();
      else if (isAlpha(rest.front()) || rest.front() == '_')
        identifier();
      else if (isDigit(rest.front()))
        skipTo(rest.find_if([](char c) {
          return !isAlnum(c) && c != '.' && c != '\'' && c != '_';
        }));
      else if (rest.front() == '#')
        directive();
      else
        skipTo(1);
    }
    return std::move(findings);
  }

private:
  unsigned line() const {
    size_t at = spliced.size() - rest.size();
    return lines.empty() ? 1 : lines[std::min(at, lines.size() - 1)];
  }
  StringRef skipTo(size_t size) {
    StringRef skipped = rest.take_front(size);
    rest = rest.drop_front(skipped.size());
    return skipped;
  }
  void add(InspectionFinding::Kind kind, StringRef name, unsigned line) {
    if (seen.insert(name).second)
      findings.push_back({kind, name.str(), line});
  }

  void literal() {
    unsigned at = line();
    char quote = rest.front();
    size_t end = 1;
    while (end < rest.size() && rest[end] != quote && rest[end] != '\n')
      end += rest[end] == '\\' ? 2 : 1;
    StringRef text = skipTo(end + 1).drop_front(1);
    fileNames(text.drop_back(text.ends_with(StringRef(&quote, 1)) ? 1 : 0), at);
  }

  /// Names of libraries in a literal.
  void fileNames(StringRef text, unsigned at) {
    for (size_t from = text.find("lib"); from != StringRef::npos;
         from = text.find("lib", from + 1)) {
      StringRef name = text.drop_front(from).take_while(
          [](char c) { return isAlnum(c) || c == '.' || c == '_'; });
      if (isLibraryFile(name))
        add(InspectionFinding::Library, name, at);
    }
  }

  void identifier() {
    unsigned at = line();
    StringRef name =
        skipTo(rest.find_if([](char c) { return !isAlnum(c) && c != '_'; }));
    // R"delimiter( ... )delimiter"
    if (name.ends_with("R") && name.size() <= 3 && rest.starts_with("\"")) {
      StringRef delimiter = rest.drop_front(1).split('(').first;
      std::string close = (")" + delimiter + "\"").str();
      size_t end = rest.find(close);
      fileNames(skipTo(end == StringRef::npos ? end : end + close.size()), at);
      return;
    }
    if (std::optional<InspectionFinding::Kind> kind = kindOfSymbol(name)) {
      // `system` and the like are also names of members.
      bool isCalled = rest.ltrim().starts_with("(");
      StringRef before =
          StringRef(spliced).drop_back(rest.size() + name.size());
      bool isMember = before.ends_with(".") || before.ends_with("->");
      if (*kind == InspectionFinding::Library || (isCalled && !isMember) ||
          before.rtrim().ends_with("&"))
        add(*kind, name, at);
    }
  }

  /// #include <...>; what else a directive has is scanned as text.
  void directive() {
    unsigned at = line();
    skipTo(1);
    StringRef after = rest.ltrim(" \t");
    if (!after.consume_front("include"))
      return;
    after = after.ltrim(" \t");
    if (!after.starts_with("<") && !after.starts_with("\""))
      return;
    StringRef name = after.drop_front(1).take_until(
        [](char c) { return c == '>' || c == '"' || c == '\n'; });
    if (isLibraryFile(name))
      add(InspectionFinding::Library, name, at);
    skipTo(rest.find('\n'));
  }

  std::string spliced;
  std::vector<unsigned> lines;
  StringRef rest;
  StringSet<> seen;
  std::vector<InspectionFinding> findings;
};

} // namespace

std::vector<InspectionFinding> ptxbench::inspectSource(StringRef text) {
  return SourceScanner(text).scan();
}

const char *ptxbench::ruleOf(InspectionFinding::Kind kind) {
  switch (kind) {
  case InspectionFinding::Library:
    return "banned-library";
  case InspectionFinding::System:
    return "banned-system-call";
  case InspectionFinding::Lookup:
    return "run-time-lookup";
  }
  return "";
}

std::string ptxbench::describe(const InspectionFinding &finding) {
  switch (finding.kind) {
  case InspectionFinding::Library: {
    StringRef library = libraryOf(finding.name);
    if (library.empty())
      return "uses " + finding.name +
             ", a library that the task does not allow";
    return "uses " + finding.name + " of " + library.str() +
           ", which the task does not allow";
  }
  case InspectionFinding::System:
    return "calls " + finding.name +
           ", which reaches beyond the candidate's process";
  case InspectionFinding::Lookup:
    return "looks up code at run time by " + finding.name;
  }
  return "";
}
