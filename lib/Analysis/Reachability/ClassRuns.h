//===- ClassRuns.h - The solver on classes of threads -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the solver once per class of threads, within a budget, and asks of one
// instruction: does every thread of some class that certainly exists execute
// it? Classes are warps, the elected lane of a warp, and parts of a warp that
// the ranges at the instruction suggest.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_REACHABILITY_CLASSRUNS_H
#define PTXBENCH_LIB_ANALYSIS_REACHABILITY_CLASSRUNS_H

#include "Paths.h"
#include "llvm/ADT/StringMap.h"

namespace ptxbench::reachability {

/// The solution for a class of threads.
struct ClassRun {
  Solution solution;
  std::unique_ptr<Paths> paths;
  /// Results of shfl.sync that hold for every thread of the class.
  KnownResults shuffles;
};

/// What one warp does with an instruction.
struct WarpVerdict {
  enum Kind { Unknown, Never, All, Part } kind = Unknown;
  /// Whether exactly `threads` threads of the warp execute it.
  bool exact = false;
  uint64_t threads = 0;
  /// How often each of them does; none if that cannot be counted.
  std::optional<uint64_t> times;
  /// Part: which threads, for the reader.
  std::string who;
  ClassRun *run = nullptr;
};

class ClassRuns {
public:
  ClassRuns(const Program &program, const ThreadModel &model,
            unsigned maxClasses);

  /// All threads.
  ClassRun &getBase() { return *base; }
  unsigned size() const { return runs.size(); }

  /// Of a known block.
  WarpVerdict decideWarp(unsigned inst, unsigned warp);
  /// A class that has a thread in every CTA for which `cta` holds, and all of
  /// whose threads execute the instruction; null if none is found. Only %ctaid
  /// and the rank of `cta` count.
  ClassRun *findInEveryCTA(unsigned inst, const ThreadClass &cta,
                           std::string &who);
  /// The same with one CTA of every cluster, or of the grid.
  bool findOneCTA(unsigned inst, Scope scope, std::string &who);
  /// Analyses the first thread of a CTA, to see whether it can end.
  void tryFirstThread();
  /// A class that exists but has no normal end, in words.
  std::optional<std::string> getStuckClass() const;

private:
  ClassRun *run(const ThreadClass &threads, ClassRun *parent);
  void findShuffles(ClassRun &run);
  /// All of `warp`, its elected lane, or a part of it.
  WarpVerdict decideIn(unsigned inst, const ThreadClass &warp, bool isExact,
                       bool partsExist);
  /// The bounds of a special register where the instruction is executed.
  std::optional<std::pair<uint64_t, uint64_t>>
  boundsAt(ClassRun &run, unsigned inst, llvm::StringRef name);
  bool uses(llvm::StringRef prefix) const;

  const Program &program;
  const ThreadModel &model;
  unsigned maxClasses;
  llvm::SmallVector<unsigned, 4> elects, shuffles;
  llvm::StringMap<std::unique_ptr<ClassRun>> runs;
  ClassRun *base = nullptr;
  std::optional<std::string> stuck;
};

} // namespace ptxbench::reachability

#endif // PTXBENCH_LIB_ANALYSIS_REACHABILITY_CLASSRUNS_H
