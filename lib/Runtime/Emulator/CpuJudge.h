//===- CpuJudge.h - Outputs against a reference on the CPU ---- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference of a matrix product in double precision. Of large products
// chosen rows are judged.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_EMULATOR_CPUJUDGE_H
#define PTXBENCH_LIB_RUNTIME_EMULATOR_CPUJUDGE_H

#include "ptxbench/Runtime/Run.h"

namespace ptxbench {

/// Judges the outputs of trial `trial`, which are in the working folder.
/// `rows` is set to how many rows were compared.
llvm::Expected<OutputCheck> judgeOnCpu(const RunRequest &request,
                                       unsigned trial, uint64_t &rows);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_EMULATOR_CPUJUDGE_H
