//===- Selector.cpp - Names of the parts of a register --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/ISA/Selector.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace ptxbench;

std::optional<int64_t> ptxbench::parseSelector(StringRef text) {
  if (text.size() < 2 || text.size() > 5 ||
      (text.front() != 'b' && text.front() != 'h'))
    return std::nullopt;
  int64_t packed = 0;
  for (char c : text) {
    if (packed && (c < '0' || c > '7'))
      return std::nullopt;
    packed = packed << 8 | c;
  }
  return packed;
}

std::string ptxbench::stringifySelector(int64_t selector) {
  std::string text;
  for (int shift = 32; shift >= 0; shift -= 8)
    if (char c = selector >> shift & 0xFF)
      text += c;
  return text;
}

bool ptxbench::isSelectorOf(SelectorKind kind, int64_t selector) {
  std::string text = stringifySelector(selector);
  if (text.empty())
    return false;
  bool bytes = text.front() == 'b';
  StringRef digits = StringRef(text).drop_front();
  auto below = [&](char limit) {
    return all_of(digits, [&](char c) { return c < limit; });
  };
  // A mask names its parts from the highest down.
  auto falls = [&] {
    for (size_t i = 1; i < digits.size(); ++i)
      if (digits[i] >= digits[i - 1])
        return false;
    return true;
  };
  switch (kind) {
  case SelectorKind::None:
    return false;
  case SelectorKind::Part:
    return digits.size() == 1 && below(bytes ? '4' : '2');
  case SelectorKind::HalfMask:
    return !bytes && below('2') && falls();
  case SelectorKind::Halves:
    return !bytes && digits.size() == 2 && below('4');
  case SelectorKind::ByteMask:
    return bytes && below('4') && falls();
  case SelectorKind::Bytes:
    return bytes && digits.size() == 4 && below('8');
  }
  return false;
}
