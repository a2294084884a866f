//===- Recording.h - What a machine made of the cases -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recording is a file of lines of JSON. The first says what ran the cases:
//
//   {"schema": "ptxbench.differential.v1", "machine": "NVIDIA H200",
//    "driver": "13.0"}
//
// Each other one is a case:
//
//   {"case": NAME, "kernel": HASH of the case, and one of
//    "digest": HASH of the outputs, where all bits have to be the same
//    "outputs": [BASE64 of each]
//    "error": "what became of the launch"}
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_RECORDING_H
#define PTXBENCH_UTILS_DIFFERENTIAL_RECORDING_H

#include "Machines.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace ptxbench::differential {

struct RecordedCase {
  std::string name;
  uint64_t kernelDigest = 0;
  /// As in the file; `outcome.outputs` is empty where there is only a digest.
  std::optional<uint64_t> digest;
  Outcome outcome;
};

struct Recording {
  MachineInfo machine;
  std::vector<RecordedCase> cases;
};

void writeHeader(llvm::raw_ostream &os, const MachineInfo &machine);
/// `full`: the outputs also where a digest says enough.
void writeCase(llvm::raw_ostream &os, const Case &testCase,
               const Outcome &outcome, bool full);
/// As it was read.
void writeCase(llvm::raw_ostream &os, const RecordedCase &recorded);

/// Errors name file, line and place.
llvm::Expected<Recording> readRecording(llvm::StringRef path);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_RECORDING_H
