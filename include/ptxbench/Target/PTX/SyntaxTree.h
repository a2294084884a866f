//===- SyntaxTree.h - PTX text, parsed, resolved and checked ----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser makes of a PTX file: every instruction matched against a
// form of its record, every register, variable and label resolved to an index,
// scopes flattened (a name that a nested scope declares again gets a fresh
// spelling). All strings point into the source buffer or the tree's arena, so
// both outlive the tree. Independent of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_PTX_SYNTAXTREE_H
#define PTXBENCH_TARGET_PTX_SYNTAXTREE_H

#include "ptxbench/ISA/Instruction.h"
#include "ptxbench/ISA/OperandKind.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ptxbench::syntax {

/// Byte offset into the source buffer.
using SourceOffset = uint32_t;

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// One declared name, or `count` numbered ones (`%r<100>`). The registers of a
/// function are numbered through: this one's have the indices `first`,
/// `first + 1`, …
struct RegDecl {
  /// Spelling for the export, unique in the function: "%r".
  llvm::StringRef name;
  DataType type;
  /// 0 for a plain name, else the number in `<…>`.
  uint32_t count = 0;
  /// `.v2`/`.v4` declarations: number of elements; 0 for a scalar.
  uint8_t vector = 0;
  uint32_t first = 0;
  SourceOffset loc = 0;

  uint32_t numRegisters() const {
    return (count ? count : 1) * (vector ? vector : 1);
  }
};

enum class StateSpace : uint8_t {
  None,
  Reg,
  Const,
  Global,
  Local,
  Param,
  Shared,
  Tex
};

enum class Linkage : uint8_t { None, Extern, Visible, Weak, Common };

/// As spelled without the dot; empty for `None`.
llvm::StringRef stringifyStateSpace(StateSpace space);
llvm::StringRef stringifyLinkage(Linkage linkage);

/// One element of an initialiser: a number of the variable's type or the
/// address of a symbol.
struct Initializer {
  enum Kind : uint8_t { Int, F32, F64, Symbol, GenericSymbol } kind = Int;
  uint64_t bits = 0; // the number, or the offset of the symbol
  /// mask(…) of the ISA: 0 or the mask (0xff, 0xff00, …).
  uint64_t mask = 0;
  llvm::StringRef symbol;
};

/// A variable at module or function level, or a parameter.
struct VarDecl {
  /// Unique in its function (or module).
  llvm::StringRef name;
  StateSpace space = StateSpace::None;
  Linkage linkage = Linkage::None;
  DataType type;
  /// As spelled ("b8", "u64", "texref"), for what DataType cannot say.
  llvm::StringRef typeName;
  /// 0, or 2 / 4 for `.v2` / `.v4`.
  uint8_t vector = 0;
  /// Alignment in bytes, 0 if not given.
  uint32_t align = 0;
  /// Extents; 0 stands for an empty `[]`.
  std::vector<uint64_t> extents;
  /// Flattened; empty if there is none.
  std::vector<Initializer> init;
  bool hasInit = false;
  /// `.param .u64 .ptr .global .align 16`: the pointee's space, or what opaque
  /// type it is (empty: generic memory), and its alignment.
  bool isPointer = false;
  llvm::StringRef pointee;
  uint32_t pointerAlign = 0;
  /// `.attribute(.managed)` and its like, verbatim, several with a blank
  /// between them; else empty.
  llvm::StringRef attribute;
  /// For `.reg` parameters of functions: the register's index.
  std::optional<uint32_t> reg;
  SourceOffset loc = 0;
};

//===----------------------------------------------------------------------===//
// Instructions and statements
//===----------------------------------------------------------------------===//

/// A node of an operand tree; children follow in preorder.
struct OperandNode {
  OperandKind kind;
  /// OperandFlags.
  uint8_t flags = 0;
  /// Number of direct children.
  uint16_t numChildren = 0;
  SourceOffset loc = 0;
  /// Use/Def/DefUse: register index; Int: the value; F32/F64: the bits;
  /// Symbol/Address: byte offset; Label: label index.
  int64_t value = 0;
  /// Symbol, SpecialReg: the (export) spelling; SpecialReg with the `%`.
  llvm::StringRef name;
};

struct Instruction {
  Opcode opcode;
  /// Index into OpcodeInfo::forms.
  uint16_t form = 0;
  /// Register index of the guard, -1: none.
  int32_t guard = -1;
  bool guardNegated = false;
  /// In the order written.
  llvm::ArrayRef<Mod> mods;
  /// Preorder.
  llvm::ArrayRef<OperandNode> operands;
};

/// `.loc file line column [, function_name label+off, inlined_at f l c]`.
struct LocDirective {
  uint32_t file = 0, line = 0, column = 0;
  bool inlined = false;
  llvm::StringRef functionLabel;
  uint32_t functionOffset = 0;
  uint32_t atFile = 0, atLine = 0, atColumn = 0;
};

struct Statement {
  enum Kind : uint8_t {
    Inst,
    /// `name:`; index of the label.
    Label,
    Loc,
    /// `.pragma "…";`, text verbatim without quotes.
    Pragma,
    /// A variable declared in the body; index into Function::locals.
    Var,
    /// `name: .branchtargets a, b;`, index into Function::labelLists.
    LabelList,
    /// `name: .callprototype …;` or `name: .calltargets …;`, verbatim.
    Verbatim,
  } kind = Inst;
  SourceOffset loc = 0;
  /// 1-based number of the inline-asm region of the file, 0: none.
  uint32_t inlineAsm = 0;
  /// Index into the vector that `kind` names (Function::insts for Inst,
  /// Function::locs for Loc, Function::texts for Pragma and Verbatim).
  uint32_t index = 0;
};

struct LabelList {
  llvm::StringRef name;
  llvm::SmallVector<uint32_t, 4> labels;
};

//===----------------------------------------------------------------------===//
// Functions and modules
//===----------------------------------------------------------------------===//

/// A directive with up to three numbers: `.reqntid 384`, `.maxnreg 168`,
/// `.minnctapersm 1`, `.reqnctapercluster 2`, `.explicitcluster`,
/// `.maxclusterrank 8`, `.noreturn`, `.pragma "…"`, `.blocksareclusters`.
struct FunctionDirective {
  /// Without the dot.
  llvm::StringRef name;
  llvm::SmallVector<uint32_t, 3> values;
  /// For `.pragma`.
  llvm::StringRef text;
  SourceOffset loc = 0;
  /// It does not count: another of this name follows. Never a `.pragma`.
  bool isSuperseded = false;
};

struct Function {
  bool isEntry = false;
  Linkage linkage = Linkage::None;
  llvm::StringRef name;
  SourceOffset loc = 0;
  std::vector<VarDecl> results, params;
  std::vector<FunctionDirective> directives;
  /// False for a declaration.
  bool hasBody = false;
  SourceOffset endLoc = 0;

  std::vector<RegDecl> regs;
  uint32_t numRegs = 0;
  std::vector<VarDecl> locals;
  /// Export spellings of the labels, unique in the function.
  std::vector<llvm::StringRef> labels;
  std::vector<LabelList> labelLists;
  std::vector<LocDirective> locs;
  std::vector<llvm::StringRef> texts;
  std::vector<Instruction> insts;
  std::vector<Statement> body;

  /// The declaration that register `index` belongs to.
  const RegDecl &getRegDecl(uint32_t index) const;
};

/// `.file index "name" [, time, size]`.
struct FileDirective {
  uint32_t index = 0;
  llvm::StringRef name;
  std::optional<uint64_t> time, size;
  SourceOffset loc = 0;
};

/// What stands at module level, in the order of the text.
struct ModuleItem {
  enum Kind : uint8_t {
    Var,
    Function,
    File,
    /// `.section … { … }` and `.alias`: verbatim text.
    Verbatim,
  } kind = Var;
  uint32_t index = 0;
};

struct Module {
  /// major * 10 + minor.
  PTXVersion version = 0;
  TargetArch target;
  /// "texmode_independent", "debug", …
  std::vector<llvm::StringRef> targetOptions;
  unsigned addressSize = 64;
  /// Instructions of all architectures are taken.
  bool anyTarget = false;

  std::vector<VarDecl> vars;
  std::vector<syntax::Function> functions;
  std::vector<FileDirective> files;
  std::vector<llvm::StringRef> verbatim;
  std::vector<SourceOffset> verbatimLocs;
  std::vector<ModuleItem> items;

  /// Holds strings, modifiers and operands that are not in the source.
  llvm::BumpPtrAllocatorImpl<llvm::MallocAllocator, 1 << 16> arena;
};

} // namespace ptxbench::syntax

#endif // PTXBENCH_TARGET_PTX_SYNTAXTREE_H
