//===- Pipelines.cpp - Named pass pipelines -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names. docs/Tools.md lists them.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Pipelines/Pipelines.h"
#include "ptxbench/Conversion/ModulePipeline.h"

namespace ptxbench {

void registerPipelines() {
  registerModulePipeline(
      "ptxbench-analyze",
      "From a module of any dialect to verdicts on its target instructions",
      buildAnalyzePipeline);
}

} // namespace ptxbench
