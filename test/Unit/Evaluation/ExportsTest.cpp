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
  EXPECT_EQ(row(makeRecord(Status::ExtractionError)),
            "0-ab,,Extraction error,,,,,,,,,,,,,,,missing_source");
  EXPECT_EQ(row(makeRecord(Status::Timeout)),
            "0-ab,,Kernel Execution Timeout,,,,,,,,,,,,,,,"
            "cubin_inspection_error");
}

TEST(TraceTest, Objects) {
  Record passed = makeRecord(Status::Passed);
  passed.latencyMs = 1;
  passed.baselineMs = 2;
  passed.speedup = 2;
  passed.maxAbsoluteError = INFINITY;
  llvm::json::Value value = toFlashInferTrace(
      passed,
      llvm::json::Object{{"A", llvm::json::Object{{"type", "random"}}}});
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

  auto statusOf = [](Status status) {
    llvm::json::Value trace = toFlashInferTrace(makeRecord(status), {});
    const llvm::json::Object *object = trace.getAsObject();
    return object ? object->getObject("evaluation")->getString("status")->str()
                  : "none";
  };
  // Whoever reads only this must not take it for passed.
  EXPECT_EQ(statusOf(Status::TargetNotExecuted), "RUNTIME_ERROR");
  EXPECT_EQ(statusOf(Status::Banned), "COMPILE_ERROR");
  EXPECT_EQ(statusOf(Status::IncorrectNumerical), "INCORRECT_NUMERICAL");
  EXPECT_EQ(statusOf(Status::NotRun), "none");
  // PASSED without a time has no form there.
  EXPECT_EQ(statusOf(Status::Passed), "none");
}
