//===- EvaluateSettings.h - What results of a folder depend on --*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results that are counted together must have been made in the same way. The
// options, versions and tasks that they depend on lie beside them
// (`settings.json`, `ptxbench.settings.v1`), and an evaluation that would go on
// in another way is refused.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_EVALUATESETTINGS_H
#define PTXBENCH_LIB_DRIVER_EVALUATESETTINGS_H

#include "Options.h"
#include "ptxbench/Task/Task.h"

#include <map>

namespace ptxbench {

struct EvaluateSettings {
  /// By their names on the command line, without dashes.
  std::map<std::string, std::string> options;
  /// "ptxbench-mlir", "nvcc", "driver" …; those that were found. Of files, and
  /// of what the environment sets, what it is.
  std::map<std::string, std::string> versions;
  /// Of each task a digest of its definition, its workloads with the tensors
  /// that they take from files, and its reference.
  std::map<std::string, std::string> tasks;

  /// Options and versions as they are now, without tasks.
  static EvaluateSettings of(const DriverOptions &options);
  llvm::Error addTask(llvm::StringRef name, const Task &task);

  /// What is different in the settings of earlier results, as text; empty if
  /// nothing is. A task that only one of them has is no difference.
  std::string differences(const EvaluateSettings &earlier) const;

  /// Reads what write() wrote; empty if the file is not there.
  static llvm::Expected<std::optional<EvaluateSettings>>
  read(llvm::StringRef path);
  llvm::Error write(llvm::StringRef path) const;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_EVALUATESETTINGS_H
