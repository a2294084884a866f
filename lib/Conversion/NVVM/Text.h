//===- Text.h - The texts of PTXConversions.td ------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text of a record as a tree. PTXConversions.td says what the places in it
// mean. What stands in front of the first blank is the mnemonic, made of
// modifiers; what stands behind it, the operands.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_NVVM_TEXT_H
#define PTXBENCH_LIB_CONVERSION_NVVM_TEXT_H

#include "ptxbench/ISA/Instruction.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace ptxbench::nvvm {

struct Piece;
using Sequence = std::vector<Piece>;

/// One case of a choice. The first text is written; the others mean the same.
struct Case {
  llvm::StringRef value;
  std::vector<Sequence> texts;
};

struct Piece {
  enum Kind : uint8_t {
    /// Characters that stand as they are.
    Literal,
    /// $a, $a*, $a*=b, $a[0].
    Value,
    /// $=a: a constant; $!a: a predicate that is known.
    Constant,
    Predicate,
    /// $:a, $#a.
    Word,
    Number,
    /// A modifier: parts, without the dot in front of it.
    Token,
    /// <.x/.y>: one case without a value.
    Same,
    /// <a? x;y>: cases "true" and "-".
    IfPresent,
    /// <a v:x>, <@a 3:x>, <%a i32:x>.
    ByAttribute,
    BySpace,
    ByType,
  } kind = Literal;
  /// Literal: the characters; else the name.
  llvm::StringRef text;
  /// Value: $?a, an i32 that is a predicate in PTX.
  bool isTruth = false;
  /// Value: all elements; `tied` is what follows `=`.
  bool isList = false;
  llvm::StringRef tied;
  /// Value: the number of the element, or -1.
  int element = -1;
  /// Of a token.
  Sequence parts;
  std::vector<Case> cases;

  bool isChoice() const { return kind >= Same; }
};

struct Text {
  Opcode opcode;
  /// Made of tokens and choices.
  Sequence mnemonic, operands;
};

/// Reads a text, which must outlive the result.
llvm::Expected<Text> parseText(llvm::StringRef source);

} // namespace ptxbench::nvvm

#endif // PTXBENCH_LIB_CONVERSION_NVVM_TEXT_H
