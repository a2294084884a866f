//===- Paths.h - What every path passes -------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions about the live graph of a solution, calls included. A *normal end*
// of a thread is `ret` of the entry, or `exit` anywhere; `trap`, an endless
// loop and a call that never returns are none. That an instruction lies on
// every path is asked by leaving it out: no normal end may be reached then.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_REACHABILITY_PATHS_H
#define PTXBENCH_LIB_ANALYSIS_REACHABILITY_PATHS_H

#include "RangeSolver.h"

namespace ptxbench::reachability {

/// Where an instruction stands.
struct Place {
  /// An instruction index.
  unsigned inst = kNone;
  unsigned block = kNone;
};

class Paths {
public:
  Paths(const Program &program, const ThreadModel &model, Solution &solution);

  /// Whether some thread of the class may end normally.
  bool hasNormalEnd() const { return normalEnd; }
  /// Whether a thread may come to the instruction (its guard aside).
  bool isReached(unsigned inst) const;
  /// The truth of the instruction's guard when it is reached.
  std::optional<bool> guardAt(unsigned inst);
  /// The facts when it is reached.
  Environment environmentAt(unsigned inst);
  /// Whether every thread of the class that ends normally executes it.
  bool isExecutedByAll(unsigned inst);
  /// A block on a path past the instruction whose terminator decides; kNone if
  /// there is none in its function.
  unsigned findDetour(unsigned inst);
  /// Whether no thread comes to the instruction more than once.
  bool isExecutedOnce(unsigned inst) const;
  /// How often each thread that is certain to execute it does so; none if that
  /// cannot be counted. Only for what isExecutedByAll holds for.
  std::optional<uint64_t> timesPerThread(unsigned inst) const;
  /// The call sites, outermost first, by which a thread certainly comes to the
  /// function of the instruction; empty if it is the entry's.
  llvm::SmallVector<unsigned, 2> getCallChain(unsigned inst);

private:
  /// Whether a normal end can be reached from the start of `function` without
  /// an instruction of `blockers`. Ret counts only if `retCounts`.
  bool escapes(unsigned function, const llvm::BitVector &blockers);
  /// The instruction that stands for this one: without calls in between, those
  /// of one block are executed alike.
  unsigned getRepresentative(unsigned inst) const;
  /// Whether every path to a normal end passes the instruction.
  bool decideExecuted(unsigned inst);
  bool callMayEnd(unsigned inst) const;
  /// Whether a thread may end normally in the block, a call of it included.
  bool mayEndIn(unsigned block) const;
  void findExits();
  void findCycles();
  void findBlocksOnEveryPath();
  /// The last block, in that order, from which live edges lead to the target
  /// and past it.
  unsigned findFork(llvm::ArrayRef<unsigned> visited);

  const Program &program;
  const ThreadModel &model;
  Solution &solution;
  /// By function: it may end the thread inside.
  llvm::BitVector mayExit;
  /// By block: on a cycle of live edges.
  llvm::BitVector cyclic;
  /// By function: entered at most once by a thread.
  llvm::BitVector once;
  bool normalEnd = false;
  /// Blocks of the entry that every thread passes which ends normally.
  llvm::BitVector onEveryPath;
  /// Answers of decideExecuted by instruction: 0 unknown, 1 no, 2 yes.
  std::vector<uint8_t> executed;
  /// By block: the blocks at the other ends of live edges. Filled by findFork.
  std::vector<llvm::SmallVector<unsigned, 2>> liveSuccessors, livePredecessors;
  /// Answers of findDetour, likewise by instruction.
  llvm::DenseMap<unsigned, unsigned> detours;
  /// Set for findDetour: the block that escapes() looks for detours of, and
  /// what it found.
  unsigned target = kNone, detour = kNone;
};

} // namespace ptxbench::reachability

#endif // PTXBENCH_LIB_ANALYSIS_REACHABILITY_PATHS_H
