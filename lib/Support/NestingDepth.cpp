//===- NestingDepth.cpp - How deep a text is nested -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It need not know the grammar, but must not call a text deep that is not: a
// closing bracket closes what was opened inside of its partner, so that signs
// such as '<' that were no brackets do not add up.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/NestingDepth.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;

namespace {
class DepthCounter {
public:
  DepthCounter(StringRef text, NestedText kind) : text(text), kind(kind) {}

  /// Where the text is deeper than `limit`; npos if nowhere.
  size_t findDeeper(unsigned limit);

private:
  static constexpr StringRef openers = "({[<", closers = ")}]>";

  /// Passes a comment or a string at `position`, if one begins there.
  bool skipText();
  void close(size_t bracket);

  StringRef text;
  NestedText kind;
  size_t position = 0;
  /// What is open, as places in `openers`, and how many of each.
  std::string open;
  size_t counts[4] = {};
};
} // namespace

bool DepthCounter::skipText() {
  bool isLLVM = kind == NestedText::LLVM;
  StringRef rest = text.drop_front(position);
  if (isLLVM ? rest.front() == ';' : rest.starts_with("//")) {
    position = std::min(text.find('\n', position), text.size());
    return true;
  }
  if (rest.front() != '"')
    return false;
  // In LLVM IR a quote ends the string, whatever stands before it; in MLIR a
  // line ends what is not closed.
  for (++position; position < text.size(); ++position) {
    char c = text[position];
    if (c == '"' || (!isLLVM && c == '\n'))
      break;
    if (!isLLVM && c == '\\' && position + 1 < text.size() &&
        text[position + 1] != '\n')
      ++position;
  }
  position = std::min(position + 1, text.size());
  return true;
}

void DepthCounter::close(size_t bracket) {
  if (!counts[bracket])
    return;
  size_t closed;
  do {
    closed = size_t(open.back());
    --counts[closed];
    open.pop_back();
  } while (closed != bracket);
}

size_t DepthCounter::findDeeper(unsigned limit) {
  unsigned signs = 0;
  while (position < text.size()) {
    if (skipText())
      continue;
    char c = text[position];
    if (llvm::isSpace(c)) {
      ++position;
      continue;
    }
    StringRef two = text.substr(position, 2);
    if (two == "->" || two == "<=" || two == ">=" || two == "=>") {
      signs = 0;
      position += 2;
      continue;
    }
    signs = c == '-' ? signs + 1 : 0;
    if (size_t bracket = openers.find(c); bracket != StringRef::npos) {
      open.push_back(char(bracket));
      ++counts[bracket];
    } else if (bracket = closers.find(c); bracket != StringRef::npos) {
      close(bracket);
    }
    if (open.size() > limit || signs > limit)
      return position;
    ++position;
  }
  return StringRef::npos;
}

llvm::Error ptxbench::checkNestingDepth(StringRef text, StringRef path,
                                        NestedText kind, unsigned limit) {
  if (text.starts_with("ML\xefR") || text.starts_with("BC\xc0\xde"))
    return llvm::Error::success();
  size_t place = DepthCounter(text, kind).findDeeper(limit);
  if (place == StringRef::npos)
    return llvm::Error::success();
  StringRef before = text.take_front(place);
  size_t begin = before.rfind('\n') + 1;
  return llvm::createStringError(path + ":" + Twine(before.count('\n') + 1) +
                                 ":" + Twine(place - begin + 1) +
                                 ": error: expected a text nested at most " +
                                 Twine(limit) + " deep");
}

llvm::Error ptxbench::checkFileNestingDepth(StringRef path, NestedText kind) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::Error::success();
  return checkNestingDepth((*file)->getBuffer(), path, kind);
}
