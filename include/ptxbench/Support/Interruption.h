//===- Interruption.h - Ending in good order ---------------------*- C++
//-*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A user's Ctrl-C, or whoever ends a job, must not leave processes that compute
// on, or folders with gigabytes of inputs. What is registered here is ended and
// removed before the signal takes its effect. A second signal takes it at once.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_INTERRUPTION_H
#define PTXBENCH_SUPPORT_INTERRUPTION_H

#include "llvm/ADT/StringRef.h"

namespace ptxbench {

/// From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored, do that.
/// Programs that runSubprocess has started get SIGTERM and, `patience` seconds
/// later, SIGKILL. Call once, before there are threads.
void handleInterruptions(double patience);

/// Whether a signal came. Nothing new is to be begun.
bool isInterrupted();
/// Seconds from SIGTERM to SIGKILL.
double interruptionPatience();

/// A folder that is there and is to be removed, too. Whether it is removed
/// before need not be told: another one of its name is left alone.
void removeWhenInterrupted(llvm::StringRef folder);

/// While there is one, a child runs, and the process waits for its end. A
/// thread that is interrupted goes no further than its beginning or its end.
class ChildScope {
public:
  ChildScope();
  ~ChildScope();
  ChildScope(const ChildScope &) = delete;
  ChildScope &operator=(const ChildScope &) = delete;
};

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_INTERRUPTION_H
