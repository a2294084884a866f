//===- LaunchSizes.h - Sizes of blocks, clusters and grids ------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LaunchCheckInterface for gpu and llvm.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_OPMODELS_LAUNCHSIZES_H
#define PTXBENCH_LIB_ANALYSIS_OPMODELS_LAUNCHSIZES_H

#include "mlir/IR/DialectRegistry.h"

namespace ptxbench {

void registerLaunchChecks(mlir::DialectRegistry &registry);

} // namespace ptxbench

#endif // PTXBENCH_LIB_ANALYSIS_OPMODELS_LAUNCHSIZES_H
