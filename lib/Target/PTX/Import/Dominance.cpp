//===- Dominance.cpp - Which blocks dominate which ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Semidominators with path compression (Lengauer and Tarjan, "A Fast Algorithm
// for Finding Dominators in a Flowgraph", 1979); immediate dominators are then
// the nearest ancestors that are no later than the semidominator (Georgiadis,
// "Linear-Time Algorithms for Dominators and Related Problems", 2005). Blocks
// are named by their numbers in a depth-first search, in which 0 is what stands
// above everything. Nothing is recursive.
//
//===----------------------------------------------------------------------===//

#include "Dominance.h"

using namespace ptxbench;

namespace {
class Builder {
public:
  Builder(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> predecessors)
      : predecessors(predecessors) {}

  void number(unsigned entry);
  void findDominators();

  static constexpr uint32_t unreached = ~0u;
  /// The block of each number but 0, the number of each block.
  std::vector<uint32_t> blocks, numbers;
  /// By number: that of the immediate dominator.
  std::vector<uint32_t> dominator;

private:
  uint32_t evaluate(uint32_t node, uint32_t firstLinked);

  llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> predecessors;
  /// By number: the parent in the search tree; an ancestor in the forest of
  /// those numbers that are done; the number with the least semidominator on
  /// the way to that ancestor; the semidominator.
  std::vector<uint32_t> parents, ancestors, labels, semi;
  std::vector<uint32_t> path;
};
} // namespace

void Builder::number(unsigned entry) {
  size_t count = predecessors.size();
  // The successors of a block stand from its offset to that of the next.
  std::vector<uint32_t> offsets(count + 1), successors;
  for (const auto &list : predecessors)
    for (unsigned from : list)
      ++offsets[from];
  uint32_t total = 0;
  for (uint32_t &offset : offsets)
    offset = total += offset;
  successors.resize(total);
  for (unsigned to = 0; to < count; ++to)
    for (unsigned from : predecessors[to])
      successors[--offsets[from]] = to;

  numbers.assign(count, unreached);
  std::vector<uint32_t> next(offsets.begin(), offsets.end() - 1), open;
  blocks = parents = {0};
  auto visit = [&](uint32_t block, uint32_t parent) {
    numbers[block] = blocks.size();
    blocks.push_back(block);
    parents.push_back(parent);
    open.push_back(block);
  };
  auto visitAll = [&](uint32_t root) {
    if (numbers[root] == unreached)
      visit(root, 0);
    while (!open.empty()) {
      uint32_t block = open.back();
      if (next[block] == offsets[block + 1]) {
        open.pop_back();
        continue;
      }
      uint32_t to = successors[next[block]++];
      if (numbers[to] == unreached)
        visit(to, numbers[block]);
    }
  };
  visitAll(entry);
  for (unsigned block = 0; block < count; ++block)
    if (predecessors[block].empty())
      visitAll(block);
  // What is left are loops that nothing leads to.
  for (unsigned block = 0; block < count; ++block)
    visitAll(block);
}

/// Of the numbers from `node` up to, but without, the root of its tree in the
/// forest of numbers from `firstLinked` on, the one with the least
/// semidominator; `node` itself where it is in no such tree.
uint32_t Builder::evaluate(uint32_t node, uint32_t firstLinked) {
  path.clear();
  uint32_t top = node;
  for (; ancestors[top] >= firstLinked; top = ancestors[top])
    path.push_back(top);
  // From the root's child down, everything is hung under the root.
  while (!path.empty()) {
    uint32_t child = path.back();
    path.pop_back();
    if (semi[labels[top]] < semi[labels[child]])
      labels[child] = labels[top];
    ancestors[child] = ancestors[top];
    top = child;
  }
  return labels[node];
}

void Builder::findDominators() {
  uint32_t count = blocks.size();
  ancestors = parents;
  labels.resize(count);
  for (uint32_t i = 0; i < count; ++i)
    labels[i] = i;
  semi = labels;
  for (uint32_t node = count - 1; node > 0; --node) {
    uint32_t least = parents[node];
    for (unsigned pred : predecessors[blocks[node]])
      least = std::min(least, semi[evaluate(numbers[pred], node + 1)]);
    semi[node] = least;
  }
  dominator.resize(count);
  for (uint32_t node = 1; node < count; ++node) {
    uint32_t above = parents[node];
    while (above > semi[node])
      above = dominator[above];
    dominator[node] = above;
  }
}

Dominance::Dominance(
    llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> predecessors, unsigned entry)
    : begins(predecessors.size()), sizes(predecessors.size()) {
  Builder builder(predecessors);
  builder.number(entry);
  builder.findDominators();
  const std::vector<uint32_t> &above = builder.dominator;
  uint32_t count = above.size();
  std::vector<uint32_t> size(count, 1), free(count);
  for (uint32_t node = count - 1; node > 0; --node)
    size[above[node]] += size[node];
  // `free` is where the next child of a number begins.
  for (uint32_t node = 1; node < count; ++node) {
    uint32_t begin = free[above[node]];
    free[above[node]] += size[node];
    free[node] = begin + 1;
    begins[builder.blocks[node]] = begin;
    sizes[builder.blocks[node]] = size[node];
  }
}
