//===- ReportIO.h - Writing and reading reports -----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The three forms of a report, and the way back from JSON. All writers take
// strings as they come, a candidate's output included: JSON and HTML escape
// them, the text form replaces control characters and marks quoted logs, so
// that a log cannot pass for a line of the report.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_REPORT_REPORTIO_H
#define PTXBENCH_REPORT_REPORTIO_H

#include "ptxbench/Report/Report.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxbench {

/// ptxbench.report.v1, indented, with a final newline. Doubles are written in
/// the shortest form that reads back the same; NaN and infinities as the
/// strings "NaN", "Infinity", "-Infinity".
void writeJSON(const Report &report, llvm::raw_ostream &os);

/// For people: at most 100 columns, the outcome first.
void writeText(const Report &report, llvm::raw_ostream &os, bool color = false);

/// One self-contained page without scripts and without external resources.
void writeHTML(const Report &report, llvm::raw_ostream &os);

/// Reads what writeJSON writes. `path` names the text in errors, which say
/// line and JSON path. Refuses unknown fields, a summary that does not fit the
/// verdicts, and totals that do not fit the agreements.
llvm::Expected<Report> parseReport(llvm::StringRef json, llvm::StringRef path);

} // namespace ptxbench

#endif // PTXBENCH_REPORT_REPORTIO_H
