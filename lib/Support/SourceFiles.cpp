//===- SourceFiles.cpp - The files that a compilation read ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source may hold markers of its own (`# 1 "x" 1` is a directive, too): they
// add files to the list, and take none away.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/SourceFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace ptxbench;

/// Takes a string literal off the front: backslashes stand before quotes,
/// backslashes and three octal digits.
static bool takeLiteral(StringRef &text, std::string &value) {
  if (!text.consume_front("\""))
    return false;
  while (!text.empty() && text.front() != '"') {
    char c = text.front();
    text = text.drop_front();
    if (c == '\\' && !text.empty()) {
      unsigned code = 0;
      if (text.size() >= 3 && !text.take_front(3).getAsInteger(8, code)) {
        c = char(code);
        text = text.drop_front(3);
      } else {
        c = text.front();
        text = text.drop_front();
      }
    }
    value += c;
  }
  return text.consume_front("\"");
}

std::vector<CompiledFile> ptxbench::filesInLineMarkers(StringRef text) {
  std::vector<CompiledFile> files;
  StringSet<> known;
  std::string file;
  unsigned line = 0;
  while (!text.empty()) {
    auto [here, rest] = text.split('\n');
    text = rest;
    unsigned number = 0;
    std::string name;
    StringRef marker = here;
    if (!marker.consume_front("# ") || marker.consumeInteger(10, number) ||
        !marker.consume_front(" ") || !takeLiteral(marker, name)) {
      ++line;
      continue;
    }
    SmallVector<StringRef, 4> flags;
    marker.split(flags, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    // "<built-in>" and "<command-line>" are no files.
    if (is_contained(flags, "1") && !StringRef(name).starts_with("<") &&
        known.insert(name).second)
      files.push_back({name, file, line});
    file = std::move(name);
    line = number;
  }
  return files;
}

std::vector<CompiledFile> ptxbench::takeAssemblerRules(std::string &text) {
  std::vector<CompiledFile> files;
  StringSet<> known;
  std::string others;
  StringRef left = text;
  bool inRule = false;
  while (!left.empty()) {
    size_t size = std::min(left.find('\n'), left.size() - 1) + 1;
    StringRef line = left.take_front(size);
    left = left.drop_front(size);
    StringRef names = line.rtrim("\r\n");
    if (!inRule) {
      size_t colon = names.find(".o: ");
      if (colon == StringRef::npos) {
        others += line;
        continue;
      }
      names = names.drop_front(colon + 4);
    }
    inRule = names.consume_back("\\");
    std::string name;
    auto finish = [&] {
      if (!name.empty() && known.insert(name).second)
        files.push_back({name, "", 0});
      name.clear();
    };
    for (size_t i = 0; i < names.size(); ++i) {
      char c = names[i];
      if (c == ' ') {
        finish();
        continue;
      }
      bool isEscaped =
          i + 1 < names.size() &&
          ((c == '\\' && StringRef(" #\\").contains(names[i + 1])) ||
           (c == '$' && names[i + 1] == '$'));
      name += isEscaped ? names[++i] : c;
    }
    finish();
  }
  text = std::move(others);
  return files;
}

std::vector<std::string> ptxbench::headerFolders(StringRef text) {
  std::vector<std::string> folders;
  bool inList = false;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.starts_with("#include ") && line.contains("search starts here:"))
      inList = true;
    else if (!line.starts_with(" "))
      inList = false;
    else if (inList)
      folders.push_back(line.trim().str());
  }
  return folders;
}

bool ptxbench::isBelow(StringRef realPath, ArrayRef<std::string> folders) {
  return any_of(folders, [&](StringRef folder) {
    StringRef rest = realPath;
    return rest.consume_front(folder.rtrim('/')) && rest.starts_with("/");
  });
}
