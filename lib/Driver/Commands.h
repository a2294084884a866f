//===- Commands.h - What each command of the runner does --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commands, and what they share: messages, reports, the folder to work in.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_COMMANDS_H
#define PTXBENCH_LIB_DRIVER_COMMANDS_H

#include "Options.h"
#include "ptxbench/CrossCheck/CrossCheck.h"
#include "ptxbench/Report/Report.h"
#include "ptxbench/Support/TemporaryFolder.h"
#include "ptxbench/Trace/Trace.h"
#include "llvm/ADT/SmallString.h"

namespace ptxbench {

// Each returns the exit status.
int runAnalyze(const DriverOptions &options);
int runCandidate(const DriverOptions &options);
int runCrossCheck(const DriverOptions &options);
int runEvaluation(const DriverOptions &options);

/// Writes the report in the form and to the place that was asked for; false,
/// with a message, if it could not be written. Nothing half written is left.
bool writeReport(const Report &report, const DriverOptions &options);

/// Writes a file as a whole or not at all.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef text);

/// Prints "mlir-ptxbench-runner: …" and returns `status`.
int fail(const llvm::Twine &message, int status);

/// The folder things are built in: the one that was asked for, or a temporary
/// one that is removed with this object.
class WorkDirectory {
public:
  ~WorkDirectory();
  /// Makes the folder.
  llvm::Error create(llvm::StringRef wanted);
  llvm::StringRef path() const { return folder; }
  std::string file(llvm::StringRef name) const;

private:
  llvm::SmallString<128> folder;
  TemporaryFolder temporary;
};

/// Brings verdicts and what executed together: fills executions, places in the
/// machine code and agreements of the report's entries and its totals. The
/// result's entries are parallel to the report's.
CrossCheckResult addCrossCheck(Report &report, const Trace &trace,
                               const CrossCheckOptions &options);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_COMMANDS_H
