//===- Glue.cpp - Instructions that LLVM has, too -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline assembly has no other way to give a predicate back than to select by
// it; so a wait for a barrier is seldom one instruction.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::nvvm {

/// The comparison of integers that modifiers name.
static std::optional<LLVM::ICmpPredicate> getPredicate(ArrayRef<Mod> mods) {
  using P = LLVM::ICmpPredicate;
  if (mods.size() != 2)
    return std::nullopt;
  std::optional<DataType> type = getModType(mods[1]);
  if (!type || type->packed || type->kind == TypeKind::Float)
    return std::nullopt;
  bool isSigned = type->kind == TypeKind::Signed;
  StringRef name = stringifyMod(mods[0]);
  if (name == "eq")
    return P::eq;
  if (name == "ne")
    return P::ne;
  if (name == "lt")
    return isSigned ? P::slt : P::ult;
  if (name == "le")
    return isSigned ? P::sle : P::ule;
  if (name == "gt")
    return isSigned ? P::sgt : P::ugt;
  if (name == "ge")
    return isSigned ? P::sge : P::uge;
  if (name == "lo")
    return P::ult;
  if (name == "ls")
    return P::ule;
  if (name == "hi")
    return P::ugt;
  if (name == "hs")
    return P::uge;
  return std::nullopt;
}

/// The value of a `cvt` between integers that have registers of just their
/// width; null for another one.
static Value readCvt(OpBuilder &builder, InstOpInterface inst,
                     const BodyValues &values) {
  Operation *op = inst;
  ArrayRef<Mod> mods = inst.getInst().mods;
  if (mods.size() != 2 || op->getNumOperands() != 1)
    return {};
  std::optional<DataType> to = getModType(mods[0]), from = getModType(mods[1]);
  auto isOf = [](std::optional<DataType> type, Type reg) {
    return type && !type->packed &&
           (type->kind == TypeKind::Signed ||
            type->kind == TypeKind::Unsigned) &&
           reg.isInteger(type->width);
  };
  Type type = op->getResult(0).getType();
  if (!isOf(to, type) || !isOf(from, op->getOperand(0).getType()))
    return {};
  for (const OperandTree &tree : getOperandTrees(inst.getInst()))
    if (tree.nodes.size() != 1 || tree.root().flags)
      return {};
  Location loc = op->getLoc();
  Value value = values.lookup(op->getOperand(0));
  if (value)
    value = castBits(builder, loc, value, op->getOperand(0).getType());
  if (!value || to->width == from->width)
    return value;
  if (to->width < from->width)
    return LLVM::TruncOp::create(builder, loc, type, value);
  if (from->kind == TypeKind::Signed)
    return LLVM::SExtOp::create(builder, loc, type, value);
  return LLVM::ZExtOp::create(builder, loc, type, value);
}

bool readGlue(OpBuilder &builder, InstOpInterface inst,
              const BodyValues &values,
              SmallVectorImpl<std::pair<Value, Value>> &results) {
  Operation *op = inst;
  Location loc = op->getLoc();
  Opcode opcode = inst.getOpcode();
  if (inst.getInst().guarded || op->getNumResults() != 1)
    return false;
  if (opcode == Opcode::cvt) {
    Value value = readCvt(builder, inst, values);
    if (value)
      results.push_back({op->getResult(0), value});
    return bool(value);
  }
  if ((opcode != Opcode::mov && opcode != Opcode::setp &&
       opcode != Opcode::selp))
    return false;
  ArrayRef<Mod> mods = inst.getInst().mods;
  std::optional<LLVM::ICmpPredicate> predicate;
  if (opcode == Opcode::setp && !(predicate = getPredicate(mods)))
    return false;

  // A register and what is read, each one register or constant. A constant is
  // as wide as the register beside it, or the result.
  SmallVector<const OperandNode *> nodes;
  Type type = opcode == Opcode::setp ? Type() : op->getResult(0).getType();
  for (const OperandTree &tree : getOperandTrees(inst.getInst())) {
    if (tree.nodes.size() != 1 || tree.root().flags)
      return false;
    nodes.push_back(&tree.root());
  }
  if (nodes.front()->kind != OperandKind::Def)
    return false;
  if (opcode == Opcode::setp && op->getNumOperands())
    type = op->getOperand(0).getType();
  if (!type || !type.isInteger())
    return false;
  SmallVector<Value> operands;
  unsigned use = 0;
  for (auto [i, node] : llvm::enumerate(ArrayRef(nodes).drop_front())) {
    bool isSelector = opcode == Opcode::selp && i == 2;
    Type wanted = isSelector ? Type(builder.getI1Type()) : type;
    if (node->kind == OperandKind::Int && !wanted.isInteger(1)) {
      operands.push_back(LLVM::ConstantOp::create(
          builder, loc, wanted,
          builder.getIntegerAttr(
              wanted, llvm::APInt(wanted.getIntOrFloatBitWidth(), node->value,
                                  /*isSigned=*/true, /*implicitTrunc=*/true))));
      continue;
    }
    if (node->kind != OperandKind::Use)
      return false;
    Value value = values.lookup(op->getOperand(use++));
    if (value && opcode != Opcode::mov)
      value = castBits(builder, loc, value, wanted);
    if (!value)
      return false;
    operands.push_back(value);
  }
  Value result;
  if (opcode == Opcode::mov && operands.size() == 1)
    result = operands[0];
  else if (opcode == Opcode::setp && operands.size() == 2)
    result = LLVM::ICmpOp::create(builder, loc, *predicate, operands[0],
                                  operands[1]);
  else if (opcode == Opcode::selp && operands.size() == 3)
    result = LLVM::SelectOp::create(builder, loc, operands[2], operands[0],
                                    operands[1]);
  if (!result)
    return false;
  results.push_back({op->getResult(0), result});
  return true;
}

} // namespace ptxbench::nvvm
