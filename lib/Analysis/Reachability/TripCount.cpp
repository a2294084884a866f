//===- TripCount.cpp - How often a thread executes an instruction ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the iterations of simple loops: one header, one block that all
// iterations pass and from which alone the loop is left, on a comparison of a
// counter with a constant. Loops inside (waiting for a barrier) do not disturb,
// as long as the instruction does not stand in one.
//
//===----------------------------------------------------------------------===//

#include "Paths.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

namespace {

/// A loop of live edges.
struct Loop {
  llvm::BitVector blocks;
  unsigned header = kNone;
  /// The block that leaves it, and the successor by which it goes on.
  unsigned exit = kNone;
  unsigned stay = 0;
};

class LoopCounter {
public:
  LoopCounter(const Program &program, const ThreadModel &model,
              Solution &solution)
      : program(program), solution(solution),
        evaluator(program, model, solution) {}

  std::optional<uint64_t> count(unsigned block);

private:
  bool takes(unsigned block, unsigned i) const {
    return solution.edges[block] & (1u << std::min(i, 30u));
  }
  /// Blocks reachable from `from` over live edges, without passing `avoid` and
  /// without entering `header` again.
  llvm::BitVector reach(ArrayRef<unsigned> from, const Loop *loop,
                        unsigned avoid);
  bool findLoop(unsigned block, Loop &loop);
  std::optional<uint64_t> countIterations(const Loop &loop);
  std::optional<APInt> constantOf(unsigned value);

  const Program &program;
  Solution &solution;
  Evaluator evaluator;
};

} // namespace

llvm::BitVector LoopCounter::reach(ArrayRef<unsigned> from, const Loop *loop,
                                   unsigned avoid) {
  llvm::BitVector seen(program.blocks.size());
  SmallVector<unsigned, 16> worklist;
  auto push = [&](unsigned b) {
    if (b == avoid || seen.test(b) ||
        (loop && (b == loop->header || !loop->blocks.test(b))))
      return;
    seen.set(b);
    worklist.push_back(b);
  };
  for (unsigned b : from)
    push(b);
  while (!worklist.empty()) {
    unsigned b = worklist.pop_back_val();
    for (auto [i, succ] : llvm::enumerate(program.blocks[b].successors))
      if (takes(b, i))
        push(succ);
  }
  return seen;
}

bool LoopCounter::findLoop(unsigned block, Loop &loop) {
  // The strongly connected component of live edges around the block.
  SmallVector<unsigned, 2> next;
  for (auto [i, succ] : llvm::enumerate(program.blocks[block].successors))
    if (takes(block, i))
      next.push_back(succ);
  llvm::BitVector down = reach(next, nullptr, kNone);
  loop.blocks.resize(program.blocks.size());
  for (unsigned b : down.set_bits()) {
    if (program.blocks[b].component != program.blocks[block].component)
      continue;
    SmallVector<unsigned, 2> from{b};
    if (b == block || reach(from, nullptr, kNone).test(block))
      loop.blocks.set(b);
  }
  if (!loop.blocks.test(block))
    return false;
  for (unsigned b : loop.blocks.set_bits()) {
    if (solution.stop[b] != kNone || (solution.edges[b] & Solution::kEndBit))
      return false;
    for (unsigned pred : program.blocks[b].predecessors) {
      if (loop.blocks.test(pred) || !solution.live.test(pred))
        continue;
      for (auto [i, succ] : llvm::enumerate(program.blocks[pred].successors))
        if (succ == b && takes(pred, i)) {
          if (loop.header != kNone && loop.header != b)
            return false;
          loop.header = b;
        }
    }
    for (auto [i, succ] : llvm::enumerate(program.blocks[b].successors)) {
      if (!takes(b, i) || loop.blocks.test(succ))
        continue;
      if (loop.exit != kNone)
        return false;
      loop.exit = b;
      loop.stay = 1 - i;
    }
    // A call may end the thread, or do anything else.
    for (unsigned i : program.blocks[b].insts)
      if (program.insts[i].role == InstRole::Call &&
          program.insts[i].callee != CalleeKind::System &&
          solution.liveCalls.test(i))
        return false;
  }
  if (loop.header == kNone || loop.exit == kNone ||
      program.blocks[loop.exit].successors.size() != 2)
    return false;
  // Every iteration comes to the exit test, and once: no way from the header
  // back to it avoids the test, and none leads from the test to itself.
  auto successorsOf = [&](unsigned b) {
    SmallVector<unsigned, 2> list;
    for (auto [i, succ] : llvm::enumerate(program.blocks[b].successors))
      if (takes(b, i))
        list.push_back(succ);
    return list;
  };
  if (loop.header != loop.exit) {
    llvm::BitVector past = reach(successorsOf(loop.header), &loop, loop.exit);
    past.set(loop.header);
    for (unsigned b : past.set_bits())
      for (unsigned succ : successorsOf(b))
        if (succ == loop.header)
          return false;
  }
  return !reach(successorsOf(loop.exit), &loop, kNone).test(loop.exit) ||
         loop.exit == loop.header;
}

std::optional<APInt> LoopCounter::constantOf(unsigned value) {
  if (value == kNone || program.values[value].width == 0 ||
      program.values[value].tainted)
    return std::nullopt;
  std::optional<CompactRange> range = evaluator.evaluate(value, Environment());
  return range ? range->get().getConstantValue() : std::nullopt;
}

std::optional<uint64_t> LoopCounter::countIterations(const Loop &loop) {
  const BlockInfo &exit = program.blocks[loop.exit];
  if (exit.guard == kNone || program.values[exit.guard].def == kNone ||
      program.values[exit.guard].tainted)
    return std::nullopt;
  const Value &guard = program.values[exit.guard];
  const Inst &test = program.insts[guard.def];
  if (test.range.kind != RangeKind::Setp || test.range.boolOp != BoolOp::None ||
      test.guard != kNone || test.sources.size() != 2 ||
      !loop.blocks.test(test.block))
    return std::nullopt;
  const BlockInfo &header = program.blocks[loop.header];
  for (auto [a, arg] : llvm::enumerate(header.args)) {
    unsigned width = program.values[arg].width;
    if (width == 0 || program.values[arg].tainted)
      continue;
    // One initial value, one step.
    std::optional<APInt> init, step;
    unsigned stepped = kNone;
    bool fits = true;
    for (unsigned pred : header.predecessors)
      for (auto [i, succ] : llvm::enumerate(program.blocks[pred].successors)) {
        if (succ != loop.header || !solution.live.test(pred) || !takes(pred, i))
          continue;
        unsigned passed = program.getPassedValue(pred, i, a);
        if (!loop.blocks.test(pred)) {
          std::optional<APInt> value = constantOf(passed);
          fits &= value && (!init || *init == *value);
          init = value;
          continue;
        }
        unsigned def = program.values[passed].def;
        fits &= stepped == kNone || stepped == passed;
        stepped = passed;
        if (def == kNone) {
          fits = false;
          continue;
        }
        const Inst &add = program.insts[def];
        bool plain = (add.range.kind == RangeKind::Add ||
                      add.range.kind == RangeKind::Sub) &&
                     !add.range.saturates && add.guard == kNone &&
                     add.sources.size() == 2 && add.sources[0].value == arg &&
                     add.sources[1].value == kNone;
        if (!plain) {
          fits = false;
          continue;
        }
        step = add.sources[1].constant.getConstantValue();
        if (step && add.range.kind == RangeKind::Sub)
          step = -*step;
        fits &= step.has_value();
      }
    if (!fits || !init || !step || stepped == kNone)
      continue;
    bool tested = false;
    bool after = false;
    if (test.sources[0].value == arg)
      tested = true;
    else if (test.sources[0].value == stepped)
      tested = after = true;
    std::optional<APInt> limit =
        test.sources[1].value == kNone
            ? test.sources[1].constant.getConstantValue()
            : constantOf(test.sources[1].value);
    if (!tested || !limit || limit->getBitWidth() != width)
      continue;
    auto term = cast<TerminatorOpInterface>(program.getTerminator(loop.exit));
    bool stayIfTrue = term.isTakenSuccessor(loop.stay) != exit.guardNegated;
    bool second = test.range.outputs[guard.result] == 1;
    APInt counter = *init;
    for (uint64_t n = 1; n <= (1u << 20); ++n) {
      APInt seen = after ? counter + *step : counter;
      std::optional<bool> truth =
          evaluateCompare(test.range.compare, test.range.isSigned,
                          Ranges::constant(seen), Ranges::constant(*limit));
      if (!truth)
        return std::nullopt;
      if ((*truth != second) != stayIfTrue)
        return n;
      counter += *step;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<uint64_t> LoopCounter::count(unsigned block) {
  Loop loop;
  if (!findLoop(block, loop))
    return std::nullopt;
  auto successorsOf = [&](unsigned b) {
    SmallVector<unsigned, 2> list;
    for (auto [i, succ] : llvm::enumerate(program.blocks[b].successors))
      if (takes(b, i) && loop.blocks.test(succ))
        list.push_back(succ);
    return list;
  };
  // Not in a loop inside.
  if (block != loop.header &&
      reach(successorsOf(block), &loop, kNone).test(block))
    return std::nullopt;
  std::optional<uint64_t> iterations = countIterations(loop);
  if (!iterations)
    return std::nullopt;
  if (block == loop.header || block == loop.exit)
    return iterations;
  // On every way from the header to the test: once per iteration.
  if (loop.header != loop.exit &&
      !reach(successorsOf(loop.header), &loop, block).test(loop.exit))
    return iterations;
  // On every way from the test back to the header, and on none before it: once
  // per iteration but the last.
  if (loop.header != loop.exit &&
      reach(successorsOf(loop.header), &loop, loop.exit).test(block))
    return std::nullopt;
  SmallVector<unsigned, 1> stay{
      program.blocks[loop.exit].successors[loop.stay]};
  llvm::BitVector past = reach(stay, &loop, block);
  bool back = stay.front() == loop.header;
  for (unsigned b : past.set_bits())
    for (unsigned succ : successorsOf(b))
      back |= succ == loop.header;
  return back ? std::nullopt : std::optional<uint64_t>(*iterations - 1);
}

bool Paths::isExecutedOnce(unsigned index) const {
  unsigned b = program.insts[index].block;
  return once.test(program.blocks[b].function) && !cyclic.test(b);
}

std::optional<uint64_t> Paths::timesPerThread(unsigned index) const {
  unsigned b = program.insts[index].block;
  if (!once.test(program.blocks[b].function))
    return std::nullopt;
  if (!cyclic.test(b))
    return 1;
  return LoopCounter(program, model, solution).count(b);
}

} // namespace ptxbench::reachability
