//===- ptxbench-opt.cpp - Runs passes on PTX and MLIR ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt for the ptx dialect. A file whose name ends in `.ptx` is imported
// first. Exit status: 0, or 2 for bad usage or input.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/AsmState.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "ptxbench/Analysis/Passes.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Imports PTX text and returns the module as MLIR text; null after an error,
/// which has been printed.
static std::unique_ptr<llvm::MemoryBuffer>
importBuffer(const llvm::MemoryBuffer &buffer) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  llvm::StringRef path = buffer.getBufferIdentifier();
  ptxbench::syntax::LineTable lines(buffer.getBuffer());
  OwningOpRef<ModuleOp> module =
      ptxbench::importPTX(buffer.getMemBufferRef(), &context,
                          [&](const ptxbench::syntax::Diagnostic &diagnostic) {
                            ptxbench::syntax::printDiagnostic(
                                llvm::errs(), path, lines, diagnostic);
                          });
  if (!module)
    return nullptr;
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo());
  return llvm::MemoryBuffer::getMemBufferCopy(text, path);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registry.insert<ptxbench::ptx::PTXDialect>();
  ptxbench::registerAnalysisPasses();
  registerCSEPass();
  registerCanonicalizerPass();
  registerSymbolDCEPass();

  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv, "ptxbench-opt: passes on PTX and MLIR\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  if (input && llvm::StringRef(inputName).ends_with(".ptx"))
    input = importBuffer(*input);
  else if (!input)
    llvm::errs() << "ptxbench-opt: " << error << "\n";
  if (!input)
    return 2;
  auto output = openOutputFile(outputName, &error);
  if (!output) {
    llvm::errs() << "ptxbench-opt: " << error << "\n";
    return 2;
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return 2;
  output->keep();
  return 0;
}
