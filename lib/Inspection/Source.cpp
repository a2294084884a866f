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
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

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
      else if (size_t size = sizeOfHash(rest))
        directive(size);
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
  void add(InspectionFinding::Kind kind, StringRef name, unsigned line,
           bool decides = false) {
    if (seen.insert(name).second || decides)
      findings.push_back({kind, name.str(), line, "", decides});
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
    if (std::optional<InspectionFinding::Kind> kind = kindOfSymbol(name))
      add(*kind, name, at);
  }

  /// Of what begins a directive: '#', or its other spelling; 0: nothing.
  static size_t sizeOfHash(StringRef text) {
    return text.starts_with("#") ? 1 : text.starts_with("%:") ? 2 : 0;
  }

  /// Without the blanks and the comments that a line begins with.
  static StringRef dropBlanks(StringRef text) {
    while (true) {
      text = text.ltrim(" \t\v\f");
      size_t end =
          text.starts_with("/*") ? text.find("*/", 2) : StringRef::npos;
      if (end == StringRef::npos)
        return text;
      text = text.drop_front(end + 2);
    }
  }

  static StringRef takeName(StringRef text) {
    return text.take_while([](char c) { return isAlnum(c) || c == '_'; });
  }

  /// #include in all spellings, also by the name of a macro; what else a
  /// directive has is scanned as text.
  void directive(size_t size) {
    unsigned at = line();
    skipTo(size);
    StringRef after = dropBlanks(rest);
    StringRef word = takeName(after);
    after = dropBlanks(after.drop_front(word.size()));
    if (word == "if" && after.split('\n').first.rtrim() == "0")
      return skipGroup();
    if (word == "define") {
      StringRef name = takeName(after);
      if (!name.empty())
        headers[name] = dropBlanks(after.drop_front(name.size()));
      return;
    }
    if (word != "include" && word != "include_next" && word != "import")
      return;
    for (unsigned depth = 0; depth < maxMacros; ++depth) {
      auto macro = headers.find(takeName(after));
      if (macro == headers.end())
        break;
      after = macro->second;
    }
    if (!after.starts_with("<") && !after.starts_with("\""))
      return;
    bool isQuoted = after.front() == '"';
    StringRef name = after.drop_front(1).take_until(
        [](char c) { return c == '>' || c == '"' || c == '\n'; });
    if (isLibraryFile(name))
      add(InspectionFinding::Library, name, at, /*decides=*/true);
    if (isQuoted)
      quotedIncludes.push_back(name.str());
    skipTo(rest.find('\n'));
  }

  /// Passes over the lines up to the #else, #elif or #endif of an #if.
  void skipGroup() {
    for (unsigned depth = 0; !rest.empty();) {
      skipTo(std::min(rest.find('\n'), rest.size()) + 1);
      StringRef text = dropBlanks(rest);
      size_t size = sizeOfHash(text);
      if (!size)
        continue;
      StringRef word = takeName(dropBlanks(text.drop_front(size)));
      if (depth == 0 && (word == "endif" || word == "else" || word == "elif"))
        return;
      depth += word.starts_with("if");
      depth -= word == "endif";
    }
  }

public:
  std::vector<std::string> quotedIncludes;

private:
  std::string spliced;
  std::vector<unsigned> lines;
  StringRef rest;
  StringSet<> seen;
  /// Macros of one file name others of it, not without end.
  static constexpr unsigned maxMacros = 16;
  /// What stands behind the name in the last #define of a macro.
  StringMap<StringRef> headers;
  std::vector<InspectionFinding> findings;
};

} // namespace

std::vector<InspectionFinding> ptxbench::inspectSource(StringRef text) {
  return SourceScanner(text).scan();
}

Expected<std::vector<InspectionFinding>>
ptxbench::inspectSourceFile(StringRef path) {
  std::vector<InspectionFinding> findings;
  std::vector<std::string> left{path.str()};
  SmallString<256> main(path);
  sys::path::remove_dots(main, /*remove_dot_dot=*/true);
  StringSet<> known;
  known.insert(main);
  StringRef folder = sys::path::parent_path(path);
  while (!left.empty()) {
    std::string name = std::move(left.back());
    left.pop_back();
    auto file = MemoryBuffer::getFile(name);
    if (!file) {
      if (name == path)
        return createStringError(file.getError(),
                                 "cannot read '" + path +
                                     "': " + file.getError().message());
      continue;
    }
    SourceScanner scanner((*file)->getBuffer());
    for (InspectionFinding &finding : scanner.scan()) {
      if (name != path) {
        StringRef shown = name;
        if (shown.consume_front(folder))
          shown.consume_front("/");
        finding.file = shown.str();
      }
      findings.push_back(std::move(finding));
    }
    for (const std::string &include : scanner.quotedIncludes) {
      SmallString<256> next(include);
      if (!sys::path::is_absolute(include)) {
        next = sys::path::parent_path(name);
        sys::path::append(next, include);
      }
      sys::path::remove_dots(next, /*remove_dot_dot=*/true);
      if (sys::fs::is_regular_file(next) && known.insert(next).second)
        left.push_back(next.str().str());
    }
  }
  return findings;
}

const char *ptxbench::ruleOf(InspectionFinding::Kind kind) {
  switch (kind) {
  case InspectionFinding::Library:
    return "banned-library";
  case InspectionFinding::System:
    return "system-call";
  case InspectionFinding::Lookup:
    return "run-time-lookup";
  case InspectionFinding::Foreign:
    return "foreign-file";
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
  case InspectionFinding::Foreign:
    return "is made of '" + finding.name +
           "', which is not in the candidate's folder and no header of a "
           "compiler's";
  }
  return "";
}
