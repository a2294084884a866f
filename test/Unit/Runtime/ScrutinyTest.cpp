//===- ScrutinyTest.cpp - Tests of the parent's look at reports -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a worker writes into its pipe, honest or forged.
//
//===----------------------------------------------------------------------===//

#include "CUDA/Scrutiny.h"
#include "DeviceFactsUtils.h"
#include "ptxbench/Runtime/Origin.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <chrono>
#include <limits>
#include <thread>

using namespace ptxbench;

namespace {

/// A product whose operations take at least 0.25 ms.
RunRequest product() {
  RunRequest request;
  request.tensors = {
      {"a", {1024, 1024}, ElementType::BFloat16, TensorRole::Input},
      {"c", {1024, 1024}, ElementType::BFloat16, TensorRole::Output}};
  request.reference.flops = 2.7e11;
  return request;
}

/// What came through the pipe: `seconds` of timing and, if `key` is not empty,
/// a result.
ProtocolReader reported(double seconds, llvm::StringRef key = "",
                        llvm::json::Value value = nullptr) {
  ProtocolReader events;
  events.feed("{\"event\":\"stage\",\"name\":\"timing\"}\n");
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  if (!key.empty()) {
    std::string line;
    llvm::raw_string_ostream(line)
        << llvm::json::Value(llvm::json::Object{
               {"event", "result"}, {"key", key}, {"value", std::move(value)}})
        << "\n";
    events.feed(line);
  }
  events.finish();
  return events;
}

RunResult timed(double ms, unsigned calls = 3) {
  RunResult result;
  result.status = RunStatus::Passed;
  result.timing.emplace();
  result.timing->candidate.ms.assign(calls, ms);
  return result;
}

TEST(Scrutiny, HonestTimesStay) {
  RunResult result = timed(1);
  EXPECT_TRUE(scrutinizeTimes(product(), h200(), reported(0.02), result));
  EXPECT_EQ(result.status, RunStatus::Passed);
  ASSERT_TRUE(result.timing->floorMs.has_value());
  EXPECT_NEAR(*result.timing->floorMs, 0.252, 0.001);
}

TEST(Scrutiny, TimesFitIntoTheParentsClock) {
  RunResult result = timed(1);
  result.timing->baseline.ms.assign(3, 1e4);
  EXPECT_FALSE(scrutinizeTimes(product(), h200(), reported(0.02), result));
  EXPECT_EQ(result.status, RunStatus::Rejected);
  EXPECT_EQ(result.code, "TIMES_EXCEED_WALL");
  EXPECT_EQ(result.stage, "timing");
  // Neither does what is no number.
  result = timed(std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(scrutinizeTimes(product(), h200(), reported(0.02), result));
  EXPECT_EQ(result.code, "TIMES_EXCEED_WALL");
}

TEST(Scrutiny, NothingIsFasterThanTheDevice) {
  RunResult result = timed(0.2);
  EXPECT_FALSE(scrutinizeTimes(product(), h200(), reported(0.02), result));
  EXPECT_EQ(result.status, RunStatus::Rejected);
  EXPECT_EQ(result.code, "FASTER_THAN_HARDWARE");
  EXPECT_EQ(result.reason.rfind("FASTER_THAN_HARDWARE: ", 0), 0u);
}

TEST(Scrutiny, UnknownDevicesGetAWarning) {
  RunResult result = timed(0.01);
  DeviceFacts device = h200();
  device.computeMajor = 7;
  EXPECT_TRUE(scrutinizeTimes(product(), device, reported(0.02), result));
  EXPECT_EQ(result.timing->warnings.size(), 1u);
  EXPECT_FALSE(result.timing->floorMs.has_value());
}

TEST(Scrutiny, ViolationsOfTheTimelineDecide) {
  RunResult result = timed(1);
  EXPECT_FALSE(scrutinizeTimes(
      product(), h200(),
      reported(0, "violation", toJSON(Violation{"WORK_OUTSIDE_CALL", "why"})),
      result));
  EXPECT_EQ(result.status, RunStatus::Rejected);
  EXPECT_EQ(result.reason, "WORK_OUTSIDE_CALL: why");
  // One that cannot be read is none of the candidate's.
  result = timed(1);
  EXPECT_FALSE(
      scrutinizeTimes(product(), h200(), reported(0, "violation", 3), result));
  EXPECT_EQ(result.status, RunStatus::InternalError);
}

OriginRecords own() {
  OriginRecords records;
  records.modules = {{WorkOwner::Candidate, "/w/kernel.so", true, false}};
  records.kernels = {{WorkOwner::Candidate, "k", 0, 1}};
  return records;
}

TEST(Scrutiny, OriginsAreReportedOrTheRunIsOff) {
  RunResult result;
  EXPECT_FALSE(scrutinizeOrigins(product(), reported(0), result));
  EXPECT_EQ(result.status, RunStatus::InternalError);
  EXPECT_TRUE(scrutinizeOrigins(product(),
                                reported(0, "origins", toJSON(own())), result));
}

TEST(Scrutiny, ForeignKernelsAreBanned) {
  OriginRecords records = own();
  records.libraries = {"/usr/lib/libcublasLt.so.13"};
  RunResult result;
  EXPECT_FALSE(scrutinizeOrigins(
      product(), reported(0, "origins", toJSON(records)), result));
  EXPECT_EQ(result.status, RunStatus::Banned);
  EXPECT_EQ(result.code, "BANNED_LIBRARY");
}

TEST(Scrutiny, LoadedCodeIsComparedWithWhatWasCompiled) {
  llvm::SmallString<128> path;
  int file;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("ptxbench", "cubin", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << "compiled";
  RunRequest request = product();
  request.cubin = path.str().str();
  OriginRecords records = own();
  records.code = {{WorkOwner::Candidate, std::string(64, '0'), 8}};
  RunResult result;
  EXPECT_FALSE(scrutinizeOrigins(
      request, reported(0, "origins", toJSON(records)), result));
  EXPECT_EQ(result.code, "GENERATED_KERNEL");
  records.code.clear();
  EXPECT_TRUE(scrutinizeOrigins(
      request, reported(0, "origins", toJSON(records)), result));
  llvm::sys::fs::remove(path);
  result = RunResult();
  EXPECT_FALSE(scrutinizeOrigins(request, reported(0, "origins", toJSON(own())),
                                 result));
  EXPECT_EQ(result.status, RunStatus::InternalError);
}

} // namespace
