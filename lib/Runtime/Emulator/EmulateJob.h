//===- EmulateJob.h - Between backend and worker -------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The failures of the job `emulate` that are not plain errors of a candidate,
// its files, and what is made of the traces of one call's modules.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_EMULATOR_EMULATEJOB_H
#define PTXBENCH_LIB_RUNTIME_EMULATOR_EMULATEJOB_H

#include "ptxbench/Runtime/Run.h"

namespace ptxbench {

/// Codes of failures. No candidate can give one: what it calls its own errors
/// is part of their message.
inline constexpr llvm::StringLiteral emulatorUnsupported =
    "EMULATOR_UNSUPPORTED";
inline constexpr llvm::StringLiteral workOutsideCall = "WORK_OUTSIDE_CALL";

/// The file with the trace of a module that judged call `trial` launched
/// something of.
std::string emulatorTraceFile(const RunRequest &request, unsigned trial,
                              unsigned module);

/// The trace of one call. `modules` are those that it launched something of,
/// `own` the SHA-256 of the PTX that the candidate's library carries; empty:
/// not known, and the first module is taken for it. Of other modules (PTX that
/// a candidate loads by itself) only the findings are kept, without places in
/// the PTX, and a note says which kernels there were.
Trace joinModules(std::vector<Trace> modules, llvm::ArrayRef<std::string> own,
                  std::vector<std::string> &notes);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_EMULATOR_EMULATEJOB_H
