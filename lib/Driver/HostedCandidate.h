//===- HostedCandidate.h - Candidates in MLIR with host code ----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module that launches its kernels itself: for a task a function that takes
// the task's tensors as memrefs in device memory, or a program with a function
// `main`. docs/MLIRHostCode.md has what is expected of it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_HOSTEDCANDIDATE_H
#define PTXBENCH_LIB_DRIVER_HOSTEDCANDIDATE_H

#include "SourceTargets.h"
#include "mlir/IR/MLIRContext.h"
#include "ptxbench/Conversion/LowerHost.h"
#include "ptxbench/Conversion/LowerToPTX.h"
#include "ptxbench/Task/Task.h"

#include <optional>
#include <string>

namespace ptxbench {

class HostedCandidate {
public:
  HostedCandidate();

  enum class Form { Hosted, KernelsOnly, Invalid };
  /// Reads a file; errors of one that is no valid module are kept.
  Form load(llvm::StringRef path);

  /// Looks at the function that the run begins with. Without a task it is a
  /// program's: no parameters, and no result or an i32. False: see errors().
  bool choose(llvm::StringRef function, const Definition *task);

  /// The kernels as PTX; none: see errors().
  std::optional<LoweredModule> lowerKernels(llvm::StringRef target,
                                            llvm::StringRef libdevice);

  /// The target operations of the kernels, before they are lowered.
  std::vector<SourceTarget> findTargets() {
    return findSourceTargets(module->kernels());
  }

  /// The host code as bitcode, with what the driver loads for the kernels;
  /// none: see errors(). The module is used up.
  std::optional<std::string> lowerHost(llvm::StringRef target,
                                       llvm::StringRef binary);

  /// "file:line:column: error: ..." lines.
  const std::string &errors() const { return text; }
  /// The first of them, without its end of line.
  std::string firstError() const;
  /// "file:line:column: warning: ..." each.
  llvm::ArrayRef<std::string> warnings() const { return warningTexts; }

private:
  bool checkArguments(mlir::func::FuncOp function, const Definition &task);

  mlir::MLIRContext context;
  std::optional<HostModule> module;
  mlir::func::FuncOp entry;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
  std::string text;
  std::vector<std::string> warningTexts;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_HOSTEDCANDIDATE_H
