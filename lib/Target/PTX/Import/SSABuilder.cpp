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
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace ptxbench {

SSABuilder::SSABuilder(ArrayRef<Block *> blocks, unsigned entry,
                       ArrayRef<Type> regTypes, Location loc,
                       llvm::function_ref<Value(uint32_t)> makeUndef)
    : blocks(blocks), entry(entry), regTypes(regTypes), loc(loc),
      makeUndef(makeUndef), predecessors(blocks.size()),
      registers(regTypes.size()), argRegs(blocks.size()) {}

void SSABuilder::define(unsigned block, uint32_t reg, Value value) {
  Register &known = registers[reg];
  if (known.block != block) {
    // What is written once stays in its place, of others the last value.
    if (known.writer != block && known.writer != manywhere) {
      defs[key(block, reg)] = value;
      return;
    }
    if (known.block != nowhere)
      defs[key(known.block, reg)] = known.value;
    known.block = block;
  }
  known.value = value;
}

/// The value of the register at the end of the block, null if none is known.
Value SSABuilder::lookup(unsigned block, uint32_t reg) {
  const Register &known = registers[reg];
  if (known.block == block)
    return known.value;
  if (known.writer < manywhere && known.block != nowhere) {
    if (!dominance)
      dominance.emplace(predecessors, entry);
    if (dominance->dominates(known.block, block))
      return known.value;
  }
  return defs.lookup(key(block, reg));
}

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

Value SSABuilder::readPredecessors(unsigned block, uint32_t reg) {
  // The blocks whose value waits for that of a predecessor. Each stands in
  // front of the one before it, so there is no cycle.
  SmallVector<Frame, 16> open;
  while (true) {
    Value value = lookup(block, reg);
    if (!value) {
      if (predecessors[block].empty() || registers[reg].writer == nowhere) {
        value = getUndef(reg);
      } else if (isJoined(block)) {
        open.push_back({block, 0, Value()});
        block = predecessors[block].front();
        continue;
      } else {
        value = addPhi(block, reg);
      }
      define(block, reg, value);
    }
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
      define(frame.block, reg, value);
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
    phis[i].firstReceived = received.size();
    for (unsigned pred : predecessors[phis[i].block])
      received.push_back(read(pred, phis[i].reg));
  }
  removeTrivialArguments();
}

/// Whether the argument receives one value besides itself at most, `only`, as
/// far as is known now. Values never become different again, so each is looked
/// at until it is the same, and not again.
bool SSABuilder::isTrivial(Phi &phi) {
  size_t count = predecessors[phi.block].size();
  if (phi.only)
    phi.only = resolve(phi.only);
  if (phi.only == phi.arg)
    phi.only = Value();
  for (phi.other = Value(); phi.numSame < count; ++phi.numSame) {
    Value value = resolve(received[phi.firstReceived + phi.numSame]);
    if (value == phi.arg || value == phi.only)
      continue;
    if (phi.only) {
      phi.other = value;
      return false;
    }
    phi.only = value;
  }
  return true;
}

/// Replaces an argument by its only value. Which arguments this may make
/// trivial: those that hold the two for different, and the one that the value
/// is itself.
void SSABuilder::replace(Phi &phi, std::vector<unsigned> &worklist) {
  Value from = phi.arg, to = phi.only ? phi.only : getUndef(phi.reg);
  phi.replaced = true;
  replaced[from] = to;
  auto known = watchers.find(from);
  if (known == watchers.end())
    return;
  SmallVector<unsigned, 2> fewer = std::move(known->second);
  watchers.erase(known);
  // The longer list stays, so that an entry is moved seldom.
  SmallVector<unsigned, 2> &more = watchers[to];
  if (fewer.size() > more.size())
    std::swap(fewer, more);
  for (unsigned index : fewer) {
    Phi &watcher = phis[index];
    if (watcher.replaced)
      continue;
    if (resolve(watcher.only) == resolve(watcher.other))
      worklist.push_back(index);
    else
      more.push_back(index);
  }
  // Its own argument among what it receives counts for nothing any more.
  auto self = phiOf.find(to);
  if (self == phiOf.end())
    return;
  Phi &owner = phis[self->second];
  if (owner.other && (resolve(owner.only) == to || resolve(owner.other) == to))
    worklist.push_back(self->second);
}

void SSABuilder::removeTrivialArguments() {
  phiOf.reserve(phis.size());
  std::vector<unsigned> worklist;
  for (unsigned i = 0; i < phis.size(); ++i) {
    phiOf[phis[i].arg] = i;
    worklist.push_back(phis.size() - 1 - i);
  }
  while (!worklist.empty()) {
    unsigned index = worklist.back();
    worklist.pop_back();
    Phi &phi = phis[index];
    if (phi.replaced)
      continue;
    if (isTrivial(phi)) {
      replace(phi, worklist);
      continue;
    }
    watchers[phi.only].push_back(index);
    watchers[phi.other].push_back(index);
  }

  std::vector<llvm::BitVector> dead(blocks.size());
  for (Phi &phi : phis) {
    if (!phi.replaced) {
      argRegs[phi.block].push_back(phi.reg);
      continue;
    }
    phi.arg.replaceAllUsesWith(resolve(phi.arg));
    llvm::BitVector &bits = dead[phi.block];
    bits.resize(blocks[phi.block]->getNumArguments());
    bits.set(phi.arg.getArgNumber());
  }
  // The values of erased arguments stay valid as map keys only until memory is
  // used again, so nothing is allocated between here and the last `resolve`:
  // final values are written into the maps first.
  for (auto &entry : defs)
    entry.second = resolve(entry.second);
  for (Register &reg : registers)
    if (reg.value)
      reg.value = resolve(reg.value);
  for (auto [block, bits] : llvm::enumerate(dead))
    if (bits.any()) {
      bits.resize(blocks[block]->getNumArguments());
      blocks[block]->eraseArguments(bits);
    }
}

void SSABuilder::getPassedValues(unsigned from, unsigned to,
                                 SmallVectorImpl<Value> &values) {
  for (int32_t reg : argRegs[to])
    values.push_back(lookup(from, reg));
}

} // namespace ptxbench
