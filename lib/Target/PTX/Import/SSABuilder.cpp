//===- SSABuilder.cpp - From registers to SSA values ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that the header lists. Chains are walked in loops, not recursion: a
// function can have more blocks than a stack has frames.
//
//===----------------------------------------------------------------------===//

#include "SSABuilder.h"

using namespace mlir;

namespace ptxbench {

SSABuilder::SSABuilder(ArrayRef<Block *> blocks, ArrayRef<Type> regTypes,
                       Location loc,
                       llvm::function_ref<Value(uint32_t)> makeUndef)
    : blocks(blocks), regTypes(regTypes), loc(loc), makeUndef(makeUndef),
      filled(blocks.size()), predecessors(blocks.size()),
      argRegs(blocks.size()) {}

Value SSABuilder::read(unsigned block, uint32_t reg) {
  Value value;
  SmallVector<unsigned, 8> path;
  // A chain longer than the number of blocks is a cycle that nothing enters.
  for (size_t steps = 0; steps <= blocks.size(); ++steps) {
    auto it = defs.find(key(block, reg));
    if (it != defs.end()) {
      value = it->second;
      break;
    }
    path.push_back(block);
    // What a block that is not filled yet will leave is not known.
    if (predecessors[block].size() == 1 &&
        filled[predecessors[block].front()]) {
      block = predecessors[block].front();
      continue;
    }
    if (!predecessors[block].empty()) {
      BlockArgument arg = blocks[block]->addArgument(regTypes[reg], loc);
      phis.push_back({block, reg, arg});
      value = arg;
    }
    break;
  }
  if (!value) {
    Value &undef = undefs[reg];
    if (!undef)
      undef = makeUndef(reg);
    value = undef;
  }
  for (unsigned visited : path)
    defs.try_emplace(key(visited, reg), value);
  return value;
}

Value SSABuilder::resolve(Value value) const {
  for (auto it = replaced.find(value); it != replaced.end();
       it = replaced.find(value))
    value = it->second;
  return value;
}

void SSABuilder::finish() {
  // Reading may append to `phis`.
  for (size_t i = 0; i < phis.size(); ++i) {
    auto [block, reg, arg] = phis[i];
    for (unsigned pred : predecessors[block])
      read(pred, reg);
  }
  removeTrivialArguments();
}

void SSABuilder::removeTrivialArguments() {
  // Which arguments receive a value, so that they are looked at again when it
  // is replaced.
  DenseMap<Value, SmallVector<unsigned, 2>> receivers;
  std::vector<unsigned> worklist;
  for (unsigned i = 0; i < phis.size(); ++i) {
    for (unsigned pred : predecessors[phis[i].block])
      receivers[defs.lookup(key(pred, phis[i].reg))].push_back(i);
    worklist.push_back(phis.size() - 1 - i);
  }
  while (!worklist.empty()) {
    unsigned index = worklist.back();
    worklist.pop_back();
    auto [block, reg, arg] = phis[index];
    if (replaced.count(arg))
      continue;
    Value only;
    bool trivial = true;
    for (unsigned pred : predecessors[block]) {
      Value passed = resolve(defs.lookup(key(pred, reg)));
      if (passed == arg || passed == only)
        continue;
      if (only) {
        trivial = false;
        break;
      }
      only = passed;
    }
    if (!trivial)
      continue;
    if (!only) {
      Value &undef = undefs[reg];
      if (!undef)
        undef = makeUndef(reg);
      only = undef;
    }
    replaced[arg] = only;
    SmallVector<unsigned, 2> again = receivers.lookup(arg);
    for (unsigned i : again)
      if (i != index)
        worklist.push_back(i);
    auto &into = receivers[only];
    into.append(again.begin(), again.end());
  }

  std::vector<llvm::BitVector> dead(blocks.size());
  for (auto &[block, reg, arg] : phis) {
    if (!replaced.count(arg)) {
      argRegs[block].push_back(reg);
      continue;
    }
    arg.replaceAllUsesWith(resolve(arg));
    llvm::BitVector &bits = dead[block];
    bits.resize(blocks[block]->getNumArguments());
    bits.set(arg.getArgNumber());
  }
  // The values of erased arguments stay valid as map keys only until memory is
  // used again, so nothing is allocated between here and the last `resolve`:
  // final values are written into the map first.
  for (auto &entry : defs)
    entry.second = resolve(entry.second);
  for (auto [block, bits] : llvm::enumerate(dead))
    if (bits.any()) {
      bits.resize(blocks[block]->getNumArguments());
      blocks[block]->eraseArguments(bits);
    }
}

void SSABuilder::getPassedValues(unsigned from, unsigned to,
                                 SmallVectorImpl<Value> &values) {
  for (int32_t reg : argRegs[to])
    values.push_back(defs.lookup(key(from, reg)));
}

} // namespace ptxbench
