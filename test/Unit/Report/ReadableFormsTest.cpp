//===- ReadableFormsTest.cpp - The text and the HTML form -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text must say within its first lines whether the tensor core ran, keep to
// 100 columns and break no word, and never let a log speak for itself.
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "ptxbench/Report/ReportIO.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"
#include "gtest/gtest.h"

using namespace ptxbench;
using namespace ptxbench::test;

namespace {

bool contains(llvm::StringRef text, llvm::StringRef part) {
  return text.contains(part);
}

/// The text without its line breaks.
std::string flat(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  return llvm::join(words, " ");
}

size_t widest(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  size_t most = 0;
  for (llvm::StringRef line : lines)
    most = std::max<size_t>(most, llvm::sys::unicode::columnWidthUTF8(line));
  return most;
}

std::string firstLines(const std::string &text, unsigned count) {
  size_t end = 0;
  while (count-- && end != std::string::npos)
    end = text.find('\n', end + 1);
  return text.substr(0, end);
}

TEST(TextForm, LiveAndDeadDifferAtOnce) {
  std::string live = firstLines(textOf(staticReport(false)), 4);
  EXPECT_TRUE(contains(live, "wgmma: 4 of 4 can execute (proved: some thread "
                             "of every CTA does)"))
      << live;
  EXPECT_FALSE(contains(live, "dead"));
  std::string dead = firstLines(textOf(staticReport(true)), 4);
  EXPECT_TRUE(contains(dead,
                       "wgmma: 0 of 4 can execute - all are dead code: line "
                       "212 guard %tid.x > 1023 is always false"))
      << dead;
}

TEST(TextForm, RunsSayWhatExecuted) {
  std::string live = textOf(liveReport());
  EXPECT_EQ(live.rfind("PASSED kernel.cu", 0), 0u) << live;
  EXPECT_TRUE(contains(live, "wgmma: 4 of 4 executed, by 2,112 warps each, as "
                             "proved before the run"))
      << live;
  std::string dead = textOf(deadReport());
  EXPECT_EQ(dead.rfind("TARGET_NOT_EXECUTED kernel.cu", 0), 0u) << dead;
  EXPECT_TRUE(contains(dead, "wgmma: 0 of 4 executed - all are dead code: line "
                             "212 guard"))
      << dead;
}

TEST(TextForm, EqualInstructionsShareARow) {
  std::string text = textOf(staticReport(true));
  EXPECT_TRUE(contains(text, "never  4 x wgmma.mma_async.sync.aligned."));
  EXPECT_TRUE(contains(text, "lines 214, 217, 220, 223"));
  Report report = staticReport(true);
  report.entries[0].targets[1].verdict.line = 215;
  report.entries[0].targets[2].verdict.line = 216;
  report.entries[0].targets[3].verdict.reason = "line 222 never gets there";
  text = textOf(report);
  EXPECT_TRUE(contains(text, "3 x wgmma.mma_async"));
  EXPECT_TRUE(contains(text, "lines 214-216")) << text;
  EXPECT_TRUE(contains(flat(text), "(1 more reason below)")) << text;
  report.entries[0].targets[1].verdict.mnemonic = "wgmma.mma_async.other";
  EXPECT_TRUE(contains(textOf(report), "3 x wgmma.mma_async\n"));
}

TEST(TextForm, DeadUnderALaunchIsNotDeadInAny) {
  // In any launch it may execute; in the one that was observed it cannot.
  Report report = deadReport();
  for (TargetResult &target : report.entries[0].targets)
    target.verdict.reach = Reach::Maybe;
  std::string head = flat(firstLines(textOf(report), 6));
  EXPECT_TRUE(contains(head, "0 of 4 executed - all are dead code under the "
                             "launch grid 264x1x1, block 384x1x1, 1 parameter "
                             "known: line 212 guard"))
      << head;
  EXPECT_TRUE(contains(htmlOf(report), "dead code under the launch grid 264"));
  // Two that differ.
  report.entries.push_back(report.entries[1]);
  report.entries[2].assumptions.grid = Dim3{7, 1, 1};
  head = flat(firstLines(textOf(report), 6));
  EXPECT_TRUE(contains(head, "dead code under each of the 2 launches: line"))
      << head;
  // One of them in any launch, too.
  report.entries[0].targets[0].verdict.reach = Reach::Never;
  head = flat(firstLines(textOf(report), 6));
  EXPECT_TRUE(contains(head, "line 214 is dead code: line 212 guard")) << head;
  EXPECT_TRUE(contains(head, "lines 217, 220, 223 are dead code under each of"))
      << head;
  // In one of the two it may.
  report = deadReport();
  for (TargetResult &target : report.entries[0].targets)
    target.verdict.reach = Reach::Maybe;
  report.entries.push_back(report.entries[1]);
  for (TargetResult &target : report.entries[2].targets)
    target.verdict.reach = Reach::Maybe;
  EXPECT_FALSE(contains(firstLines(textOf(report), 6), "dead code"));
}

TEST(TextForm, LaunchesThatAreAlikeShareTheirRows) {
  Report report = liveReport();
  auto count = [](const std::string &text, llvm::StringRef part) {
    return llvm::StringRef(text).count(part);
  };
  std::string one = textOf(report);
  size_t rows = count(one, "every CTA executes it");
  ASSERT_GT(rows, 0u) << one;
  EXPECT_FALSE(contains(one, "sets of parameters")) << one;
  // Other values of parameters, and another grid, of which the same holds.
  report.entries.push_back(report.entries[1]);
  report.entries[2].assumptions.params[0].bytes[0] = 1;
  std::string same = textOf(report);
  EXPECT_EQ(count(same, "every CTA executes it"), rows) << same;
  EXPECT_TRUE(contains(flat(same), "1 parameter known, 2 launches observed, "
                                   "the same for 2 sets of parameters"))
      << same;
  EXPECT_TRUE(contains(htmlOf(report), "the same for 2 sets of parameters"));
  report.entries[2].assumptions.grid = Dim3{7, 1, 1};
  same = textOf(report);
  EXPECT_EQ(count(same, "every CTA executes it"), rows) << same;
  EXPECT_TRUE(contains(flat(same), "the same under grid 7x1x1, block 384x1x1, "
                                   "1 parameter known, 1 launch observed"))
      << same;
  EXPECT_EQ(count(jsonOf(report), "\"assumptions\""), 3u);
  // What differs is told.
  report.entries[2].targets[0].executed->count.warps = 5;
  EXPECT_GT(count(textOf(report), "every CTA executes it"), rows);
  EXPECT_FALSE(contains(textOf(report), "the same under"));
  report.entries[2] = report.entries[1];
  report.entries[2].name = "other";
  EXPECT_GT(count(textOf(report), "every CTA executes it"), rows);
}

TEST(TextForm, PassedWithWarningsSaysSo) {
  Report report = liveReport();
  EXPECT_TRUE(contains(textOf(report), "the candidate passed every check"));
  report.reason = "the emulator's checks found 3 missing fences";
  for (const std::string &text : {flat(textOf(report)), htmlOf(report)}) {
    EXPECT_TRUE(contains(text, "found 3 missing fences, see below")) << text;
    EXPECT_FALSE(contains(text, "passed every check")) << text;
  }
  // A reason of another kind.
  report.diagnostics.clear();
  report.reason = "it was not timed";
  EXPECT_TRUE(
      contains(flat(textOf(report)), "passed every check - it was not timed"));
}

TEST(TextForm, FindingsSayInHowManyLaunches) {
  Report report = liveReport();
  report.diagnostics.resize(1);
  report.diagnostics[0].launches = 1;
  EXPECT_FALSE(contains(textOf(report), "in 1 launch"));
  report.diagnostics[0].launches = 1200;
  EXPECT_TRUE(contains(flat(textOf(report)), ", in 1,200 launches ["));
  EXPECT_TRUE(contains(htmlOf(report), ", in 1,200 launches</td>"));
}

TEST(TextForm, TheReasonIsNotRepeatedByALog) {
  Report report = deadReport();
  report.reason = "it broke in line 7";
  report.stages = {
      {"sanitize", StageVerdict::Failed, 2.0, "it broke in line 7\nfurther"}};
  std::string text = flat(textOf(report));
  EXPECT_TRUE(contains(text, "sanitize failed, 2 s | further")) << text;
  EXPECT_EQ(llvm::StringRef(text).count("it broke in line 7"), 1u) << text;
  // Other lines stay, also those that are a part of it.
  report.stages[0].log = "it broke";
  EXPECT_TRUE(contains(flat(textOf(report)), "2 s | it broke"));
}

TEST(TextForm, PartlyDead) {
  Report report = staticReport(false);
  TargetVerdict &verdict = report.entries[0].targets[3].verdict;
  verdict.reach = Reach::Never;
  verdict.scope.reset();
  verdict.reason = "line 222 leaves the loop before";
  std::string text = textOf(report);
  EXPECT_TRUE(contains(text, "wgmma: 3 of 4 can execute")) << text;
  EXPECT_TRUE(contains(flat(text), "line 223 is dead code: line 222 leaves"))
      << text;
}

TEST(TextForm, UndecidedIsNotCalledProved) {
  Report report = staticReport(false);
  for (TargetResult &target : report.entries[0].targets) {
    target.verdict.reach = Reach::Maybe;
    target.verdict.scope.reset();
    target.verdict.reason = "line 9 depends on memory";
  }
  std::string text = textOf(report);
  EXPECT_TRUE(contains(text, "wgmma: 4 of 4 may execute (none is proved to): "
                             "line 9 depends on memory"))
      << text;
}

TEST(TextForm, IdleMaybeIsTold) {
  Report report = liveReport();
  TargetResult &target = report.entries[1].targets[3];
  target.verdict.reach = Reach::Maybe;
  target.verdict.scope.reset();
  target.verdict.reason = "line 222 depends on memory";
  target.executed->count = {0, 0};
  target.agreement = "undecided-idle";
  std::string text = textOf(report);
  EXPECT_TRUE(contains(text, "wgmma: 3 of 4 executed")) << text;
  EXPECT_TRUE(contains(flat(text), "line 223 could but did not in this run"))
      << text;
}

TEST(TextForm, PredicatedIssueIsNoExecution) {
  Report report = liveReport();
  for (TargetResult &target : report.entries[1].targets)
    if (target.executed)
      target.executed->count = {4, 0};
  EXPECT_TRUE(contains(textOf(report), "wgmma: 0 of 4 executed"));
}

TEST(TextForm, OneWarp) {
  Report report = liveReport();
  for (TargetResult &target : report.entries[1].targets)
    if (target.executed)
      target.executed->count = {1, 32};
  std::string text = flat(textOf(report));
  EXPECT_TRUE(contains(text, "wgmma: 4 of 4 executed, by 1 warp each")) << text;
}

TEST(TextForm, FoldedInstructionsAreNoFailure) {
  Report report = liveReport();
  TargetResult &target = report.entries[1].targets[3];
  ASSERT_EQ(target.verdict.family, "wgmma");
  target.executed.reset();
  target.sass = SassPlace{SassState::Unobservable, {}, ""};
  target.agreement = "unobservable";
  target.agreementReason = "folded into the last one of the group";
  std::string text = flat(textOf(report));
  EXPECT_TRUE(contains(text, "wgmma: 3 of 3 executed, by 2,112 warps each, as "
                             "proved before the run (1 more has no machine "
                             "code of its own)"))
      << text;
  // What ought to be there and is not found is told.
  target.agreementReason = "no HGMMA has its line";
  text = flat(textOf(report));
  EXPECT_TRUE(contains(text, "wgmma: 3 of 4 executed, by 2,112 warps each; 1 "
                             "could not be observed"))
      << text;
  // A dead one is idle whatever its machine code.
  report = deadReport();
  TargetResult &dead = report.entries[1].targets[3];
  dead.executed.reset();
  dead.sass = SassPlace{SassState::Unobservable, {}, "becomes plain stores"};
  text = flat(textOf(report));
  EXPECT_TRUE(contains(text, "wgmma: 0 of 4 executed - all are dead code"))
      << text;
  EXPECT_FALSE(
      contains(firstLines(textOf(report), 6), "could not be observed"));
}

TEST(TextForm, NothingIsSaidOfWhatWasNotAnalysed) {
  Report report = liveReport();
  report.entries.clear();
  report.analysis = {StaticInfo::State::NotRun, "it did not compile"};
  std::string text = textOf(report);
  EXPECT_FALSE(contains(text, "no such instruction")) << text;
  EXPECT_TRUE(contains(text, "not done: it did not compile")) << text;
}

TEST(TextForm, TheReasonNamesTheMissingFamilies) {
  Report report = deadReport();
  report.reason = "no instruction of the required family wgmma executed";
  std::string text = flat(textOf(report));
  EXPECT_TRUE(contains(text, "the kernel ran, but no instruction of the "
                             "required family wgmma executed wgmma:"))
      << text;
}

TEST(TextForm, RepeatedStagesAreSummed) {
  Report report = deadReport();
  report.stages = {{"call", StageVerdict::Passed, 0.25, ""},
                   {"judge", StageVerdict::Passed, 1.0, ""},
                   {"call", StageVerdict::Passed, 0.5, ""},
                   {"call", StageVerdict::Failed, 2.0, "it broke"}};
  std::string text = flat(textOf(report));
  EXPECT_TRUE(contains(text, "call passed, 0.75 s in 2 times")) << text;
  EXPECT_TRUE(contains(text, "call failed, 2 s | it broke")) << text;
}

TEST(TextForm, RequiredFamilyThatIsMissing) {
  Report report = liveReport();
  report.dynamic->requiredFamilies = {"tcgen05"};
  EXPECT_TRUE(contains(textOf(report), "tcgen05: no such instruction in the "
                                       "PTX\n"));
  // What passes removed is no instruction of the PTX, but of the file.
  ReportDiagnostic removed;
  removed.rule = "removed-tcgen05";
  removed.severity = Severity::Remark;
  removed.message = "nvvm.tcgen05.mma at k.mlir:7:3 has nothing in the PTX";
  report.diagnostics = {removed, removed};
  EXPECT_TRUE(contains(flat(textOf(report)),
                       "tcgen05: no such instruction in the PTX: "
                       "nvvm.tcgen05.mma at k.mlir:7:3 has nothing in the PTX "
                       "(and 1 more below)"));
}

TEST(TextForm, NotMeasuredIsNotZero) {
  Report report = liveReport();
  std::string text = textOf(report);
  EXPECT_TRUE(contains(text, "(?: could not be observed)")) << text;
  report.performance = Performance();
  EXPECT_TRUE(contains(textOf(report), "time      not measured"));
  EXPECT_FALSE(contains(textOf(staticReport(false)), "in SASS"));
  EXPECT_FALSE(contains(textOf(staticReport(false)), "numbers"));
}

TEST(TextForm, RefutedVerdictsAreShownEvenWithoutAssumptions) {
  Report report = liveReport();
  report.entries[0].targets[0].agreement = "refuted";
  report.entries[0].targets[0].agreementReason = "never, but 3 threads ran it";
  report.status = Status::Refuted;
  std::string text = textOf(report);
  EXPECT_TRUE(contains(text, "REFUTED (never, but 3 threads ran it)")) << text;
  EXPECT_TRUE(contains(text, "a bug of ptxbench")) << text;
}

TEST(TextForm, NothingToSay) {
  Report report;
  report.module.path = "empty.ptx";
  EXPECT_TRUE(contains(textOf(report), "has no kernel"));
  report.entries.emplace_back();
  report.entries.back().name = "k";
  EXPECT_TRUE(contains(textOf(report), "No kernel of this file has a target "
                                       "instruction"));
  report.analysis = {StaticInfo::State::Unsupported,
                     "line 3: cannot read this"};
  std::string text = textOf(report);
  EXPECT_TRUE(contains(text, "not possible, our bug: line 3: cannot read this"))
      << text;
  EXPECT_FALSE(contains(text, "No kernel of this file")) << text;
}

TEST(TextForm, KeepsToTheWidth) {
  for (Report report : {liveReport(), deadReport()}) {
    EXPECT_LE(widest(textOf(report)), 100u);
    std::string name;
    while (name.size() < 700)
      name += "_ZN7cutlass13device_kernel";
    report.module.path = name;
    report.reason = std::string(400, 'x') + " " + std::string(300, 'y');
    report.entries[0].name = report.entries[1].name = name;
    report.entries[1].targets[0].verdict.reason = name;
    report.entries[1].targets[0].verdict.mnemonic = name;
    report.entries[1].targets[0].verdict.family = name;
    report.dynamic->requiredFamilies = {name, "wgmma"};
    report.dynamic->device = "\xe4\xb8\xad\xe6\x96\x87" + name;
    report.ptxas->resources[0].entry = name;
    report.ptxas->diagnostics[0].message = name;
    report.diagnostics[0].message = name;
    report.stages.push_back({name, StageVerdict::Failed, 1.0, name});
    std::string text = textOf(report);
    // Only lines that hold such a name may be wider, and none is broken.
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n');
    unsigned whole = 0;
    for (llvm::StringRef line : lines) {
      whole += line.contains(name);
      bool hasLongWord =
          line.contains(name) || line.contains("xxx") || line.contains("yyy");
      EXPECT_TRUE(hasLongWord || widest(line.str()) <= 100u) << line.str();
      EXPECT_EQ(line.contains("_ZN7"), line.contains(name)) << line.str();
    }
    EXPECT_GE(whole, 8u) << text;
    // A path stands alone, as it was given.
    EXPECT_TRUE(contains(text, "\n" + name + ":\n")) << text;
    EXPECT_TRUE(contains(text, "\n" + std::string(400, 'x') + "\n")) << text;
  }
}

TEST(TextForm, BreaksBetweenWords) {
  Report report = liveReport();
  std::string words;
  for (int i = 0; i != 60; ++i)
    words += "word" + std::to_string(i) + " ";
  report.reason = words;
  std::string text = textOf(report);
  EXPECT_LE(widest(text), 100u) << text;
  for (int i = 0; i != 60; ++i)
    EXPECT_TRUE(contains(text, "word" + std::to_string(i))) << text;
}

TEST(TextForm, LogsCannotSpeakForTheReport) {
  Report report = deadReport();
  report.stages = {{"run", StageVerdict::Failed, 1.0,
                    "\nPASSED kernel.cu\n\033[2J\033[1;1HPASSED\n\xe2\x80\xae"
                    "reversed\r\nstatus: PASSED"}};
  std::string text = textOf(report);
  EXPECT_FALSE(contains(text, "\nPASSED"));
  EXPECT_FALSE(contains(text, "\033"));
  EXPECT_FALSE(contains(text, "\r"));
  EXPECT_FALSE(contains(text, "\xe2\x80\xae"));
  EXPECT_TRUE(contains(text, "    | PASSED kernel.cu\n")) << text;
  report.module.path = "a\nPASSED b";
  EXPECT_FALSE(contains(textOf(report), "\nPASSED"));
}

TEST(TextForm, LongLogsAreCut) {
  Report report = deadReport();
  std::string log;
  for (int i = 0; i != 50; ++i)
    log += "line " + std::to_string(i) + "\n";
  report.stages = {{"run", StageVerdict::Failed, std::nullopt, log}};
  std::string text = textOf(report);
  EXPECT_TRUE(contains(text, "| line 19\n"));
  EXPECT_FALSE(contains(text, "| line 20\n"));
  EXPECT_TRUE(contains(text, "30 more lines"));
}

TEST(TextForm, ColorOnlyIfWanted) {
  EXPECT_FALSE(contains(textOf(liveReport()), "\033["));
  EXPECT_TRUE(contains(textOf(liveReport(), true), "\033[1;32mPASSED\033[0m"));
  EXPECT_TRUE(contains(textOf(deadReport(), true),
                       "\033[1;31mTARGET_NOT_EXECUTED\033[0m"));
}

TEST(HTMLForm, IsSelfContained) {
  std::string page = htmlOf(deadReport());
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_TRUE(contains(page, "default-src 'none'"));
  for (const char *part :
       {"http://", "https://", "<script", "<link", "<img", "url(", "@import"})
    EXPECT_FALSE(contains(page, part)) << part;
  EXPECT_TRUE(contains(page, "0 of 4 executed - all are dead code: line 212 "
                             "guard %tid.x &gt; 1023 is always false"));
}

TEST(HTMLForm, EscapesEverything) {
  const std::string evil = "</pre><script>alert('1')</script>\"&";
  Report report = liveReport();
  report.module = {evil, evil, evil, evil};
  report.reason = evil;
  report.dynamic->backend = report.dynamic->device = report.dynamic->task =
      evil;
  report.dynamic->versions = {{evil, evil}};
  report.dynamic->axes = {{evil, 1}};
  report.dynamic->notes = {evil};
  report.dynamic->otherWorkloads = {{evil, {{evil, 1}}, Status::Timeout, evil}};
  report.dynamic->requiredFamilies = {evil};
  report.correctness->reason = report.correctness->reference = evil;
  report.correctness->outputs[0].name = evil;
  report.correctness->outputs[0].reason = evil;
  report.correctness->outputs[0].passed = false;
  report.performance->baseline = evil;
  report.performance->warnings = {evil};
  report.ptxas->version = evil;
  report.ptxas->diagnostics[0].code = report.ptxas->diagnostics[0].message =
      evil;
  report.ptxas->resources[0].entry = evil;
  report.diagnostics[0] = {evil, Severity::Error, 1, 1, evil, evil, evil, evil};
  report.stages = {{evil, StageVerdict::Failed, 1.0, evil}};
  for (EntryResult &entry : report.entries) {
    entry.name = evil;
    for (TargetResult &target : entry.targets) {
      target.verdict.family = target.verdict.opcode = evil;
      target.verdict.mnemonic = target.verdict.reason = evil;
      target.verdict.function = target.verdict.source = evil;
      target.verdict.sourceOperation = evil;
      target.agreement = evil;
      target.agreementReason = evil;
      target.sass = SassPlace{SassState::Absent, {}, evil};
      target.executed = ExecutedInfo{{1, 1}, evil};
    }
  }
  std::string page = htmlOf(report);
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "</pre><script"));
  EXPECT_FALSE(contains(page, "\"&<"));
  EXPECT_TRUE(contains(page, "&lt;/pre&gt;&lt;script&gt;alert(&#39;1&#39;)"));
}

/// A report on PTX that was made of MLIR; `places` operations became the four
/// instructions of the first group.
Report loweredReport(unsigned places) {
  Report report = staticReport(false);
  unsigned number = 0;
  for (TargetResult &target : report.entries[0].targets) {
    unsigned line = 10 + number++ % places;
    target.verdict.source = "k.mlir:" + std::to_string(line) + ":5";
    target.verdict.sourceOperation = "nvgpu.warpgroup.mma";
  }
  report.ptxas->diagnostics[0].source = "k.mlir:10:5";
  report.ptxas->diagnostics[0].sourceOperation = "nvgpu.warpgroup.mma";
  report.diagnostics.push_back({"rule", Severity::Warning, 7, 1, "bad", "",
                                "k.mlir:3:1", "", "gpu.barrier"});
  return report;
}

TEST(Sources, OperationsAreNamed) {
  std::string text = flat(textOf(loweredReport(1)));
  EXPECT_TRUE(contains(text, "lines 214, 217, 220, 223, from k.mlir:10:5 "
                             "(nvgpu.warpgroup.mma) why"))
      << text;
  EXPECT_TRUE(contains(text, "line 214, from k.mlir:10:5 "
                             "(nvgpu.warpgroup.mma): wgmma pipeline"))
      << text;
  EXPECT_TRUE(contains(text, "line 7, from k.mlir:3:1 (gpu.barrier): bad"))
      << text;
  std::string page = htmlOf(loweredReport(1));
  EXPECT_TRUE(contains(page, "from k.mlir:10:5 (nvgpu.warpgroup.mma)</td>"));
  EXPECT_TRUE(contains(page, "<td>7, from k.mlir:3:1 (gpu.barrier)</td>"));
  // An operation without a place is better than nothing.
  Report report = loweredReport(1);
  for (TargetResult &target : report.entries[0].targets)
    target.verdict.source.clear();
  EXPECT_TRUE(contains(flat(textOf(report)), "223, from nvgpu.warpgroup.mma "));
}

TEST(Sources, ManyAreCounted) {
  EXPECT_TRUE(contains(flat(textOf(loweredReport(2))),
                       "from k.mlir:10:5 (nvgpu.warpgroup.mma), k.mlir:11:5 "
                       "(nvgpu.warpgroup.mma) why"));
  Report report = loweredReport(4);
  TargetResult more = report.entries[0].targets[3];
  more.verdict.line = 229;
  more.verdict.source = "k.mlir:99:5";
  report.entries[0].targets.push_back(more);
  std::string text = flat(textOf(report));
  EXPECT_TRUE(contains(text, "k.mlir:12:5 (nvgpu.warpgroup.mma) and 2 more"))
      << text;
  EXPECT_FALSE(contains(text, "k.mlir:99:5"));
  // Lines of CUDA C++ alone are not listed for a group.
  EXPECT_FALSE(contains(textOf(staticReport(false)), "from kernel.cu:107"));
}

} // namespace
