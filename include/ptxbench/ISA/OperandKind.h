//===- OperandKind.h - Kinds of operand nodes -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The written operands of an instruction are a list of trees, stored in
// preorder. The syntax tree and the operations of the dialect use the same
// kinds.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ISA_OPERANDKIND_H
#define PTXBENCH_ISA_OPERANDKIND_H

#include <cstdint>

namespace ptxbench {

enum class OperandKind : uint8_t {
  /// A register that is read; `!p` sets OperandFlag_Negated.
  Use,
  /// A register that is written.
  Def,
  /// A register that is read and written by the same operand.
  DefUse,
  /// An integer constant, 64 bits.
  Int,
  /// Bits of a floating-point constant: 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX.
  F32,
  F64,
  /// A special register: %tid.x.
  SpecialReg,
  /// A variable, parameter or function, plus a byte offset.
  Symbol,
  /// `[base+offset]`; one child (Use, Symbol or Int), offset in the value; for
  /// a tensor address a second child (Vector), for a texture also a sampler
  /// between the two. OperandFlag_Unified may be set.
  Address,
  /// `{…}`.
  Vector,
  /// `d|p`: two children.
  Pair,
  /// `(…)`.
  List,
  /// `_`.
  Sink,
  /// A branch target.
  Label,
  /// `a.b0`: a part of a register. One child; the value is the selector
  /// (ptxbench/ISA/Selector.h).
  Selected,
};

enum OperandFlags : uint8_t {
  OperandFlag_None = 0,
  /// `!p`.
  OperandFlag_Negated = 1,
  /// An arithmetic minus before a register (only where the ISA has it).
  OperandFlag_Minus = 2,
  /// `[a].unified`, on an Address.
  OperandFlag_Unified = 4,
  /// `[a+0]`, on an Address: without optimisation ptxas makes other code of it
  /// than of `[a]`.
  OperandFlag_ZeroOffset = 8,
};

} // namespace ptxbench

#endif // PTXBENCH_ISA_OPERANDKIND_H
