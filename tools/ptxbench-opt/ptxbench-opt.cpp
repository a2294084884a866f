//===- ptxbench-opt.cpp - Runs passes on PTX and MLIR ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt for the ptx dialect. A file whose name ends in `.ptx` is imported
// first. The output is written only once all of it is there, so that a failure
// leaves the file of `-o` as it was. Exit status: 0, or 2 for bad usage or
// input.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/AsmState.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "ptxbench/InitAll.h"
#include "ptxbench/Support/NestingDepth.h"
#include "ptxbench/Support/Version.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

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
  // Under a name of its own: that of the file is for the file's lines, which
  // the diagnostics of the passes show.
  return llvm::MemoryBuffer::getMemBufferCopy(
      text, ("<imported " + path + ">").str());
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  ptxbench::setVersionPrinter();
  DialectRegistry registry;
  ptxbench::registerAllDialects(registry);
  ptxbench::registerAllPasses();

  std::string header =
      registerCLIOptions("ptxbench-opt: passes on PTX and MLIR\n", registry);
  cl::opt<std::string> inputName(cl::Positional, cl::desc("<input file>"),
                                 cl::init("-"));
  cl::opt<std::string> outputName("o", cl::desc("Output file"),
                                  cl::value_desc("file"), cl::init("-"));
  // An error in a kernel of a thousand lines need not show them all.
  if (cl::Option *option =
          cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic"))
    static_cast<cl::opt<bool> *>(option)->setInitialValue(false);
  // A plugin brings the shared MLIR, and a program that has its own cannot
  // share types with it.
  for (const char *name : {"load-dialect-plugin", "load-pass-plugin"})
    if (cl::Option *option = cl::getRegisteredOptions().lookup(name))
      option->removeArgument();
  // MLIR's own function would end with status 1.
  if (!cl::ParseCommandLineOptions(argc, argv, header, &llvm::errs()))
    return 2;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  if (input && llvm::StringRef(inputName).ends_with(".ptx"))
    input = importBuffer(*input);
  else if (!input)
    llvm::errs() << "ptxbench-opt: " << error << "\n";
  if (!input)
    return 2;
  if (llvm::Error deep = ptxbench::checkNestingDepth(
          input->getBuffer(), input->getBufferIdentifier(),
          ptxbench::NestedText::MLIR)) {
    llvm::errs() << llvm::toString(std::move(deep)) << "\n";
    return 2;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(MlirOptMain(os, std::move(input), registry, config)))
    return 2;
  auto output = openOutputFile(outputName, &error);
  if (!output) {
    llvm::errs() << "ptxbench-opt: " << error << "\n";
    return 2;
  }
  output->os() << text;
  output->keep();
  return 0;
}
