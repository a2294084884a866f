//===- Slice.cpp - Values that decide where threads go --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worklist over definitions: from a result to operands, from an argument of a
// block to what its predecessors pass.
//
//===----------------------------------------------------------------------===//

#include "Slice.h"
#include "Instructions.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "ptxbench/Dialect/PTX/IR/InstOpRanges.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

unsigned getRangeWidth(Type type) {
  // Of a vector, upstream's function tells the width of the elements.
  if (!isa<IntegerType, IndexType>(type))
    return 0;
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  return width > 64 ? 0 : width;
}

llvm::DenseSet<Value> findDecidingValues(ArrayRef<Block *> blocks) {
  llvm::DenseSet<Value> found;
  SmallVector<Value, 64> worklist;
  auto add = [&](Value value) {
    if (value && getRangeWidth(value.getType()) && found.insert(value).second)
      worklist.push_back(value);
  };
  for (Block *block : blocks)
    for (Operation &op : *block) {
      if (auto term = dyn_cast<TerminatorOpInterface>(op)) {
        add(term.getGuardPredicate());
        if (auto brx = dyn_cast<BrxIdxOp>(op))
          add(brx.getIndex());
        continue;
      }
      AnyInst inst(&op);
      if (Value guard = inst.isNone() ? Value() : inst.getGuard();
          guard && inst.isAlwaysKept())
        add(guard);
    }
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      Block *block = arg.getOwner();
      for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
        auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
        if (!branch)
          continue;
        SuccessorOperands passed =
            branch.getSuccessorOperands(it.getSuccessorIndex());
        if (arg.getArgNumber() < passed.size())
          add(passed[arg.getArgNumber()]);
      }
      continue;
    }
    Operation *op = value.getDefiningOp();
    AnyInst inst(op);
    if (inst.isNone())
      continue;
    if (inst.followsOperands()) {
      for (Value operand : op->getOperands())
        add(operand);
    } else if (InstOpInterface ptx = inst.getPTX();
               ptx && ptx.getInst().guarded) {
      add(ptx.getGuard());
      for (Value old : ptx.getPassthrough())
        add(old);
    }
  }
  return found;
}

} // namespace ptxbench::reachability
