//===- AnalyzePipeline.cpp - ptxbench-analyze -----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes are those of a person who does it by hand; an option of the
// pipeline is the option of the same name of one of them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "ptxbench/Analysis/Passes.h"
#include "ptxbench/Conversion/Passes.h"
#include "ptxbench/Pipelines/Pipelines.h"

namespace ptxbench {

void buildAnalyzePipeline(mlir::OpPassManager &manager,
                          const AnalyzePipelineOptions &options) {
  // A kernel that stands where it is launched becomes one of its own. Constants
  // from around it go with it, so that they are known in it. A module without
  // such a kernel changes not at all.
  manager.addPass(mlir::createGpuLaunchSinkIndexComputationsPass());
  manager.addPass(mlir::createGpuKernelOutliningPass());

  PTXImportInlineAsmOptions import;
  import.target = options.target;
  manager.addPass(createPTXImportInlineAsm(import));

  PTXReachabilityOptions reachability;
  reachability.entry = options.entry;
  llvm::append_range(reachability.grid, options.grid);
  llvm::append_range(reachability.block, options.block);
  llvm::append_range(reachability.cluster, options.cluster);
  llvm::append_range(reachability.params, options.params);
  reachability.maxClasses = options.maxClasses;
  manager.addPass(createPTXReachability(reachability));

  if (options.print)
    manager.addPass(createPTXPrintVerdicts({options.output}));
}

} // namespace ptxbench
