//===- OpModels.cpp - Models of upstream's dialects -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What several dialects need, and the registration. Arithmetic wraps, as that
// of PTX does; where LLVM's would be poison the program has no meaning, and
// what is proved of it means nothing either.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Analysis/OpModels.h"
#include "Helpers.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

/// Of an integer of up to 64 bits or an index; else 0.
static unsigned getWidth(Type type) {
  if (isa<IndexType>(type))
    return IndexType::kInternalStorageBitWidth;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? integer.getWidth() : 0;
}

RangeSource getSource(Operation *op, unsigned operand) {
  RangeSource source;
  Value value = op->getOperand(operand);
  source.kind = RangeSource::Operand;
  source.operand = operand;
  source.width = getWidth(value.getType());
  llvm::APInt constant;
  if (source.width && matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getBitWidth() <= 64) {
    source.kind = RangeSource::Constant;
    source.constant = constant.getZExtValue();
  }
  return source;
}

/// Sets what all computations have; the width of the result is its type's.
static bool describePure(OpModel &model, Operation *op, RangeKind kind,
                         ArrayRef<unsigned> operands, bool isSigned) {
  model.isPure = true;
  RangeInst &inst = model.range;
  if (op->getNumResults() != 1)
    return true;
  inst.width = getWidth(op->getResult(0).getType());
  inst.isSigned = isSigned;
  bool known = inst.width != 0;
  for (unsigned operand : operands) {
    inst.sources.push_back(getSource(op, operand));
    known &= inst.sources.back().width != 0;
  }
  if (known)
    inst.kind = kind;
  return true;
}

bool describeInteger(OpModel &model, Operation *op, RangeKind kind,
                     bool isSigned) {
  SmallVector<unsigned, 2> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(i);
  describePure(model, op, kind, operands, isSigned);
  // What PTX has no instructions for on predicates, but logic.
  bool isLogic = kind == RangeKind::And || kind == RangeKind::Or ||
                 kind == RangeKind::Xor || kind == RangeKind::Copy;
  if (model.range.width == 1 && !isLogic)
    model.range.kind = RangeKind::Unknown;
  return true;
}

bool describeCompare(OpModel &model, Operation *op, uint64_t predicate) {
  static constexpr CompareOp kCompares[] = {
      CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le,
      CompareOp::Gt, CompareOp::Ge, CompareOp::Lt, CompareOp::Le,
      CompareOp::Gt, CompareOp::Ge};
  if (predicate >= 10)
    return false;
  bool isSigned = predicate >= 2 && predicate < 6;
  describePure(model, op, RangeKind::Setp, {0, 1}, isSigned);
  model.range.compare = kCompares[predicate];
  model.range.sourceWidth = model.range.sources[0].width;
  model.range.width = model.range.sourceWidth;
  if (op->getResult(0).getType() != IntegerType::get(op->getContext(), 1))
    model.range.kind = RangeKind::Unknown;
  return true;
}

bool describeConversion(OpModel &model, Operation *op, bool isSigned) {
  describePure(model, op, RangeKind::Cvt, {0}, isSigned);
  RangeInst &inst = model.range;
  inst.sourceWidth = inst.sources[0].width;
  inst.sourceSigned = isSigned;
  if (inst.kind == RangeKind::Unknown)
    return true;
  if (inst.width == 1) {
    inst.kind = inst.sourceWidth == 1 ? RangeKind::Copy : RangeKind::Unknown;
    return true;
  }
  if (inst.sourceWidth != 1)
    return true;
  // As `selp` makes a number of a predicate.
  RangeSource yes, no;
  yes.kind = no.kind = RangeSource::Constant;
  yes.width = no.width = inst.width;
  yes.constant = isSigned ? ~uint64_t(0) : 1;
  inst.sources.insert(inst.sources.begin(), {yes, no});
  inst.kind = RangeKind::Selp;
  return true;
}

bool describeSelect(OpModel &model, Operation *op) {
  return describePure(model, op, RangeKind::Selp, {1, 2, 0}, false);
}

bool describeConstant(OpModel &model, Operation *op, Attribute value) {
  describePure(model, op, RangeKind::Copy, {}, false);
  auto integer = dyn_cast_or_null<IntegerAttr>(value);
  if (!integer || !model.range.width) {
    model.range.kind = RangeKind::Unknown;
    return true;
  }
  RangeSource source;
  source.kind = RangeSource::Constant;
  source.width = model.range.width;
  source.constant = integer.getValue().getZExtValue();
  model.range.sources.push_back(source);
  return true;
}

bool describeSpecialRegister(OpModel &model, Operation *op, StringRef name) {
  describePure(model, op, RangeKind::Copy, {}, false);
  RangeSource source;
  source.kind = RangeSource::SpecialReg;
  source.width = model.range.width;
  source.specialReg = name;
  model.range.sources.push_back(source);
  return true;
}

bool describeTarget(OpModel &model, StringRef opcode, bool isAligned,
                    ArrayRef<Mod> mods) {
  std::optional<Opcode> known = lookupOpcode(opcode);
  if (!known)
    return false;
  const OpcodeInfo &info = getOpcodeInfo(*known);
  model.opcode = opcode.str();
  model.family = getFamily(*known, mods);
  model.isConvergent = isAligned || (info.flags & IF_Convergent);
  model.isAligned = isAligned;
  return true;
}

bool mayShiftTooFar(Operation *op) {
  unsigned width = getWidth(op->getResult(0).getType());
  RangeSource amount = getSource(op, 1);
  return amount.kind != RangeSource::Constant || amount.constant >= width;
}

bool isFullMask(Value mask) {
  llvm::APInt constant;
  return matchPattern(mask, m_ConstantInt(&constant)) &&
         (constant.getZExtValue() & 0xffffffff) == 0xffffffff;
}

void registerOpModels(DialectRegistry &registry) {
  registerArithModels(registry);
  registerGPUModels(registry);
  registerLLVMModels(registry);
  registerNVVMModels(registry);
  registerTerminatorModels(registry);
}

} // namespace ptxbench
