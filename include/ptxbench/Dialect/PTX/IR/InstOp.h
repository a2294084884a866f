//===- InstOp.h - The common shape of instructions --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every PTX instruction that is no terminator is an operation of one shape:
//
//   operands  the values of the Use and DefUse nodes of its operand trees, in
//             the order of the text; then the guard, if it has one; then, if
//             it has one, for each result the value that the register keeps
//             when the guard is false (the pass-through)
//   results   the values of the Def and DefUse nodes, in the order of the text
//   the rest  modifiers, operand trees, flags of the guard and the registers
//             of the results, in InstProperties
//
// The assembly form is
//
//   %r = ptx.add ".s32" if not %p else(%old) =12, %a, 5 : (i32, i1, i32) -> i32
//
// where `=12` is a result with its register, `+12 %v` an operand that is read
// and written, `sreg "tid.x"` a special register, `[%a + 16]` an address.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTOP_H
#define PTXBENCH_DIALECT_PTX_IR_INSTOP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "ptxbench/ISA/Instruction.h"
#include "ptxbench/ISA/OperandKind.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

namespace ptxbench::ptx {

/// A node of an operand tree; trees are stored in preorder. Use, Def and
/// DefUse nodes stand for the operation's operands and results in order.
struct OperandNode {
  OperandKind kind = OperandKind::Use;
  /// OperandFlags.
  uint8_t flags = 0;
  uint16_t numChildren = 0;
  /// Int: the number; F32, F64: the bits; Symbol, Address: the byte offset.
  int64_t value = 0;
  /// Symbol, SpecialReg (without `%`): the spelling.
  mlir::StringAttr name;

  bool operator==(const OperandNode &o) const {
    return kind == o.kind && flags == o.flags && numChildren == o.numChildren &&
           value == o.value && name == o.name;
  }
  bool isNegated() const { return flags & OperandFlag_Negated; }
  bool readsValue() const {
    return kind == OperandKind::Use || kind == OperandKind::DefUse;
  }
  bool definesValue() const {
    return kind == OperandKind::Def || kind == OperandKind::DefUse;
  }
};

/// The properties of an instruction.
struct InstProperties {
  /// In the order written.
  llvm::SmallVector<Mod, 6> mods;
  /// All operand trees in preorder.
  llvm::SmallVector<OperandNode, 4> operands;
  /// The registers of the results as indices into the register table of the
  /// function, -1: none.
  llvm::SmallVector<int32_t, 1> regs;
  /// Index into OpcodeInfo::forms.
  uint16_t form = 0;
  bool guarded = false;
  bool guardNegated = false;
  /// 1-based number of the inline-asm region it was written in, 0: none.
  uint32_t inlineAsm = 0;

  bool operator==(const InstProperties &o) const {
    return mods == o.mods && operands == o.operands && regs == o.regs &&
           form == o.form && guarded == o.guarded &&
           guardNegated == o.guardNegated && inlineAsm == o.inlineAsm;
  }
  bool operator!=(const InstProperties &o) const { return !(*this == o); }

  unsigned numUses() const {
    return llvm::count_if(operands,
                          [](const OperandNode &n) { return n.readsValue(); });
  }
  unsigned numDefs() const {
    return llvm::count_if(
        operands, [](const OperandNode &n) { return n.definesValue(); });
  }
};

/// The index behind the tree that starts at node `index`.
unsigned skipOperandTree(llvm::ArrayRef<OperandNode> nodes, unsigned index);

/// One written operand: the nodes of its tree, and the numbers of the first
/// operation operand and result that it stands for.
struct OperandTree {
  llvm::ArrayRef<OperandNode> nodes;
  unsigned firstUse = 0, firstDef = 0;

  const OperandNode &root() const { return nodes.front(); }
};
llvm::SmallVector<OperandTree, 6> getOperandTrees(const InstProperties &inst);

/// The patterns of `given` written operands under a match; none if there are
/// too many or too few. Which of the optional ones stand follows from the
/// number, as for the parser of PTX text.
std::optional<llvm::SmallVector<const OperandPattern *, 8>>
getPresentOperands(const InstForm &form, const ModMatch &match, unsigned given);

/// The first form of the opcode that the modifiers, the operand trees and the
/// types of their values fit, as the parser of PTX text chooses it. Where none
/// fits the types, the first one that fits the rest.
std::optional<uint16_t> findForm(const OpcodeInfo &info,
                                 const InstProperties &inst,
                                 mlir::TypeRange uses, mlir::TypeRange defs);

// Hooks by which MLIR handles the properties.
llvm::LogicalResult
setPropertiesFromAttribute(InstProperties &inst, mlir::Attribute attr,
                           llvm::function_ref<mlir::InFlightDiagnostic()>);
mlir::Attribute getPropertiesAsAttribute(mlir::MLIRContext *context,
                                         const InstProperties &inst);
llvm::hash_code computeHash(const InstProperties &inst);
llvm::LogicalResult readInstProperties(mlir::DialectBytecodeReader &reader,
                                       InstProperties &inst);
void writeInstProperties(mlir::DialectBytecodeWriter &writer,
                         mlir::MLIRContext *context,
                         const InstProperties &inst);

// What all instruction operations share.
mlir::ParseResult parseInstOp(mlir::OpAsmParser &parser,
                              mlir::OperationState &result, Opcode opcode);
void printInstOp(mlir::OpAsmPrinter &printer, mlir::Operation *op);
llvm::LogicalResult verifyInstOp(mlir::Operation *op);
void getInstOpEffects(
    mlir::Operation *op,
    llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects);
void inferInstOpRanges(mlir::Operation *op,
                       llvm::ArrayRef<mlir::ConstantIntRanges> argRanges,
                       mlir::SetIntRangeFn setResultRange);

/// How a thread ends at a terminator.
enum class ThreadEnd : uint8_t { Ret, Exit, Trap };

} // namespace ptxbench::ptx

#endif // PTXBENCH_DIALECT_PTX_IR_INSTOP_H
