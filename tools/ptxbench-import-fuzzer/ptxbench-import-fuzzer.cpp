//===- ptxbench-import-fuzzer.cpp - Any text: refused or imported ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the text is: either it is refused with at least one error, or its
// canonical form is taken and is its own canonical form, and the import makes a
// module that the verifiers accept.
//
//===----------------------------------------------------------------------===//

#include "FuzzTarget.h"
#include "mlir/IR/Verifier.h"
#include "ptxbench/Target/PTX/Import.h"
#include "ptxbench/Target/PTX/Printer.h"
#include "ptxbench/Target/PTX/RoundTrip.h"

using namespace mlir;
using namespace ptxbench;

[[noreturn]] static void fail(const llvm::Twine &message) {
  llvm::errs() << "ptxbench-import-fuzzer: " << message << "\n";
  abort();
}

/// Parses, and prints what is reported to nowhere.
static std::unique_ptr<syntax::Module>
parse(llvm::MemoryBufferRef buffer, const syntax::LineTable &lines,
      std::string *firstError = nullptr) {
  unsigned errors = 0;
  std::unique_ptr<syntax::Module> tree = syntax::parseModule(
      buffer, lines, [&](const syntax::Diagnostic &diagnostic) {
        syntax::printDiagnostic(llvm::nulls(), buffer.getBufferIdentifier(),
                                lines, diagnostic);
        if (diagnostic.severity != syntax::Severity::Error)
          return;
        if (!errors++ && firstError)
          *firstError = diagnostic.message;
      });
  if (!tree != (errors != 0))
    fail(tree ? "a tree in spite of an error" : "neither a tree nor an error");
  return tree;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  syntax::LineTable lines(text);
  llvm::MemoryBufferRef buffer(text, "input.ptx");
  std::unique_ptr<syntax::Module> tree = parse(buffer, lines);
  if (!tree)
    return 0;

  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module =
      importModule(*tree, "input.ptx", lines, &context);
  if (!module || failed(verify(*module)))
    fail("the import makes no valid module");

  std::string formatted, again;
  llvm::raw_string_ostream os(formatted), osAgain(again);
  syntax::printModule(os, *tree);
  syntax::LineTable formattedLines(formatted);
  std::string error;
  std::unique_ptr<syntax::Module> formattedTree =
      parse({formatted, "formatted.ptx"}, formattedLines, &error);
  if (!formattedTree)
    fail("the canonical form is refused: " + error + "\n" + formatted);
  syntax::printModule(osAgain, *formattedTree);
  if (auto difference = findDifference(formatted, again))
    fail("line " + llvm::Twine(difference->line) +
         " of the canonical form has another one: '" +
         difference->first.value_or("") + "' becomes '" +
         difference->second.value_or("") + "'");
  return 0;
}
