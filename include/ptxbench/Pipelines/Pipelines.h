//===- Pipelines.h - Named pass pipelines -----------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sequences of passes that have a name in a textual pipeline, as in
// `--pass-pipeline='builtin.module(ptxbench-analyze{block=384,1,1})'`. Each has
// options, a function that appends it to a pass manager, and a line in
// registerPipelines(). Nothing registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_PIPELINES_PIPELINES_H
#define PTXBENCH_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ptxbench {

/// The options of `ptxbench-analyze`: those of the passes that it is made of.
struct AnalyzePipelineOptions
    : mlir::PassPipelineOptions<AnalyzePipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("The architecture of all inline assembly (sm_90a)")};
  Option<std::string> entry{*this, "entry",
                            llvm::cl::desc("Analyse this entry only")};
  ListOption<uint32_t> grid{*this, "grid", llvm::cl::desc("Assume this grid")};
  ListOption<uint32_t> block{*this, "block",
                             llvm::cl::desc("Assume this block")};
  ListOption<uint32_t> cluster{*this, "cluster",
                               llvm::cl::desc("Assume this cluster")};
  ListOption<std::string> params{
      *this, "param", llvm::cl::desc("Assume the value of a parameter")};
  Option<unsigned> maxClasses{
      *this, "max-classes",
      llvm::cl::desc("Analyse at most so many classes of threads per entry"),
      llvm::cl::init(64)};
  Option<std::string> output{
      *this, "output",
      llvm::cl::desc("Where the verdicts are printed: a file, - for standard "
                     "output; default: standard error")};
  Option<bool> print{*this, "print",
                     llvm::cl::desc("Print the verdicts as text"),
                     llvm::cl::init(true)};
};

/// `ptxbench-analyze`: from a module of any dialect to verdicts. Outlines the
/// kernels of `gpu.launch`, reads inline assembly, puts a verdict on each
/// target instruction, and prints them.
void buildAnalyzePipeline(mlir::OpPassManager &manager,
                          const AnalyzePipelineOptions &options);

/// Gives all pipelines their names.
void registerPipelines();

} // namespace ptxbench

#endif // PTXBENCH_PIPELINES_PIPELINES_H
