//===- LaunchChecks.h - Kernels and launches that fit together --*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of other dialects say the sizes of their blocks, clusters and grids
// by several attributes, and launches give them again. registerOpModels() has
// the checks for gpu and llvm.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ANALYSIS_LAUNCHCHECKS_H
#define PTXBENCH_ANALYSIS_LAUNCHCHECKS_H

#include "mlir/IR/DialectInterface.h"

#include <string>

namespace ptxbench {

class LaunchCheckInterface
    : public mlir::DialectInterface::Base<LaunchCheckInterface> {
public:
  LaunchCheckInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// What a kernel says that no launch fits, or that `ptxas` refuses together;
  /// empty if nothing, or if the operation is no kernel.
  virtual std::string checkKernel(mlir::Operation *op) const { return ""; }
  /// What a launch does that its kernel says no launch does; empty if nothing,
  /// or if the operation is no launch.
  virtual std::string checkLaunch(mlir::Operation *op) const { return ""; }
};

/// Reports kernels below `root` that contradict themselves, and warns of
/// launches that are others than their kernels say.
llvm::LogicalResult checkLaunches(mlir::Operation *root);

} // namespace ptxbench

#endif // PTXBENCH_ANALYSIS_LAUNCHCHECKS_H
