//===- Digest.h - What the readable forms say about targets -----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text and the HTML form say the same in different clothes. What they say
// is decided here: which sets of verdicts are the main ones, one sentence per
// family, the table of families, and which target instructions are told in one
// row because only their lines differ (unrolled loops give dozens of them).
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_REPORT_DIGEST_H
#define PTXBENCH_LIB_REPORT_DIGEST_H

#include "ptxbench/Report/Report.h"

#include <optional>
#include <string>
#include <vector>

namespace ptxbench::digest {

/// How a line should look: green, red, yellow.
enum class Tone { Good, Bad, Unsure };

/// "wgmma" and "4 of 4 executed, 1,056 warps each".
struct Headline {
  std::string family;
  std::string sentence;
  Tone tone = Tone::Unsure;
};

/// The sentences on the families that matter: those the task requires, or else
/// the tensor core and TMA ones, or else the first there is.
std::vector<Headline> headlines(const Report &report);

/// A row of the table of families. `inSass` and `executed` count instructions;
/// absent if it is not known of any; `observed` of how many it is known.
struct FamilyRow {
  std::string family;
  uint64_t inPTX = 0, inlineAsm = 0;
  FamilySummary verdicts;
  std::optional<uint64_t> inSass, executed;
  uint64_t observed = 0;
};
std::vector<FamilyRow> familyRows(const EntryResult &entry,
                                  const std::vector<std::string> &required);

/// Target instructions of which the same is to be said, in line order.
struct TargetGroup {
  std::vector<const TargetResult *> members;

  const TargetResult &front() const { return *members.front(); }
};
std::vector<TargetGroup> groupTargets(const EntryResult &entry,
                                      const std::vector<std::string> &required);

/// The most telling name that fits all members.
std::string groupName(const TargetGroup &group);
/// "line 7", "lines 7, 9-12".
std::string lineList(const TargetGroup &group);
/// "k.mlir:7:3 (nvvm.elect.sync)", several with commas between them; empty if
/// they are not known, or if many instructions have no operation to name.
std::string sourceList(const TargetGroup &group);
/// "line 7, from k.mlir:7:3 (nvvm.elect.sync)"; empty without a line.
std::string placePhrase(const ReportDiagnostic &diagnostic);
std::string placePhrase(const PtxasDiagnostic &diagnostic);
/// "always, by every thread", "by some thread of every CTA", ...
std::string reachPhrase(const TargetVerdict &verdict);
/// "24 warps, 768 threads each"; empty if not known for all members.
std::string predictedPhrase(const TargetGroup &group);
std::string executedPhrase(const TargetGroup &group);
/// "present at 0x670, 0x6c0", "absent (why)"; empty if not known.
std::string sassPhrase(const TargetGroup &group);
/// "confirmed", "unobservable (why)"; empty if not checked.
std::string agreementPhrase(const TargetGroup &group);
Tone groupTone(const TargetGroup &group);

/// "any launch" or "grid 1x1x1, block 384x1x1, 2 parameters known".
std::string assumptionPhrase(const LaunchAssumptions &assumptions);
/// Whether this set of verdicts is told in full: it has assumptions, or no
/// other set of the same entry has, or something in it was refuted.
bool isMain(const Report &report, const EntryResult &entry);

/// Families that the task requires; empty without a task.
const std::vector<std::string> &requiredFamilies(const Report &report);

/// What became of the candidate, and why.
std::string outcome(const Report &report);

/// Sets of verdicts on one entry of which the same is to be said, such as those
/// of launches that differ in parameters only.
struct EntryGroup {
  std::vector<const EntryResult *> members;

  const EntryResult &front() const { return *members.front(); }
};
/// In the order of the report; `main` alone or the others.
std::vector<EntryGroup> groupEntries(const Report &report, bool main);
/// "grid 1x1x1, block 384x1x1, 2 launches observed".
std::string launchPhrase(const EntryGroup &group);
/// Of which other launches the same is said, a sentence for each kind.
std::vector<std::string> otherLaunches(const EntryGroup &group);

/// Stages of one name that passed, put together: their seconds summed, their
/// logs joined. Others stand alone.
struct StageRow {
  Stage stage;
  uint64_t times = 1;
};
std::vector<StageRow> stageRows(const Report &report);
/// "passed, 0.3 s in 3 times".
std::string stagePhrase(const StageRow &row);

/// The lines "task", "device", "numbers", "time" ... of the head.
std::vector<std::pair<std::string, std::string>> facts(const Report &report);

/// "12,345".
std::string grouped(uint64_t number);
/// At most `digits` significant digits.
std::string shortNumber(double value, int digits = 4);
/// Valid UTF-8 on one line, without control and text-direction characters.
std::string clean(llvm::StringRef text);

} // namespace ptxbench::digest

#endif // PTXBENCH_LIB_REPORT_DIGEST_H
