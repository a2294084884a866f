//===- BoundedJSON.cpp - JSON that others wrote ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brackets in strings do not count. A text that is no JSON at all may be
// counted wrongly; the parser refuses it before it gets deeper than counted.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/BoundedJSON.h"

using namespace llvm;
using namespace ptxbench;

std::optional<unsigned> ptxbench::findTooDeepLine(StringRef text) {
  unsigned depth = 0, line = 0;
  bool inString = false;
  for (size_t i = 0, e = text.size(); i < e; ++i) {
    char c = text[i];
    line += c == '\n';
    if (inString) {
      if (c == '\\')
        i += i + 1 != e;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > maxJSONDepth)
        return line;
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  return std::nullopt;
}

Expected<json::Value> ptxbench::parseBoundedJSON(StringRef text) {
  if (findTooDeepLine(text))
    return createStringError(inconvertibleErrorCode(),
                             "expected JSON nested at most " +
                                 Twine(maxJSONDepth) + " deep");
  return json::parse(text);
}
