//===- RegisterAssignment.cpp - From SSA values to registers --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that the header lists; the data flow visits the blocks in post-
// order until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Dialect/PTX/Transforms/RegisterAssignment.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace ptxbench {

StringRef getFreshRegisterType(Type type) {
  if (type.isF32())
    return "f32";
  if (type.isF64())
    return "f64";
  if (type.isF16())
    return "b16";
  if (!isa<IntegerType>(type))
    return "";
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return "pred";
  case 8:
    return "b8";
  case 16:
    return "b16";
  case 32:
    return "b32";
  case 64:
    return "b64";
  case 128:
    return "b128";
  }
  return "";
}

SmallVector<std::pair<Value, Value>, 4>
getTiedValues(ptx::InstOpInterface inst) {
  SmallVector<std::pair<Value, Value>, 4> tied;
  auto tie = [&](Value from, Value to) {
    if (!from.getDefiningOp<ptx::UndefOp>())
      tied.push_back({from, to});
  };
  unsigned use = 0, def = 0;
  for (const ptx::OperandNode &node : inst.getInst().operands) {
    if (node.kind == OperandKind::DefUse)
      tie(inst->getOperand(use), inst->getResult(def));
    use += node.readsValue();
    def += node.definesValue();
  }
  for (auto [old, result] :
       llvm::zip(inst.getPassthrough(), inst->getResults()))
    // What is read and written is its own pass-through.
    if (!llvm::is_contained(tied, std::make_pair(old, Value(result))))
      tie(old, result);
  return tied;
}

RegisterAssignment::RegisterAssignment(Region &body, ArrayAttr regs,
                                       ArrayAttr blockRegs) {
  for (auto reg : regs.getAsRange<ptx::RegAttr>()) {
    tableNames.insert(reg.getName());
    Type type = ptx::getRegisterType(regs.getContext(), reg.getType());
    types.insert(types.end(), reg.getNumRegisters(), type);
    unsigned count = reg.getCount() ? reg.getCount() : 1;
    for (unsigned i = 0; i < count; ++i) {
      std::string name = reg.getName().str();
      if (reg.getCount())
        name += std::to_string(i);
      static constexpr const char *elements[] = {".x", ".y", ".z", ".w"};
      if (!reg.getVec())
        names.push_back(name);
      for (unsigned e = 0; e < reg.getVec() && e < 4; ++e)
        names.push_back(name + elements[e]);
    }
  }
  collectHints(body, blockRegs);
  while (findInterference(body))
    continue;
}

RegisterAssignment::Reg RegisterAssignment::takeFresh(Type type) {
  StringRef regType = getFreshRegisterType(type);
  for (FreshDecl &decl : fresh)
    if (decl.type == regType) {
      names.push_back(decl.prefix + std::to_string(decl.count++));
      return names.size() - 1;
    }
  std::string stem = ("%fresh_" + regType + "_").str(), prefix = stem;
  auto isTaken = [&](const std::string &candidate) {
    return llvm::any_of(tableNames, [&](const auto &name) {
      return name.getKey().starts_with(candidate);
    });
  };
  for (unsigned i = 0; isTaken(prefix); ++i)
    prefix = stem + std::to_string(i) + "_";
  fresh.push_back({regType.str(), prefix, 1});
  names.push_back(prefix + "0");
  return names.size() - 1;
}

RegisterAssignment::Reg RegisterAssignment::getReg(Value value) const {
  auto it = assigned.find(value);
  assert(it != assigned.end() && "a value without a register");
  return it->second;
}

bool RegisterAssignment::fits(int64_t hint, Type type) const {
  return hint >= 0 && hint < int64_t(types.size()) && types[hint] == type;
}

/// Whether the hints name a register for each argument of each block, as the
/// importer made them.
static bool fitsBody(ArrayAttr blockRegs, Region &body) {
  if (blockRegs.size() != llvm::range_size(body))
    return false;
  return llvm::all_of(llvm::zip(blockRegs, body), [](auto pair) {
    auto [hints, block] = pair;
    return cast<DenseI32ArrayAttr>(hints).size() == block.getNumArguments();
  });
}

void RegisterAssignment::collectHints(Region &body, ArrayAttr blockRegs) {
  SmallVector<Value> open;
  auto assign = [&](Value value, int64_t hint) {
    if (fits(hint, value.getType()))
      assigned[value] = hint;
    else
      open.push_back(value);
  };
  bool haveHints = fitsBody(blockRegs, body);
  for (auto [i, block] : llvm::enumerate(body)) {
    ArrayRef<int32_t> hints;
    if (haveHints || (i == 0 && !blockRegs.empty()))
      hints = cast<DenseI32ArrayAttr>(blockRegs[i]).asArrayRef();
    for (BlockArgument arg : block.getArguments())
      assign(arg, arg.getArgNumber() < hints.size() ? hints[arg.getArgNumber()]
                                                    : -1);
    for (Operation &op : block) {
      if (auto undef = dyn_cast<ptx::UndefOp>(op)) {
        assign(undef.getResult(), undef.getReg());
        continue;
      }
      if (auto inst = dyn_cast<ptx::InstOpInterface>(op)) {
        for (auto [reg, result] :
             llvm::zip(inst.getInst().regs, op.getResults()))
          assign(result, reg);
        continue;
      }
      for (Value result : op.getResults())
        assign(result, -1);
    }
  }
  // An argument without a hint takes the register of a value it receives.
  for (Value value : open) {
    auto arg = dyn_cast<BlockArgument>(value);
    if (arg && !arg.getOwner()->isEntryBlock())
      for (Block *pred : arg.getOwner()->getPredecessors()) {
        auto branch = dyn_cast<BranchOpInterface>(pred->getTerminator());
        for (unsigned i = 0; branch && i < branch->getNumSuccessors(); ++i) {
          if (branch->getSuccessor(i) != arg.getOwner())
            continue;
          Value passed = branch.getSuccessorOperands(i)[arg.getArgNumber()];
          auto it = passed ? assigned.find(passed) : assigned.end();
          if (it != assigned.end())
            assigned.try_emplace(value, it->second);
        }
      }
    if (!assigned.count(value))
      assigned[value] = takeFresh(value.getType());
  }
}

bool RegisterAssignment::findInterference(Region &body) {
  using LiveSet = DenseMap<Reg, Value>;
  DenseMap<Block *, LiveSet> liveIn;
  bool changed = false;

  // An undefined value needs no register of its own at any time.
  auto isUndef = [](Value value) {
    return bool(value.getDefiningOp<ptx::UndefOp>());
  };
  auto makeLive = [&](LiveSet &live, Value value) {
    if (isUndef(value))
      return;
    auto [it, isNew] = live.try_emplace(assigned[value], value);
    if (isNew || it->second == value)
      return;
    Reg reg = takeFresh(value.getType());
    assigned[value] = reg;
    live[reg] = value;
    changed = true;
  };
  auto define = [&](LiveSet &live, Value value) {
    auto it = live.find(assigned[value]);
    if (it == live.end())
      return;
    if (it->second == value) {
      live.erase(it);
      return;
    }
    // The definition would overwrite a value that is still needed.
    assigned[value] = takeFresh(value.getType());
    changed = true;
  };

  // A copy in front of an instruction must spare what it reads.
  auto separateTied = [&](Operation &op) {
    auto inst = dyn_cast<ptx::InstOpInterface>(op);
    if (!inst || (!inst.getInst().guarded &&
                  llvm::none_of(inst.getInst().operands, [](auto &node) {
                    return node.kind == OperandKind::DefUse;
                  })))
      return;
    auto tied = getTiedValues(inst);
    llvm::SmallDenseSet<Reg, 8> read;
    unsigned use = 0;
    for (const ptx::OperandNode &node : inst.getInst().operands)
      if (node.readsValue()) {
        Value value = op.getOperand(use++);
        if (node.kind == OperandKind::Use && !isUndef(value))
          read.insert(assigned[value]);
      }
    if (Value guard = inst.getGuard(); guard && !isUndef(guard))
      read.insert(assigned[guard]);
    for (auto [from, to] : tied)
      if (assigned[from] != assigned[to] && read.contains(assigned[to])) {
        assigned[to] = takeFresh(to.getType());
        changed = true;
      }
  };

  SmallVector<Block *> order;
  if (!body.empty()) {
    for (Block *block : llvm::post_order(&body.front()))
      order.push_back(block);
    llvm::SmallPtrSet<Block *, 16> seen(order.begin(), order.end());
    for (Block &block : body)
      if (!seen.count(&block))
        order.push_back(&block);
  }
  for (bool again = true; again && !changed;) {
    again = false;
    for (Block *block : order) {
      LiveSet live;
      for (Block *successor : block->getSuccessors())
        for (auto &[reg, value] : liveIn[successor])
          makeLive(live, value);
      for (Operation &op : llvm::reverse(*block)) {
        // It is not written, so it overwrites nothing.
        if (isa<ptx::UndefOp>(op))
          continue;
        // The text may name a register twice: then the last result stays in it.
        for (Value result : llvm::reverse(op.getResults()))
          define(live, result);
        for (Value operand : op.getOperands())
          makeLive(live, operand);
        separateTied(op);
      }
      for (BlockArgument arg : block->getArguments())
        define(live, arg);
      LiveSet &known = liveIn[block];
      for (auto &[reg, value] : live)
        if (known.lookup(reg) != value) {
          known[reg] = value;
          again = true;
        }
    }
  }
  return changed;
}

} // namespace ptxbench
