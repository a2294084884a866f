//===- RangeSolver.h - Ranges and live edges for a class --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data-flow analysis. See include/ptxbench/Analysis/Reachability.h for the
// lattice. The state of a block is an AnalysisState at its start: whether it is
// live, the ranges of its arguments, and facts about value numbers that the
// edges into it have in common. Visiting a block evaluates its instructions
// under the facts, decides the guard of its terminator, and joins refined facts
// into the successors that are still possible.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_REACHABILITY_RANGESOLVER_H
#define PTXBENCH_LIB_ANALYSIS_REACHABILITY_RANGESOLVER_H

#include "Program.h"
#include "ThreadModel.h"
#include "mlir/Analysis/DataFlowFramework.h"

namespace ptxbench::reachability {

/// What edges said about a value number.
struct Fact {
  unsigned number;
  CompactRange range;
  /// The last terminator that narrowed it; null: more than one.
  mlir::Operation *by;
};

/// Facts ordered by value number. A number without a fact has no more than the
/// ranges of its values.
class Environment {
public:
  Environment() = default;
  Environment(Environment &&) = default;
  Environment &operator=(Environment &&) = default;
  /// Copies are made in order to learn more.
  Environment(const Environment &other) { *this = other; }
  Environment &operator=(const Environment &other);
  const Fact *find(unsigned number) const;
  void set(unsigned number, const CompactRange &range, mlir::Operation *by);
  /// Forgets what depends on a leaf that is defined again.
  void kill(unsigned leaf, const Program &program);
  /// Forgets what is not asked for in the block of that rank or behind it.
  void dropUnused(unsigned rank, const Program &program);
  /// Keeps only what is the same for a thread everywhere.
  void keepThreadConstants(const Program &program);
  /// Joins: keeps common facts, with the union of the ranges. `widen` drops
  /// what changed. Returns whether anything changed.
  bool join(const Environment &other, bool widen);
  llvm::ArrayRef<Fact> facts() const { return list; }

private:
  void mark(unsigned number) {
    filter[number / 64 % kWords] |= uint64_t(1) << number % 64;
  }
  bool isMarked(unsigned number) const {
    return filter[number / 64 % kWords] >> number % 64 & 1;
  }

  llvm::SmallVector<Fact, 0> list;
  /// A number whose bit is clear has no fact: most that are looked up.
  static constexpr unsigned kWords = 4;
  uint64_t filter[kWords] = {};
};

/// What the solver found for one class of threads.
struct Solution {
  ThreadClass threads;
  /// By value: the range at its definition.
  std::vector<std::optional<CompactRange>> ranges;
  /// By block.
  llvm::BitVector live;
  std::vector<Environment> entry;
  /// The instruction behind which no thread goes on, or kNone.
  std::vector<unsigned> stop;
  /// Bit i: successor i may be taken. Bit 31: the thread may end here.
  std::vector<uint32_t> edges;
  static constexpr uint32_t kEndBit = 1u << 31;
  /// By instruction: calls that may be executed.
  llvm::BitVector liveCalls;
  /// By function.
  llvm::BitVector entered, returns;
};

/// Evaluates values under facts. Used while solving and afterwards.
class Evaluator {
public:
  Evaluator(const Program &program, const ThreadModel &model,
            Solution &solution)
      : program(program), model(model), solution(solution) {}
  virtual ~Evaluator() = default;

  /// The range of a value: its own and the fact about its number.
  CompactRange lookup(unsigned value, const Environment &env);
  /// As `lookup`, but evaluates the instructions below it once more, under the
  /// facts of now. None: no thread can be here.
  std::optional<CompactRange> evaluate(unsigned value, const Environment &env,
                                       unsigned depth = kEvaluationDepth);
  /// The truth of a guard.
  std::optional<bool> evaluateGuard(unsigned guard, bool negated,
                                    const Environment &env);
  /// Learns that `value` is in `wanted`, and what follows for the values it is
  /// computed from. Returns false if that cannot be.
  bool refine(unsigned value, const CompactRange &wanted, Environment &env,
              mlir::Operation *by, unsigned depth = 8);
  bool refineGuard(unsigned guard, bool negated, bool holds, Environment &env,
                   mlir::Operation *by);

protected:
  /// Whether facts say more about the values below `value` than their ranges.
  bool hasNewsBelow(unsigned value, const Environment &env) const;
  /// A hook for the solver: `value` was read.
  virtual void onRead(unsigned value) {}

  /// A result without the guard, from the ranges of the sources as they are
  /// read.
  CompactRange evaluateResult(const Inst &inst, unsigned result,
                              llvm::ArrayRef<CompactRange> sources,
                              unsigned width) const;
  bool refineSource(const Inst &inst, unsigned source,
                    const CompactRange &wanted, Environment &env,
                    mlir::Operation *by, unsigned depth);
  bool refineOperands(const Inst &inst, unsigned output,
                      const CompactRange &wanted, Environment &env,
                      mlir::Operation *by, unsigned depth);
  bool refineCompare(const Inst &inst, bool truth, Environment &env,
                     mlir::Operation *by, unsigned depth);
  bool refineSetp(const Inst &inst, unsigned output, bool truth,
                  Environment &env, mlir::Operation *by, unsigned depth);
  std::optional<CompactRange> readNow(const Inst &inst, unsigned source,
                                      const Environment &env, unsigned depth);

  const Program &program;
  const ThreadModel &model;
  Solution &solution;
};

/// Results whose ranges an analysis of a class takes from elsewhere: those of
/// elect.sync and shfl.sync, by instruction.
using KnownResults = llvm::DenseMap<unsigned, Ranges>;

/// Runs the analysis to its fixpoint.
Solution solveRanges(const Program &program, const ThreadModel &model,
                     const ThreadClass &threads, const KnownResults &known);

} // namespace ptxbench::reachability

#endif // PTXBENCH_LIB_ANALYSIS_REACHABILITY_RANGESOLVER_H
