//===- MachineTest.cpp - Tests of warps, control flow, calls --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divergence, reconvergence, forward progress, calls, exact counts, and what
// ends a launch.
//
//===----------------------------------------------------------------------===//

#include "EmulatorTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

TEST(MachineTest, StraightLine) {
  TestMachine machine(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  add.s32 %r2, %r1, 5;
  st.global.u32 [%d1], %r2;
  ret;
}
)");
  uint32_t *out = machine.allocate<uint32_t>(1);
  LaunchOutcome outcome = machine.launch({2}, {33}, out);
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(*out, 37u);
  // Two CTAs of a whole warp and one lane.
  EXPECT_EQ(countsOfLine(outcome, 9).warps, 4u);
  EXPECT_EQ(countsOfLine(outcome, 9).threads, 66u);
}

TEST(MachineTest, Divergence) {
  TestMachine machine(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<6>; .reg .b64 %d<4>; .reg .pred %p<3>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
  setp.lt.s32 %p1, %r1, 10;
  @%p1 bra Then;
  add.s32 %r2, %r2, 100;
  bra Join;
Then:
  add.s32 %r2, %r2, 7;
Loop:
  add.s32 %r2, %r2, 1;
  add.s32 %r3, %r1, 10;
  setp.lt.s32 %p2, %r2, %r3;
  @%p2 bra Loop;
Join:
  add.s32 %r2, %r2, 1000;
  ret;
}
)");
  LaunchOutcome outcome = machine.launch({1}, {32}, uint64_t(0));
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(countsOfLine(outcome, 12).threads, 22u);
  EXPECT_EQ(countsOfLine(outcome, 15).threads, 10u);
  // Lane i of ten goes round 3 + i times, at least once.
  uint64_t rounds = 0;
  for (unsigned i = 0; i < 10; ++i)
    rounds += std::max(1u, 3 + i);
  EXPECT_EQ(countsOfLine(outcome, 17).threads, rounds);
  EXPECT_EQ(countsOfLine(outcome, 17).warps, 12u);
  // They all meet again.
  EXPECT_EQ(countsOfLine(outcome, 22).warps, 1u);
  EXPECT_EQ(countsOfLine(outcome, 22).threads, 32u);
}

TEST(MachineTest, OneLaneWaitsForAnother) {
  // Lane 0 stands behind in the text and waits for what lane 1 writes.
  TestMachine machine(R"(
.visible .entry k(.param .u64 flag) {
  .reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p<3>;
  ld.param.u64 %d1, [flag];
  mov.u32 %r1, %tid.x;
  setp.lt.s32 %p1, %r1, 1;
  @!%p1 bra Other;
Spin:
  ld.global.u32 %r2, [%d1];
  setp.lt.s32 %p2, %r2, 1;
  @%p2 bra Spin;
  ret;
Other:
  st.global.u32 [%d1], 1;
  ret;
}
)");
  uint32_t *flag = machine.upload<uint32_t>({0});
  LaunchOutcome outcome = machine.launch({1}, {2}, flag);
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
}

TEST(MachineTest, Calls) {
  TestMachine machine(R"(
.func (.param .b32 r) twice(.param .b32 a) {
  .reg .b32 %t;
  ld.param.b32 %t, [a];
  add.s32 %t, %t, %t;
  st.param.b32 [r], %t;
  ret;
}
.func (.reg .b32 r) plus(.reg .b32 a, .reg .b32 b) {
  add.s32 r, a, b;
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<6>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [out];
  { .param .b32 a; .param .b32 o;
    st.param.b32 [a], 21;
    call (o), twice, (a);
    ld.param.b32 %r1, [o];
  }
  call (%r2), plus, (%r1, 3);
  mov.u64 %d2, twice;
  { .param .b32 a; .param .b32 o;
    st.param.b32 [a], %r2;
    p: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (o), %d2, (a), p;
    ld.param.b32 %r3, [o];
  }
  st.global.u32 [%d1], %r3;
  ret;
}
)");
  uint32_t *out = machine.allocate<uint32_t>(1);
  LaunchOutcome outcome = machine.launch({1}, {32}, out);
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(*out, 90u);
}

TEST(MachineTest, OutOfBounds) {
  TestMachine machine(R"(
.visible .entry k(.param .u64 out) {
  .reg .b64 %d<2>;
  ld.param.u64 %d1, [out];
  st.global.u32 [%d1+4], 1;
  ret;
}
)");
  uint32_t *out = machine.allocate<uint32_t>(1);
  LaunchOutcome outcome = machine.launch({1}, {32}, out);
  EXPECT_EQ(outcome.status, LaunchStatus::Fault);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].id, "out-of-bounds");
  EXPECT_EQ(outcome.findings[0].line, 8u);
  EXPECT_EQ(outcome.findings[0].column, 3u);
  outcome = machine.launch({1}, {32}, reinterpret_cast<char *>(out) - 2);
  EXPECT_EQ(outcome.findings[0].id, "misaligned");
}

// The addresses of released memory are not those of the next allocation, nor of
// the parameters of a kernel that is launched for the first time.
TEST(MachineTest, ReleasedMemory) {
  TestMachine machine(R"(
.visible .entry k(.param .u64 out) {
  .reg .b64 %d<2>;
  ld.param.u64 %d1, [out];
  st.global.u32 [%d1], 1;
  ret;
}
)");
  uint32_t *out = machine.allocate<uint32_t>(1);
  ASSERT_TRUE(machine.device->release(reinterpret_cast<uint64_t>(out)));
  uint32_t *next = machine.allocate<uint32_t>(1);
  LaunchOutcome outcome = machine.launch({1}, {1}, out);
  EXPECT_EQ(outcome.status, LaunchStatus::Fault);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].id, "out-of-bounds");
  outcome = machine.launch({1}, {1}, next);
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
}

TEST(MachineTest, BehindTheParameters) {
  for (bool inside : {true, false}) {
    TestMachine machine(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<2>;
  .reg .b64 %d<2>;
  mov.b64 %d1, out;
  ld.param.u32 %r1, [%d1+)" +
                        std::string(inside ? "4" : "8") + "];\n ret;\n}\n");
    LaunchOutcome outcome = machine.launch({1}, {1}, uint64_t(0));
    EXPECT_EQ(outcome.status,
              inside ? LaunchStatus::Completed : LaunchStatus::Fault);
  }
}

// All wait for the last one: they are together soon.
TEST(MachineTest, ManyCtasWaitForTheLast) {
  TestMachine machine(R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %d<2>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p1, %r1, 255;
  @%p1 st.release.gpu.global.u32 [%d1], 1;
Wait:
  ld.acquire.gpu.global.u32 %r2, [%d1];
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra Wait;
  ret;
}
)");
  machine.options.maxInstructions = 200000000;
  LaunchOutcome outcome =
      machine.launch({256}, {32}, machine.allocate<uint32_t>(1));
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
}

// More CTAs than a device holds are not kept for a deadlock to end.
TEST(MachineTest, LargeGridDeadlocks) {
  TestMachine machine(R"(
.shared .b64 bar;
.visible .entry k() {
  .reg .pred %p<2>;
  mbarrier.init.shared.b64 [bar], 2;
Wait:
  mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;
  @!%p1 bra Wait;
  ret;
}
)");
  LaunchOutcome outcome = machine.launch({0x7fffffff}, {1});
  EXPECT_EQ(outcome.status, LaunchStatus::Deadlock);
}

TEST(MachineTest, TrapAndUnsupported) {
  TestMachine trap(".entry k() { trap; ret; }");
  EXPECT_EQ(trap.launch({1}, {32}).findings[0].id, "trap");
  TestMachine texture(R"(
.global .surfref s;
.entry k() { .reg .b32 %r<3>; suld.b.1d.b32.trap %r1, [s, %r2]; ret; }
)");
  LaunchOutcome outcome = texture.launch({1}, {32});
  EXPECT_EQ(outcome.status, LaunchStatus::Unsupported);
  EXPECT_EQ(outcome.reason,
            "line 6: unsupported: suld.b.1d.b32.trap at line 6");
}

// Only the functions that a device has need no body.
TEST(MachineTest, FunctionsWithoutABody) {
  TestMachine machine(R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func other(.param .b64 a);
.extern .func free(.param .b32 a);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.entry print() {
  .reg .b64 %d<3>;
  .param .b64 p0; .param .b64 p1; .param .b32 r0;
  mov.u64 %d1, text;
  mov.u64 %d2, 0;
  st.param.b64 [p0], %d1;
  st.param.b64 [p1], %d2;
  call.uni (r0), vprintf, (p0, p1);
  ret;
}
.entry callOther() {
  .param .b64 p0;
  st.param.b64 [p0], 1;
  call.uni other, (p0);
  ret;
}
.entry callNarrow() {
  .param .b32 p0;
  st.param.b32 [p0], 1;
  call.uni free, (p0);
  ret;
}
)");
  machine.kernel = "print";
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(machine.launch({1}, {2}).status, LaunchStatus::Completed);
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "hi\nhi\n");
  for (const char *name : {"other", "free"}) {
    machine.kernel =
        name == llvm::StringRef("other") ? "callOther" : "callNarrow";
    LaunchOutcome outcome = machine.launch({1}, {1});
    EXPECT_EQ(outcome.status, LaunchStatus::Unsupported);
    EXPECT_NE(outcome.reason.find("call.uni of '" + std::string(name) + "'"),
              std::string::npos)
        << outcome.reason;
  }
}

TEST(MachineTest, InvalidLaunches) {
  TestMachine machine(".entry k(.param .u32 a) .reqntid 64 { ret; }");
  EXPECT_EQ(machine.launch({1}, {64}, 1).status, LaunchStatus::Completed);
  EXPECT_EQ(machine.launch({1}, {32}, 1).status, LaunchStatus::Invalid);
  EXPECT_EQ(machine.launch({1}, {64}).status, LaunchStatus::Invalid);
  EXPECT_EQ(machine.launch({0}, {64}, 1).status, LaunchStatus::Invalid);
  machine.config.cluster = {2};
  EXPECT_EQ(machine.launch({3}, {64}, 1).status, LaunchStatus::Invalid);
  EXPECT_EQ(machine.launch({4}, {64}, 1).status, LaunchStatus::Completed);
  machine.kernel = "l";
  EXPECT_EQ(machine.launch({1}, {64}, 1).reason, "the module has no entry 'l'");
}
