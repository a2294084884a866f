//===- Diagnostics.cpp - Lines, columns and printed diagnostics -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places are byte offsets until something is reported: the starts of the lines
// are found once, a line and column by binary search.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/PTX/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace ptxbench::syntax;

LineTable::LineTable(StringRef text) : buffer(text) {
  starts.reserve(text.size() / 32);
  starts.push_back(0);
  const char *cursor = text.begin();
  while (const void *newline = memchr(cursor, '\n', text.end() - cursor)) {
    cursor = static_cast<const char *>(newline) + 1;
    starts.push_back(cursor - text.begin());
  }
}

std::pair<unsigned, unsigned>
LineTable::lineAndColumn(SourceOffset offset) const {
  auto it = std::upper_bound(starts.begin(), starts.end(), offset);
  unsigned line = it - starts.begin();
  return {line, offset - starts[line - 1] + 1};
}

StringRef LineTable::line(unsigned number) const {
  if (number == 0 || number > starts.size())
    return {};
  size_t first = starts[number - 1];
  size_t last = number < starts.size() ? starts[number] : buffer.size();
  return buffer.slice(first, last).rtrim("\r\n");
}

void ptxbench::syntax::printDiagnostic(raw_ostream &os, StringRef path,
                                       const LineTable &lines,
                                       const Diagnostic &diagnostic) {
  StringRef severity = diagnostic.severity == Severity::Error     ? "error"
                       : diagnostic.severity == Severity::Warning ? "warning"
                                                                  : "note";
  os << path << ':' << diagnostic.line << ':' << diagnostic.column << ": "
     << severity << ": " << diagnostic.message << '\n';
  // A window of the line around the place: lines can be megabytes long.
  constexpr unsigned window = 100;
  StringRef line = lines.line(diagnostic.line);
  unsigned column = std::min<size_t>(diagnostic.column - 1, line.size());
  unsigned first =
      column > window / 2 && line.size() > window ? column - window / 2 : 0;
  StringRef shown = line.substr(first, window);
  os << "  ";
  for (char c : shown)
    os << (c == '\t' ? ' ' : isPrint(c) ? c : '?');
  os << "\n  ";
  os.indent(column - first) << '^';
  unsigned room = shown.size() - std::min<size_t>(shown.size(), column - first);
  for (unsigned i = 1; i < std::min(diagnostic.length, room); ++i)
    os << '~';
  os << '\n';
  if (!diagnostic.hint.empty())
    os << "  " << diagnostic.hint << '\n';
}
