//===- UndefinedTest.cpp - Tests of the search for undefined values -------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each use of an undefined value, beside the same of a defined one, and the
// ways of values through memory.
//
//===----------------------------------------------------------------------===//

#include "UndefinedTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

TEST(UndefinedTest, Addresses) {
  // Whatever it is, the address of a register that nobody wrote is 0: in the
  // window of shared memory.
  EXPECT_EQ(usesIn("ld.shared.u32 %r9, [%u+1024];"), directly);
  EXPECT_EQ(usesIn("st.shared.u32 [%u+1024], 1;"), directly);
  EXPECT_EQ(usesIn("atom.shared.add.u32 %r9, [%u+1024], 1;"), directly);
  EXPECT_EQ(usesIn("ld.local.u32 %r9, [%u];"), directly);
  EXPECT_EQ(usesIn("mov.u32 %u, %r1;\nld.shared.u32 %r9, [%u];"), none);
  EXPECT_EQ(usesIn("and.b32 %r8, %u, 4;\nld.shared.u32 %r9, [%r8+1024];"),
            derived);
  // What was loaded through it is not reported again.
  EXPECT_EQ(usesIn("ld.shared.u32 %r9, [%u+1024];"
                   "ld.shared.u32 %r8, [%u+1024];"),
            directly);
  // A hint does nothing.
  EXPECT_EQ(usesIn("prefetch.global.L1 [%ud];"), none);
}

TEST(UndefinedTest, Guards) {
  EXPECT_EQ(usesIn("@%up bra End;\nEnd:"), directly);
  EXPECT_EQ(usesIn("@!%up bra End;\nEnd:"), directly);
  EXPECT_EQ(usesIn("@%p0 bra End;\nEnd:"), none);
  EXPECT_EQ(usesIn("@%up exit;"), directly);
  EXPECT_EQ(usesIn("@%up mov.u32 %r9, 1;"), directly);
  EXPECT_EQ(usesIn("setp.lt.s32 %p3, %u, 1;\n@%p3 bra End;\nEnd:"), derived);
}

TEST(UndefinedTest, TableBranch) {
  auto branch = [](const std::string &index) {
    return "ts: .branchtargets One, Two; brx.idx " + index +
           ", ts;\nOne:\nTwo:";
  };
  EXPECT_EQ(usesIn(branch("%u")), directly);
  EXPECT_EQ(usesIn("mov.u32 %r9, 1;" + branch("%r9")), none);
}

TEST(UndefinedTest, GlobalMemory) {
  EXPECT_EQ(usesIn("st.global.u32 [%d0], %u;"), directly);
  EXPECT_EQ(usesIn("st.u32 [%d0], %u;"), directly);
  EXPECT_EQ(usesIn("st.global.v4.u32 [%d0], {%r0, %r0, %u, %r0};"), directly);
  EXPECT_EQ(usesIn("st.global.v2.u64 [%d0], {%d0, %ud};"), directly);
  EXPECT_EQ(usesIn("st.global.b128 [%d0], %uq;"), directly);
  EXPECT_EQ(usesIn("st.global.u8 [%d0], %u;"), directly);
  EXPECT_EQ(usesIn("red.global.add.u32 [%d0], %u;"), directly);
  EXPECT_EQ(usesIn("atom.global.exch.b32 %r9, [%d0], %u;"), directly);
  EXPECT_EQ(usesIn("atom.global.cas.b32 %r9, [%d0], 1, %u;"), directly);
  EXPECT_EQ(usesIn("red.global.add.v2.f32 [%d0], {%uf, %uf};"), directly);
  EXPECT_EQ(usesIn("st.global.u32 [%d0], %r0;"), none);
  EXPECT_EQ(usesIn("atom.global.cas.b32 %r9, [%d0], 1, %r0;\n"
                   "st.global.u32 [%d0], %r9;"),
            none);
  // Only the low byte goes there.
  EXPECT_EQ(usesIn("and.b32 %r9, %u, 0xffffff00; st.global.u8 [%d0], %r9;"),
            none);
  // In all lanes, or in none that stores.
  EXPECT_EQ(usesIn("@%p2 mov.u32 %u, 1;\n@%p2 st.global.u32 [%d0], %u;"), none);
  EXPECT_EQ(usesIn("@%p2 mov.u32 %u, 1;\n@!%p2 st.global.u32 [%d0], %u;"),
            (Uses{{firstLine + 1, 0}}));
}

TEST(UndefinedTest, WarpsTellEachOther) {
  // A part of a message that nobody looks at, like a sum of no elements.
  EXPECT_EQ(usesIn("st.relaxed.gpu.global.v2.u32 [%d0], {%r0, %u};"), none);
  EXPECT_EQ(usesIn("st.volatile.global.u32 [%d0], %u;"), none);
  EXPECT_EQ(usesIn("st.weak.global.u32 [%d0], %u;"), directly);
}

TEST(UndefinedTest, NoUses) {
  EXPECT_EQ(usesIn("add.u32 %r9, %u, 1; st.shared.u32 [%r1], %r9;"), none);
  EXPECT_EQ(usesIn("st.local.v2.u32 [memory], {%u, %r0};"), none);
  EXPECT_EQ(usesIn("setp.lt.s32 %p3, %u, 1; selp.b32 %r9, 1, 2, %p3;"), none);
  EXPECT_EQ(usesIn("ld.shared.u32 %r9, [%r1];"), none);
  EXPECT_EQ(usesIn("red.shared.add.u32 [%r1], 1;"), none);
}

TEST(UndefinedTest, Synchronisation) {
  EXPECT_EQ(usesIn("bar.sync %u, 32;"), directly);
  EXPECT_EQ(usesIn("mov.u32 %u, 3; bar.sync %u, 32;"), none);
  // The value is -1, and its bits are undefined.
  std::string all = "sub.u32 %r9, %u, 1;\n";
  EXPECT_EQ(usesIn(all + "bar.warp.sync %r9;"), derived);
  EXPECT_EQ(usesIn(all + "shfl.sync.idx.b32 %r8, %r0, 0, 31, %r9;"), derived);
  EXPECT_EQ(usesIn(all + "vote.sync.ballot.b32 %r8, %p0, %r9;"), derived);
  EXPECT_EQ(usesIn("or.b32 %r9, %u, -1; bar.warp.sync %r9;"), none);
  EXPECT_EQ(usesIn("@%p2 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2], "
                   "%u;"),
            directly);
  EXPECT_EQ(usesIn("mbarrier.try_wait.parity.shared.b64 %p3, [%r2], %u;"),
            directly);
  EXPECT_EQ(usesIn("mbarrier.test_wait.parity.shared.b64 %p3, [%r2], 0;\n"
                   "@%p3 bra End;\nEnd:"),
            none);
  // The word of an mbarrier is defined.
  EXPECT_EQ(usesIn("ld.shared.u64 %d9, [%r2];\nst.global.u64 [%d0], %d9;"),
            none);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(UndefinedTest, SharedMemory) {
  std::string load = "ld.shared.u32 %r9, [%r1+4];\nst.global.u32 [%d0], %r9;";
  EXPECT_EQ(usesIn(load), derived);
  EXPECT_EQ(usesIn("st.shared.u32 [%r1+4], 1;" + load), none);
  EXPECT_EQ(usesIn("st.shared.u32 [%r1+8], 1;" + load), derived);
  EXPECT_EQ(usesIn("st.shared.v4.u32 [%r1], {%u, %r0, %u, %u};" + load), none);
  EXPECT_EQ(usesIn("st.shared.v4.u32 [%r1], {%r0, %r0, %u, %r0};"
                   "ld.shared.u32 %r9, [%r1+8];\nst.global.u32 [%d0], %r9;"),
            derived);
  // Byte by byte.
  EXPECT_EQ(usesIn("st.shared.u16 [%r1+6], 1;" + load), derived);
  EXPECT_EQ(
      usesIn("st.shared.u16 [%r1+4], 1; st.shared.u16 [%r1+6], 1;" + load),
      none);
  EXPECT_EQ(usesIn("st.shared.u8 [%r1+5], 1; ld.shared.u8 %r9, [%r1+5];\n"
                   "st.global.u32 [%d0], %r9;"),
            none);
  EXPECT_EQ(usesIn("st.shared.u8 [%r1+5], 1; ld.shared.u16 %r9, [%r1+4];\n"
                   "st.global.u8 [%d0], %r9;"),
            derived);
  // In the other CTA's order nothing changes: by other threads.
  EXPECT_EQ(usesIn("st.shared.u32 [buffer], 1; bar.sync 0;"
                   "ld.shared.u32 %r9, [buffer];\nst.global.u32 [%d0], %r9;"),
            none);
  // A sum that begins with what nobody wrote.
  EXPECT_EQ(usesIn("red.shared.add.u32 [%r1+4], 1; " + load), derived);
  EXPECT_EQ(usesIn("st.shared.u32 [%r1+4], 0; red.shared.add.u32 [%r1+4], 1; " +
                   load),
            none);
  EXPECT_EQ(usesIn("atom.shared.exch.b32 %r9, [%r1+4], 1; " + load), none);
  EXPECT_EQ(usesIn("atom.shared.exch.b32 %r9, [%r1+4], 1;\n"
                   "st.global.u32 [%d0], %r9;"),
            derived);
  EXPECT_EQ(usesIn("st.shared.b128 [%r1], %uq; " + load), derived);
}

/// Structures are copied with what is between their members.
TEST(UndefinedTest, SystemsSharedMemory) {
  // Cooperative groups keep barriers there, which the system has zeroed.
  EXPECT_EQ(
      usesOf(kernel("mov.u32 %r3, %reserved_smem_offset_1;"
                    "ld.shared.u32 %r4, [%r3]; st.global.u32 [%d0], %r4;"),
             1),
      std::vector<Use>{});
}

TEST(UndefinedTest, Padding) {
  // struct { char a; int b; }
  std::string members = "st.shared.u8 [%r1], 1; st.shared.u32 [%r1+4], 2;";
  std::string load = "ld.shared.v2.u32 {%r8, %r9}, [%r1];";
  std::string store = "\nst.global.v2.u32 [%d0], {%r8, %r9};";
  EXPECT_EQ(usesIn(members + load + store), none);
  EXPECT_EQ(usesIn(members + load +
                   "mov.b64 %d9, {%r8, %r9}; mov.b64 {%r8, "
                   "%r9}, %d9;" +
                   store),
            none);
  EXPECT_EQ(usesIn(members + load +
                   "mov.b64 %d9, {%r8, %r9}; shl.b64 %d9, "
                   "%d9, 8;\nst.global.u64 [%d0], %d9;"),
            none);
  EXPECT_EQ(usesIn(members + "ld.shared.v2.u8 {%h1, %h2}, [%r1+2];\n"
                             "st.global.v2.u8 [%d0], {%h1, %h2};"),
            none);
  // Who computes with it does not copy.
  EXPECT_EQ(usesIn(members + load + "add.u32 %r8, %r8, 1;" + store), derived);
  // No member would leave two bytes out in front of an odd 16-bit word, nor
  // all.
  EXPECT_EQ(usesIn("st.shared.u16 [%r1+2], 1; st.shared.u32 [%r1+4], 2;" +
                   load + store),
            derived);
  EXPECT_EQ(usesIn(load + store), derived);
}

TEST(UndefinedTest, LocalMemory) {
  std::string load = "ld.local.u32 %r9, [memory+4];\nst.global.u32 [%d0], %r9;";
  EXPECT_EQ(usesIn(load), derived);
  EXPECT_EQ(usesIn("st.local.u32 [memory+4], 1;" + load), none);
  EXPECT_EQ(usesIn("@%p2 st.local.u32 [memory+4], 1;" + load), derived);
  // By generic addresses.
  EXPECT_EQ(usesIn("mov.u64 %d9, memory; cvta.local.u64 %d9, %d9;"
                   "st.u32 [%d9+4], 1;" +
                   load),
            none);
  EXPECT_EQ(usesIn("mov.u64 %d9, memory; cvta.local.u64 %d9, %d9;"
                   "st.u32 [%d9+4], %u;" +
                   load),
            derived);
}

TEST(UndefinedTest, Clusters) {
  auto text = [](const std::string &value) {
    return kernel("mov.u32 %r9, %cluster_ctarank; xor.b32 %r9, %r9, 1;"
                  "mapa.shared::cluster.u32 %r8, %r1, %r9;"
                  "barrier.cluster.arrive; barrier.cluster.wait;"
                  "st.shared::cluster.u32 [%r8], " +
                  value +
                  "; barrier.cluster.arrive; barrier.cluster.wait;"
                  "ld.shared.u32 %r9, [%r1];\nst.global.u32 [%d0], %r9;");
  };
  EXPECT_EQ(usesOf(text("%r0"), 32, {2}), none);
  EXPECT_EQ(usesOf(text("%u"), 32, {2}), derived);
}

TEST(UndefinedTest, AsynchronousStores) {
  auto text = [](const std::string &operation) {
    return kernel(
        "mov.u32 %r8, %cluster_ctarank; mapa.shared::cluster.u32 %r9, %r1, "
        "%r8; mapa.shared::cluster.u32 %r7, %r2, %r8;"
        "@%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 128;" +
        operation +
        "Wait: mbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0;"
        "@!%p3 bra Wait; ld.shared.u32 %r9, [%r1];\n"
        "st.global.u32 [%d0], %r9;");
  };
  std::string store = "st.async.shared::cluster.mbarrier::complete_tx::bytes"
                      ".u32 [%r9], ";
  EXPECT_EQ(usesOf(text(store + "%r0, [%r7];"), 32), none);
  EXPECT_EQ(usesOf(text(store + "%u, [%r7];"), 32), derived);
  std::string add = "red.async.relaxed.cluster.shared::cluster.mbarrier::"
                    "complete_tx::bytes.add.u32 [%r9], ";
  EXPECT_EQ(
      usesOf(text("st.shared.u32 [%r1], 1; bar.sync 0;" + add + "%r0, [%r7];"),
             32),
      none);
  EXPECT_EQ(
      usesOf(text("st.shared.u32 [%r1], 1; bar.sync 0;" + add + "%u, [%r7];"),
             32),
      derived);
  EXPECT_EQ(usesOf(text(add + "%r0, [%r7];"), 32), derived);
}

TEST(UndefinedTest, AsynchronousCopies) {
  std::string load = "ld.shared.u32 %r9, [%r1];\nst.global.u32 [%d0], %r9;";
  EXPECT_EQ(usesIn("cp.async.ca.shared.global [%r1], [%d0], 16;"
                   "cp.async.wait_all;" +
                   load),
            none);
  EXPECT_EQ(usesIn("cp.async.ca.shared.global [%r1+4], [%d0], 4;"
                   "cp.async.wait_all;" +
                   load),
            derived);
  EXPECT_EQ(usesIn("cp.async.ca.shared.global [%r1], [%d0], 16, %u;"),
            directly);
  std::string wait = "Wait: mbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0;"
                     "@!%p3 bra Wait;";
  auto bulk = [&](const std::string &bytes) {
    return "@%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], " + bytes +
           "; @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
           "::bytes [buffer], [%d1], " +
           bytes + ", [%r2];" + wait + load;
  };
  EXPECT_EQ(usesIn(bulk("512")), none);
  EXPECT_EQ(usesIn(bulk("496")), derived);
  // To global memory: all bytes have to be there.
  std::string store = "\n@%p2 cp.async.bulk.global.shared::cta.bulk_group "
                      "[%d1], [buffer], 512;\n@%p2 cp.async.bulk.commit_group;"
                      "@%p2 cp.async.bulk.wait_group 0;";
  std::string fill = "st.shared.v4.u32 [%r1], {%r0, %r0, %r0, %r0};";
  std::string fence = "fence.proxy.async; bar.sync 0;";
  EXPECT_EQ(usesIn(fill + fence + store), none);
  EXPECT_EQ(usesIn("@!%p2 " + fill + fence + store),
            (Uses{{firstLine + 1, 0}}));
  // From shared memory to shared memory.
  std::string within = "@%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], "
                       "512; @%p2 cp.async.bulk.shared::cluster.shared::cta"
                       ".mbarrier::complete_tx::bytes [buffer+1024], [buffer], "
                       "512, [%r2];" +
                       wait +
                       "ld.shared.u32 %r9, [%r1+1024];\n"
                       "st.global.u32 [%d0], %r9;";
  EXPECT_EQ(usesIn(fill + fence + within), none);
  EXPECT_EQ(usesIn("@!%p2 " + fill + fence + within), derived);
}

TEST(UndefinedTest, Calls) {
  std::string function =
      ".func (.reg .b32 out) f(.reg .b32 in, .param .b64 memory) { .reg .b32 "
      "%r<3>; .local .b32 own; ld.param.u32 %r1, [memory+4]; add.u32 out, in, "
      "%r1; ret; }"
      ".func (.param .b32 out) g(.param .b32 in) { .reg .b32 %r<3>; .local "
      ".b32 own; .reg .pred %p; ld.param.u32 %r1, [in]; setp.eq.u32 %p, %r1, "
      "100; @%p st.local.u32 [own], %r1; ld.local.u32 %r2, [own]; st.param.u32 "
      "[out], %r2; ret; }";
  auto registers = [&](const std::string &value, const std::string &memory) {
    return usesIn("{ .param .b64 m; st.param.u32 [m+4], " + memory +
                      "; call (%r9), f, (" + value +
                      ", m); }\nst.global.u32 [%d0], %r9;",
                  function);
  };
  EXPECT_EQ(registers("%r0", "%r0"), none);
  EXPECT_EQ(registers("%u", "%r0").size(), 1u);
  EXPECT_EQ(registers("%r0", "%u").size(), 1u);
  // The local memory of an earlier call is not that of a later one.
  auto twice = [&](const std::string &second) {
    return usesIn("{ .param .b32 a, b, c, d; st.param.u32 [a], 100; call (b), "
                  "g, (a); st.param.u32 [c], " +
                      second +
                      "; call (d), g, (c); ld.param.u32 %r9, [d]; }\n"
                      "st.global.u32 [%d0], %r9;",
                  function);
  };
  EXPECT_EQ(twice("100"), none);
  EXPECT_EQ(twice("1"), derived);
}

TEST(UndefinedTest, SystemCalls) {
  auto allocate = [](const std::string &bytes) {
    return usesIn("{ .param .b64 n, r; st.param.b64 [n], " + bytes +
                      "; call (r), malloc, (n); ld.param.b64 %d9, [r]; }\n"
                      "st.global.u64 [%d0], %d9;",
                  ".extern .func (.param .b64 r) malloc(.param .b64 n);");
  };
  EXPECT_EQ(allocate("16"), none);
  EXPECT_EQ(allocate("%ud"), directly);
  auto print = [](const std::string &value) {
    return usesIn("{ .param .b64 f, b; .param .b32 r; st.local.u32 [memory], " +
                      value +
                      "; mov.u64 %d8, text; cvta.global.u64 %d8, %d8;"
                      "st.param.b64 [f], %d8; mov.u64 %d9, memory; "
                      "cvta.local.u64 %d9, %d9; st.param.b64 [b], %d9;"
                      "call (r), vprintf, (f, b); ld.param.b32 %r9, [r]; }\n"
                      "st.global.u32 [%d0], %r9;",
                  ".global .b8 text[3] = {37, 100, 0};"
                  ".extern .func (.param .b32 r) vprintf(.param .b64 f, "
                  ".param .b64 b);");
  };
  testing::internal::CaptureStdout();
  Uses defined = print("%r0"), undefined = print("%u");
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(defined, none);
  EXPECT_EQ(undefined, directly);
}

/// A box of 8 rows of which the tensor has 6: what is out of bounds stays.
TEST(UndefinedTest, TensorStores) {
  const std::string text = R"(
.visible .entry k(.param .align 64 .b8 map[128], .param .u32 filled) {
  .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred %p<3>;
  .shared .align 128 .b8 tile[256];
  mov.b64 %d1, map; ld.param.u32 %r1, [filled];
  mov.u32 %r2, %tid.x; mov.u32 %r3, tile; mad.lo.u32 %r4, %r2, 16, %r3;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 st.shared.v4.u32 [%r4], {%r2, %r2, %r2, %r2};
  fence.proxy.async; bar.sync 0;
  setp.eq.u32 %p1, %r2, 0;
  @!%p1 bra End;
  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d1, {0, 0}], [%r3];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
End: ret;
})";
  for (Schedule::Kind kind : {Schedule::Eager, Schedule::Lazy}) {
    TestMachine machine(text);
    machine.options.checks = true;
    machine.options.schedule.kind = kind;
    TensorMap map = makeMap(machine.allocate<uint32_t>(48),
                            TensorElementType::U32, {8, 6}, {8, 8});
    auto findings = [&](uint32_t filled) {
      LaunchOutcome outcome =
          machine.launch({1}, {16}, MapArgument(map), filled);
      EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
      return outcome.findings.size();
    };
    EXPECT_EQ(findings(16), 0u);
    EXPECT_EQ(findings(12), 0u);
    EXPECT_EQ(findings(11), 1u);
  }
}

} // namespace
