//===- Translate.cpp - The translations of ptxbench-translate -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context lives for one translation.
//
//===----------------------------------------------------------------------===//

#include "Translate.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Support/NestingDepth.h"
#include "ptxbench/Target/PTX/Export.h"
#include "ptxbench/Target/PTX/Import.h"
#include "ptxbench/Target/PTX/Printer.h"
#include "ptxbench/Target/PTX/RoundTrip.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ptxbench;

/// PTX text as a module. A line of it can be megabytes long, so its diagnostics
/// show what is around the place, which MLIR's would not.
static OwningOpRef<ModuleOp> importText(llvm::MemoryBufferRef text,
                                        MLIRContext &context,
                                        unsigned maxErrors) {
  syntax::LineTable lines(text.getBuffer());
  auto report = [&](const syntax::Diagnostic &diagnostic) {
    syntax::printDiagnostic(llvm::errs(), text.getBufferIdentifier(), lines,
                            diagnostic);
  };
  return importPTX(text, &context, report, {maxErrors});
}

Outcome ptxbench::translate(std::unique_ptr<llvm::MemoryBuffer> input,
                            bool import, const TranslateOptions &options,
                            std::string &output) {
  DialectRegistry registry;
  registry.insert<ptx::PTXDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  llvm::MemoryBufferRef text = input->getMemBufferRef();
  sources.AddNewSourceBuffer(std::move(input), llvm::SMLoc());
  if (!import) {
    llvm::Error error = checkNestingDepth(
        text.getBuffer(), text.getBufferIdentifier(), NestedText::MLIR);
    if (error) {
      llvm::errs() << llvm::toString(std::move(error)) << "\n";
      return Outcome::Refused;
    }
  }
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      import ? importText(text, context, options.maxErrors)
             : parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(verify(*module)))
    return Outcome::Refused;
  llvm::raw_string_ostream os(output);
  if (import)
    module->print(os);
  else if (failed(exportPTX(*module, os)))
    return Outcome::Refused;
  if (options.verifyRoundTrip && failed(verifyRoundTrip(*module, import)))
    return Outcome::Changed;
  return Outcome::Done;
}

/// Parses and prints; false after an error.
static bool format(llvm::MemoryBufferRef input, unsigned maxErrors,
                   std::string &output) {
  syntax::LineTable lines(input.getBuffer());
  auto report = [&](const syntax::Diagnostic &diagnostic) {
    syntax::printDiagnostic(llvm::errs(), input.getBufferIdentifier(), lines,
                            diagnostic);
  };
  std::unique_ptr<syntax::Module> module =
      syntax::parseModule(input, lines, report, {maxErrors});
  if (!module)
    return false;
  llvm::raw_string_ostream os(output);
  syntax::printModule(os, *module);
  return true;
}

Outcome ptxbench::formatPTX(const llvm::MemoryBuffer &input,
                            const TranslateOptions &options,
                            std::string &output) {
  if (!format(input, options.maxErrors, output))
    return Outcome::Refused;
  if (!options.verifyRoundTrip)
    return Outcome::Done;
  std::string again;
  std::string name = ("<formatted " + input.getBufferIdentifier() + ">").str();
  if (!format(llvm::MemoryBufferRef(output, name), options.maxErrors, again))
    return Outcome::Changed;
  if (auto difference = findDifference(output, again)) {
    llvm::errs() << name << ":" << difference->line
                 << ": error: this line changes when it is formatted again: "
                 << difference->second.value_or("") << "\n";
    return Outcome::Changed;
  }
  return Outcome::Done;
}
