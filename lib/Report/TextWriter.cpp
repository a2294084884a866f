//===- TextWriter.cpp - Reports for a terminal ----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outcome, one sentence per family, facts; then for each entry the table of
// families and the groups of target instructions; then findings, ptxas and the
// stages that did not pass. Lines break between words at 100 columns; a longer
// word (a path, a name) stands whole on a line of its own.
//
//===----------------------------------------------------------------------===//

#include "Digest.h"
#include "ptxbench/Report/ReportIO.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

using namespace ptxbench;
using namespace ptxbench::digest;
using llvm::StringRef;

namespace {
constexpr unsigned maxColumns = 100;
/// Lines of a log that the text form shows; the JSON form has them all.
constexpr size_t maxLogLines = 20;

class TextWriter {
public:
  TextWriter(llvm::raw_ostream &os, bool color) : os(os), color(color) {}

  void write(const Report &report);

private:
  void writeHead(const Report &report);
  void writeEntry(const Report &report, const EntryGroup &entryGroup);
  void writeGroup(const TargetGroup &group);
  void writeTable(const std::vector<FamilyRow> &rows);
  void writeDiagnostics(const Report &report);
  void writePtxas(const PtxasInfo &ptxas);
  void writePrinted(StringRef text);
  void writeOutputs(const Correctness &correctness);
  void writeStages(const Report &report);

  /// Writes `label`, in colour if wanted, then `text` wrapped at 100 columns;
  /// further lines are indented to where the text began.
  void item(unsigned indent, StringRef label, unsigned labelWidth,
            StringRef text, std::optional<Tone> tone = std::nullopt);
  void title(StringRef text);
  std::string painted(StringRef text, std::optional<Tone> tone) const;

  llvm::raw_ostream &os;
  bool color;
};
} // namespace

/// Columns that `text` takes on a terminal; bytes if that is not known.
static size_t columns(StringRef text) {
  if (llvm::all_of(text, llvm::isPrint))
    return text.size();
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : width;
}

std::string TextWriter::painted(StringRef text,
                                std::optional<Tone> tone) const {
  if (!color || !tone)
    return text.str();
  const char *code = *tone == Tone::Good  ? "\033[1;32m"
                     : *tone == Tone::Bad ? "\033[1;31m"
                                          : "\033[1;33m";
  return code + text.str() + "\033[0m";
}

void TextWriter::item(unsigned indent, StringRef label, unsigned labelWidth,
                      StringRef text, std::optional<Tone> tone) {
  // A label that leaves no room for text gets a line of its own. No word is
  // ever broken: what names something can be searched for and copied.
  constexpr size_t minText = 30;
  os.indent(indent) << painted(label, tone);
  size_t width = columns(label);
  unsigned start = indent + labelWidth;
  size_t column = indent + width;
  text = text.trim();
  if (text.empty()) {
    os << '\n';
    return;
  }
  // Whether the next word needs no space in front of it.
  bool fresh = true;
  auto breakLine = [&] {
    os << '\n';
    os.indent(start);
    column = start;
    fresh = true;
  };
  if (width < labelWidth) {
    os.indent(labelWidth - width);
    column = start;
  } else if (width == 0) {
    // Nothing to keep apart.
  } else if (column + 1 + minText < maxColumns) {
    fresh = false;
  } else {
    breakLine();
  }
  while (!text.empty()) {
    StringRef word = text.take_until([](char c) { return c == ' '; });
    text = text.drop_front(word.size()).ltrim();
    size_t need = columns(word);
    // A word that no line has room for stands alone, however long it is.
    if (column + !fresh + need > maxColumns && column > start)
      breakLine();
    os << (fresh ? "" : " ") << word;
    column += need + !fresh;
    fresh = false;
  }
  os << '\n';
}

void TextWriter::title(StringRef text) {
  os << '\n';
  item(0, "", 0, text);
}

//===----------------------------------------------------------------------===//
// Head
//===----------------------------------------------------------------------===//

void TextWriter::writeHead(const Report &report) {
  int code = exitCode(report.status);
  Tone tone = report.status == Status::Passed     ? Tone::Good
              : report.status == Status::Analyzed ? Tone::Unsure
              : code == 0                         ? Tone::Good
                                                  : Tone::Bad;
  std::string text = clean(report.module.path);
  text += (text.empty() ? "" : ": ") + outcome(report);
  item(0, stringifyStatus(report.status), 0, text, tone);

  std::vector<Headline> heads = headlines(report);
  if (!heads.empty())
    os << '\n';
  size_t width = 0;
  for (const Headline &head : heads)
    width =
        std::min<size_t>(20, std::max(width, columns(clean(head.family)) + 2));
  for (const Headline &head : heads)
    item(2, clean(head.family) + ":", width, head.sentence, head.tone);
  if (heads.empty() && report.analysis.state == StaticInfo::State::Complete) {
    os << '\n';
    item(2, "", 0,
         report.entries.empty()
             ? "The file has no kernel (.entry)."
             : "No kernel of this file has a target instruction (wgmma, TMA, "
               "mbarrier, tcgen05 ...).");
  }

  std::vector<std::pair<std::string, std::string>> rows = facts(report);
  if (!rows.empty())
    os << '\n';
  for (const auto &[name, value] : rows)
    item(2, name, 10, value);
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

void TextWriter::writeTable(const std::vector<FamilyRow> &rows) {
  bool measured = llvm::any_of(
      rows, [](const FamilyRow &row) { return row.inSass || row.executed; });
  bool gaps = false;
  os << "  family          in PTX  inline asm     all    some   maybe   never"
     << (measured ? "   in SASS   executed\n" : "\n");
  for (const FamilyRow &row : rows) {
    std::string name = clean(row.family);
    os << "  " << name;
    os.indent(15 - std::min<size_t>(15, columns(name)));
    auto cell = [&](unsigned width, std::string text) {
      os.indent(width - std::min<size_t>(width, text.size())) << text;
    };
    auto count = [](uint64_t number) { return grouped(number); };
    cell(7, count(row.inPTX));
    cell(12, count(row.inlineAsm));
    cell(8, count(row.verdicts.all));
    cell(8, count(row.verdicts.some));
    cell(8, count(row.verdicts.maybe));
    cell(8, count(row.verdicts.never));
    if (!measured) {
      os << '\n';
      continue;
    }
    gaps |= !row.inSass || row.observed < row.inPTX;
    cell(10, row.inSass ? count(*row.inSass) : "?");
    std::string executed = row.executed ? count(*row.executed) : "?";
    if (row.executed && row.observed < row.inPTX)
      executed += " + " + count(row.inPTX - row.observed) + "?";
    cell(11, executed);
    os << '\n';
  }
  if (gaps)
    os << "  (?: could not be observed)\n";
}

void TextWriter::writeGroup(const TargetGroup &group) {
  const TargetVerdict &verdict = group.front().verdict;
  size_t count = group.members.size();
  os << '\n';
  item(2, stringifyReach(verdict.reach), 7,
       (count > 1 ? grouped(count) + " x " : std::string()) + groupName(group),
       groupTone(group));
  std::string where = lineList(group);
  if (!verdict.function.empty())
    where += " in .func " + clean(verdict.function);
  if (std::string sources = sourceList(group); !sources.empty())
    where += ", from " + sources;
  auto row = [&](StringRef name, const std::string &value) {
    if (!value.empty())
      item(9, name, 11, value);
  };
  row("where", where);
  row("why", reachPhrase(verdict) +
                 (verdict.reason.empty() ? "" : ": " + clean(verdict.reason)));
  row("predicted", predictedPhrase(group));
  row("executed", executedPhrase(group));
  row("in SASS", sassPhrase(group));
  row("agreement", agreementPhrase(group));
}

void TextWriter::writeEntry(const Report &report,
                            const EntryGroup &entryGroup) {
  const EntryResult &entry = entryGroup.front();
  title("kernel " + clean(entry.name) + ", " + launchPhrase(entryGroup));
  for (const std::string &launch : otherLaunches(entryGroup))
    item(2, "", 0, launch);
  if (entry.targets.empty()) {
    item(2, "", 0, "no target instruction");
    return;
  }
  writeTable(familyRows(entry, requiredFamilies(report)));
  if (!isMain(report, entry))
    return;
  for (const TargetGroup &group : groupTargets(entry, requiredFamilies(report)))
    writeGroup(group);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

void TextWriter::writeDiagnostics(const Report &report) {
  if (report.diagnostics.empty())
    return;
  title("findings");
  for (const ReportDiagnostic &diagnostic : report.diagnostics) {
    std::string text;
    if (diagnostic.line)
      text = placePhrase(diagnostic) + ": ";
    text += clean(diagnostic.message);
    if (diagnostic.launches.value_or(1) > 1)
      text += ", in " + grouped(*diagnostic.launches) + " launches";
    if (!diagnostic.rule.empty())
      text += " [" + clean(diagnostic.rule) + "]";
    std::optional<Tone> tone;
    if (diagnostic.severity == Severity::Error)
      tone = Tone::Bad;
    else if (diagnostic.severity == Severity::Warning)
      tone = Tone::Unsure;
    item(2, stringifySeverity(diagnostic.severity), 9, text, tone);
    if (!diagnostic.fix.empty())
      item(2, "", 9, "to fix it: " + clean(diagnostic.fix));
  }
}

void TextWriter::writePtxas(const PtxasInfo &ptxas) {
  std::string head = "ptxas";
  if (!ptxas.version.empty())
    head += " " + clean(ptxas.version);
  if (ptxas.accepted)
    head += *ptxas.accepted ? " accepts the file" : " refuses the file";
  else
    head += ", outcome not known";
  title(head);
  for (const PtxasDiagnostic &diagnostic : ptxas.diagnostics) {
    std::string text;
    if (diagnostic.line)
      text = placePhrase(diagnostic) + ": ";
    text += clean(diagnostic.message);
    if (!diagnostic.code.empty())
      text += " (" + clean(diagnostic.code) + ")";
    item(2, stringifySeverity(diagnostic.severity), 9, text,
         diagnostic.severity == Severity::Error ? std::optional(Tone::Bad)
                                                : std::nullopt);
  }
  for (const PtxasResources &resources : ptxas.resources) {
    std::vector<std::string> parts;
    auto add = [&](std::optional<uint64_t> value, StringRef unit) {
      if (value)
        parts.push_back(grouped(*value) + " " + unit.str());
    };
    add(resources.registers, "registers");
    add(resources.barriers, resources.barriers == 1u ? "barrier" : "barriers");
    add(resources.smem, "bytes shared");
    add(resources.stack, "bytes stack");
    add(resources.spillStores, "bytes spill stores");
    add(resources.spillLoads, "bytes spill loads");
    add(resources.lmem, "bytes local");
    add(resources.cmem, "bytes constant");
    item(2, clean(resources.entry) + ":", 9, llvm::join(parts, ", "));
  }
}

void TextWriter::writeOutputs(const Correctness &correctness) {
  if (correctness.outputs.size() < 2 && correctness.passed)
    return;
  if (correctness.outputs.empty())
    return;
  title("outputs");
  for (const OutputCorrectness &output : correctness.outputs) {
    std::vector<std::string> parts = {output.passed ? "right" : "WRONG"};
    if (!output.reason.empty())
      parts.back() += ": " + clean(output.reason);
    if (output.relativeL2)
      parts.push_back("relative L2 error " + shortNumber(*output.relativeL2));
    if (output.mismatched && output.elements)
      parts.push_back(grouped(*output.mismatched) + " of " +
                      grouped(*output.elements) + " elements wrong");
    if (output.unwritten.value_or(0))
      parts.push_back(grouped(*output.unwritten) + " never written");
    if (output.nonFinite.value_or(0))
      parts.push_back(grouped(*output.nonFinite) +
                      " differ in NaN or infinity");
    item(2, clean(output.name) + ":", 9, llvm::join(parts, ", "),
         output.passed ? Tone::Good : Tone::Bad);
  }
}

void TextWriter::writeStages(const Report &report) {
  if (report.stages.empty())
    return;
  title("stages");
  for (const StageRow &stageRow : stageRows(report)) {
    const Stage &stage = stageRow.stage;
    item(2, clean(stage.name), 19, stagePhrase(stageRow));
    if (stage.verdict == StageVerdict::Passed || stage.log.empty())
      continue;
    llvm::SmallVector<StringRef> lines;
    StringRef(stage.log).rtrim().split(lines, '\n');
    // The head has the reason.
    llvm::erase_if(lines, [&](StringRef line) {
      return !line.empty() && line == report.reason;
    });
    for (StringRef line : llvm::ArrayRef(lines).take_front(maxLogLines))
      item(4, "|", 2, clean(line));
    if (lines.size() > maxLogLines)
      item(4, "|", 2,
           "(" + grouped(lines.size() - maxLogLines) +
               " more lines in the JSON form)");
  }
}

void TextWriter::writePrinted(StringRef text) {
  title("printed");
  for (StringRef rest = text.rtrim('\n'); !rest.empty();) {
    auto [line, next] = rest.split('\n');
    os << "  " << clean(line) << "\n";
    rest = next;
  }
}

void TextWriter::write(const Report &report) {
  writeHead(report);
  for (bool main : {true, false})
    for (const EntryGroup &entryGroup : groupEntries(report, main))
      writeEntry(report, entryGroup);
  writeDiagnostics(report);
  if (report.dynamic && report.dynamic->printed)
    writePrinted(*report.dynamic->printed);
  if (report.correctness)
    writeOutputs(*report.correctness);
  if (report.ptxas)
    writePtxas(*report.ptxas);
  writeStages(report);
}

void ptxbench::writeText(const Report &report, llvm::raw_ostream &os,
                         bool color) {
  TextWriter(os, color).write(report);
}
