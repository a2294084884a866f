//===- ReferenceRun.h - Computes what a task defines ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_REFERENCE_REFERENCERUN_H
#define PTXBENCH_REFERENCE_REFERENCERUN_H

#include "ptxbench/Reference/CompiledReference.h"
#include "ptxbench/Task/Task.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxbench {

struct ReferenceRun {
  const Definition *definition = nullptr;
  std::string definitionPath;
  /// Its axes and scalars count.
  Workload workload;
  /// Compute the inputs that are computed, rounded to their element types, and
  /// not the outputs.
  bool computesInputs = false;
  /// Check and compile only.
  bool checksOnly = false;
  /// Files of raw elements in the types of the definition, and those to write:
  /// float32 or float64, as the function has its outputs.
  std::map<std::string, std::string> inputs, outputs;
  /// Of independent axes only these indices: the outputs have just them.
  std::map<std::string, std::vector<int64_t>> only;
  /// Where the function runs. On a device a thread is a stream.
  ReferenceTarget target;
  unsigned threads = 1;
  uint64_t memoryBytes = uint64_t(16) << 30;
  double seconds = 600;
};

/// Does all of it and gives the exit status of the process: 0; 2 where the
/// request or the reference is wrong; 3 where a limit or the machine is in the
/// way. Messages go to `diagnostics`; to `out` goes a JSON object with the type
/// and shape of each output and the seconds that were taken.
int runReference(const ReferenceRun &run, llvm::raw_ostream &out,
                 llvm::raw_ostream &diagnostics);

} // namespace ptxbench

#endif // PTXBENCH_REFERENCE_REFERENCERUN_H
