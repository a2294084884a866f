//===- TraceTest.cpp - Tests of traces as JSON ----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace survives writing and reading exactly; what does not belong in one is
// refused with its place.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Trace/Trace.h"
#include "ptxbench/Trace/ClockReading.h"
#include "ptxbench/Trace/ReachCount.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace ptxbench;
namespace json = llvm::json;

static Trace sample() {
  LaunchRecord launch;
  launch.kernel = "k";
  launch.grid = {264, 2, 1};
  launch.block = {128, 1, 1};
  launch.dynamicSharedBytes = 196608;
  launch.params = std::vector<uint8_t>{0x00, 0xab, 0xff};
  launch.paramOffsets = {0, 1};
  launch.count = 3;

  SassCount count;
  count.pc = 0x670;
  count.opcode = 0x9f0;
  count.name = "HGMMA";
  count.warps = 0xfffffffffffffffe;
  count.threads = (uint64_t(1) << 53) + 1;

  TargetCount present;
  present.line = 110;
  present.column = 2;
  present.opcode = "wgmma.mma_async";
  present.sass = SassState::Present;
  present.pcs = {0x670, 0xffffffffffffffff};
  present.executed = ExecutionCount{5, std::nullopt};
  present.warpsExact = true;
  present.exclusive = false;

  TargetCount unknown;
  unknown.line = 7;
  unknown.column = 1;
  unknown.opcode = "mapa";
  unknown.complete = false;
  unknown.reason = "becomes plain \"integer\" instructions";

  KernelTrace kernel;
  kernel.name = "k";
  kernel.aborted = true;
  kernel.launches = {launch};
  kernel.sass = {count};
  kernel.targets = {present, unknown};

  Trace trace;
  trace.source = "cupti";
  trace.environment = {{"chip", "GH100"}, {"driver", "580.159"}};
  trace.ptxSha256 = "00ff";
  trace.kernels = {kernel};
  return trace;
}

static std::string print(const Trace &trace) {
  return llvm::formatv("{0:2}", toJSON(trace)).str();
}

static std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Trace> trace = parseTrace(text, "t.json");
  return trace ? "" : llvm::toString(trace.takeError());
}

/// The text of the sample with one change.
static std::string changed(llvm::StringRef from, llvm::StringRef to) {
  std::string text = print(sample());
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(TraceTest, RoundTrip) {
  std::string text = print(sample());
  llvm::Expected<Trace> trace = parseTrace(text, "t.json");
  ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError());
  EXPECT_EQ(print(*trace), text);
  EXPECT_EQ(trace->environment, sample().environment);
  const KernelTrace *kernel = trace->findKernel("k");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(trace->findKernel("other"), nullptr);
  EXPECT_TRUE(kernel->aborted);
  // 64 bits survive.
  EXPECT_EQ(kernel->sass[0].warps, 0xfffffffffffffffeu);
  EXPECT_EQ(kernel->sass[0].threads, (uint64_t(1) << 53) + 1);
  EXPECT_EQ(kernel->targets[0].pcs[1], 0xffffffffffffffffu);
  EXPECT_EQ(kernel->launches[0].params,
            (std::vector<uint8_t>{0x00, 0xab, 0xff}));
  EXPECT_EQ(kernel->launches[0].paramOffsets, (std::vector<uint64_t>{0, 1}));
  EXPECT_EQ(kernel->launches[0].grid, (Dim3{264, 2, 1}));
}

TEST(TraceTest, AbsentIsAbsent) {
  std::string text = print(sample());
  llvm::Expected<Trace> trace = parseTrace(text, "t.json");
  ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError());
  const TargetCount &known = trace->kernels[0].targets[0];
  ASSERT_TRUE(known.executed);
  EXPECT_EQ(known.executed->warps, 5u);
  EXPECT_FALSE(known.executed->threads);
  const TargetCount &unknown = trace->kernels[0].targets[1];
  EXPECT_FALSE(unknown.executed);
  EXPECT_FALSE(unknown.sass);
  EXPECT_EQ(text.find("null"), std::string::npos);
  EXPECT_EQ(toJSON(ExecutionCount{}), json::Value(json::Object{}));
}

TEST(TraceTest, Findings) {
  // A trace without any has no such field.
  EXPECT_EQ(print(sample()).find("findings"), std::string::npos);
  Trace trace = sample();
  trace.findings.push_back({"k", "out-of-bounds", "4 bytes", 12, 3});
  std::string text = print(trace);
  llvm::Expected<Trace> read = parseTrace(text, "t.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(print(*read), text);
  ASSERT_EQ(read->findings.size(), 1u);
  EXPECT_EQ(read->findings[0].id, "out-of-bounds");
  EXPECT_EQ(read->findings[0].line, 12u);
  EXPECT_EQ(read->findings[0].launches, 1u);
  EXPECT_EQ(text.find("other_line"), std::string::npos);
  trace.findings[0].otherLine = 9;
  trace.findings[0].by = "thread (1, 0, 0) of CTA (0, 0, 0)";
  trace.findings[0].launches = 6;
  std::string whole = print(trace);
  read = parseTrace(whole, "t.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(print(*read), whole);
  EXPECT_EQ(read->findings[0].otherLine, 9u);
  EXPECT_EQ(read->findings[0].by, trace.findings[0].by);
  EXPECT_EQ(read->findings[0].launches, 6u);
  size_t at = text.find("\"id\": \"out-of-bounds\"");
  ASSERT_NE(at, std::string::npos);
  std::string error = errorOf(text.replace(at, 4, "\"what\""));
  EXPECT_NE(error.find("findings"), std::string::npos) << error;
}

TEST(TraceTest, ParamsAreLowerCaseHex) {
  EXPECT_NE(print(sample()).find("\"params\": \"00abff\""), std::string::npos);
  EXPECT_NE(errorOf(changed("00abff", "00ABFF"))
                .find("expected an even number of lower-case hex digits"),
            std::string::npos);
  EXPECT_NE(errorOf(changed("00abff", "00abf")).find("params"),
            std::string::npos);
}

TEST(TraceTest, ErrorsNameTheirPlace) {
  struct {
    const char *from, *to, *rule, *place;
  } cases[] = {
      {"ptxbench.trace.v1", "ptxbench.trace.v2",
       "expected \"ptxbench.trace.v1\"", "schema"},
      {"\"source\": \"cupti\"", "\"source\": 3", "expected a string", "source"},
      {"\"source\"", "\"sources\"", "expected a field \"source\"", ""},
      {"\"schema\"", "\"extra\": 1, \"schema\"", "unknown field", "extra"},
      {"\"aborted\": true", "\"aborted\": 0", "expected true or false",
       "kernels[0].aborted"},
      {"\"aborted\": true,", "", "expected a field \"aborted\"", "kernels[0]"},
      {"18446744073709551614", "18446744073709551616",
       "expected a whole number", "kernels[0].sass[0].warps"},
      {"18446744073709551614", "-1", "expected a whole number",
       "kernels[0].sass[0].warps"},
      {"18446744073709551614", "1.5", "expected a whole number",
       "kernels[0].sass[0].warps"},
      {"\"opcode\": 2544", "\"opcode\": 4096", "expected at most 12 bits",
       "kernels[0].sass[0].opcode"},
      {"\"line\": 7", "\"line\": 4294967296",
       "expected a whole number below 2^32", "kernels[0].targets[1].line"},
      {"\"present\"", "\"gone\"", "expected \"present\"",
       "kernels[0].targets[0].sass"},
      {"264", "0", "expected extents", "kernels[0].launches[0].grid"},
      {"\"count\": 3", "\"count\": 0", "expected at least one launch",
       "kernels[0].launches[0].count"},
      {"\"warps\": 5", "\"warp\": 5", "unknown field", "targets[0].executed"},
      {"\"GH100\"", "[]", "expected a string", "environment.chip"},
  };
  for (const auto &test : cases) {
    std::string error = errorOf(changed(test.from, test.to));
    EXPECT_EQ(error.rfind("t.json:", 0), 0u) << error;
    EXPECT_TRUE(error[7] >= '1' && error[7] <= '9') << error;
    EXPECT_NE(error.find(test.rule), std::string::npos)
        << test.to << ": " << error;
    EXPECT_NE(error.find(test.place), std::string::npos)
        << test.to << ": " << error;
  }
  EXPECT_NE(errorOf("{"), "");
  EXPECT_NE(errorOf("[]").find("expected an object"), std::string::npos);
}

TEST(TraceTest, LaunchesThatAccountForTheCounts) {
  KernelTrace kernel;
  EXPECT_FALSE(launchesAccountForCounts(kernel));
  LaunchRecord launch;
  launch.grid = {3, 2, 1};
  launch.block = {33, 1, 1};
  launch.count = 2;
  kernel.launches = {launch};
  SassCount first, second;
  first.warps = 24; // 2 x 6 CTAs of 2 warps
  second.pc = 16;
  kernel.sass = {second};
  EXPECT_FALSE(launchesAccountForCounts(kernel));
  kernel.sass = {second, first};
  EXPECT_TRUE(launchesAccountForCounts(kernel));
  kernel.sass[1].warps = 25;
  EXPECT_FALSE(launchesAccountForCounts(kernel));
  // Never launched, never counted.
  kernel.launches.clear();
  kernel.sass[1].warps = 0;
  EXPECT_TRUE(launchesAccountForCounts(kernel));
  // A product that 64 bits do not hold is not taken for a count.
  launch.grid = launch.block = {~0u, ~0u, ~0u};
  kernel.launches = {launch};
  kernel.sass[1].warps = ~uint64_t(0);
  EXPECT_FALSE(launchesAccountForCounts(kernel));
}

TEST(TraceTest, ParametersWhereADriverHasThem) {
  // .param .align 8 .b8 a[8], .param .align 64 .b8 b[64], .param .u32 c: b is
  // at 64 for the ISA, and at 48 in a constant bank that begins at 0x210.
  LaunchRecord launch;
  launch.kernel = "k";
  launch.params.emplace(116, 0);
  (*launch.params)[0] = 1;
  (*launch.params)[48] = 2;
  (*launch.params)[112] = 3;
  launch.paramOffsets = {0, 48, 112};
  const std::vector<std::pair<uint64_t, uint64_t>> places = {
      {0, 8}, {64, 64}, {128, 4}};
  LaunchRecord laidOut = launch;
  layOutParams(laidOut, places);
  ASSERT_TRUE(laidOut.params);
  ASSERT_EQ(laidOut.params->size(), 132u);
  EXPECT_EQ((*laidOut.params)[0], 1);
  EXPECT_EQ((*laidOut.params)[48], 0);
  EXPECT_EQ((*laidOut.params)[64], 2);
  EXPECT_EQ((*laidOut.params)[128], 3);
  EXPECT_TRUE(laidOut.paramOffsets.empty());
  // Once is enough.
  LaunchRecord again = laidOut;
  layOutParams(again, places);
  EXPECT_EQ(again.params, laidOut.params);
  // Another number of parameters, or one beyond the end: nothing is known.
  LaunchRecord fewer = launch;
  layOutParams(fewer, {{0, 8}});
  EXPECT_FALSE(fewer.params);
  LaunchRecord outside = launch;
  outside.paramOffsets[2] = 113;
  layOutParams(outside, places);
  EXPECT_FALSE(outside.params);
}

TEST(TraceTest, ReasonsThatSlowADeviceDown) {
  ClockReading clocks;
  EXPECT_TRUE(clocks.empty());
  EXPECT_EQ(clocks.throttling(), "");
  clocks.throttleReasons = {"gpu-idle", "applications-clocks-setting"};
  EXPECT_FALSE(clocks.empty());
  EXPECT_EQ(clocks.throttling(), "");
  clocks.throttleReasons = {"gpu-idle", "sw-power-cap", "hw-slowdown"};
  EXPECT_EQ(clocks.throttling(), "sw-power-cap, hw-slowdown");
}

TEST(TraceTest, LaunchedAndNotCounted) {
  KernelTrace kernel;
  EXPECT_FALSE(kernel.uncounted());
  kernel.launches.emplace_back();
  EXPECT_TRUE(kernel.uncounted());
  kernel.sass.emplace_back();
  EXPECT_FALSE(kernel.uncounted());
}

TEST(TraceTest, Spellings) {
  for (Reach reach : {Reach::Never, Reach::All, Reach::Some, Reach::Maybe})
    EXPECT_EQ(symbolizeReach(stringifyReach(reach)), reach);
  for (Scope scope : {Scope::CTA, Scope::Cluster, Scope::Grid})
    EXPECT_EQ(symbolizeScope(stringifyScope(scope)), scope);
  for (SassState state :
       {SassState::Present, SassState::Absent, SassState::Unobservable})
    EXPECT_EQ(symbolizeSassState(stringifySassState(state)), state);
  EXPECT_FALSE(symbolizeReach("Never"));
  EXPECT_FALSE(symbolizeScope(""));
  EXPECT_FALSE(symbolizeSassState("there"));
  EXPECT_STREQ(stringifyReach(Reach::All), "all");
}

TEST(TraceTest, HowManyCanExecute) {
  EXPECT_EQ(sayPossible(6, 6, 6), "6 of 6 can execute");
  EXPECT_EQ(sayPossible(6, 4, 4), "4 of 6 can execute");
  EXPECT_EQ(sayPossible(6, 4, 2), "2 of 6 can execute, 2 undecided");
  EXPECT_EQ(sayPossible(6, 4, 0), "4 of 6 may execute");
  EXPECT_EQ(sayPossible(6, 0, 0), "0 of 6 can execute");
}
