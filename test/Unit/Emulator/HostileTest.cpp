//===- HostileTest.cpp - Programs that reach for what is not theirs -------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reserved shared memory, constants, functions of another type, sizes.
//
//===----------------------------------------------------------------------===//

#include "BarrierTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

TEST(HostileTest, ReservedSharedMemory) {
  auto fault = [](const std::string &instruction,
                  const WaitingLaunch &how = {}) {
    expectFound("mov.u32 %r10, 0; mov.b64 %d2, 0;\n" + instruction + " // BAD",
                "out-of-bounds", how);
  };
  fault("ld.shared.u32 %r11, [%r10];");
  fault("st.shared.u32 [%r10+1020], %r11;");
  fault("st.shared::cluster.u32 [%r10+512], %r11;");
  fault("@%p2 mbarrier.init.shared.b64 [%r10], 1;");
  fault("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r11}, [%r10];");
  fault("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r10], {%r11};");
  fault("@%p2 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r10], 16;");
  fault("@%p2 cp.async.ca.shared.global [%r10], [%d1], 16;");
  // Neither a descriptor of zeros nor one that runs into the end.
  WaitingLaunch warpgroup;
  warpgroup.block = {128, 1, 1};
  fault("setp.ne.u32 %p10, %r1, 0;\n"
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
        "{%f1, %f2, %f3, %f4}, %d2, %d2, %p10, 1, 1, 0, 0; // BAD\n"
        "wgmma.commit_group.sync.aligned;\n"
        "wgmma.wait_group.sync.aligned 0;",
        warpgroup);
  expectClean("mov.u32 %r10, 1024; ld.shared.u32 %r11, [%r10];");
  // Code of the system asks where its part is.
  expectClean("mov.u32 %r10, %reserved_smem_offset_1;\n"
              "@%p2 st.shared.u32 [%r10+284], 1;\n"
              "mov.u32 %r11, %reserved_smem_offset_end;\n"
              "@%p2 st.shared.u32 [%r11+-4], 1;\n");
}

TEST(HostileTest, ConstantsAndParametersAreRead) {
  WaitingLaunch how;
  how.module = ".const .align 8 .b32 table[4] = {1, 2, 3, 4};\n";
  auto fault = [&](const std::string &access) {
    expectFound("mov.u64 %d2, table;\n"
                "cvta.const.u64 %d2, %d2;\n" +
                    access + " // BAD",
                "read-only", how);
    expectFound("mov.b64 %d2, global;\n"
                "cvta.param.u64 %d2, %d2;\n" +
                    access + " // BAD",
                "read-only", how);
    expectClean("mov.u64 %d2, %d1;\n" + access, how);
  };
  fault("@%p2 st.u32 [%d2], 5;");
  fault("@%p2 st.global.v2.u32 [%d2], {5, 6};");
  fault("@%p2 atom.add.u32 %r10, [%d2], 1;");
  fault("@%p2 red.global.add.u32 [%d2], 1;");
  // 128 bytes, an aligned place for a tensor map.
  how.module = ".const .align 128 .b32 table[32] = {1, 2, 3, 4};\n";
  for (const char *write :
       {"@%p2 cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r1], 16;",
        "@%p2 tensormap.replace.tile.global_address.global.b1024.b64 [%d2], "
        "%d1;"})
    expectFound(std::string("mov.u64 %d2, table;\n"
                            "cvta.const.u64 %d2, %d2;\n") +
                    write + " // BAD",
                "read-only", how);
  expectClean("mov.u64 %d2, table;\n"
              "cvta.const.u64 %d2, %d2;\n"
              "ld.volatile.u32 %r10, [%d2];\n",
              how);
}

TEST(HostileTest, IndirectCallOfAnotherType) {
  WaitingLaunch how;
  how.module = R"(
.func (.reg .b32 %result) one(.reg .b32 %a) {
  mov.u32 %result, %a;
  ret;
}
.func two(.param .b64 a, .param .b32 b) {
  ret;
}
)";
  auto call = [](const std::string &function) {
    return "mov.u64 %d3, " + function +
           ";\n"
           "prototype: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
           "call (%r10), %d3, (%r3), prototype; // BAD\n";
  };
  expectFound(call("two"), "call-prototype", how);
  expectClean(call("one"), how);
  std::string wide = "mov.u64 %d3, one;\n"
                     "prototype: .callprototype (.reg .b32 _) _ (.reg .b64 _);"
                     "\ncall (%r10), %d3, (%d1), prototype; // BAD\n";
  expectFound(wide, "call-prototype", how, "64 bits");
}

TEST(HostileTest, CpAsyncOfMoreThanItHas) {
  expectRule("mov.u32 %r10, FIX;\n"
             "@%p2 cp.async.cg.shared.global [%r1], [%d1], 16, %r10; // BAD\n",
             "17", "16", "cp-async-size");
}

// The local memory of all threads of a device would not fit into the host's.
TEST(HostileTest, LargeLocalMemory) {
  TestMachine machine(R"(
.shared .b64 bar;
.visible .entry k() {
  .reg .b32 %r<4>; .reg .pred %p<2>;
  .local .b8 large[400000];
  st.local.u32 [large+399996], %r1;
  mbarrier.init.shared.b64 [bar], 2;
Wait:
  mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;
  @!%p1 bra Wait;
  ret;
}
)");
  LaunchOutcome outcome = machine.launch({100000}, {32});
  EXPECT_EQ(outcome.status, LaunchStatus::Deadlock) << outcome.reason;

  TestMachine recursion(R"(
.func deeper() {
  .local .b8 large[40000];
  .reg .b32 %r<2>;
  st.local.u32 [large], %r1;
  call deeper;
  ret;
}
.visible .entry k() {
  call deeper;
  ret;
}
)");
  outcome = recursion.launch({1}, {32});
  ASSERT_FALSE(outcome.findings.empty()) << outcome.reason;
  EXPECT_EQ(outcome.findings[0].id, "stack-overflow");
}

TEST(HostileTest, DepthOfCalls) {
  // How many calls are in one another is not limited, but their registers.
  std::string text = R"(
.func deeper(.param .u32 rest) {
  .reg .b32 %r<2>; .reg .pred %p;
  ld.param.u32 %r0, [rest];
  setp.eq.u32 %p, %r0, 0;
  @%p ret;
  sub.u32 %r0, %r0, 1;
  { .param .u32 next; st.param.u32 [next], %r0; call deeper, (next); }
  ret;
}
.visible .entry k(.param .u32 depth) {
  .reg .b32 %r0;
  ld.param.u32 %r0, [depth];
  { .param .u32 next; st.param.u32 [next], %r0; call deeper, (next); }
  ret;
}
)";
  TestMachine machine(text);
  LaunchOutcome outcome = machine.launch({1}, {32}, 5000u);
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  outcome = machine.launch({1}, {32}, ~0u);
  ASSERT_FALSE(outcome.findings.empty()) << outcome.reason;
  EXPECT_EQ(outcome.findings[0].id, "stack-overflow");
}

} // namespace
