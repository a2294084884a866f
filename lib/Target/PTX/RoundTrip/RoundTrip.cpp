//===- RoundTrip.cpp - Does a module survive its text forms? --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules are compared by their MLIR texts, which hold all but the locations:
// OperationEquivalence takes a module for another one than itself if a value is
// used in a block that stands before the one that defines it.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/PTX/RoundTrip.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "ptxbench/Target/PTX/Export.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace ptxbench {

std::optional<TextDifference> findDifference(StringRef first,
                                             StringRef second) {
  auto takeLine = [](StringRef &text) -> std::optional<std::string> {
    if (text.empty())
      return std::nullopt;
    StringRef line = text.take_until([](char c) { return c == '\n'; });
    text = text.drop_front(std::min(text.size(), line.size() + 1));
    return line.str();
  };
  if (first == second)
    return std::nullopt;
  for (unsigned line = 1;; ++line) {
    StringRef restOfFirst = first, restOfSecond = second;
    TextDifference difference{line, takeLine(first), takeLine(second)};
    // Of the same lines one may lack its end.
    if (difference.first != difference.second ||
        restOfFirst.drop_back(first.size()) !=
            restOfSecond.drop_back(second.size()))
      return difference;
  }
}

static LogicalResult reportDifference(ModuleOp module, StringRef what,
                                      const TextDifference &difference) {
  InFlightDiagnostic diag = emitError(module.getLoc())
                            << what << " in line " << difference.line;
  auto show = [&](StringRef when, const std::optional<std::string> &line) {
    // Lines can be megabytes long.
    if (line)
      diag.attachNote() << when << ": " << StringRef(*line).take_front(400);
    else
      diag.attachNote() << when << ": the text has ended";
  };
  show("before", difference.first);
  show("after", difference.second);
  return diag;
}

/// The MLIR text of a module, without locations. The generic form has what the
/// custom one leaves to be found out.
static std::string printText(ModuleOp module, bool generic = false) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

/// The same text with the regions of inline assembly counted anew: PTX text has
/// markers around statements, so a region without any has none, and one that
/// goes on in the next function is two.
static std::string renumberRegions(StringRef text) {
  std::string result;
  llvm::StringMap<unsigned> numbers;
  unsigned last = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.contains("ptx.entry") || line.contains("ptx.func"))
      numbers.clear();
    for (StringRef key : {"asm(", "asm = "}) {
      auto [before, after] = line.split(key);
      StringRef digits = after.take_while(llvm::isDigit);
      if (digits.empty() || digits == "0")
        continue;
      auto [it, isNew] = numbers.try_emplace(digits);
      if (isNew)
        it->second = ++last;
      result += (before + key + llvm::Twine(it->second)).str();
      line = after.drop_front(digits.size());
    }
    result += (line + "\n").str();
  }
  return result;
}

static LogicalResult compareModules(ModuleOp module, ModuleOp other,
                                    StringRef what) {
  for (bool generic : {false, true})
    if (auto difference =
            findDifference(renumberRegions(printText(module, generic)),
                           renumberRegions(printText(other, generic))))
      return reportDifference(module, what, *difference);
  return success();
}

static LogicalResult verifyMLIRText(ModuleOp module) {
  std::string text = printText(module);
  ParserConfig config(module.getContext());
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, config);
  if (!again)
    return emitError(module.getLoc())
           << "the module's own MLIR text is refused";
  return compareModules(module, *again,
                        "the module changes when its MLIR text is parsed");
}

static LogicalResult verifyPTXText(ModuleOp module, bool isImported) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(exportPTX(module, os)))
    return failure();
  std::optional<syntax::Diagnostic> error;
  OwningOpRef<ModuleOp> again =
      importPTX(llvm::MemoryBufferRef(text, "<exported>"), module.getContext(),
                [&](const syntax::Diagnostic &diagnostic) {
                  if (!error && diagnostic.severity == syntax::Severity::Error)
                    error = diagnostic;
                });
  if (!again) {
    InFlightDiagnostic diag = emitError(module.getLoc())
                              << "the module's own PTX text is refused in line "
                              << error->line << ": " << error->message;
    diag.attachNote()
        << "the line: "
        << syntax::LineTable(text).line(error->line).take_front(400);
    return diag;
  }
  if (failed(verify(*again)))
    return emitError(module.getLoc())
           << "the import of the module's own PTX text is "
              "no valid module";
  std::string textAgain;
  llvm::raw_string_ostream osAgain(textAgain);
  if (failed(exportPTX(*again, osAgain)))
    return failure();
  if (auto difference = findDifference(text, textAgain))
    return reportDifference(
        module, "the PTX text changes when it is imported and exported",
        *difference);
  if (!isImported)
    return success();
  return compareModules(module, *again,
                        "the module changes when its PTX text is imported");
}

LogicalResult verifyRoundTrip(ModuleOp module, bool isImported) {
  return success(succeeded(verifyMLIRText(module)) &&
                 succeeded(verifyPTXText(module, isImported)));
}

} // namespace ptxbench
