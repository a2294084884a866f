//===- Scrutiny.h - Whether what was measured can be true -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parent's look at what a worker reported, by what the parent knows itself:
// the machine code that the compiler made, the device, and its own clock.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_SCRUTINY_H
#define PTXBENCH_LIB_RUNTIME_CUDA_SCRUTINY_H

#include "ptxbench/Runtime/Roofline.h"
#include "ptxbench/Runtime/WorkerProtocol.h"

namespace ptxbench {

/// Whether the kernels are the candidate's own; if not, `result` says so.
bool scrutinizeOrigins(const RunRequest &request, const ProtocolReader &events,
                       RunResult &result);

/// Whether the times in `result` can be those of the work; sets the floor. If
/// not, `result` says so.
bool scrutinizeTimes(const RunRequest &request, const DeviceFacts &device,
                     const ProtocolReader &events, RunResult &result);

/// Whether the traced call ran the kernels that the timed ones did; if not,
/// `result`, which has a trace, says so.
bool scrutinizeKernels(const ProtocolReader &events, RunResult &result);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_SCRUTINY_H
