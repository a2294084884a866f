//===- Text.h - How constructs of PTX are spelled ---------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that knows how a number, an operand, a declaration or a
// directive is written. Both writers of PTX text use it, the printer of the
// syntax tree and the exporter of the dialect; what they have is handed over in
// the plain structures below. Independent of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_PTX_TEXT_H
#define PTXBENCH_TARGET_PTX_TEXT_H

#include "ptxbench/Target/PTX/SyntaxTree.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxbench::text {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Writes an integer constant so that every reader takes it as it is.
void printInt(llvm::raw_ostream &os, int64_t value);
/// 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX.
void printF32(llvm::raw_ostream &os, uint32_t bits);
void printF64(llvm::raw_ostream &os, uint64_t bits);

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// A node of an operand tree; children follow in preorder.
struct Operand {
  OperandKind kind;
  /// OperandFlags.
  uint8_t flags = 0;
  uint16_t numChildren = 0;
  /// Use, Def, DefUse: the register, for `printRegister`; else as in
  /// syntax::OperandNode.
  int64_t value = 0;
  /// SpecialReg: without the `%`. Vector: the register that stands for all its
  /// elements, or empty.
  llvm::StringRef name;
};

/// Writes the operands of an instruction, with the blank in front of them.
void printOperands(llvm::raw_ostream &os, llvm::ArrayRef<Operand> operands,
                   llvm::function_ref<void(int64_t)> printRegister);

/// Writes the mnemonic.
void printMnemonic(llvm::raw_ostream &os, Opcode opcode,
                   llvm::ArrayRef<Mod> mods);

/// Writes the lines that compilers put around inline assembly, between a
/// statement of the region `from` and one of the region `to`; 0 is none.
void printInlineAsmMarkers(llvm::raw_ostream &os, uint32_t from, uint32_t to);

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// A variable or parameter. Space, linkage and type are spelled without dots;
/// an empty string is none.
struct Variable {
  llvm::StringRef linkage, space, attribute;
  uint32_t align = 0;
  unsigned vector = 0;
  llvm::StringRef type;
  /// What follows `.ptr`; none: it is no pointer.
  std::optional<llvm::StringRef> pointee;
  llvm::StringRef name;
  /// 0 stands for an empty `[]`.
  llvm::SmallVector<uint64_t, 2> extents;
};

/// What follows `.ptr`: ".global .align 16".
std::string getPointee(llvm::StringRef space, uint32_t align);

/// Writes a declaration without the final `;`.
void printVariable(llvm::raw_ostream &os, const Variable &var);

/// Writes ` = …` with `count` values, in braces as the extents want it.
void printInitializer(llvm::raw_ostream &os, const Variable &var, size_t count,
                      llvm::function_ref<syntax::Initializer(size_t)> get);

/// Writes `.reg .b32 %r<8>;` as a line.
void printRegisters(llvm::raw_ostream &os, llvm::StringRef type,
                    unsigned vector, llvm::StringRef name, uint32_t count);

/// A directive of a function.
struct Directive {
  llvm::StringRef name;
  llvm::SmallVector<int64_t, 3> values;
  /// `.pragma`: the string; `.attribute`: the whole directive.
  llvm::StringRef text;
};

/// What stands before a function's body.
struct Signature {
  bool isEntry = false;
  llvm::StringRef linkage, name;
  std::vector<Variable> results, params;
  std::vector<Directive> directives;
};

/// Writes what stands before the line of the opening brace, or the `;`.
void printSignature(llvm::raw_ostream &os, const Signature &signature);

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

/// Writes `.version`, `.target` and `.address_size`, and an empty line.
void printHeader(llvm::raw_ostream &os, PTXVersion version,
                 llvm::StringRef arch, llvm::ArrayRef<llvm::StringRef> options,
                 unsigned addressSize);
void printFile(llvm::raw_ostream &os, const syntax::FileDirective &file);
void printLoc(llvm::raw_ostream &os, const syntax::LocDirective &loc);
void printPragma(llvm::raw_ostream &os, llvm::StringRef text);
/// `label: .branchtargets a, b;`
void printLabelList(llvm::raw_ostream &os, llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> labels);

} // namespace ptxbench::text

#endif // PTXBENCH_TARGET_PTX_TEXT_H
