//===- Selector.h - Names of the parts of a register ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The video instructions work on bytes and half-words of 32-bit registers:
// `a.b3` is one byte, `a.h10` two half-words, `d.b3210` a mask of bytes. A
// selector is kept as its characters, packed into an integer, so that an
// operand node needs no string for it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ISA_SELECTOR_H
#define PTXBENCH_ISA_SELECTOR_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ptxbench {

/// Which selectors an operand may have.
enum class SelectorKind : uint8_t {
  None,
  /// One byte or half-word: b0 … b3, h0, h1.
  Part,
  /// The half-words that are written: h0, h1, h10.
  HalfMask,
  /// Two half-words out of those of two registers: h00 … h33.
  Halves,
  /// The bytes that are written: b0, b1, b10, … b3210.
  ByteMask,
  /// Four bytes out of those of two registers: b0000 … b7777.
  Bytes,
};

/// The integer for "b3210"; none if the text is no selector of any kind.
std::optional<int64_t> parseSelector(llvm::StringRef text);
std::string stringifySelector(int64_t selector);

/// Whether an operand with selectors of this kind may have that one.
bool isSelectorOf(SelectorKind kind, int64_t selector);

} // namespace ptxbench

#endif // PTXBENCH_ISA_SELECTOR_H
