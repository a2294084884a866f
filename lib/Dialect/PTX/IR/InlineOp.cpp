//===- InlineOp.cpp - Inline assembly in other dialects -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier holds operands, results and the body against the constraints.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Dialect/PTX/IR/AsmConstraints.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"

using namespace mlir;
using namespace ptxbench::ptx;

LogicalResult InlineOp::verifyRegions() {
  llvm::Expected<AsmConstraints> constraints =
      parseAsmConstraints(getConstraints());
  if (!constraints)
    return emitOpError(llvm::toString(constraints.takeError()));
  unsigned numOutputs = constraints->numOutputs;
  unsigned numInputs = constraints->operands.size() - numOutputs;
  if (getInputs().size() != numInputs)
    return emitOpError("expected an operand for each of ")
           << numInputs << " inputs but got " << getInputs().size();
  if (getOutputs().size() != numOutputs)
    return emitOpError("expected a result for each of ")
           << numOutputs << " outputs but got " << getOutputs().size();
  SmallVector<Type> inputTypes, outputTypes;
  for (auto [i, constraint] : llvm::enumerate(constraints->operands)) {
    if (constraint.kind == AsmConstraint::Immediate)
      continue;
    Type type = getRegisterType(getContext(), constraints->getRegisterType(i));
    (i < numOutputs ? outputTypes : inputTypes).push_back(type);
  }
  if (getBody().empty())
    return emitOpError("expected a body");
  if (!llvm::equal(getBody().getArgumentTypes(), inputTypes))
    return emitOpError("expected the body to have the arguments (")
           << inputTypes << ") but it has (" << getBody().getArgumentTypes()
           << ")";
  for (auto yield : getBody().getOps<YieldOp>())
    if (!llvm::equal(yield.getOperandTypes(), outputTypes))
      return yield.emitOpError("expected values of the types (")
             << outputTypes << ") but got (" << yield.getOperandTypes() << ")";
  for (Attribute attr : getRegs())
    if (auto reg = dyn_cast<RegAttr>(attr);
        !reg || !getRegisterType(getContext(), reg.getType()))
      return emitOpError("expected #ptx.reg in 'regs' but got ") << attr;
  for (Attribute attr : getBlockRegs())
    if (!isa<DenseI32ArrayAttr>(attr))
      return emitOpError("expected dense i32 arrays in 'block_regs' but got ")
             << attr;
  return success();
}

void InlineOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  bool isPure = !getSideEffects();
  for (Block &block : getBody())
    for (Operation &op : block.without_terminator())
      isPure &= isMemoryEffectFree(&op);
  if (isPure)
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

Value YieldOp::getGuardPredicate() { return {}; }
bool YieldOp::isTakenSuccessor(unsigned) { return false; }
std::optional<ThreadEnd> YieldOp::getThreadEnd() { return std::nullopt; }
