//===- RunRequestBuilder.h - From a task to a run request -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a backend is asked to do, made of a task, a workload and the options.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_RUNREQUESTBUILDER_H
#define PTXBENCH_LIB_DRIVER_RUNREQUESTBUILDER_H

#include "Options.h"
#include "ptxbench/Runtime/Run.h"
#include "ptxbench/Task/Task.h"

namespace ptxbench {

/// The workloads that `--workload` names, each once; the first is the one to
/// time and trace. "all" is the headline and then the rest, in the order of the
/// task. Fails for a name that the task has not.
llvm::Expected<std::vector<const Workload *>>
selectWorkloads(const Task &task, llvm::StringRef names);

/// What a backend has to do for one workload of a task. Fails where no backend
/// can do it: a scalar input, a data type or an operation without a reference.
llvm::Expected<RunRequest> buildRunRequest(const Task &task,
                                           const Workload &workload,
                                           const DriverOptions &options,
                                           llvm::StringRef library,
                                           llvm::StringRef workDirectory);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_RUNREQUESTBUILDER_H
