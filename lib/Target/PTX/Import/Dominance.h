//===- Dominance.h - Which blocks dominate which ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dominance among the blocks of a function that are known by their numbers
// only: on import it is asked for before there are terminators. Built in time
// that grows little faster than the number of edges, also for deep nests of
// loops; a question takes constant time.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_IMPORT_DOMINANCE_H
#define PTXBENCH_LIB_TARGET_PTX_IMPORT_DOMINANCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace ptxbench {

class Dominance {
public:
  /// The predecessors of each block. Paths begin at `entry`, but also at blocks
  /// that have no predecessors and at some block of a loop that nothing leads
  /// to: what unreachable code passes on counts, too.
  Dominance(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> predecessors,
            unsigned entry);

  /// Whether every path to `b` passes `a`.
  bool dominates(unsigned a, unsigned b) const {
    return begins[b] - begins[a] < sizes[a];
  }

private:
  /// By block: its number in a preorder of the tree of dominators, and how many
  /// blocks are in the tree below it, itself included.
  std::vector<uint32_t> begins, sizes;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_TARGET_PTX_IMPORT_DOMINANCE_H
