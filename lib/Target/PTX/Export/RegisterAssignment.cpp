//===- RegisterAssignment.cpp - From SSA values to registers --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterAssignment.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

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

RegisterAssignment::RegisterAssignment(Region &body, ArrayAttr regs,
                                       ArrayAttr blockRegs) {
  for (auto reg : regs.getAsRange<ptx::RegAttr>()) {
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
  std::string prefix = ("%fresh_" + regType + "_").str();
  fresh.push_back({regType.str(), prefix, 1});
  names.push_back(prefix + "0");
  return names.size() - 1;
}

std::string RegisterAssignment::makeTemporary(Type type) {
  return names[takeFresh(type)];
}

std::string RegisterAssignment::getName(Value value) const {
  auto it = assigned.find(value);
  assert(it != assigned.end() && "a value without a register");
  return names[it->second];
}

std::string RegisterAssignment::getName(unsigned reg) const {
  return names[reg];
}

void RegisterAssignment::collectHints(Region &body, ArrayAttr blockRegs) {
  size_t numDeclared = names.size();
  auto assign = [&](Value value, int64_t hint) {
    if (hint < 0 || hint >= int64_t(numDeclared))
      hint = takeFresh(value.getType());
    assigned[value] = hint;
  };
  for (auto [i, block] : llvm::enumerate(body)) {
    ArrayRef<int32_t> hints;
    if (i < blockRegs.size())
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
        for (Value result : op.getResults())
          define(live, result);
        for (Value operand : op.getOperands())
          makeLive(live, operand);
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
