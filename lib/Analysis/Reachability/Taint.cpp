//===- Taint.cpp - Values that nobody wrote -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Marks everything that is computed from an undefined value without memory: a
// worklist over uses.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

/// Carry instructions pass on a hidden register.
static bool isCarry(Opcode opcode) {
  switch (opcode) {
  case Opcode::add_cc:
  case Opcode::addc:
  case Opcode::sub_cc:
  case Opcode::subc:
  case Opcode::mad_lo_cc:
  case Opcode::mad_hi_cc:
  case Opcode::madc_lo:
  case Opcode::madc_hi:
    return true;
  default:
    return false;
  }
}

static bool isParamAccess(Operation *op, Opcode opcode) {
  auto inst = dyn_cast<InstOpInterface>(op);
  return inst && inst.getOpcode() == opcode &&
         (inst.hasModifier(Mod::param) || inst.hasModifier(Mod::param__func));
}

void Program::findTaint() {
  // What an undefined value may reach besides the results of what reads it:
  // the carry flag, and the parameters and results of calls.
  bool throughCarry = false, throughCalls = false;
  SmallVector<mlir::Value> worklist;
  DenseSet<mlir::Value> seen;
  auto taint = [&](mlir::Value value) {
    if (!seen.insert(value).second)
      return;
    if (unsigned id = getValue(value))
      values[id].tainted = true;
    worklist.push_back(value);
  };
  auto taintResults = [&](llvm::function_ref<bool(const Inst &)> applies) {
    for (const Inst &inst : insts)
      if (applies(inst))
        for (OpResult result : inst.op->getResults())
          taint(result);
  };
  auto taintCalls = [&] {
    if (std::exchange(throughCalls, true))
      return;
    for (unsigned f = 1; f < functions.size(); ++f)
      if (functions[f].numBlocks)
        for (BlockArgument arg : getBody(f).front().getArguments())
          taint(arg);
    taintResults([](const Inst &inst) {
      return inst.role == InstRole::Call ||
             (inst.role != InstRole::LoadParam &&
              isParamAccess(inst.op, Opcode::ld));
    });
  };
  for (unsigned b : order)
    for (Operation &op : *blocks[b].block)
      if (isUndefined(&op))
        for (OpResult result : op.getResults())
          taint(result);
  while (!worklist.empty()) {
    mlir::Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto branch = dyn_cast<BranchOpInterface>(user))
        if (auto arg =
                branch.getSuccessorBlockArgument(use.getOperandNumber())) {
          taint(*arg);
          continue;
        }
      auto term = dyn_cast<TerminatorOpInterface>(user);
      if (term && term.getThreadEnd() == ThreadEnd::Ret)
        taintCalls();
      AnyInst any(user);
      if (any.isNone())
        continue;
      InstOpInterface inst = any.getPTX();
      if (!inst) {
        if (any.isCall())
          taintCalls();
        for (OpResult result : user->getResults())
          taint(result);
        continue;
      }
      InstProperties &props = inst.getInst();
      unsigned first = props.numUses() + props.guarded;
      bool isPure = inst.getInfo().flags & IF_Pure;
      // A call that is inlined passes registers, whatever the text says.
      if ((inst.getInfo().flags & IF_Call) || isParamAccess(inst, Opcode::st))
        taintCalls();
      if (isCarry(inst.getOpcode()) && !std::exchange(throughCarry, true))
        taintResults([](const Inst &inst) {
          auto iface = dyn_cast<InstOpInterface>(inst.op);
          return iface && isCarry(iface.getOpcode());
        });
      for (OpResult result : user->getResults())
        if (isPure ||
            (props.guarded &&
             use.getOperandNumber() == first + result.getResultNumber()) ||
            (props.guarded && use.getOperandNumber() + 1 == first))
          taint(result);
    }
  }
}

} // namespace ptxbench::reachability
