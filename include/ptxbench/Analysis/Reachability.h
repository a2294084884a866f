//===- Reachability.h - Which instructions can execute ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides, for every target instruction of an entry, whether it is executed:
// never, by all threads, by some thread of every CTA / cluster / grid, or maybe
// (Verdict.h). docs/Reachability.md says what is assumed and argues soundness.
//
// The lattice, in the order in which it is built up:
//
//  1. The analysis looks at one *class* of threads: a box in the space of the
//     special registers (%tid.x in [128, 159], ...). The class of all threads
//     comes first. Special registers have the bounds that the ISA, the
//     directives of the entry, the assumed launch and the class give them.
//
//  2. Each value has a range: a pair of unsigned and a pair of signed bounds,
//  as
//     upstream's ConstantIntRanges. It covers what the value is at any
//     definition by any thread of the class. Bottom is "never defined". Loads,
//     results of calls, undefined registers: the full range.
//
//  3. Each value has a *number*; equal numbers, equal values (Program.h).
//
//  4. Each block has a state: bottom (dead), or the ranges of its arguments and
//     a set of *facts*. A fact bounds a value number. It holds on entry to the
//     block, and stays true until a leaf of the number is defined again.
//
//  5. Join of two states: union of the ranges of the arguments; the facts that
//     both have, with the union of their ranges. No fact is the top of facts.
//
//  6. An edge carries the facts of its block and what its guard adds: a
//     comparison bounds its operands, and through additions, shifts, masks,
//     extensions, selections ... what they were computed from. If some value
//     has no possible range left, the edge is dead. A guard is evaluated under
//     the facts, so one that contradicts an outer one is found constant.
//
//  7. Calls carry facts that are the same for a thread everywhere (special
//     registers) into the callee. A function returns once some `ret` of it is
//     live; until then what follows a call of it is dead.
//
//  8. Block arguments in cycles are widened after three changes, to the next
//     constant that the code compares something with, then to the full range;
//     facts that still grow after six changes are dropped. So chains end.
//
// On the fixpoint, paths are asked (Paths.h): an instruction is executed by all
// threads of a class if no normal end is reachable without it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ANALYSIS_REACHABILITY_H
#define PTXBENCH_ANALYSIS_REACHABILITY_H

#include "mlir/IR/Operation.h"
#include "ptxbench/Trace/Verdict.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ptxbench {

struct ReachabilityOptions {
  LaunchAssumptions launch;
  /// How many classes of threads may be analysed for one entry. Beyond them
  /// verdicts stay `maybe`.
  unsigned maxClasses = 64;
};

/// The verdicts of one entry, and the operation behind each of them.
struct EntryReachability {
  EntryVerdicts verdicts;
  /// Parallel to `verdicts.targets`.
  std::vector<mlir::Operation *> operations;
  /// How many classes of threads were analysed.
  unsigned numClasses = 0;
};

/// Analyses one entry. `entry` is a `ptx.entry`, or a kernel of a dialect that
/// has models (OpModels.h); targets are the operations of a family in it and in
/// every function of its module, in the order of the text. Fails if the launch
/// contradicts the directives or the parameters of the entry.
llvm::Expected<EntryReachability>
analyzeEntryReachability(mlir::Operation *entry,
                         const ReachabilityOptions &options);

/// As above, the verdicts alone.
llvm::Expected<EntryVerdicts>
analyzeReachability(mlir::Operation *entry, const LaunchAssumptions &launch);

} // namespace ptxbench

#endif // PTXBENCH_ANALYSIS_REACHABILITY_H
