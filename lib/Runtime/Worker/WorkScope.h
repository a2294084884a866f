//===- WorkScope.h - On whose behalf a thread works -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread asks of the driver is the candidate's unless the thread says
// otherwise: a thread that the candidate starts never does.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_WORKER_WORKSCOPE_H
#define PTXBENCH_LIB_RUNTIME_WORKER_WORKSCOPE_H

#include "ptxbench/Runtime/Timeline.h"

namespace ptxbench {

/// Sets the owner of this thread's work while it lives.
class WorkScope {
public:
  explicit WorkScope(WorkOwner owner) : before(current) { current = owner; }
  ~WorkScope() { current = before; }
  WorkScope(const WorkScope &) = delete;
  WorkScope &operator=(const WorkScope &) = delete;

  static WorkOwner owner() { return current; }

private:
  static inline thread_local WorkOwner current = WorkOwner::Candidate;
  WorkOwner before;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_WORKER_WORKSCOPE_H
