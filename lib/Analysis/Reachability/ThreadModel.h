//===- ThreadModel.h - Which threads there are ------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ISA, the directives of an entry and assumed launches say about the
// special registers, and classes of threads: boxes in the space of special
// registers. A class is used for two things. What holds for every thread of it
// holds for every existing thread of it; and some classes certainly have a
// thread in every CTA, in one CTA of every cluster, or in the grid.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_REACHABILITY_THREADMODEL_H
#define PTXBENCH_LIB_ANALYSIS_REACHABILITY_THREADMODEL_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "ptxbench/Trace/Verdict.h"
#include "llvm/Support/Error.h"

namespace ptxbench::reachability {

/// Bounds of a special register and where they come from.
struct Bound {
  uint64_t lo = 0, hi = 0xffffffff;
  std::string why;
  bool isExact() const { return lo == hi; }
};

/// What is assumed about elect.sync with the full mask.
enum class Elected : uint8_t { Unknown, Leader, Follower };

struct ThreadClass {
  /// Bounds of %tid.{x,y,z}, inclusive.
  std::optional<std::pair<uint32_t, uint32_t>> tid[3];
  std::optional<uint32_t> ctaid[3];
  /// The CTA's rank in its cluster.
  std::optional<uint32_t> clusterRank;
  Elected elected = Elected::Unknown;
  /// Whether the threads of the class that exist are whole warps.
  bool wholeWarps = true;
  /// Set where it is one thread whose lane is known.
  std::optional<uint32_t> lane;

  std::string key() const;
  /// "%tid.x in [0, 31]".
  std::string describe() const;
};

class ThreadModel {
public:
  /// Fails if the assumptions contradict the directives of the entry.
  static llvm::Expected<ThreadModel> create(mlir::Operation *entry,
                                            const LaunchAssumptions &launch);

  std::optional<Dim3> block, grid, cluster;
  /// ".maxntid 384, 1, 1" or another source of a bound; may be empty.
  std::string blockWhy, gridWhy, clusterWhy;
  /// Threads in a CTA.
  uint64_t maxThreads = 1024;
  LaunchAssumptions launch;

  /// Bounds of a special register for the threads of a class.
  Bound getBound(llvm::StringRef name, const ThreadClass &threads) const;
  mlir::ConstantIntRanges getRange(llvm::StringRef name, unsigned width,
                                   const ThreadClass &threads) const;

  /// Warps of a CTA; 0 if the block is not known.
  unsigned getNumWarps() const;
  /// The threads of warp `warp` of a known block, as a box that may hold more.
  ThreadClass getWarp(unsigned warp) const;
  /// Whether the box holds no more than that.
  bool isExactWarp(unsigned warp) const;
  /// Threads of warp `warp`.
  unsigned getWarpSize(unsigned warp) const;
  /// The first warp when the block is not known.
  ThreadClass getFirstWarp() const;
  /// One thread of a CTA; it must exist.
  ThreadClass getThread(Dim3 tid) const;

  /// The bytes of a parameter that are assumed; none if any is not.
  std::optional<uint64_t> getParam(unsigned index, uint64_t offset,
                                   unsigned bytes) const;

private:
  Bound extent(unsigned axis) const;
};

} // namespace ptxbench::reachability

#endif // PTXBENCH_LIB_ANALYSIS_REACHABILITY_THREADMODEL_H
