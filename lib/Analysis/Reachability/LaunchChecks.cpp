//===- LaunchChecks.cpp - Kernels and launches that fit together ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the dialect of each operation.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Analysis/LaunchChecks.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace ptxbench {

LogicalResult checkLaunches(Operation *root) {
  bool ok = true;
  root->walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    auto *checks = dialect
                       ? dialect->getRegisteredInterface<LaunchCheckInterface>()
                       : nullptr;
    if (!checks)
      return;
    if (std::string launch = checks->checkLaunch(op); !launch.empty())
      op->emitWarning(launch);
    if (std::string kernel = checks->checkKernel(op); !kernel.empty()) {
      op->emitError(kernel);
      ok = false;
    }
  });
  return success(ok);
}

} // namespace ptxbench
