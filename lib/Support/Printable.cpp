//===- Printable.cpp - Text of others on a terminal -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks at code points: C1 controls are two bytes of UTF-8, and some that are
// no controls hide text or turn its direction around.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

std::string ptxbench::toPrintable(StringRef text) {
  if (llvm::all_of(text, llvm::isPrint))
    return text.str();
  std::string valid =
      llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
  std::string result;
  result.reserve(valid.size());
  const auto *position = reinterpret_cast<const llvm::UTF8 *>(valid.data());
  const auto *end = position + valid.size();
  while (position != end) {
    const llvm::UTF8 *begin = position;
    llvm::UTF32 point = 0;
    if (llvm::convertUTF8Sequence(&position, end, &point,
                                  llvm::strictConversion) !=
        llvm::conversionOK) {
      position = begin + 1;
      point = 0;
    }
    bool blank = point == ' ' || point == '\t' || point == '\n' ||
                 point == '\r' || point == '\v' || point == '\f';
    bool hidden = point < 0x20 || (point >= 0x7f && point < 0xa0) ||
                  (point >= 0x200b && point <= 0x200f) ||
                  (point >= 0x2028 && point <= 0x202e) ||
                  (point >= 0x2060 && point <= 0x206f) || point == 0xfeff;
    if (blank)
      result += ' ';
    else if (hidden)
      result += '?';
    else
      result.append(reinterpret_cast<const char *>(begin), position - begin);
  }
  return result;
}

std::string ptxbench::toPrintableLines(StringRef text) {
  std::string result;
  while (!text.empty()) {
    size_t end = text.find('\n');
    result += toPrintable(text.take_front(end));
    if (end == StringRef::npos)
      break;
    result += '\n';
    text = text.drop_front(end + 1);
  }
  return result;
}
