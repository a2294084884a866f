//===- ModulePipeline.h - Pipelines of passes on modules --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's own registration of a pipeline cannot refuse where it stands: a pass
// on modules inside of `gpu.module(...)` would end the program.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_CONVERSION_MODULEPIPELINE_H
#define PTXBENCH_CONVERSION_MODULEPIPELINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace ptxbench {

/// Registers a named pipeline whose passes are all on builtin.module.
template <typename OptionsTy>
void registerModulePipeline(llvm::StringRef name, llvm::StringRef description,
                            void (*build)(mlir::OpPassManager &,
                                          const OptionsTy &)) {
  using ErrorFn = llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)>;
  using ShowFn = llvm::function_ref<void(const mlir::detail::PassOptions &)>;
  std::string itself = name.str();
  mlir::registerPassPipeline(
      name, description,
      [build, itself](mlir::OpPassManager &manager, llvm::StringRef text,
                      ErrorFn reportError) -> llvm::LogicalResult {
        llvm::StringRef module = mlir::ModuleOp::getOperationName();
        std::optional<llvm::StringRef> anchor = manager.getOpName();
        if (manager.getNesting() == mlir::OpPassManager::Nesting::Explicit &&
            anchor && *anchor != module)
          return reportError("'" + itself + "' is a pipeline on '" + module +
                             "' and cannot stand in one on '" + *anchor + "'");
        OptionsTy options;
        std::string problem;
        llvm::raw_string_ostream os(problem);
        // LLVM's own parsers of numbers have said what by now.
        if (llvm::failed(options.parseFromString(text, os)))
          return reportError("'" + itself + "' does not take the options '" +
                             text + "'" + (problem.empty() ? "" : ": ") +
                             llvm::StringRef(problem).trim());
        build(manager, options);
        return llvm::success();
      },
      [](ShowFn show) { show(OptionsTy()); });
}

} // namespace ptxbench

#endif // PTXBENCH_CONVERSION_MODULEPIPELINE_H
