//===- Paths.cpp - What every path passes ---------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Depth-first searches over live blocks, into functions and back out of them.
// What functions can do (return, end the thread) is computed once, to a fixed
// point.
//
//===----------------------------------------------------------------------===//

#include "Paths.h"
#include "ptxbench/Analysis/FlatMarks.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

Paths::Paths(const Program &program, const ThreadModel &model,
             Solution &solution)
    : program(program), model(model), solution(solution) {
  findExits();
  normalEnd = escapes(0, llvm::BitVector(program.insts.size()));
  findCycles();
  if (normalEnd)
    findBlocksOnEveryPath();
}

static bool takesEdge(const Solution &solution, unsigned block, unsigned i) {
  return solution.edges[block] & (1u << std::min(i, 30u));
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

static bool isRet(const Program &program, unsigned block) {
  auto term =
      dyn_cast_or_null<TerminatorOpInterface>(program.getTerminator(block));
  return term && term.getThreadEnd() == ThreadEnd::Ret &&
         !term->hasAttr(marks::kEnds);
}

void Paths::findExits() {
  mayExit.resize(program.functions.size());
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned b = 0; b < program.blocks.size(); ++b) {
      unsigned f = program.blocks[b].function;
      if (!solution.live.test(b) || mayExit.test(f))
        continue;
      bool exits = (solution.edges[b] & Solution::kEndBit) &&
                   (!isRet(program, b) || f == 0);
      for (unsigned i : program.blocks[b].insts) {
        if (exits)
          break;
        if (program.insts[i].role == InstRole::Call &&
            solution.liveCalls.test(i))
          exits = callMayEnd(i);
        if (solution.stop[b] == i)
          break;
      }
      if (exits) {
        mayExit.set(f);
        changed = true;
      }
    }
  }
}

bool Paths::callMayEnd(unsigned index) const {
  const Inst &inst = program.insts[index];
  switch (inst.callee) {
  case CalleeKind::System:
    return false;
  case CalleeKind::Unknown:
    return true;
  case CalleeKind::Known:
    return mayExit.test(inst.index);
  }
  return true;
}

bool Paths::escapes(unsigned function, const llvm::BitVector &blockers) {
  const Function &info = program.functions[function];
  if (info.numBlocks == 0)
    return true;
  if (!solution.live.test(info.firstBlock))
    return false;
  SmallVector<unsigned, 16> worklist{info.firstBlock};
  llvm::BitVector seen(program.blocks.size());
  seen.set(info.firstBlock);
  SmallVector<unsigned, 16> visited;
  llvm::BitVector blocking(program.blocks.size());
  for (unsigned i : blockers.set_bits())
    blocking.set(program.insts[i].block);
  bool escaped = false;
  while (!worklist.empty()) {
    unsigned b = worklist.pop_back_val();
    visited.push_back(b);
    bool blocked = false;
    bool isPlain = !program.blocks[b].hasCall && !blocking.test(b) &&
                   solution.stop[b] == kNone;
    for (unsigned i : isPlain ? ArrayRef<unsigned>()
                              : ArrayRef<unsigned>(program.blocks[b].insts)) {
      if (blockers.test(i)) {
        blocked = true;
        break;
      }
      const Inst &inst = program.insts[i];
      if (inst.role == InstRole::Call && solution.liveCalls.test(i) &&
          callMayEnd(i))
        escaped = true;
      if (solution.stop[b] == i) {
        blocked = true;
        break;
      }
    }
    if (blocked)
      continue;
    if (solution.edges[b] & Solution::kEndBit)
      escaped = true;
    if (escaped && target == kNone)
      return true;
    for (auto [i, succ] : llvm::enumerate(program.blocks[b].successors))
      if (takesEdge(solution, b, i) && !seen.test(succ)) {
        seen.set(succ);
        worklist.push_back(succ);
      }
  }
  // A block on the way past the target from which the target can be reached,
  // too, as late as possible: there the paths part.
  if (escaped && target != kNone && program.blocks[target].function == function)
    detour = findFork(visited);
  return escaped;
}

unsigned Paths::findFork(ArrayRef<unsigned> visited) {
  unsigned numBlocks = program.blocks.size();
  if (liveSuccessors.empty()) {
    liveSuccessors.resize(numBlocks);
    livePredecessors.resize(numBlocks);
    for (unsigned b = 0; b < numBlocks; ++b)
      for (auto [i, succ] : llvm::enumerate(program.blocks[b].successors))
        if (solution.live.test(b) && takesEdge(solution, b, i)) {
          liveSuccessors[b].push_back(succ);
          livePredecessors[succ].push_back(b);
        }
  }
  llvm::BitVector leads(numBlocks);
  SmallVector<unsigned, 16> up{target};
  leads.set(target);
  while (!up.empty())
    for (unsigned pred : livePredecessors[up.pop_back_val()])
      if (!leads.test(pred)) {
        leads.set(pred);
        up.push_back(pred);
      }
  for (unsigned b : llvm::reverse(visited)) {
    if (!leads.test(b))
      continue;
    // One side leads to the target, the other does not.
    bool away = solution.edges[b] & Solution::kEndBit, to = false;
    for (unsigned succ : liveSuccessors[b])
      (leads.test(succ) ? to : away) = true;
    if (to && away)
      return b;
  }
  return kNone;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool Paths::isReached(unsigned index) const {
  unsigned b = program.insts[index].block;
  if (!solution.live.test(b))
    return false;
  if (solution.stop[b] == kNone)
    return true;
  for (unsigned i : program.blocks[b].insts) {
    if (i == index)
      return true;
    if (i == solution.stop[b])
      return false;
  }
  return false;
}

Environment Paths::environmentAt(unsigned index) {
  unsigned b = program.insts[index].block;
  Environment env = solution.entry[b];
  Evaluator evaluator(program, model, solution);
  for (unsigned i : program.blocks[b].insts) {
    if (i == index)
      break;
    const Inst &inst = program.insts[i];
    if (program.blocks[b].inCycle)
      for (unsigned id : inst.results)
        if (id != kNone) {
          unsigned number = program.values[id].number;
          if (llvm::is_contained(program.numbers[number].leaves, number))
            env.kill(number, program);
        }
    // Behind a guarded call that never returns the guard was false.
    if (inst.role == InstRole::Call && inst.guard != kNone &&
        inst.callee == CalleeKind::Known &&
        !solution.returns.test(inst.index) && solution.liveCalls.test(i))
      (void)evaluator.refineGuard(inst.guard, inst.guardNegated, false, env,
                                  inst.op);
  }
  return env;
}

std::optional<bool> Paths::guardAt(unsigned index) {
  const Inst &inst = program.insts[index];
  if (inst.guard == kNone)
    return true;
  Environment env = environmentAt(index);
  Evaluator evaluator(program, model, solution);
  if (std::optional<bool> known =
          evaluator.evaluateGuard(inst.guard, inst.guardNegated, env))
    return known;
  // Guards that contradict the facts in a way only the operands show.
  for (bool holds : {true, false}) {
    Environment copy = env;
    if (!evaluator.refineGuard(inst.guard, inst.guardNegated, holds, copy,
                               inst.op))
      return !holds;
  }
  return std::nullopt;
}

unsigned Paths::getRepresentative(unsigned index) const {
  const BlockInfo &block = program.blocks[program.insts[index].block];
  return block.hasCall ? index : block.insts.front();
}

unsigned Paths::findDetour(unsigned index) {
  index = getRepresentative(index);
  auto known = detours.find(index);
  if (known != detours.end())
    return known->second;
  llvm::BitVector blockers(program.insts.size());
  blockers.set(index);
  target = program.insts[index].block;
  detour = kNone;
  (void)escapes(program.blocks[target].function, blockers);
  target = kNone;
  detours[index] = detour;
  return detour;
}

bool Paths::isExecutedByAll(unsigned index) {
  if (!normalEnd || !isReached(index) || guardAt(index) != true)
    return false;
  unsigned key = getRepresentative(index);
  if (executed.empty())
    executed.assign(program.insts.size(), 0);
  if (!executed[key])
    executed[key] = decideExecuted(key) ? 2 : 1;
  return executed[key] == 2;
}

bool Paths::mayEndIn(unsigned block) const {
  const BlockInfo &info = program.blocks[block];
  if (info.hasCall)
    for (unsigned i : info.insts) {
      if (program.insts[i].role == InstRole::Call &&
          solution.liveCalls.test(i) && callMayEnd(i))
        return true;
      if (solution.stop[block] == i)
        return false;
    }
  return solution.edges[block] & Solution::kEndBit;
}

/// Only a block on one way to an end can be on all of them: it is if no detour
/// leads from in front of it to behind it.
void Paths::findBlocksOnEveryPath() {
  onEveryPath.resize(program.blocks.size());
  unsigned entry = program.functions[0].firstBlock;
  auto forEachNext = [&](unsigned b, llvm::function_ref<void(unsigned)> visit) {
    if (solution.stop[b] == kNone)
      for (auto [i, succ] : llvm::enumerate(program.blocks[b].successors))
        if (takesEdge(solution, b, i))
          visit(succ);
  };
  // The shortest way.
  std::vector<unsigned> from(program.blocks.size(), kNone);
  SmallVector<unsigned, 32> queue{entry};
  unsigned last = kNone;
  from[entry] = entry;
  for (unsigned at = 0; at < queue.size() && last == kNone; ++at) {
    if (mayEndIn(queue[at]))
      last = queue[at];
    forEachNext(queue[at], [&](unsigned succ) {
      if (from[succ] == kNone) {
        from[succ] = queue[at];
        queue.push_back(succ);
      }
    });
  }
  if (last == kNone)
    return;
  SmallVector<unsigned, 32> path{last};
  while (path.back() != entry)
    path.push_back(from[path.back()]);
  std::reverse(path.begin(), path.end());
  std::vector<unsigned> place(program.blocks.size(), kNone);
  for (auto [i, b] : llvm::enumerate(path))
    place[b] = i;
  // How far detours from the blocks so far lead; the end is behind them all.
  unsigned farthest = 0;
  llvm::BitVector seen(program.blocks.size());
  for (auto [i, start] : llvm::enumerate(path)) {
    if (farthest <= i)
      onEveryPath.set(start);
    SmallVector<unsigned, 16> worklist{start};
    while (!worklist.empty()) {
      unsigned b = worklist.pop_back_val();
      if (mayEndIn(b))
        farthest = path.size();
      forEachNext(b, [&](unsigned succ) {
        if (place[succ] != kNone) {
          farthest = std::max(farthest, place[succ]);
        } else if (!seen.test(succ)) {
          seen.set(succ);
          worklist.push_back(succ);
        }
      });
    }
  }
}

bool Paths::decideExecuted(unsigned index) {
  // Functions all of whose calls execute it, from that of the target outwards.
  llvm::BitVector blockers(program.insts.size());
  llvm::BitVector certain(program.functions.size());
  blockers.set(index);
  unsigned block = program.insts[index].block;
  unsigned home = program.blocks[block].function;
  if (home == 0 && !program.blocks[block].hasCall)
    return onEveryPath.test(block);
  bool escaped = escapes(home, blockers);
  if (home == 0)
    return !escaped;
  if (escaped)
    return false;
  certain.set(home);
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto [i, inst] : llvm::enumerate(program.insts))
      if (inst.role == InstRole::Call && inst.callee == CalleeKind::Known &&
          certain.test(inst.index) && !blockers.test(i) && isReached(i) &&
          guardAt(i) == true) {
        blockers.set(i);
        changed = true;
      }
    if (!changed)
      break;
    for (unsigned f = 0; f < program.functions.size(); ++f)
      if (!certain.test(f) && solution.entered.test(f) &&
          !escapes(f, blockers)) {
        certain.set(f);
        changed = true;
      }
    if (certain.test(0))
      return true;
  }
  return certain.test(0);
}

SmallVector<unsigned, 2> Paths::getCallChain(unsigned index) {
  // Breadth first from the entry over live calls; the first way found.
  unsigned home = program.blocks[program.insts[index].block].function;
  std::vector<unsigned> via(program.functions.size(), kNone);
  SmallVector<unsigned, 8> queue{0};
  llvm::BitVector seen(program.functions.size());
  seen.set(0);
  for (unsigned at = 0; at < queue.size(); ++at)
    for (auto [i, inst] : llvm::enumerate(program.insts))
      if (inst.role == InstRole::Call && inst.callee == CalleeKind::Known &&
          program.blocks[inst.block].function == queue[at] &&
          solution.liveCalls.test(i) && !seen.test(inst.index)) {
        seen.set(inst.index);
        via[inst.index] = i;
        queue.push_back(inst.index);
      }
  SmallVector<unsigned, 2> chain;
  for (unsigned f = home; f != 0 && via[f] != kNone;
       f = program.blocks[program.insts[via[f]].block].function)
    chain.insert(chain.begin(), via[f]);
  return chain;
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

void Paths::findCycles() {
  // Strongly connected components of the live edges (Tarjan, with an explicit
  // stack): a block is on a cycle if its component has an edge inside.
  unsigned numBlocks = program.blocks.size();
  cyclic.resize(numBlocks);
  std::vector<unsigned> order(numBlocks, 0), low(numBlocks, 0);
  llvm::BitVector open(numBlocks);
  SmallVector<unsigned, 32> path;
  SmallVector<std::pair<unsigned, unsigned>, 32> visits;
  unsigned next = 0;
  for (unsigned root = 0; root < numBlocks; ++root) {
    if (!solution.live.test(root) || order[root])
      continue;
    visits.push_back({root, 0});
    while (!visits.empty()) {
      auto &[b, i] = visits.back();
      if (i == 0) {
        order[b] = low[b] = ++next;
        path.push_back(b);
        open.set(b);
      }
      const BlockInfo &info = program.blocks[b];
      if (i < info.successors.size()) {
        unsigned succ = info.successors[i];
        if (!takesEdge(solution, b, i++))
          continue;
        if (succ == b)
          cyclic.set(b);
        if (!order[succ])
          visits.push_back({succ, 0});
        else if (open.test(succ))
          low[b] = std::min(low[b], order[succ]);
        continue;
      }
      unsigned done = b;
      visits.pop_back();
      if (!visits.empty())
        low[visits.back().first] =
            std::min(low[visits.back().first], low[done]);
      if (low[done] != order[done])
        continue;
      bool many = path.back() != done;
      for (unsigned member = kNone; member != done;) {
        member = path.pop_back_val();
        open.reset(member);
        if (many)
          cyclic.set(member);
      }
    }
  }
  // A function runs once if one call of it, itself run once, is live.
  once.resize(program.functions.size());
  once.set(0);
  std::vector<unsigned> calls(program.functions.size());
  bool unknown = false;
  for (auto [i, inst] : llvm::enumerate(program.insts)) {
    if (inst.role != InstRole::Call || !solution.liveCalls.test(i))
      continue;
    if (inst.callee == CalleeKind::Known)
      ++calls[inst.index];
    unknown |= inst.callee == CalleeKind::Unknown;
  }
  for (unsigned round = 0; round < program.functions.size(); ++round)
    for (auto [i, inst] : llvm::enumerate(program.insts))
      if (inst.role == InstRole::Call && inst.callee == CalleeKind::Known &&
          solution.liveCalls.test(i) && calls[inst.index] == 1 &&
          !cyclic.test(inst.block) &&
          once.test(program.blocks[inst.block].function) &&
          !(unknown && program.functions[inst.index].exposed))
        once.set(inst.index);
}

} // namespace ptxbench::reachability
