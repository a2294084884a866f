//===- ReachCount.h - Verdicts of a family in words -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one wording of "how many of them can execute", so that every tool means
// the same by it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TRACE_REACHCOUNT_H
#define PTXBENCH_TRACE_REACHCOUNT_H

#include <cstddef>
#include <string>

namespace ptxbench {

/// "2 of 6 can execute, 2 undecided": of `all`, `proved` are proved to execute
/// under some launch, and `possible` are those and what nothing is proved of.
/// Where nothing is proved of any, they "may execute".
inline std::string sayPossible(size_t all, size_t possible, size_t proved) {
  bool mixed = proved && proved < possible;
  std::string text = std::to_string(mixed ? proved : possible) + " of " +
                     std::to_string(all) +
                     (proved || !possible ? " can execute" : " may execute");
  if (mixed)
    text += ", " + std::to_string(possible - proved) + " undecided";
  return text;
}

} // namespace ptxbench

#endif // PTXBENCH_TRACE_REACHCOUNT_H
