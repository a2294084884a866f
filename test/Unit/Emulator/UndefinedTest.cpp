//===- UndefinedTest.cpp - Tests of the search for undefined values -------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each use of an undefined value, beside the same of a defined one, and each
// rule by which a result is defined though an operand is not, under all
// schedules.
//
//===----------------------------------------------------------------------===//

#include "EmulatorTestUtils.h"
#include "Ops/BulkTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// One launch's findings by all schedules: lines and lines of origin, which
/// must not depend on the schedule.
struct Use {
  unsigned line, origin;
  bool operator==(const Use &other) const {
    return line == other.line && origin == other.origin;
  }
};
std::ostream &operator<<(std::ostream &out, const Use &use) {
  return out << use.line << " from " << use.origin;
}

constexpr unsigned outBytes = 1 << 16;

/// Launches the only kernel, whose parameter is zeroed global memory.
std::vector<Use> usesOf(const std::string &text, unsigned threads,
                        Dim3 cluster = {1}) {
  std::vector<Schedule> schedules{
      {Schedule::Eager}, {Schedule::Lazy}, {Schedule::Adversarial}};
  for (uint64_t seed = 0; seed < 5; ++seed)
    schedules.push_back({Schedule::Random, seed});
  std::vector<Use> first;
  for (const Schedule &schedule : schedules) {
    TestMachine machine(text);
    machine.options.checks = true;
    machine.options.schedule = schedule;
    machine.config.cluster = cluster;
    char *out = machine.allocate<char>(outBytes);
    std::memset(out, 0, outBytes);
    LaunchOutcome outcome = machine.launch(cluster, {threads}, out);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    std::vector<Use> uses;
    for (const Finding &finding : outcome.findings) {
      EXPECT_EQ(finding.id, "undefined-value") << finding.message;
      uses.push_back({finding.line, finding.otherLine});
    }
    if (&schedule == &schedules.front())
      first = uses;
    else
      EXPECT_EQ(uses, first) << "under schedule " << schedule.kind;
  }
  return first;
}

/// A kernel with `body` from line 16 on. %r0 is the lane and %d0 its 16 bytes
/// of global memory, %d1 all of that; %r1 the address of the lane's 16 bytes
/// of shared memory, %r2 of an mbarrier of one arrival. Nobody writes %u, %uh,
/// %ud, %up, %uf, %uq, nor the memory; %p0 is true, %p1 is false.
constexpr unsigned firstLine = 16;
std::string kernel(const std::string &body, const std::string &module = "") {
  return ".version 9.0\n.target sm_90a\n.address_size 64\n" + module +
         R"(
.visible .entry k(.param .u64 global) {
  .reg .b32 %r<30>, %u; .reg .b64 %d<20>, %ud; .reg .b16 %h<20>, %uh;
  .reg .pred %p<10>, %up; .reg .f32 %f<20>, %uf; .reg .b128 %q<4>, %uq;
  .shared .align 128 .b8 buffer[4096]; .shared .align 8 .b64 barrier;
  .local .align 16 .b8 memory[64];
  ld.param.u64 %d1, [global]; mov.u32 %r0, %tid.x;
  mad.wide.u32 %d0, %r0, 16, %d1; mov.u32 %r1, buffer;
  mad.lo.u32 %r1, %r0, 16, %r1; mov.u32 %r2, barrier;
  setp.eq.u32 %p0, 0, 0; setp.ne.u32 %p1, 0, 0; setp.eq.u32 %p2, %r0, 0;
  @%p2 mbarrier.init.shared.b64 [%r2], 1;
  bar.sync 0;
)" + body +
         "\n  ret;\n}\n";
}

std::vector<Use> usesIn(const std::string &body,
                        const std::string &module = "") {
  // Every line of `module` would move those of the body.
  EXPECT_EQ(module.find('\n'), std::string::npos);
  return usesOf(kernel(body, module), 32);
}

using Uses = std::vector<Use>;
/// A value that no instruction wrote is used in the first line of the body.
const Uses directly{{firstLine, 0}};
/// The second line uses what the first one made of an undefined value.
const Uses derived{{firstLine + 1, firstLine}};
const Uses none;

/// That `value`, a 32-bit register, is undefined (its line is the second one)
/// or not after `body`, which is one line.
void expectUndefined(const std::string &body, const std::string &value) {
  EXPECT_EQ(usesIn(body + "\nst.global.b32 [%d0], " + value + ";"), derived)
      << body;
}
void expectDefined(const std::string &body, const std::string &value) {
  EXPECT_EQ(usesIn(body + "\nst.global.b32 [%d0], " + value + ";"), none)
      << body;
}
/// The bits of %r9 after `body` that are undefined are those of `mask`, which
/// are not all.
void expectBits(const std::string &body, uint32_t mask) {
  std::string use = body + " and.b32 %r9, %r9, ";
  expectDefined(use + std::to_string(~mask) + ";", "%r9");
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    expectUndefined(use + std::to_string(rest & -rest) + ";", "%r9");
}

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

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

TEST(UndefinedTest, Logic) {
  expectBits("and.b32 %r9, %u, 0xf0;", 0xf0);
  expectBits("or.b32 %r9, %u, 0xffffff0f;", 0xf0);
  expectBits("xor.b32 %r9, %r0, %u; and.b32 %r9, %r9, 2;", 2);
  expectBits("not.b32 %r9, %u; and.b32 %r9, %r9, 2;", 2);
  expectDefined("xor.b32 %r9, %u, %u;", "%r9");
  expectDefined("sub.u32 %r9, %u, %u;", "%r9");
  // What an exclusive scan makes of an inclusive one.
  expectDefined("add.u32 %r9, %u, 1; sub.u32 %r9, %r9, %u;", "%r9");
  expectDefined("and.b32 %r9, %u, 0;", "%r9");
  expectUndefined("and.b32 %r9, %u, %u;", "%r9");
  // (a & b) | (~a & c): a chooses.
  expectDefined("lop3.b32 %r9, %r0, %r0, %r0, 0xca;", "%r9");
  expectBits("lop3.b32 %r9, 0xffffff00, 5, %u, 0xca;", 0xff);
  expectBits("lop3.b32 %r9, 0xffffff00, %u, 5, 0xca; or.b32 %r9, %r9, "
             "0xfffff000;",
             0xf00);
  expectDefined("lop3.b32 %r9, %u, %u, 1, 0x3c;", "%r9");
  expectDefined("lop3.or.b32 %r9|%p3, %u, %u, 1, 0x3c, %p1; selp.b32 %r9, 1, "
                "2, %p3;",
                "%r9");
  // Predicates.
  expectDefined("and.pred %p3, %up, %p1; selp.b32 %r9, 1, 2, %p3;", "%r9");
  expectDefined("or.pred %p3, %p0, %up; selp.b32 %r9, 1, 2, %p3;", "%r9");
  expectUndefined("or.pred %p3, %p1, %up; selp.b32 %r9, 1, 2, %p3;", "%r9");
  expectUndefined("and.pred %p3, !%p1, %up; selp.b32 %r9, 1, 2, %p3;", "%r9");
}

TEST(UndefinedTest, MovedBits) {
  expectBits("shl.b32 %r9, %u, 28;", 0xf0000000);
  expectDefined("shl.b32 %r9, %u, 32;", "%r9");
  expectUndefined("shl.b32 %r9, 1, %u;", "%r9");
  expectBits("shr.u32 %r9, %u, 30;", 3);
  expectUndefined("shr.s32 %r9, %u, 30; and.b32 %r9, %r9, 0x80000000;", "%r9");
  expectDefined("and.b32 %r9, %u, 0xf; shr.s32 %r9, %r9, 4;", "%r9");
  expectBits("shf.l.wrap.b32 %r9, %u, 1, 4;", 0xf);
  expectBits("shf.r.clamp.b32 %r9, 1, %u, 4;", 0xf0000000);
  expectBits("bfe.u32 %r9, %u, 8, 4;", 0xf);
  expectUndefined("bfe.s32 %r9, %u, 8, 4; shr.u32 %r9, %r9, 31;", "%r9");
  expectDefined("and.b32 %r9, %u, 0xff; bfe.u32 %r9, %r9, 8, 4;", "%r9");
  expectBits("bfi.b32 %r9, %u, %r0, 8, 4;", 0xf00);
  expectDefined("bfi.b32 %r9, %r0, %u, 0, 32;", "%r9");
  expectBits("brev.b32 %r9, %u; and.b32 %r9, %r9, 1;", 1);
  expectBits("prmt.b32 %r9, %u, %r0, 0x4540;", 0xff);
  expectDefined("prmt.b32 %r9, %u, %r0, 0x7654;", "%r9");
  expectUndefined("prmt.b32 %r9, %r0, %r0, %u;", "%r9");
  // Parts of registers.
  expectDefined("mov.b64 %d9, {%r0, %u}; mov.b64 {%r9, %r8}, %d9;", "%r9");
  expectUndefined("mov.b64 %d9, {%r0, %u}; mov.b64 {%r9, %r8}, %d9;", "%r8");
  expectDefined("mov.b64 %d9, {%u, %r0}; mov.b64 {_, %r8}, %d9;", "%r8");
  expectDefined("mov.b32 %r9, {%uh, %uh}; mov.b32 {%h1, %h2}, %r9; mov.b32 "
                "%r9, 1;",
                "%r9");
  expectBits("mov.u16 %h1, 1; mov.b32 %r9, {%h1, %uh}; and.b32 %r9, %r9, "
             "0x1ffff;",
             0x10000);
  expectDefined("mov.b128 %q1, {%d0, %ud}; mov.b128 {%d8, %d9}, %q1; "
                "cvt.u32.u64 %r9, %d8;",
                "%r9");
}

TEST(UndefinedTest, Arithmetic) {
  // Sums and products are right below the lowest undefined bit.
  expectBits("and.b32 %r9, %u, 0x80000000; add.u32 %r9, %r9, %r0;", 0x80000000);
  expectDefined("and.b32 %r9, %u, 16; add.u32 %r9, %r9, %r0; and.b32 %r9, %r9, "
                "15;",
                "%r9");
  expectBits("mul.lo.u32 %r9, %u, 0x40000000;", 0xc0000000);
  expectBits("mad.lo.u32 %r9, %u, 0x40000000, %r0;", 0xc0000000);
  expectDefined("mul.lo.u32 %r9, %u, 0;", "%r9");
  expectUndefined("mul.hi.u32 %r9, %u, 1;", "%r9");
  expectUndefined("and.b32 %r9, %u, 1; add.u32 %r9, %r9, %r0; and.b32 %r9, "
                  "%r9, 0x80000000;",
                  "%r9");
  expectUndefined("add.f32 %f1, %uf, 0f3F800000; mov.b32 %r9, %f1;", "%r9");
  expectUndefined("div.u32 %r9, %r0, %u;", "%r9");
  // Halves of pairs.
  expectBits("mov.u16 %h1, 0; mov.b32 %r9, {%h1, %uh}; add.f16x2 %r9, %r9, "
             "%r9; and.b32 %r9, %r9, 0x1ffff;",
             0x10000);
  // Carries.
  expectUndefined("add.cc.u32 %r8, %u, 1; addc.u32 %r9, %r0, 0;", "%r9");
  expectDefined("add.cc.u32 %r8, %u, 1; add.cc.u32 %r8, %r0, 1; addc.u32 %r9, "
                "%r0, 0;",
                "%r9");
}

TEST(UndefinedTest, Comparisons) {
  std::string choose = " selp.b32 %r9, 1, 2, %p3;";
  expectUndefined("setp.lt.u32 %p3, %u, 7;" + choose, "%r9");
  // Bits that are defined decide.
  expectDefined("or.b32 %r9, %u, 8; setp.eq.u32 %p3, %r9, 7;" + choose, "%r9");
  expectDefined("and.b32 %r9, %u, 7; setp.lt.u32 %p3, %r9, 8;" + choose, "%r9");
  expectUndefined("and.b32 %r9, %u, 7; setp.lt.u32 %p3, %r9, 7;" + choose,
                  "%r9");
  expectDefined("and.b32 %r9, %u, 7; setp.ge.s32 %p3, %r9, 0;" + choose, "%r9");
  expectDefined(
      "or.b32 %r9, %u, 0x80000000; setp.gt.s32 %p3, %r9, -1;" + choose, "%r9");
  expectUndefined(
      "or.b32 %r9, %u, 0x80000000; setp.gt.s32 %p3, %r9, -3;" + choose, "%r9");
  // The other predicate decides.
  expectDefined("setp.lt.and.u32 %p3, %u, 7, %p1;" + choose, "%r9");
  expectDefined("setp.lt.or.u32 %p3, %u, 7, %p0;" + choose, "%r9");
  expectUndefined("setp.lt.and.u32 %p3, %u, 7, %p0;" + choose, "%r9");
  expectDefined("setp.lt.and.u32 %p3, 8, 7, %up;" + choose, "%r9");
  expectUndefined("setp.lt.and.u32 %p4|%p3, 8, 7, %up;" + choose, "%r9");
  expectUndefined("setp.lt.f32 %p3, %uf, 0f00000000;" + choose, "%r9");
  // What is chosen counts.
  expectDefined("selp.b32 %r9, %r0, %u, %p0;", "%r9");
  expectUndefined("selp.b32 %r9, %r0, %u, %p1;", "%r9");
  expectUndefined("selp.b32 %r9, 1, 2, %up;", "%r9");
  expectDefined("selp.b32 %r9, 3, 3, %up;", "%r9");
  expectDefined("slct.b32.s32 %r9, %r0, %u, 0;", "%r9");
  expectUndefined("slct.b32.f32 %r9, %r0, %u, 0fBF800000;", "%r9");
}

TEST(UndefinedTest, Conversions) {
  expectDefined("and.b32 %r9, %u, 0xffffff00; cvt.u32.u8 %r9, %r9;", "%r9");
  expectBits("cvt.u32.u16 %r9, %uh; and.b32 %r9, %r9, 0xfffe0003;", 3);
  expectUndefined("cvt.s32.s16 %r9, %uh; and.b32 %r9, %r9, 0x80000000;", "%r9");
  expectDefined("cvt.u64.u32 %d9, %u; mov.b64 {%r8, %r9}, %d9;", "%r9");
  expectDefined("mov.b64 %d9, {%r0, %u}; cvt.u32.u64 %r9, %d9;", "%r9");
  expectUndefined("cvt.rn.f32.s32 %f1, %u; mov.b32 %r9, %f1;", "%r9");
  expectBits("cvt.rn.f16x2.f32 %r9, %uf, 0f00000000; and.b32 %r9, %r9, "
             "0x1ffff;",
             0x10000);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

TEST(UndefinedTest, Exchange) {
  // Only lane 0 has a value.
  std::string one = "@%p2 mov.u32 %u, 1; ";
  expectDefined(one + "shfl.sync.idx.b32 %r9, %u, 0, 31, -1;", "%r9");
  expectUndefined(one + "shfl.sync.idx.b32 %r9, %u, 1, 31, -1;", "%r9");
  expectUndefined(one + "shfl.sync.down.b32 %r9, %u, 1, 31, -1;", "%r9");
  expectUndefined("shfl.sync.idx.b32 %r9, %r0, %u, 31, -1;", "%r9");
  expectUndefined("shfl.sync.idx.b32 %r9|%p3, %r0, %u, 31, -1; selp.b32 %r9, "
                  "1, 2, %p3;",
                  "%r9");
  // Out of range, each lane keeps its own.
  EXPECT_EQ(usesIn(one + "shfl.sync.up.b32 %r9, %u, 1, 0, -1;\n"
                         "@%p2 st.global.u32 [%d0], %r9;"),
            none);
  // The lanes come together from two branches.
  EXPECT_EQ(usesIn("@%p2 bra One; mov.u32 %r8, 1; bra Both; One: "
                   "mov.u32 %r8, %u; Both:\nshfl.sync.idx.b32 %r9, %r8, 3, 31, "
                   "-1;\nst.global.u32 [%d0], %r9;"),
            none);
}

TEST(UndefinedTest, Votes) {
  std::string choose = " selp.b32 %r9, 1, 2, %p3;";
  expectUndefined("vote.sync.all.pred %p3, %up, -1;" + choose, "%r9");
  expectDefined("@%p2 setp.eq.u32 %up, 0, 1; vote.sync.all.pred %p3, %up, -1;" +
                    choose,
                "%r9");
  expectDefined("@%p2 setp.eq.u32 %up, 0, 0; vote.sync.any.pred %p3, %up, -1;" +
                    choose,
                "%r9");
  expectUndefined(
      "@%p2 setp.eq.u32 %up, 0, 1; vote.sync.any.pred %p3, %up, -1;" + choose,
      "%r9");
  expectBits("@!%p2 setp.eq.u32 %up, 0, 0; vote.sync.ballot.b32 %r9, %up, -1;",
             1);
  expectUndefined("match.any.sync.b32 %r9, %u, -1;", "%r9");
  expectDefined("match.any.sync.b32 %r9, %r0, -1;", "%r9");
  expectBits("and.b32 %r9, %u, 4; redux.sync.or.b32 %r9, %r9, -1;", 4);
  expectUndefined("redux.sync.max.u32 %r9, %u, -1;", "%r9");
  expectUndefined("barrier.cta.red.popc.aligned.u32 %r9, 0, %up;", "%r9");
  expectDefined("barrier.cta.red.popc.aligned.u32 %r9, 0, %p0;", "%r9");
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

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

TEST(UndefinedTest, MatrixMoves) {
  // Row 0 of the matrix is what lane 0 has written.
  std::string fill = "st.shared.v4.u32 [%r1], {%r0, %r0, %r0, %r0};";
  std::string load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [%r1];";
  EXPECT_EQ(usesIn(fill + load + "\nst.global.u32 [%d0], %r9;"), none);
  EXPECT_EQ(usesIn("@%p2 " + fill + load + "\nst.global.u32 [%d0], %r9;"),
            derived);
  std::string first = "setp.lt.u32 %p3, %r0, 4;\n";
  EXPECT_EQ(
      usesIn("@%p2 " + fill + load + first + "@%p3 st.global.u32 [%d0], %r9;"),
      none);
  EXPECT_EQ(usesIn("@%p2 " + fill + load +
                   "movmatrix.sync.aligned.m8n8.trans.b16 %r9, %r9;" + first +
                   "@%p3 st.global.u32 [%d0], %r9;"),
            derived);
  EXPECT_EQ(usesIn("@%p2 mov.u32 %u, 1; stmatrix.sync.aligned.m8n8.x1.shared"
                   ".b16 [%r1], {%u}; ld.shared.u32 %r9, [%r1];\n"
                   "@%p2 st.global.u32 [%d0], %r9;"),
            none);
  EXPECT_EQ(usesIn("@!%p2 mov.u32 %u, 1; stmatrix.sync.aligned.m8n8.x1.shared"
                   ".b16 [%r1], {%u}; ld.shared.u32 %r9, [%r1];\n"
                   "@%p2 st.global.u32 [%d0], %r9;"),
            derived);
}

TEST(UndefinedTest, Products) {
  // Lanes 0 to 3 hold row 0 of A and, with their f16, rows 0 and 8 of D.
  auto mma = [](const std::string &a, const std::string &b,
                const std::string &c) {
    return "mov.b32 %f1, 0f00000000; mov.u32 %r8, 0; setp.lt.u32 %p3, %r0, 4; "
           "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f5, %f6, %f7, "
           "%f8}, {" +
           a + ", %r8}, {" + b + "}, {" + c + ", %f1, %f1, %f1};\n";
  };
  std::string store = "st.global.f32 [%d0], ";
  EXPECT_EQ(usesIn(mma("%r8", "%r8", "%f1") + store + "%f5;"), none);
  EXPECT_EQ(usesIn(mma("%u", "%r8", "%f1") + store + "%f5;"), derived);
  EXPECT_EQ(usesIn(mma("%u", "%r8", "%f1") + store + "%f7;"), none);
  EXPECT_EQ(usesIn(mma("%r8", "%u", "%f1") + store + "%f7;"), derived);
  EXPECT_EQ(usesIn(mma("%r8", "%r8", "%uf") + store + "%f5;"), derived);
  EXPECT_EQ(usesIn(mma("%r8", "%r8", "%uf") + store + "%f6;"), none);
  // Row 0 only.
  std::string one = "setp.lt.u32 %p3, %r0, 4; @!%p3 mov.u32 %u, 0; ";
  EXPECT_EQ(usesIn(one + mma("%u", "%r8", "%f1") + "@!%p3 " + store + "%f5;"),
            none);
  EXPECT_EQ(usesIn(one + mma("%u", "%r8", "%f1") + "@%p3 " + store + "%f5;"),
            derived);
  // The column of lanes 0 to 3 of B is in D that of lanes 0, 4, 8 ...
  EXPECT_EQ(usesIn(one + mma("%r8", "%u", "%f1") + store + "%f6;"), none);
}

TEST(UndefinedTest, HalfProducts) {
  // The upper half of a register of C is the column behind the lower one's.
  auto mma = [](const std::string &bits) {
    return "mov.u32 %r8, 0; mov.u16 %h1, 0; mov.b32 %r7, {%h1, %uh};"
           "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r5, %r6}, {%r8, "
           "%r8}, {%r8}, {%r7, %r8}; and.b32 %r9, %r5, " +
           bits + ";";
  };
  expectDefined(mma("0xffff"), "%r9");
  expectUndefined(mma("0x10000"), "%r9");
  expectDefined(mma("0xffff"), "%r6");
  expectUndefined("mov.u32 %r8, 0; mma.sync.aligned.m8n8k16.row.col.s32.s8.s8"
                  ".s32 {%r9, %r6}, {%u}, {%r8}, {%r8, %r8};",
                  "%r9");
  // The low byte is an element of the same row.
  expectUndefined("mov.u32 %r8, 0; and.b32 %r7, %u, 0xff; @!%p2 mov.u32 %r7, "
                  "0; mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r9, "
                  "%r6}, {%r7}, {%r8}, {%r8, %r8};",
                  "%r9");
}

/// A and B of 16 x 16 f16, of which A has `filled` rows; the lane of row
/// `stored` stores an element of D.
TEST(UndefinedTest, WmmaProducts) {
  auto wmma = [](unsigned filled, unsigned stored) {
    return usesIn(
        "mov.u32 %r9, 0; setp.lt.u32 %p3, %r0, " + std::to_string(2 * filled) +
        "; @%p3 st.shared.v4.u32 [%r1], {%r9, %r9, %r9, %r9};"
        "st.shared.v4.u32 [%r1+1024], {%r9, %r9, %r9, %r9}; bar.sync 0;"
        "mov.b32 %f0, 0f00000000; mov.u32 %r9, buffer;"
        "wmma.load.a.sync.aligned.m16n16k16.row.shared.f16 {%r10, %r11, %r12, "
        "%r13, %r14, %r15, %r16, %r17}, [%r9], 16;"
        "wmma.load.b.sync.aligned.m16n16k16.row.shared.f16 {%r20, %r21, %r22, "
        "%r23, %r24, %r25, %r26, %r27}, [%r9+1024], 16;"
        "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%f1, %f2, %f3, %f4, "
        "%f5, %f6, %f7, %f8}, {%r10, %r11, %r12, %r13, %r14, %r15, %r16, "
        "%r17}, {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}, {%f0, %f0, "
        "%f0, %f0, %f0, %f0, %f0, %f0};"
        "wmma.store.d.sync.aligned.m16n16k16.row.shared.f32 [%r9+2048], {%f1, "
        "%f2, %f3, %f4, %f5, %f6, %f7, %f8}, 16; bar.sync 0;"
        "and.b32 %r8, %r0, 15; mad.lo.u32 %r8, %r8, 64, %r9; ld.shared.f32 "
        "%f9, [%r8+2052]; setp.eq.u32 %p3, %r0, " +
        std::to_string(stored) + ";\n@%p3 st.global.f32 [%d0], %f9;");
  };
  EXPECT_EQ(wmma(16, 15), none);
  EXPECT_EQ(wmma(11, 10), none);
  EXPECT_EQ(wmma(11, 11), derived);
  EXPECT_EQ(wmma(5, 12), derived);
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

/// A warpgroup multiplies 64 rows of `rows` by 8 columns of `columns` that
/// are filled; each thread stores its first element of D, of row
/// 16 (%tid / 32) + %tid / 4 % 8 and column 2 (%tid % 4), if %p4.
std::string wgmma(const std::string &rows, const std::string &columns,
                  const std::string &scale, const std::string &stored,
                  const std::string &d = "%f5") {
  // No swizzle: 8 rows of 16 bytes are 128 bytes; a thread fills a row of A.
  return kernel(
      "mad.lo.u32 %r9, %r0, 16, %r1; sub.u32 %r9, %r9, %r1; mov.u32 %r8, "
      "buffer; mad.lo.u32 %r9, %r0, 16, %r8;"
      "setp.lt.u32 %p3, %r0, " +
      rows +
      "; @%p3 st.shared.v4.u32 [%r9], {%r0, %r0, %r0, %r0};"
      "@%p3 st.shared.v4.u32 [%r9+1024], {%r0, %r0, %r0, %r0};"
      "setp.lt.u32 %p3, %r0, " +
      columns +
      "; @%p3 st.shared.v4.u32 [%r9+2048], {%r0, %r0, %r0, %r0};"
      "@%p3 st.shared.v4.u32 [%r9+2176], {%r0, %r0, %r0, %r0};"
      "fence.proxy.async; bar.sync 0;"
      // Start, leading (along K) and stride (to the next 8 rows) offsets / 16.
      "shr.u32 %r7, %r8, 4; cvt.u64.u32 %d5, %r7;"
      "add.u64 %d6, %d5, 128;"
      "or.b64 %d5, %d5, 0x0000000800400000; or.b64 %d6, %d6, "
      "0x0000000800080000;"
      "mov.b32 %f6, 0f00000000; mov.f32 %f7, %f6; mov.f32 %f8, %f6;"
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {" +
      d + ", %f6, %f7, %f8}, %d5, %d6, " + scale +
      ", 1, 1, 0, 0;"
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
      "shr.u32 %r7, %r0, 5; shl.b32 %r7, %r7, 4; shr.u32 %r6, %r0, 2; and.b32 "
      "%r6, %r6, 7; add.u32 %r7, %r7, %r6; and.b32 %r6, %r0, 3; shl.b32 %r6, "
      "%r6, 1;"
      "setp.lt.u32 %p4, " +
      stored + ";\n@%p4 st.global.f32 [%d0], " + d + ";");
}

TEST(UndefinedTest, WarpgroupProducts) {
  const Uses fromProduct{{firstLine + 2, firstLine + 1}};
  // scale-d false: D does not depend on what it was.
  EXPECT_EQ(usesOf(wgmma("64", "8", "%p1", "%r0, 128"), 128), none);
  EXPECT_EQ(usesOf(wgmma("64", "8", "%p0", "%r0, 128"), 128),
            (Uses{{firstLine + 2, 0}}));
  EXPECT_EQ(usesOf(wgmma("64", "8", "%up", "%r0, 0"), 128),
            (Uses{{firstLine + 1, 0}}));
  EXPECT_EQ(usesOf(wgmma("55", "8", "%p1", "%r0, 128"), 128), fromProduct);
  EXPECT_EQ(usesOf(wgmma("55", "8", "%p1", "%r7, 55"), 128), none);
  EXPECT_EQ(usesOf(wgmma("35", "8", "%p1", "%r7, 35"), 128), none);
  EXPECT_EQ(usesOf(wgmma("35", "8", "%p1", "%r7, 36"), 128), fromProduct);
  EXPECT_EQ(usesOf(wgmma("64", "5", "%p1", "%r6, 5"), 128), none);
  EXPECT_EQ(usesOf(wgmma("64", "5", "%p1", "%r6, 7"), 128), fromProduct);
}

} // namespace
