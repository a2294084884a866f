//===- ptxbench-translate.cpp - PTX text to MLIR and back -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--import-ptx` and `--export-ptx`; both together make a round trip, through
// MLIR text. `--format-ptx` rewrites PTX text. The output is collected and
// written only once all of it is there, so that a failure leaves the file of
// `-o` as it was. Exit status: 0; 1 if `--verify-roundtrip` found a change; 2
// for bad usage or input, which is why this is not MLIR's own main function.
//
//===----------------------------------------------------------------------===//

#include "Translate.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "ptxbench/Support/ChildTrial.h"
#include "ptxbench/Support/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

#include <limits>

using namespace ptxbench;
namespace cl = llvm::cl;

static cl::OptionCategory category("PTX and MLIR");
static cl::opt<std::string> inputName(cl::Positional, cl::desc("<input file>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<std::string> outputName("o", cl::desc("Output file"),
                                       cl::value_desc("file"), cl::init("-"),
                                       cl::cat(category));
static cl::opt<unsigned>
    maxErrors("max-errors",
              cl::desc("After so many errors PTX text is not read on"),
              cl::init(20), cl::cat(category));
static cl::opt<bool> wantImport("import-ptx",
                                cl::desc("From PTX text to the ptx dialect"),
                                cl::cat(category));
static cl::opt<bool> wantExport("export-ptx",
                                cl::desc("From the ptx dialect to PTX text"),
                                cl::cat(category));
static cl::opt<bool> wantFormat("format-ptx",
                                cl::desc("From PTX text to canonical PTX text"),
                                cl::cat(category));
static cl::opt<bool> wantVerify(
    "verify-roundtrip",
    cl::desc("Check that the input comes back as it was: through MLIR text, "
             "through PTX text, through the format"),
    cl::cat(category));

/// What MLIR's parser crashes on ends a child; nothing: it takes the text or
/// refuses it.
static std::optional<std::string> tryExport(llvm::MemoryBufferRef text,
                                            const TranslateOptions &options) {
  auto body = [&] {
    std::string ignored;
    (void)translate(llvm::MemoryBuffer::getMemBuffer(text), false, options,
                    ignored);
  };
  return tryInChild(body, std::numeric_limits<double>::infinity());
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "ptxbench-translate: " << message << "\n";
  return 2;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setVersionPrinter();
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  if (!cl::ParseCommandLineOptions(
          argc, argv, "ptxbench-translate: PTX and MLIR\n", &llvm::errs()))
    return 2;
  if (!wantImport && !wantExport && !wantFormat)
    return fail("expected --import-ptx, --export-ptx or both, or --format-ptx "
                "(see --help)");
  if (wantFormat && (wantImport || wantExport))
    return fail("--format-ptx goes with neither --import-ptx nor --export-ptx");

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input =
      mlir::openInputFile(inputName, &error);
  if (!input)
    return fail(error);
  std::string output;
  Outcome outcome = Outcome::Done;
  TranslateOptions options{wantVerify, maxErrors};
  if (wantExport && !wantImport)
    if (auto crash = tryExport(*input, options))
      return fail("'" + input->getBufferIdentifier() + "': " + trialFailed +
                  *crash);
  if (wantFormat)
    outcome = formatPTX(*input, options, output);
  if (wantImport)
    outcome = translate(std::move(input), true, options, output);
  if (outcome == Outcome::Done && wantExport) {
    if (wantImport)
      input = llvm::MemoryBuffer::getMemBufferCopy(output, "<imported " +
                                                               inputName + ">");
    output.clear();
    options.verifyRoundTrip &= !wantImport;
    outcome = translate(std::move(input), false, options, output);
  }
  if (outcome != Outcome::Done)
    return static_cast<int>(outcome);
  auto file = mlir::openOutputFile(outputName, &error);
  if (!file)
    return fail(error);
  file->os() << output;
  file->keep();
  return 0;
}
