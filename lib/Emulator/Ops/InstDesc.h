//===- InstDesc.h - An instruction to be given a handler --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a family of instructions sees of one when it selects the handler: the
// modifiers, and operands whose registers, constants and special registers are
// rows already.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_INSTDESC_H
#define PTXBENCH_LIB_EMULATOR_OPS_INSTDESC_H

#include "../Checks/Access.h"
#include "../Program.h"
#include "ptxbench/ISA/OperandKind.h"

#include <optional>
#include <vector>

namespace ptxbench::emulator {

struct OperandDesc {
  enum Kind : uint8_t {
    /// A row that is read or written.
    Register,
    /// A row whose value is known: `value`.
    Constant,
    /// `_`.
    Sink,
    /// The bytes at children[0] (a row of 32 or 64 bits) + `offset`; a tensor
    /// address has its coordinates (a Vector) as last child.
    Address,
    /// `{…}`.
    Vector,
    /// `d|p`: two children.
    Pair,
    /// A part of children[0]; `value` is the selector (ISA/Selector.h).
    Selected,
    /// What only calls and branches have.
    Other,
  } kind = Other;
  /// Its place in the form; null inside of vectors, pairs and addresses.
  const OperandPattern *pattern = nullptr;
  Slot slot = noSlot;
  /// Width of a lane of the row: 1 (predicate), 8, 16, 32, 64, 128.
  uint8_t bits = 0;
  /// What the instruction takes it for.
  DataType type;
  /// `!p`; `-a`.
  bool negated = false, minus = false;
  /// A row that this instruction writes.
  bool isDef = false;
  uint64_t value = 0;
  int64_t offset = 0;
  std::vector<OperandDesc> children;
  /// A row that holds the address of a variable of that kind.
  enum Symbol : uint8_t {
    NoSymbol,
    LocalSymbol,
    SharedSymbol
  } symbol = NoSymbol;

  bool isRow() const { return kind == Register || kind == Constant; }
};

struct InstDesc {
  Opcode opcode{};
  llvm::ArrayRef<Mod> mods;
  const InstForm *form = nullptr;
  ModMatch match;
  /// One per operand of the text, in its order.
  std::vector<OperandDesc> operands;
  /// Where the instruction stands.
  unsigned line = 0;

  bool has(Mod mod) const { return llvm::is_contained(mods, mod); }
  /// The modifier that fills the slot of that name; none if it is empty.
  std::optional<Mod> slot(llvm::StringRef name) const;
  /// The type that the modifier in that slot names; none if it is empty.
  std::optional<DataType> slotType(llvm::StringRef name) const;
  /// The operand of that name in the form; null if it was left out.
  const OperandDesc *find(llvm::StringRef name) const;
};

/// What the modifiers say of the order of accesses; `scope` is that of an
/// instruction that names none.
MemoryOrder memoryOrderOf(const InstDesc &desc, Scope scope);

/// Puts the rows of all operands into Inst::ops, in the order of the text;
/// false if one is no row or there are too many.
bool useRows(const InstDesc &desc, Inst &inst);
/// The same, for instructions whose rows are as wide as their types.
bool useTypedRows(const InstDesc &desc, Inst &inst);

/// Extras of instructions, owned by the program.
using OwnExtra = std::vector<std::unique_ptr<InstExtra>>;

/// Gives `inst` the handler and the operands of an instruction; false if the
/// emulator does not execute it.
bool selectHandler(const InstDesc &desc, Inst &inst, OwnExtra &own);

/// The same for one family, false for instructions of others.
using FamilySelector = bool (*)(const InstDesc &desc, Inst &inst,
                                OwnExtra &own);
bool selectInteger(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectIntegerBits(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectCarry(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectLogic(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectFloat(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectApprox(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectHalf(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectCompare(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectConvert(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectMove(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectMemory(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectAtomic(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectWarp(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectHint(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectRegisterPool(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectBarrier(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectMBarrier(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectAsyncGroups(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectCpAsync(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectWgmma(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectMma(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectMatrixMove(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectWmma(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectBulkCopy(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectTensorCopy(const InstDesc &desc, Inst &inst, OwnExtra &own);
bool selectTensorMap(const InstDesc &desc, Inst &inst, OwnExtra &own);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_INSTDESC_H
