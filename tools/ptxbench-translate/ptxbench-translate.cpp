//===- ptxbench-translate.cpp - PTX text to MLIR and back -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--import-ptx` and `--export-ptx`; both together make a round trip, through
// MLIR text. The output is collected and written only once all of it is there,
// so that a failure leaves the file of `-o` as it was. Exit status: 0, or 2 for
// bad usage or input; that is why this is not MLIR's own main function.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Target/PTX/Export.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

static cl::OptionCategory category("PTX and MLIR");
static cl::opt<std::string> inputName(cl::Positional, cl::desc("<input file>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<std::string> outputName("o", cl::desc("Output file"),
                                       cl::value_desc("file"), cl::init("-"),
                                       cl::cat(category));
static cl::opt<bool> wantImport("import-ptx",
                                cl::desc("From PTX text to the ptx dialect"),
                                cl::cat(category));
static cl::opt<bool> wantExport("export-ptx",
                                cl::desc("From the ptx dialect to PTX text"),
                                cl::cat(category));

/// One translation, of `input` to `output`. The diagnostics of a failure show
/// lines of `input`.
static LogicalResult translate(std::unique_ptr<llvm::MemoryBuffer> input,
                               bool import, std::string &output) {
  DialectRegistry registry;
  registry.insert<ptxbench::ptx::PTXDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  llvm::MemoryBufferRef text = input->getMemBufferRef();
  sources.AddNewSourceBuffer(std::move(input), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      import ? ptxbench::importPTX(text, &context)
             : parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(verify(*module)))
    return failure();
  llvm::raw_string_ostream os(output);
  if (!import)
    return ptxbench::exportPTX(*module, os);
  module->print(os);
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  if (!cl::ParseCommandLineOptions(
          argc, argv, "ptxbench-translate: PTX and MLIR\n", &llvm::errs()))
    return 2;
  auto fail = [](const llvm::Twine &message) {
    llvm::errs() << "ptxbench-translate: " << message << "\n";
    return 2;
  };
  if (!wantImport && !wantExport)
    return fail("expected --import-ptx, --export-ptx or both (see --help)");

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  if (!input)
    return fail(error);
  std::string output;
  if (wantImport) {
    if (failed(translate(std::move(input), true, output)))
      return 2;
    input = llvm::MemoryBuffer::getMemBufferCopy(output, "<imported " +
                                                             inputName + ">");
  }
  if (wantExport) {
    output.clear();
    if (failed(translate(std::move(input), false, output)))
      return 2;
  }
  auto file = openOutputFile(outputName, &error);
  if (!file)
    return fail(error);
  file->os() << output;
  file->keep();
  return 0;
}
