//===- Options.h - Command line of the runner -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line as plain data, checked as far as that needs no input file.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_OPTIONS_H
#define PTXBENCH_LIB_DRIVER_OPTIONS_H

#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Trace/Launch.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

enum class Command { Analyze, Run, CrossCheck, Evaluate };
enum class OutputFormat { Text, JSON, HTML };

/// `--arg=INDEX[+OFFSET[:TYPE]]=VALUE`, not yet brought to the width of the
/// parameter.
struct ArgumentOption {
  unsigned index = 0;
  uint64_t offset = 0;
  /// "u32", "s64", "f32" …; empty: the parameter's own.
  std::string type;
  /// A number; unused if `bytes` is set.
  std::string value;
  /// From `hex:` or `@FILE`.
  std::optional<std::vector<uint8_t>> bytes;
};

struct DriverOptions {
  Command command = Command::Analyze;
  /// The file, the candidate, the report or the samples; for crosscheck also
  /// the trace.
  std::string input, trace;
  std::string task, workload, tasksDirectory;
  /// Whether `tasksDirectory` was given and not taken by default.
  bool tasksGiven = false;
  std::string entry;
  std::optional<Dim3> grid, block, cluster;
  std::vector<ArgumentOption> arguments;
  std::string launchFrom;
  std::string target = "sm_90a";
  /// analyze: ptxas is not asked.
  bool noPtxas = false;
  /// Whether `target` was given and not taken by default.
  bool targetGiven = false;
  /// What a module in MLIR or LLVM IR is lowered for; empty: what it says
  /// itself, or the default.
  std::string loweringTarget() const { return targetGiven ? target : ""; }
  OutputFormat format = OutputFormat::Text;
  /// Empty: the standard output.
  std::string output, traceOutput, workDirectory;
  std::string backend = "auto";
  EmulatorSettings emulator;
  std::string cudaPath, tvmFfiPath;
  double timeoutSeconds = 60;
  uint64_t seed = 1;
  unsigned timedCalls = 50;
  /// The exported function of a .cu candidate.
  std::string function = "run";
  /// evaluate: samples that run at the same time.
  unsigned jobs = 1;
  /// evaluate: no lines on how far it is.
  bool quiet = false;
  /// evaluate: stages that take longer are named while they run.
  double progressSeconds = 5;
  /// run: where the names of stages are written as they begin; -1: nowhere.
  int stagesTo = -1;
  /// run: the folder that all of the candidate is in; empty: the file's own.
  std::string sourceFolder;
  /// "none", "auto", "memcheck", "emulator".
  std::string sanitize = "auto";

  bool hasLaunchOptions() const {
    return grid || block || cluster || !arguments.empty();
  }
};

/// Parses the command line. On a mistake prints what is wrong and gives
/// nothing; where it only asked for help or versions, prints them and ends the
/// program with 0.
std::optional<DriverOptions> parseCommandLine(int argc, char **argv);

/// "X", "X,Y" or "X,Y,Z", each from 1 to 2^31-1.
llvm::Expected<Dim3> parseDim3(llvm::StringRef text, llvm::StringRef option);
llvm::Expected<ArgumentOption> parseArgument(llvm::StringRef text);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_OPTIONS_H
