//===- ReportJSONTest.cpp - The JSON form and the exit status
//---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written reads back the same, what is absent is not written, and what
// does not fit the form is refused with its place.
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "ptxbench/Report/ReportIO.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

#include <limits>
#include <set>

using namespace ptxbench;
using namespace ptxbench::test;

namespace {

llvm::json::Value parsed(const Report &report) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(jsonOf(report));
  EXPECT_TRUE(static_cast<bool>(value));
  return value ? *value : llvm::json::Value(nullptr);
}

std::set<std::string> keysOf(const llvm::json::Object &object) {
  std::set<std::string> keys;
  for (const auto &entry : object)
    keys.insert(entry.first.str());
  return keys;
}

/// The error that the sample gives after `from` was replaced by `to`, once.
std::string errorAfter(const std::string &from, const std::string &to,
                       const Report &report = liveReport()) {
  std::string json = jsonOf(report);
  size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at == std::string::npos)
    return "";
  json.replace(at, from.size(), to);
  llvm::Expected<Report> result = parseReport(json, "r.json");
  if (result)
    return "accepted";
  return llvm::toString(result.takeError());
}

TEST(Status, WordsAndExitStatus) {
  struct Row {
    Status status;
    const char *word;
    int exit, staticExit;
  };
  for (const Row &row :
       {Row{Status::Passed, "PASSED", 0, 0},
        Row{Status::Analyzed, "ANALYZED", 0, 0},
        Row{Status::TargetNotExecuted, "TARGET_NOT_EXECUTED", 1, 1},
        Row{Status::IncorrectShape, "INCORRECT_SHAPE", 1, 1},
        Row{Status::IncorrectNumerical, "INCORRECT_NUMERICAL", 1, 1},
        Row{Status::IncorrectDtype, "INCORRECT_DTYPE", 1, 1},
        Row{Status::RuntimeError, "RUNTIME_ERROR", 1, 1},
        Row{Status::CompileError, "COMPILE_ERROR", 1, 2},
        Row{Status::Timeout, "TIMEOUT", 1, 1},
        Row{Status::ExtractionError, "EXTRACTION_ERROR", 1, 1},
        Row{Status::Banned, "BANNED", 1, 1},
        Row{Status::Rejected, "REJECTED", 1, 1},
        Row{Status::NotRun, "NOT_RUN", 3, 3},
        Row{Status::Refuted, "REFUTED", 3, 3},
        Row{Status::Unsupported, "UNSUPPORTED", 3, 3}}) {
    EXPECT_STREQ(stringifyStatus(row.status), row.word);
    EXPECT_EQ(symbolizeStatus(row.word), row.status);
    EXPECT_EQ(exitCode(row.status), row.exit) << row.word;
    EXPECT_EQ(exitCode(row.status, /*staticOnly=*/true), row.staticExit);
    EXPECT_STRNE(describeStatus(row.status), "");
  }
  EXPECT_FALSE(symbolizeStatus("passed").has_value());
}

TEST(Report, SumsUpVerdicts) {
  Report report = deadReport();
  std::map<std::string, FamilySummary> sums = summarize(report.entries[0]);
  EXPECT_EQ(sums.size(), 3u);
  EXPECT_EQ(sums["wgmma"].never, 4u);
  EXPECT_EQ(sums["wgmma"].total(), 4u);
  EXPECT_EQ(sums["tma"].some, 2u);
  EXPECT_EQ(sums["mbarrier"].maybe, 1u);
}

TEST(Report, CountsAgreements) {
  Report report = liveReport();
  std::optional<CrossCheckTotals> totals = countAgreements(report.entries);
  ASSERT_TRUE(totals.has_value());
  EXPECT_EQ(totals->confirmed, 6u);
  EXPECT_EQ(totals->unobservable, 1u);
  EXPECT_EQ(totals->refuted + totals->undecided, 0u);
  report.entries[1].targets[0].agreement = "refuted";
  report.entries[1].targets[1].agreement = "undecided-idle";
  totals = countAgreements(report.entries);
  EXPECT_EQ(totals->refuted, 1u);
  EXPECT_EQ(totals->undecided, 1u);
  EXPECT_FALSE(countAgreements(staticReport(false).entries).has_value());
}

TEST(Report, RateNeedsBothNumbers) {
  Performance time;
  EXPECT_FALSE(time.tflops().has_value());
  time.flops = 2e12;
  EXPECT_FALSE(time.tflops().has_value());
  time.latencyMs = 0;
  EXPECT_FALSE(time.tflops().has_value());
  time.latencyMs = 2.0;
  EXPECT_DOUBLE_EQ(*time.tflops(), 1000.0);
}

TEST(ReportJSON, RoundTrip) {
  for (const Report &report : {liveReport(), deadReport(), staticReport(false),
                               staticReport(true), Report()}) {
    std::string json = jsonOf(report);
    llvm::Expected<Report> back = parseReport(json, "r.json");
    ASSERT_TRUE(static_cast<bool>(back)) << llvm::toString(back.takeError());
    EXPECT_EQ(jsonOf(*back), json);
    EXPECT_EQ(textOf(*back), textOf(report));
  }
}

TEST(ReportJSON, TimesBesideTheScore) {
  Report report = liveReport();
  report.performance->busyMs = 0.79;
  report.performance->eventMs = 0.81;
  report.performance->hostMs = 0.02;
  report.performance->floorMs = 0.5617;
  report.performance->clocksBefore.smMHz = 1980;
  report.performance->clocksAfter.powerW = 690;
  report.performance->clocksAfter.throttleReasons = {"sw-power-cap"};
  std::string json = jsonOf(report);
  llvm::Expected<Report> back = parseReport(json, "r.json");
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(back->performance->busyMs, 0.79);
  EXPECT_EQ(back->performance->eventMs, 0.81);
  EXPECT_EQ(back->performance->hostMs, 0.02);
  EXPECT_EQ(back->performance->floorMs, 0.5617);
  EXPECT_EQ(back->performance->clocksBefore.smMHz, 1980u);
  EXPECT_FALSE(back->performance->clocksBefore.throttleReasons);
  EXPECT_EQ(back->performance->clocksAfter.powerW, 690u);
  EXPECT_EQ(back->performance->clocksAfter.throttling(), "sw-power-cap");
  EXPECT_EQ(jsonOf(*back), json);
  EXPECT_FALSE(liveReport().performance->busyMs.has_value());
}

TEST(ReportJSON, Keys) {
  llvm::json::Value value = parsed(liveReport());
  EXPECT_EQ(keysOf(*value.getAsObject()),
            (std::set<std::string>{"schema", "status", "module", "static",
                                   "entries", "diagnostics", "ptxas",
                                   "machine_code", "dynamic", "crosscheck",
                                   "correctness", "performance", "stages"}));
  const llvm::json::Object &entry =
      *(*value.getAsObject()->getArray("entries"))[1].getAsObject();
  EXPECT_EQ(keysOf(entry),
            (std::set<std::string>{"name", "assumptions", "targets", "launches",
                                   "summary"}));
  EXPECT_EQ(
      keysOf(*(*entry.getArray("targets"))[0].getAsObject()),
      (std::set<std::string>{"family", "opcode", "mnemonic", "line", "column",
                             "inline_asm", "source", "reach", "scope", "reason",
                             "predicted", "sass", "executed", "agreement"}));
  EXPECT_EQ(
      (*(*entry.getArray("launches"))[0].getAsObject()).getString("params"),
      llvm::StringRef("0001feff"));
}

TEST(Report, OperationsThatThePTXWasMadeOf) {
  Report report = staticReport(false);
  report.entries[0].targets[0].verdict.sourceOperation = "nvvm.elect.sync";
  report.diagnostics.push_back({"rule", Severity::Warning, 7, 1, "bad", "",
                                "k.mlir:3:1", "", "gpu.barrier"});
  report.ptxas->diagnostics[0].source = "k.mlir:4:1";
  report.ptxas->diagnostics[0].sourceOperation = "nvvm.mma.sync";
  std::string text;
  llvm::raw_string_ostream os(text);
  writeJSON(report, os);
  llvm::Expected<Report> read = parseReport(text, "report.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->entries[0].targets[0].verdict.sourceOperation,
            "nvvm.elect.sync");
  EXPECT_EQ(read->entries[0].targets[1].verdict.sourceOperation, "");
  EXPECT_EQ(read->diagnostics.back().source, "k.mlir:3:1");
  EXPECT_EQ(read->diagnostics.back().sourceOperation, "gpu.barrier");
  EXPECT_EQ(read->ptxas->diagnostics[0].source, "k.mlir:4:1");
  EXPECT_EQ(read->ptxas->diagnostics[0].sourceOperation, "nvvm.mma.sync");
}

/// Exit status of the schema checker on all of `texts`; 77 if it cannot run
/// here.
int checkSchema(const std::vector<std::string> &texts) {
  llvm::ErrorOr<std::string> python = llvm::sys::findProgramByName("python3");
  if (!python)
    return 77;
  std::vector<llvm::SmallString<128>> paths;
  for (const std::string &text : texts) {
    int file = -1;
    paths.emplace_back();
    if (llvm::sys::fs::createTemporaryFile("report", "json", file,
                                           paths.back()))
      return -1;
    llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
    os << text;
  }
  std::vector<llvm::StringRef> arguments = {*python, PTXBENCH_SCHEMA_CHECK,
                                            "--strict-schema"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  int status = llvm::sys::ExecuteAndWait(*python, arguments);
  for (const auto &path : paths)
    llvm::sys::fs::remove(path);
  return status;
}

TEST(ReportJSON, FitsTheSchema) {
  Report odd = liveReport();
  odd.correctness->relativeL2 = std::numeric_limits<double>::quiet_NaN();
  odd.entries[1].targets[0].verdict.function = "helper";
  odd.entries[1].targets[0].verdict.inlineAsm.reset();
  odd.entries[1].targets[0].executed = ExecutedInfo{{}, "cupti"};
  odd.dynamic->workload = "";
  odd.performance = Performance();
  int status =
      checkSchema({jsonOf(Report()), jsonOf(liveReport()), jsonOf(deadReport()),
                   jsonOf(staticReport(true)), jsonOf(odd)});
  if (status == 77)
    GTEST_SKIP() << "no python3 with jsonschema";
  EXPECT_EQ(status, 0);
}

TEST(ReportJSON, TheSchemaRefuses) {
  for (auto [from, to] :
       {std::pair("\"family\"", "\"famly\""), std::pair("\"cta\"", "\"warp\""),
        std::pair("\"0001feff\"", "\"0001fef\"")}) {
    std::string broken = jsonOf(liveReport());
    size_t at = broken.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    broken.replace(at, std::string(from).size(), to);
    int status = checkSchema({broken});
    if (status == 77)
      GTEST_SKIP() << "no python3 with jsonschema";
    EXPECT_EQ(status, 1) << to;
  }
}

TEST(ReportJSON, AbsentIsNotWritten) {
  llvm::json::Value value = parsed(staticReport(false));
  EXPECT_EQ(keysOf(*value.getAsObject()),
            (std::set<std::string>{"schema", "status", "module", "static",
                                   "entries", "diagnostics", "ptxas"}));
  const llvm::json::Object &entry =
      *(*value.getAsObject()->getArray("entries"))[0].getAsObject();
  const llvm::json::Object &target =
      *(*entry.getArray("targets"))[6].getAsObject();
  for (const char *key :
       {"sass", "executed", "agreement", "predicted", "scope"})
    EXPECT_EQ(target.get(key), nullptr) << key;
  EXPECT_EQ(entry.getObject("assumptions")->get("launch")->kind(),
            llvm::json::Value::Null);
  // A count of which nothing is known is not an empty object.
  Report report = staticReport(false);
  report.entries[0].targets[0].executed = ExecutedInfo{{}, "cupti"};
  report.entries[0].targets[0].verdict.predicted = Prediction();
  EXPECT_EQ(jsonOf(report).find("executed"), std::string::npos);
}

TEST(ReportJSON, NumbersThatAreNotFinite) {
  Report report = liveReport();
  report.correctness->relativeL2 = std::numeric_limits<double>::quiet_NaN();
  report.correctness->maxAbsoluteError = HUGE_VAL;
  report.correctness->maxRelativeError = -HUGE_VAL;
  std::string json = jsonOf(report);
  EXPECT_NE(json.find("\"relative_l2\": \"NaN\""), std::string::npos);
  EXPECT_NE(json.find("\"max_absolute_error\": \"Infinity\""),
            std::string::npos);
  EXPECT_NE(json.find("\"max_relative_error\": \"-Infinity\""),
            std::string::npos);
  llvm::Expected<Report> back = parseReport(json, "r.json");
  ASSERT_TRUE(static_cast<bool>(back));
  EXPECT_TRUE(std::isnan(*back->correctness->relativeL2));
  EXPECT_EQ(back->correctness->maxAbsoluteError, HUGE_VAL);
}

TEST(ReportJSON, ShortestNumbers) {
  std::string json = jsonOf(liveReport());
  EXPECT_NE(json.find("\"baseline_ms\": 0.74,"), std::string::npos);
  Report report = liveReport();
  report.performance->latencyMs = 0.1 + 0.2;
  EXPECT_NE(jsonOf(report).find("0.30000000000000004"), std::string::npos);
}

TEST(ReportJSON, StringsThatAreNotUTF8) {
  Report report = staticReport(false);
  report.module.path = "a\xff\"\n\x01";
  llvm::Expected<Report> back = parseReport(jsonOf(report), "r.json");
  ASSERT_TRUE(static_cast<bool>(back));
  EXPECT_EQ(back->module.path, "a\xef\xbf\xbd\"\n\x01");
}

TEST(ReportJSON, LargeCountsAreExact) {
  Report report = liveReport();
  report.entries[1].targets[0].executed->count.threads = ~uint64_t(0) - 1;
  llvm::Expected<Report> back = parseReport(jsonOf(report), "r.json");
  ASSERT_TRUE(static_cast<bool>(back));
  EXPECT_EQ(back->entries[1].targets[0].executed->count.threads,
            ~uint64_t(0) - 1);
}

TEST(ReportJSON, RefusesWhatDoesNotFit) {
  EXPECT_EQ(errorAfter("report.v1", "report.v2"),
            "r.json:2: schema: expected \"ptxbench.report.v1\" but got "
            "\"ptxbench.report.v2\"");
  EXPECT_NE(errorAfter("\"PASSED\"", "\"FINE\"").find("but got \"FINE\""),
            std::string::npos);
  EXPECT_NE(errorAfter("\"reach\": \"some\"", "\"reach\": \"often\"")
                .find("entries[0].targets[0].reach: expected one of all, some, "
                      "maybe, never but got \"often\""),
            std::string::npos);
  EXPECT_NE(errorAfter("\"scope\": \"cta\"", "\"scope\": \"warp\"")
                .find("targets[0].scope: expected one of cta, cluster, grid"),
            std::string::npos);
  EXPECT_NE(errorAfter("\"reach\": \"some\"", "\"reach\": \"all\"")
                .find("expected \"scope\" with reach \"some\" only"),
            std::string::npos);
  EXPECT_NE(errorAfter("\"line\": 214", "\"line\": 0")
                .find("line: expected a number from 1 but got 0"),
            std::string::npos);
  EXPECT_NE(errorAfter("\"line\": 214", "\"line\": 4294967296")
                .find("expected a whole number below 2^32"),
            std::string::npos);
  EXPECT_NE(
      errorAfter("\"opcode\"", "\"opcod\"").find("expected a field \"opcode\""),
      std::string::npos);
  EXPECT_NE(
      errorAfter("\"agreement\": \"confirmed\"", "\"agreement\": \"sure\"")
          .find("entries[1].targets[0].agreement: expected one of"),
      std::string::npos);
  EXPECT_NE(errorAfter("\"0001feff\"", "\"0001fef\"")
                .find("launches[0].params: expected two hexadecimal digits per "
                      "byte but got 7 digits"),
            std::string::npos);
  EXPECT_NE(errorAfter("\"0001feff\"", "\"0001fefx\"")
                .find("expected hexadecimal digits"),
            std::string::npos);
  EXPECT_NE(errorAfter("\"device\"", "\"divice\"")
                .find("dynamic.divice: unknown field"),
            std::string::npos);
  EXPECT_NE(errorAfter("\"severity\": \"warning\"", "\"severity\": \"bad\"")
                .find("severity: expected one of error, warning"),
            std::string::npos);
  EXPECT_NE(errorAfter("\"state\": \"present\"", "\"state\": \"here\"")
                .find("sass.state"),
            std::string::npos);
  EXPECT_NE(errorAfter("\"verdict\": \"passed\"", "\"verdict\": \"ok\"")
                .find("stages[0].verdict"),
            std::string::npos);
}

TEST(ReportJSON, RefusesWrongExtents) {
  std::string json = jsonOf(liveReport());
  size_t at = json.find("264,");
  ASSERT_NE(at, std::string::npos);
  std::string zero = json, two = json;
  zero.replace(at, 4, "0,");
  two.replace(at, 4, "");
  for (auto [text, what] : {std::pair(zero, "expected extents from 1"),
                            std::pair(two, "expected three extents")}) {
    llvm::Expected<Report> result = parseReport(text, "r.json");
    ASSERT_FALSE(static_cast<bool>(result));
    std::string error = llvm::toString(result.takeError());
    EXPECT_NE(error.find("assumptions.launch.grid"), std::string::npos)
        << error;
    EXPECT_NE(error.find(what), std::string::npos) << error;
  }
}

TEST(ReportJSON, RefusesSumsThatDoNotFit) {
  EXPECT_NE(errorAfter("\"some\": 4,", "\"some\": 5,")
                .find("summary.wgmma: expected the counts of the verdicts"),
            std::string::npos);
  EXPECT_NE(errorAfter("\"confirmed\": 6,", "\"confirmed\": 7,")
                .find("crosscheck: expected the totals of the agreements"),
            std::string::npos);
}

TEST(ReportJSON, EveryTruncationIsRefused) {
  std::string json = jsonOf(liveReport());
  for (size_t size = 0; size + 2 < json.size(); size += 97) {
    llvm::Expected<Report> result =
        parseReport(llvm::StringRef(json).take_front(size), "r.json");
    EXPECT_FALSE(static_cast<bool>(result));
    if (!result) {
      EXPECT_EQ(llvm::toString(result.takeError()).substr(0, 7), "r.json:");
    }
  }
}

} // namespace
