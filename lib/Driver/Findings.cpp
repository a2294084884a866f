//===- Findings.cpp - What the emulator's checks found --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule of a diagnostic is the id of a finding, so that its message goes
// without; places are of the PTX, and columns are left out: a compiler has one
// instruction a line, and a library has it without indentation.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace ptxbench {

bool isWarning(const TraceFinding &finding) {
  return StringRef(finding.id).starts_with("missing-");
}

/// The message without the id, with the other line and who it was.
static std::string detailsOf(const TraceFinding &finding,
                             SourceOfLine sourceOf) {
  StringRef message = finding.message;
  if (message.consume_front(finding.id))
    message.consume_front(": ");
  std::string text = message.str();
  if (finding.otherLine) {
    text += ", with line " + std::to_string(finding.otherLine);
    if (std::string source = sourceOf(finding.otherLine); !source.empty())
      text += " (" + source + ")";
  }
  if (!finding.by.empty())
    text += ", by " + finding.by;
  return text;
}

std::string describe(const TraceFinding &finding, SourceOfLine sourceOf) {
  std::string text = finding.id + " in kernel '" + finding.kernel + "'";
  if (finding.line) {
    text += " at line " + std::to_string(finding.line) + " of the PTX";
    if (std::string source = sourceOf(finding.line); !source.empty())
      text += " (" + source + ")";
  }
  return text + ": " + detailsOf(finding, sourceOf);
}

ReportDiagnostic toDiagnostic(const TraceFinding &finding,
                              SourceOfLine sourceOf) {
  ReportDiagnostic diagnostic;
  diagnostic.rule = finding.id;
  diagnostic.severity =
      isWarning(finding) ? Severity::Warning : Severity::Error;
  diagnostic.line = finding.line;
  diagnostic.message =
      "kernel '" + finding.kernel + "': " + detailsOf(finding, sourceOf);
  diagnostic.launches = finding.launches;
  return diagnostic;
}

bool isSamePlace(const TraceFinding &a, const TraceFinding &b) {
  return a.kernel == b.kernel && a.id == b.id && a.line == b.line &&
         a.otherLine == b.otherLine;
}

std::vector<TraceFinding> findingsOf(const RunResult &result) {
  std::vector<TraceFinding> all;
  if (result.trace)
    all = result.trace->findings;
  for (const Trace &later : result.laterTraces)
    for (const TraceFinding &finding : later.findings) {
      auto known = llvm::find_if(all, [&](const TraceFinding &other) {
        return isSamePlace(other, finding);
      });
      if (known == all.end())
        all.push_back(finding);
      else
        known->launches += finding.launches;
    }
  return all;
}

std::string withoutFindings(StringRef log,
                            llvm::ArrayRef<TraceFinding> findings) {
  std::string text;
  llvm::SmallVector<StringRef> lines;
  log.split(lines, '\n');
  for (auto [i, line] : llvm::enumerate(lines)) {
    bool said = llvm::any_of(findings, [&, line = line](const auto &finding) {
      StringRef rest = line;
      return rest.consume_front("ptxbench emulator: '" + finding.kernel +
                                "': ") &&
             rest.starts_with(finding.id);
    });
    if (!said)
      text += line.str() + (i + 1 < lines.size() ? "\n" : "");
  }
  return text;
}

std::string countFindings(llvm::ArrayRef<TraceFinding> findings) {
  size_t fences = 0, missing = 0;
  for (const TraceFinding &finding : findings) {
    missing += isWarning(finding);
    fences += isWarning(finding) && StringRef(finding.id).contains("fence");
  }
  std::vector<std::string> parts;
  auto add = [&](size_t count, StringRef one, StringRef many) {
    if (count)
      parts.push_back(std::to_string(count) + " " +
                      (count == 1 ? one : many).str());
  };
  add(findings.size() - missing, "error", "errors");
  add(fences, "missing fence", "missing fences");
  add(missing - fences, "missing order", "missing orders");
  if (parts.empty())
    return "";
  return "the emulator's checks found " + llvm::join(parts, " and ");
}

} // namespace ptxbench
