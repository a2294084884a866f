//===- RunningPrograms.h - What was started and runs ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the end of this program by a signal.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_SUPPORT_RUNNINGPROGRAMS_H
#define PTXBENCH_LIB_SUPPORT_RUNNINGPROGRAMS_H

namespace ptxbench {

/// Whether programs that are started from now on clean up behind themselves
/// when they get SIGTERM, also when this one is gone.
void cleanUpInPrograms(bool doThey);

/// Ends all programs that run, and waits for that for some seconds. Whoever
/// waits for one of them, or starts another, is never told how it ended: what
/// was stopped is no result.
void endPrograms();

} // namespace ptxbench

#endif // PTXBENCH_LIB_SUPPORT_RUNNINGPROGRAMS_H
