//===- HTMLWriter.cpp - Reports as one page -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same content as the text form, with the whole of the logs folded away.
// The page has no script and loads nothing, and its content policy forbids
// both, so a report on a hostile candidate is safe to open. Every string goes
// through escape().
//
//===----------------------------------------------------------------------===//

#include "Digest.h"
#include "ptxbench/Report/ReportIO.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace ptxbench;
using namespace ptxbench::digest;
using llvm::StringRef;

static const char *const style = R"css(
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37;
        --bad: #c62828; --unsure: #9a6700; }
@media (prefers-color-scheme: dark) {
  :root { --good: #57c46b; --bad: #ff7b72; --unsure: #e3b341; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem;
       margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.good { color: var(--good); } .bad { color: var(--bad); }
.unsure { color: var(--unsure); }
.head { font-size: 1.1rem; margin: .3rem 0; }
table { border-collapse: collapse; margin: .6rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .7rem;
         text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code, pre { font: .88em ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; border-left: 3px solid var(--line);
      padding-left: .8rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dt { font-weight: 600; } dd { margin: 0; }
)css";

/// Text that is safe between tags and in quoted attributes. Control characters
/// other than line ends and tabs, which HTML forbids, become '?'.
static std::string escape(StringRef text) {
  std::string valid =
      llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
  std::string result;
  for (char c : valid) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') ||
          c == 0x7f)
        result += '?';
      else
        result += c;
    }
  }
  return result;
}

static const char *className(Tone tone) {
  switch (tone) {
  case Tone::Good:
    return "good";
  case Tone::Bad:
    return "bad";
  case Tone::Unsure:
    return "unsure";
  }
  return "";
}

static void cell(llvm::raw_ostream &os, StringRef text, bool number = false) {
  os << (number ? "<td class=\"n\">" : "<td>") << escape(text) << "</td>";
}

static void header(llvm::raw_ostream &os,
                   std::initializer_list<const char *> names, bool numbers) {
  os << "<table><thead><tr>";
  bool first = true;
  for (const char *name : names) {
    os << (numbers && !first ? "<th class=\"n\">" : "<th>") << name << "</th>";
    first = false;
  }
  os << "</tr></thead><tbody>\n";
}

static void writeEntry(const Report &report, const EntryGroup &entryGroup,
                       llvm::raw_ostream &os) {
  const EntryResult &entry = entryGroup.front();
  os << "<h2>Kernel <code>" << escape(entry.name) << "</code>, "
     << escape(launchPhrase(entryGroup)) << "</h2>\n";
  for (const std::string &launch : otherLaunches(entryGroup))
    os << "<p>" << escape(launch) << "</p>\n";
  if (entry.targets.empty()) {
    os << "<p>No target instruction.</p>\n";
    return;
  }
  const std::vector<std::string> &required = requiredFamilies(report);
  header(os,
         {"family", "in PTX", "inline asm", "all", "some", "maybe", "never",
          "in SASS", "executed"},
         true);
  for (const FamilyRow &row : familyRows(entry, required)) {
    os << "<tr>";
    cell(os, row.family);
    for (uint64_t number :
         {row.inPTX, row.inlineAsm, row.verdicts.all, row.verdicts.some,
          row.verdicts.maybe, row.verdicts.never})
      cell(os, grouped(number), true);
    cell(os, row.inSass ? grouped(*row.inSass) : "?", true);
    std::string executed = row.executed ? grouped(*row.executed) : "?";
    if (row.executed && row.observed < row.inPTX)
      executed += " + " + grouped(row.inPTX - row.observed) + "?";
    cell(os, executed, true);
    os << "</tr>\n";
  }
  os << "</tbody></table>\n";
  if (!isMain(report, entry))
    return;
  header(os,
         {"verdict", "instruction", "where", "why", "predicted", "executed",
          "in SASS", "agreement"},
         false);
  for (const TargetGroup &group : groupTargets(entry, required)) {
    const TargetVerdict &verdict = group.front().verdict;
    os << "<tr><td class=\"" << className(groupTone(group)) << "\">"
       << stringifyReach(verdict.reach) << "</td><td>";
    if (group.members.size() > 1)
      os << grouped(group.members.size()) << " &times; ";
    os << "<code>" << escape(groupName(group)) << "</code></td>";
    std::string where = lineList(group);
    if (!verdict.function.empty())
      where += " in .func " + verdict.function;
    if (std::string sources = sourceList(group); !sources.empty())
      where += ", from " + sources;
    cell(os, where);
    cell(os, reachPhrase(verdict) +
                 (verdict.reason.empty() ? "" : ": " + verdict.reason));
    cell(os, predictedPhrase(group));
    cell(os, executedPhrase(group));
    cell(os, sassPhrase(group));
    cell(os, agreementPhrase(group));
    os << "</tr>\n";
  }
  os << "</tbody></table>\n";
}

/// "12, from k.mlir:3:5 (nvvm.elect.sync)"; empty without a line.
template <typename Diagnostic>
static std::string lineCell(const Diagnostic &diagnostic) {
  std::string phrase = placePhrase(diagnostic);
  llvm::StringRef place = phrase;
  place.consume_front("line ");
  return place.str();
}

static void writeFindings(const Report &report, llvm::raw_ostream &os) {
  if (report.diagnostics.empty())
    return;
  os << "<h2>Findings</h2>\n";
  header(os, {"severity", "line", "rule", "message", "to fix it"}, false);
  for (const ReportDiagnostic &diagnostic : report.diagnostics) {
    os << "<tr>";
    cell(os, stringifySeverity(diagnostic.severity));
    cell(os, lineCell(diagnostic));
    cell(os, diagnostic.rule);
    cell(os, diagnostic.launches.value_or(1) > 1
                 ? diagnostic.message + ", in " +
                       grouped(*diagnostic.launches) + " launches"
                 : diagnostic.message);
    cell(os, diagnostic.fix);
    os << "</tr>\n";
  }
  os << "</tbody></table>\n";
}

static void writeOutputs(const Correctness &correctness,
                         llvm::raw_ostream &os) {
  if (correctness.outputs.empty())
    return;
  os << "<h2>Outputs</h2>\n";
  header(os,
         {"output", "verdict", "relative L2 error", "max absolute error",
          "elements", "wrong", "never written"},
         false);
  auto number = [](std::optional<double> value) {
    return value ? shortNumber(*value) : std::string();
  };
  auto count = [](std::optional<uint64_t> value) {
    return value ? grouped(*value) : std::string();
  };
  for (const OutputCorrectness &output : correctness.outputs) {
    os << "<tr>";
    cell(os, output.name);
    os << "<td class=\"" << (output.passed ? "good\">right" : "bad\">WRONG");
    if (!output.reason.empty())
      os << ": " << escape(output.reason);
    os << "</td>";
    cell(os, number(output.relativeL2), true);
    cell(os, number(output.maxAbsoluteError), true);
    cell(os, count(output.elements), true);
    cell(os, count(output.mismatched), true);
    cell(os, count(output.unwritten), true);
    os << "</tr>\n";
  }
  os << "</tbody></table>\n";
}

static void writePtxas(const PtxasInfo &ptxas, llvm::raw_ostream &os) {
  os << "<h2>ptxas " << escape(ptxas.version) << ": "
     << (!ptxas.accepted   ? "outcome not known"
         : *ptxas.accepted ? "accepted"
                           : "refused")
     << "</h2>\n";
  if (!ptxas.diagnostics.empty()) {
    header(os, {"severity", "line", "code", "message"}, false);
    for (const PtxasDiagnostic &diagnostic : ptxas.diagnostics) {
      os << "<tr>";
      cell(os, stringifySeverity(diagnostic.severity));
      cell(os, lineCell(diagnostic));
      cell(os, diagnostic.code);
      cell(os, diagnostic.message);
      os << "</tr>\n";
    }
    os << "</tbody></table>\n";
  }
  if (ptxas.resources.empty())
    return;
  header(os,
         {"entry", "registers", "barriers", "shared bytes", "stack bytes",
          "spill stores", "spill loads", "local bytes", "constant bytes"},
         true);
  for (const PtxasResources &resources : ptxas.resources) {
    os << "<tr>";
    cell(os, resources.entry);
    for (std::optional<uint64_t> value :
         {resources.registers, resources.barriers, resources.smem,
          resources.stack, resources.spillStores, resources.spillLoads,
          resources.lmem, resources.cmem})
      cell(os, value ? grouped(*value) : "?", true);
    os << "</tr>\n";
  }
  os << "</tbody></table>\n";
}

static void writePrinted(StringRef text, llvm::raw_ostream &os) {
  os << "<h2>Printed</h2>\n<pre>";
  for (StringRef rest = text.rtrim('\n'); !rest.empty();) {
    auto [line, next] = rest.split('\n');
    os << escape(clean(line)) << "\n";
    rest = next;
  }
  os << "</pre>\n";
}

static void writeStages(const Report &report, llvm::raw_ostream &os) {
  if (report.stages.empty())
    return;
  os << "<h2>Stages</h2>\n";
  for (const StageRow &row : stageRows(report)) {
    const Stage &stage = row.stage;
    std::string text = escape(stage.name) + ": " + stagePhrase(row);
    if (stage.log.empty())
      os << "<p>" << text << "</p>\n";
    else
      os << "<details" << (stage.verdict == StageVerdict::Failed ? " open" : "")
         << "><summary>" << text << "</summary><pre>" << escape(stage.log)
         << "</pre></details>\n";
  }
}

void ptxbench::writeHTML(const Report &report, llvm::raw_ostream &os) {
  std::string path = escape(clean(report.module.path));
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>"
     << stringifyStatus(report.status) << " " << path << "</title>\n<style>"
     << style << "</style></head><body>\n";
  Tone tone = report.status == Status::Passed     ? Tone::Good
              : report.status == Status::Analyzed ? Tone::Unsure
                                                  : Tone::Bad;
  os << "<h1><span class=\"" << className(tone) << "\">"
     << stringifyStatus(report.status) << "</span> " << path << "</h1>\n<p>"
     << escape(outcome(report)) << "</p>\n";
  for (const Headline &head : headlines(report))
    os << "<p class=\"head\"><b>" << escape(head.family)
       << "</b> <span class=\"" << className(head.tone) << "\">"
       << escape(head.sentence) << "</span></p>\n";
  os << "<dl>\n";
  for (const auto &[name, value] : facts(report))
    os << "<dt>" << escape(name) << "</dt><dd>" << escape(value) << "</dd>\n";
  os << "</dl>\n";
  for (bool main : {true, false})
    for (const EntryGroup &entryGroup : groupEntries(report, main))
      writeEntry(report, entryGroup, os);
  writeFindings(report, os);
  if (report.dynamic && report.dynamic->printed)
    writePrinted(*report.dynamic->printed, os);
  if (report.correctness)
    writeOutputs(*report.correctness, os);
  if (report.ptxas)
    writePtxas(*report.ptxas, os);
  writeStages(report, os);
  os << "</body></html>\n";
}
