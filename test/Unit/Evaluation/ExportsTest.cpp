//===- ExportsTest.cpp - Tests of results in the forms of other tools -----===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows and objects word by word.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/Exports.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace ptxbench;

static Record makeRecord(Status status) {
  Record record;
  record.key = "0-ab";
  record.task = "t";
  record.status = status;
  record.reached = milestoneOf(status, false);
  record.device = "H200";
  record.workload = "w";
  record.timestamp = "2026-01-02T03:04:05Z";
  return record;
}

static std::string row(const Record &record) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeTurnsCSV({record}, os);
  llvm::StringRef lines = text;
  EXPECT_EQ(lines.count('\n'), 2u);
  // As many cells as columns, unless one is quoted.
  EXPECT_EQ(lines.split('\n').first.count(','), 17u);
  return lines.split('\n').second.rtrim().str();
}

TEST(TurnsTest, Rows) {
  Record passed = makeRecord(Status::Passed);
  passed.trajectory = "a,\"b\"";
  passed.turn = 2;
  passed.speedup = 0.5;
  passed.machineCode = {"5ac0", {{"gmma", {4, 128}}, {"tma", {2, 0}}}};
  EXPECT_EQ(row(passed),
            "\"a,\"\"b\"\"\",2,Correct,0.5,H,4,2,0,5ac0,H,4,2,0,128,0,,0-ab,"
            "dynamic_present");
  // Right numbers, and nothing executed.
  Record dead = makeRecord(Status::TargetNotExecuted);
  dead.machineCode = {"5ac0", {{"gmma", {4, 0}}}};
  EXPECT_EQ(
      row(dead),
      "0-ab,,Correct,,H,4,0,0,5ac0,H,4,0,0,0,,,0-ab,dynamic_not_executed");
  // Counted and not profiled; asked for, and there is no profile.
  dead.machineCode->families["gmma"].threads.reset();
  EXPECT_EQ(row(dead), "0-ab,,Correct,,H,4,0,0,5ac0,,,,,,,,,not_requested");
  dead.backend = "cuda";
  dead.stages["executed-targets"] = "unsupported";
  EXPECT_EQ(row(dead), "0-ab,,Correct,,H,4,0,0,5ac0,,,,,,,,,profile_error");
  dead.machineCode->families["gmma"].instructions = 0;
  dead.machineCode->families["tcgen"] = {1, 32};
  EXPECT_EQ(row(dead),
            "0-ab,,Correct,,B,0,0,1,5ac0,B,0,0,1,,,32,0-ab,dynamic_present");
  dead.machineCode->families["tcgen"] = {0, std::nullopt};
  EXPECT_EQ(row(dead), "0-ab,,Correct,,,0,0,0,5ac0,,,,,,,,,cubin_sass_absent");
  EXPECT_EQ(row(makeRecord(Status::CompileError)),
            "0-ab,,Compilation error,,,,,,,,,,,,,,,");
  // Compiled, and nothing here could run it.
  Record elsewhere = makeRecord(Status::NotRun);
  EXPECT_EQ(row(elsewhere), "0-ab,,Other error,,,,,,,,,,,,,,,");
  elsewhere.machineCode = {"5ac0", {{"tcgen", {3, std::nullopt}}}};
  EXPECT_EQ(row(elsewhere),
            "0-ab,,Other error,,B,0,0,3,5ac0,,,,,,,,,not_requested");
  EXPECT_EQ(row(makeRecord(Status::ExtractionError)),
            "0-ab,,Extraction error,,,,,,,,,,,,,,,missing_source");
  EXPECT_EQ(row(makeRecord(Status::Timeout)),
            "0-ab,,Kernel Execution Timeout,,,,,,,,,,,,,,,"
            "cubin_inspection_error");
}

/// The statuses of a record's traces, each with its workload and its error.
static std::string traces(const Record &record) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const llvm::json::Value &trace :
       toFlashInferTraces(record, [](llvm::StringRef workload) {
         return llvm::json::Object{
             {"A", llvm::json::Object{{"type", workload.str()}}}};
       })) {
    const llvm::json::Object *object = trace.getAsObject(),
                             *workload = object->getObject("workload"),
                             *evaluation = object->getObject("evaluation");
    llvm::StringRef uuid = *workload->getString("uuid");
    // Each has the inputs of its own workload.
    EXPECT_EQ(workload->getObject("inputs")->getObject("A")->getString("type"),
              uuid);
    os << uuid << " M=" << *workload->getObject("axes")->getInteger("M") << ' '
       << *evaluation->getString("status");
    if (const llvm::json::Object *numbers =
            evaluation->getObject("correctness"))
      os << ' ' << *numbers->get("max_absolute_error");
    os << '\n';
  }
  return text;
}

TEST(TraceTest, OneForEachWorkload) {
  Record record = makeRecord(Status::IncorrectNumerical);
  record.axes = {{"M", 2}};
  record.maxAbsoluteError = 0.125;
  EXPECT_EQ(traces(record), "w M=2 INCORRECT_NUMERICAL 0.125\n");
  // The first was right, and is not called PASSED without a speedup.
  record.otherWorkloads = {
      {"u", {{"M", 4}}, Status::Passed, "", 0, 0},
      {"v", {{"M", 5}}, Status::IncorrectNumerical, "wrong", 0.5, 1}};
  record.latencyMs = record.baselineMs = 1;
  EXPECT_EQ(traces(record), "v M=5 INCORRECT_NUMERICAL 0.5\n");
  record.status = Status::Timeout;
  record.otherWorkloads = {{"u", {{"M", 4}}, Status::Timeout, "long"}};
  EXPECT_EQ(traces(record), "u M=4 TIMEOUT\n");
  // All are right: that of the one that was timed.
  record.status = Status::Passed;
  record.speedup = 1;
  record.otherWorkloads = {{"u", {{"M", 4}}, Status::Passed, "", 0, 0}};
  EXPECT_EQ(traces(record), "w M=2 PASSED 0.125\n");
  // Nothing is known of one: nothing is said.
  record.status = Status::NotRun;
  record.reached.reset();
  record.otherWorkloads = {{"u", {{"M", 4}}, Status::NotRun, "no room"}};
  EXPECT_EQ(traces(record), "");
}

TEST(TraceTest, Objects) {
  Record passed = makeRecord(Status::Passed);
  passed.latencyMs = 1;
  passed.baselineMs = 2;
  passed.speedup = 2;
  passed.maxAbsoluteError = INFINITY;
  auto inputs = [](llvm::StringRef) {
    return llvm::json::Object{{"A", llvm::json::Object{{"type", "random"}}}};
  };
  std::vector<llvm::json::Value> made = toFlashInferTraces(passed, inputs);
  ASSERT_EQ(made.size(), 1u);
  const llvm::json::Value &value = made.front();
  const llvm::json::Object *evaluation =
      value.getAsObject()->getObject("evaluation");
  EXPECT_EQ(evaluation->getString("status"), "PASSED");
  EXPECT_EQ(
      evaluation->getObject("performance")->getNumber("reference_latency_ms"),
      2);
  EXPECT_EQ(
      evaluation->getObject("correctness")->getString("max_absolute_error"),
      "Infinity");
  EXPECT_EQ(value.getAsObject()->getString("solution"), "0-ab");
  EXPECT_EQ(value.getAsObject()
                ->getObject("workload")
                ->getObject("inputs")
                ->getObject("A")
                ->getString("type"),
            "random");

  auto statusOf = [&](Status status) {
    std::vector<llvm::json::Value> traces =
        toFlashInferTraces(makeRecord(status), inputs);
    return traces.empty() ? "none"
                          : traces.front()
                                .getAsObject()
                                ->getObject("evaluation")
                                ->getString("status")
                                ->str();
  };
  // Whoever reads only this must not take it for passed.
  EXPECT_EQ(statusOf(Status::TargetNotExecuted), "RUNTIME_ERROR");
  EXPECT_EQ(statusOf(Status::Banned), "COMPILE_ERROR");
  EXPECT_EQ(statusOf(Status::IncorrectNumerical), "INCORRECT_NUMERICAL");
  EXPECT_EQ(statusOf(Status::NotRun), "none");
  // PASSED without a time has no form there.
  EXPECT_EQ(statusOf(Status::Passed), "none");
}
