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
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "ptxbench/Dialect/PTX/IR/InstOpRanges.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

unsigned getRangeWidth(Type type) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  return width > 64 ? 0 : width;
}

bool isAlwaysKept(Operation *op) {
  auto inst = dyn_cast<InstOpInterface>(op);
  return inst &&
         ((inst.getInfo().flags & (IF_Call | IF_Convergent)) ||
          getFamily(inst.getOpcode(), inst.getInst().mods) != Family::None);
}

/// Whether the results depend on the operands in a way that matters here.
static bool followsOperands(InstOpInterface inst) {
  return (inst.getInfo().flags & IF_Pure) ||
         inst.getOpcode() == Opcode::shfl_sync;
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
      } else if (auto inst = dyn_cast<InstOpInterface>(op)) {
        if (inst.getInst().guarded && isAlwaysKept(&op))
          add(inst.getGuard());
      }
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
    auto inst = value.getDefiningOp<InstOpInterface>();
    if (!inst)
      continue;
    if (followsOperands(inst)) {
      for (Value operand : inst->getOperands())
        add(operand);
    } else if (inst.getInst().guarded) {
      add(inst.getGuard());
      for (Value old : inst.getPassthrough())
        add(old);
    }
  }
  return found;
}

} // namespace ptxbench::reachability
