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
      written(regTypes.size()), predecessors(blocks.size()),
      argRegs(blocks.size()) {}

Value SSABuilder::getUndef(uint32_t reg) {
  Value &undef = undefs[reg];
  if (!undef)
    undef = makeUndef(reg);
  return undef;
}

Value SSABuilder::addPhi(unsigned block, uint32_t reg) {
  BlockArgument arg = blocks[block]->addArgument(regTypes[reg], loc);
  phis.push_back({block, reg, arg});
  return arg;
}

bool SSABuilder::isJoined(unsigned block) const {
  // Blocks are filled in their order, so those in front of it are.
  return llvm::all_of(predecessors[block],
                      [&](unsigned pred) { return pred < block; });
}

Value SSABuilder::read(unsigned block, uint32_t reg) {
  auto known = defs.find(key(block, reg));
  if (known != defs.end())
    return known->second;
  // The blocks whose value waits for that of a predecessor. Each stands in
  // front of the one before it, so there is no cycle.
  SmallVector<Frame, 16> open;
  while (true) {
    Value value;
    auto it = defs.find(key(block, reg));
    if (it != defs.end()) {
      value = it->second;
    } else if (predecessors[block].empty() || !written.test(reg)) {
      value = getUndef(reg);
    } else if (isJoined(block)) {
      open.push_back({block, 0, Value()});
      block = predecessors[block].front();
      continue;
    } else {
      value = addPhi(block, reg);
    }
    if (it == defs.end())
      defs[key(block, reg)] = value;
    // What waits for it.
    while (true) {
      if (open.empty())
        return value;
      Frame &frame = open.back();
      if (frame.only && frame.only != value) {
        value = addPhi(frame.block, reg);
      } else {
        frame.only = value;
        if (++frame.next < predecessors[frame.block].size()) {
          block = predecessors[frame.block][frame.next];
          break;
        }
      }
      defs[key(frame.block, reg)] = value;
      open.pop_back();
    }
  }
}

Value SSABuilder::resolve(Value value) {
  auto it = replaced.find(value);
  if (it == replaced.end())
    return value;
  Value last = it->second;
  for (auto next = replaced.find(last); next != replaced.end();
       next = replaced.find(last))
    last = next->second;
  // Chains are long; the next question is answered in one step.
  for (; it->second != last; it = replaced.find(value)) {
    value = it->second;
    it->second = last;
  }
  return last;
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
      only = getUndef(reg);
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
