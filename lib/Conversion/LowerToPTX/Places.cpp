//===- Places.cpp - Operations behind lines of PTX ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's text has a directive on a line of its own, and its labels for debug
// information are known by their names; nothing else is looked at.
//
//===----------------------------------------------------------------------===//

#include "Places.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ptxbench {

std::string LoweredPlace::str() const {
  if (file.empty() || !line)
    return "";
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

const LoweredPlace *LoweredModule::findPlace(unsigned line) const {
  auto next = placeOfLine.upper_bound(line);
  if (next == placeOfLine.begin() || std::prev(next)->second < 0)
    return nullptr;
  return &places[std::prev(next)->second];
}

/// What stands around inline assembly in LLVM's text.
static constexpr StringLiteral asmBegin = "// begin inline asm",
                               asmEnd = "// end inline asm";

std::string LoweredModule::describeLine(unsigned line) const {
  // Its line in the string, from 1; 0: it is not in one.
  unsigned inAsm = 0, number = 0;
  for (StringRef rest = ptx; !rest.empty() && number < line;) {
    auto [text, next] = rest.split('\n');
    rest = next;
    ++number;
    if (text.trim() == asmBegin)
      inAsm = 1;
    else if (text.trim() == asmEnd)
      inAsm = 0;
    else if (inAsm && number < line)
      ++inAsm;
  }
  std::string where = "line " + std::to_string(line) + " of the PTX";
  return inAsm ? "in inline asm, line " + std::to_string(inAsm) + " (" + where +
                     ")"
               : where;
}

/// The name in ".visible .entry name("; empty if it is another line.
static StringRef entryName(StringRef line) {
  size_t at = line.find(".entry ");
  if (at == StringRef::npos || line.starts_with("//"))
    return "";
  return line.drop_front(at + 7).take_until(
      [](char c) { return c == '(' || isSpace(c); });
}

/// `$L__tmp7:` and the like.
static bool isDebugLabel(StringRef line) {
  if (!line.consume_front("$L__") || !line.consume_back(":"))
    return false;
  return (line.consume_front("tmp") || line.consume_front("func_begin") ||
          line.consume_front("func_end")) &&
         all_of(line, isDigit);
}

namespace {
class TextTaker {
public:
  TextTaker(std::vector<LoweredPlace> places) {
    result.places = std::move(places);
  }
  LoweredModule take(StringRef text);

private:
  void write(StringRef text) {
    result.ptx += text;
    result.ptx += '\n';
    ++line;
  }
  void takeLoc(StringRef rest);
  int findFunction(int number) const;

  LoweredModule result;
  /// The line that is written next.
  unsigned line = 1;
  StringMap<unsigned> files;
  std::vector<StringRef> fileNames;
  /// What the last directive in this function says.
  std::string lastLoc;
  /// Where the head of a function begins, until its first directive: that is
  /// of something in the function. 0: no head.
  unsigned head = 0;
};
} // namespace

/// The function around an operation: it has a lower number, as all that stands
/// before. -1 if there is none.
int TextTaker::findFunction(int number) const {
  while (number >= 0 &&
         !is_contained({"gpu.func", "llvm.func", "func.func", "define"},
                       StringRef(result.places[number].operation)))
    --number;
  return number;
}

void TextTaker::takeLoc(StringRef rest) {
  SmallVector<StringRef> words;
  SplitString(rest, words);
  unsigned number = 0;
  if (words.size() < 2 || words[1].getAsInteger(10, number) ||
      number > result.places.size())
    number = 0;
  if (head)
    result.placeOfLine[head] = findFunction(int(number) - 1);
  head = 0;
  result.placeOfLine[line] = int(number) - 1;
  const LoweredPlace *place = number ? &result.places[number - 1] : nullptr;
  bool known = place && !place->file.empty() && place->line;
  std::string loc;
  if (known) {
    auto [file, isNew] = files.try_emplace(place->file, files.size() + 1);
    if (isNew)
      fileNames.push_back(file->getKey());
    loc = "\t.loc\t" + std::to_string(file->second) + " " +
          std::to_string(place->line) + " " + std::to_string(place->column);
  } else if (!lastLoc.empty()) {
    // What comes is not of the last place.
    loc = "\t.loc\t" + std::to_string(files.size()) + " 0 0";
  }
  if (loc.empty() || loc == lastLoc)
    return;
  write(loc);
  lastLoc = loc;
}

LoweredModule TextTaker::take(StringRef text) {
  SmallVector<StringRef> lines;
  text.rtrim().split(lines, '\n');
  // What an author wrote is left as it is.
  bool inlineAsm = false;
  for (StringRef whole : lines) {
    StringRef content = whole.trim();
    if (content == asmBegin || content == asmEnd)
      inlineAsm = content == asmBegin;
    if (inlineAsm) {
      write(whole);
      continue;
    }
    if (StringRef name = entryName(content); !name.empty())
      result.kernels.push_back(name.str());
    if (!content.starts_with("//") &&
        (content.contains(".entry ") || content.contains(".func ")))
      head = line;
    StringRef rest = content;
    if (!result.places.empty()) {
      if (rest.consume_front(".loc\t")) {
        takeLoc(rest.split("//").first);
        continue;
      }
      if (isDebugLabel(content) || content.starts_with(".file") ||
          (rest.consume_front(".section") &&
           rest.ltrim().starts_with(".debug_")))
        continue;
    }
    write(whole);
    if (content == "}") {
      lastLoc.clear();
      result.placeOfLine[line] = -1;
    }
  }
  for (auto [number, name] : enumerate(fileNames)) {
    std::string spelt = name.str();
    for (char &c : spelt)
      if (c == '"' || c == '\\' || !isPrint(c))
        c = '_';
    write("\t.file\t" + std::to_string(number + 1) + " \"" + spelt + "\"");
  }
  return std::move(result);
}

LoweredModule takeText(StringRef text, std::vector<LoweredPlace> places) {
  return TextTaker(std::move(places)).take(text);
}

} // namespace ptxbench
