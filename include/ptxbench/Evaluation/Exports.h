//===- Exports.h - Results in the forms of other tools ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made from records, so that they can be made again at any time.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_EVALUATION_EXPORTS_H
#define PTXBENCH_EVALUATION_EXPORTS_H

#include "ptxbench/Evaluation/Record.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxbench {

/// One row per sample with PTXBench's columns per turn; a cell without a
/// measurement is empty.
void writeTurnsCSV(llvm::ArrayRef<Record> records, llvm::raw_ostream &os);

/// The traces of FlashInfer-Trace, one for each workload that was judged, with
/// its own status and numbers; none for what was not judged, and for a workload
/// that passed without a speedup, which has no form there. `inputsOf` gives the
/// inputs of a workload of the record's task. A status is PASSED for PASSED
/// only: what FlashInfer has no word for is a RUNTIME_ERROR, or a COMPILE_ERROR
/// if nothing was compiled, with ours in the log and under `ptxbench`.
std::vector<llvm::json::Value> toFlashInferTraces(
    const Record &record,
    llvm::function_ref<llvm::json::Object(llvm::StringRef workload)> inputsOf);

} // namespace ptxbench

#endif // PTXBENCH_EVALUATION_EXPORTS_H
