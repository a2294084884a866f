//===- Explain.h - Reasons in words -----------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns what a solution says into sentences with register names and lines.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_REACHABILITY_EXPLAIN_H
#define PTXBENCH_LIB_ANALYSIS_REACHABILITY_EXPLAIN_H

#include "Paths.h"

namespace ptxbench::reachability {

class Explainer {
public:
  Explainer(const Program &program, const ThreadModel &model,
            Solution &solution)
      : program(program), model(model), solution(solution),
        evaluator(program, model, solution) {}

  /// Why a block is dead ("the branch at line 63 is never taken: ...").
  std::string explainDeadBlock(mlir::Block *block);
  /// Why a guard has the value it has.
  std::string explainGuard(unsigned guard, const Environment &env);
  /// "%p4": the register of a value, or "the value of line 12".
  std::string nameOf(unsigned value);
  /// "line 12" of an operation.
  static std::string lineOf(mlir::Operation *op);
  /// "'bra' at line 12".
  static std::string describe(mlir::Operation *op);

private:
  std::string explainBool(unsigned value, const Environment &env,
                          unsigned depth);
  llvm::StringRef findSpecial(unsigned value) const;
  unsigned findOrigin(unsigned value) const;
  /// What guards said of a value, with the one that said it; null if the value
  /// has its range everywhere.
  const Fact *findNarrowing(unsigned value, const Environment &env) const;
  std::optional<CompactRange> findStart(unsigned value, unsigned block) const;
  std::string explainNumber(const Inst &inst, unsigned source,
                            const Environment &env);
  std::string explainEdge(unsigned from, unsigned to);

  const Program &program;
  const ThreadModel &model;
  Solution &solution;
  Evaluator evaluator;
};

} // namespace ptxbench::reachability

#endif // PTXBENCH_LIB_ANALYSIS_REACHABILITY_EXPLAIN_H
