//===- lower.cpp - A user of all passes of the package --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lower FILE.mlir PIPELINE: runs a textual pipeline on a module and prints what
// became of it. Exit status: 0; 1 if a pass fails; 2 for bad input.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "ptxbench/InitAll.h"

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  mlir::DialectRegistry registry;
  ptxbench::registerAllDialects(registry);
  ptxbench::registerAllPasses();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  mlir::PassManager manager(&context);
  if (!module || failed(mlir::parsePassPipeline(argv[2], manager)))
    return 2;
  if (failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
}
