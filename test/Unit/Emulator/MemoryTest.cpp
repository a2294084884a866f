//===- MemoryTest.cpp - Tests of loads and stores -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every width and count in every space, registers wider than the type, and
// accesses that end the launch.
//
//===----------------------------------------------------------------------===//

#include "EmulatorTestUtils.h"

#include <algorithm>

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

std::vector<uint8_t> someBytes(size_t count) {
  std::vector<uint8_t> bytes(count);
  uint32_t state = 4711;
  for (uint8_t &byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = state >> 24;
  }
  return bytes;
}

/// Copies `bytes` of each thread's 64 with `body`; the others stay.
void expectCopies(const std::string &body, unsigned bytes,
                  unsigned threads = 32, const std::string &module = "") {
  // Parts as large as the access are consecutive; larger ones are not.
  for (unsigned shift : {3u, 4u, 5u, 6u}) {
    if (bytes > 1u << shift)
      continue;
    TestMachine machine(threadKernel(body, shift, shift, module));
    std::vector<uint8_t> in = someBytes(threads << shift), zero(in.size());
    uint8_t *device = machine.upload(in), *out = machine.upload(zero);
    LaunchOutcome outcome = machine.launch({1}, {threads}, device, out);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    for (size_t i = 0; i < in.size(); ++i)
      ASSERT_EQ(out[i], i % (1u << shift) < bytes ? in[i] : 0)
          << body << ", byte " << i << " of parts of " << (1 << shift);
  }
}

/// `{%r0, %r1}`, or `%r0` for one.
std::string registers(const std::string &kind, unsigned count) {
  if (count == 1)
    return "%" + kind + "0";
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + kind + std::to_string(i);
  return text + "}";
}

std::string vectorSuffix(unsigned count) {
  return count == 1 ? "" : ".v" + std::to_string(count);
}

struct Element {
  const char *type, *kind;
  unsigned bytes, most;
};
const Element elements[] = {
    {"b8", "b", 1, 8},  {"b16", "h", 2, 8},   {"f32", "r", 4, 4},
    {"s64", "d", 8, 2}, {"b128", "q", 16, 1},
};

/// The finding that ends a launch of one warp.
std::string faultOf(const std::string &body, unsigned threads = 32,
                    uint64_t offset = 0, const std::string &module = "") {
  TestMachine machine(threadKernel(body, 2, 2, module));
  uint32_t *array = machine.upload(std::vector<uint32_t>(threads));
  LaunchOutcome outcome =
      machine.launch({1}, {threads}, reinterpret_cast<char *>(array) + offset,
                     reinterpret_cast<char *>(array) + offset);
  if (outcome.findings.empty())
    return llvm::StringRef(stringifyLaunchStatus(outcome.status)).str();
  return outcome.findings[0].id + " by thread " +
         std::to_string(outcome.findings[0].thread.x);
}

} // namespace

TEST(MemoryTest, Global) {
  for (const Element &e : elements)
    for (unsigned count = 1; count <= e.most; count *= 2) {
      std::string type = vectorSuffix(count) + "." + e.type;
      std::string r = registers(e.kind, count);
      unsigned bytes = e.bytes * count;
      expectCopies("ld.global" + type + " " + r + ", [%in];\nst.global" + type +
                       " [%out], " + r + ";",
                   bytes);
      expectCopies("ld" + type + " " + r + ", [%in];\nst" + type + " [%out], " +
                       r + ";",
                   bytes, 13);
      expectCopies("ld.volatile.global" + type + " " + r +
                       ", [%in];\nst.volatile.global" + type + " [%out], " + r +
                       ";",
                   bytes);
      expectCopies("ld.acquire.gpu.global" + type + " " + r +
                       ", [%in];\nst.release.gpu.global" + type + " [%out], " +
                       r + ";",
                   bytes, 13);
      expectCopies("ld.global.nc" + type + " " + r + ", [%in];\nst.global.cs" +
                       type + " [%out], " + r + ";",
                   bytes);
    }
  expectCopies("ldu.global.v2.u32 {%r0, %r1}, [%in];\n"
               "st.weak.global.L1::no_allocate.v2.u32 [%out], {%r0, %r1};",
               8);
  expectCopies("ld.mmio.relaxed.sys.global.u32 %r0, [%in];\n"
               "st.mmio.relaxed.sys.global.u32 [%out], %r0;",
               4);
  expectCopies("ld.relaxed.cta.global.u64 %d0, [%in];\n"
               "st.relaxed.sys.global.u64 [%out], %d0;",
               8);
}

TEST(MemoryTest, Guards) {
  // Lanes in a pattern; the others keep their registers and memory.
  std::string body = "mov.u32 %r0, 0;\nsetp.lt.s32 %p0, %t, 9;\n"
                     "@%p0 bra Skip;\n"
                     "ld.global.b32 %r0, [%in];\n"
                     "Skip: @!%p0 st.global.b32 [%out], %r0;\n";
  TestMachine machine(threadKernel(body, 2, 2));
  std::vector<uint32_t> in(32);
  for (unsigned i = 0; i < 32; ++i)
    in[i] = 100 + i;
  uint32_t *out = machine.upload(std::vector<uint32_t>(32, 1));
  // What the first nine would read is not there.
  uint32_t *device =
      machine.upload(std::vector<uint32_t>(in.begin() + 9, in.end()));
  LaunchOutcome outcome = machine.launch({1}, {32}, device - 9, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i < 9 ? 1 : in[i]);
}

TEST(MemoryTest, SharedAndLocal) {
  for (const Element &e : elements)
    for (unsigned count = 1; count <= e.most; count *= 2) {
      std::string type = vectorSuffix(count) + "." + e.type;
      std::string r = registers(e.kind, count);
      unsigned bytes = e.bytes * count, shift = 0;
      while (1u << shift < bytes)
        ++shift;
      std::string load = "ld.global" + type + " " + r + ", [%in];\n",
                  store = "st.global" + type + " [%out], " + r + ";",
                  slot = "shl.b32 %r8, %t, " + std::to_string(shift) +
                         ";\nmov.u32 %r9, s;\nadd.s32 %r9, %r9, %r8;\n",
                  wide = "mov.b64 %d9, {%r9, 0};\n";
      std::string module = ".shared .align 16 .b8 s[1024];";
      for (std::string space : {"shared", "shared::cta", "shared::cluster",
                                "volatile.shared", "relaxed.cluster.shared"})
        expectCopies(load + slot + "st." + space + type + " [%r9], " + r +
                         ";\nld." + space + type + " " + r + ", [%r9];\n" +
                         store,
                     bytes, 32, module);
      expectCopies(load + slot + wide + "st.shared" + type + " [%d9], " + r +
                       ";\ncvta.shared.u64 %d8, %d9;\nld" + type + " " + r +
                       ", [%d8];\n" + store,
                   bytes, 32, module);
      expectCopies(".local .align 16 .b8 l[32];\n" + load + "st.local" + type +
                       " [l+16], " + r + ";\nmov.u64 %d9, l;\nld.local" + type +
                       " " + r + ", [%d9+16];\n" + store,
                   bytes, 19);
      expectCopies(".local .align 16 .b8 l[32];\n" + load + "st" + type +
                       " [l+16], " + r +
                       ";\nmov.u64 %d9, l;\ncvta.local.u64 %d9, %d9;\nld" +
                       type + " " + r + ", [%d9+16];\n" + store,
                   bytes, 19);
    }
}

TEST(MemoryTest, SharedInParts) {
  // Lanes that read in reverse, the same, and every third word.
  TestMachine machine(threadKernel(R"(
  mov.u32 %r9, s;
  shl.b32 %r0, %t, 2;
  add.s32 %r1, %r9, %r0;
  st.shared.u32 [%r1], %t;
  bar.warp.sync -1;
  sub.s32 %r2, %r9, %r0;
  ld.shared.u32 %r3, [%r2+124];
  ld.shared.u32 %r4, [%r9+12];
  setp.lt.s32 %p0, %t, 10;
  mov.u32 %r5, 0;
  add.s32 %r6, %r1, %r0;
  add.s32 %r6, %r6, %r0;
  @%p0 ld.shared.u32 %r5, [%r6];
  st.global.v4.b32 [%out], {%r3, %r4, %r5, 0};
)",
                                   0, 4, ".shared .align 4 .b8 s[128];"));
  uint32_t *out = machine.allocate<uint32_t>(128);
  LaunchOutcome outcome = machine.launch({1}, {32}, out, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned t = 0; t < 32; ++t) {
    EXPECT_EQ(out[4 * t], 31 - t);
    EXPECT_EQ(out[4 * t + 1], 3u);
    EXPECT_EQ(out[4 * t + 2], t < 10 ? 3 * t : 0);
  }
}

TEST(MemoryTest, SpacesMixedInOneAccess) {
  // Generic addresses of three spaces at once.
  TestMachine machine(threadKernel(R"(
  .local .align 4 .b32 l[1];
  st.local.b32 [l], 300;
  st.shared.b32 [s], 200;
  mov.u64 %d0, l;
  cvta.local.u64 %d0, %d0;
  mov.u64 %d1, s;
  cvta.shared.u64 %d1, %d1;
  mov.u64 %d2, %in;
  setp.lt.s32 %p0, %t, 20;
  @%p0 mov.u64 %d2, %d1;
  setp.lt.s32 %p0, %t, 10;
  @%p0 mov.u64 %d2, %d0;
  ld.b32 %r0, [%d2];
  st.global.b32 [%out], %r0;
)",
                                   0, 2, ".shared .align 4 .b32 s[1];"));
  uint32_t *out = machine.allocate<uint32_t>(32);
  uint32_t *in = machine.upload(std::vector<uint32_t>(32, 100));
  LaunchOutcome outcome = machine.launch({1}, {20}, in, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned t = 0; t < 20; ++t)
    EXPECT_EQ(out[t], t < 10 ? 300u : 200u);
  // The bytes of the lane that is left are in no allocation.
  outcome = machine.launch({1}, {21}, uint64_t(4096), out);
  ASSERT_EQ(outcome.status, LaunchStatus::Fault);
  EXPECT_EQ(outcome.findings[0].id, "out-of-bounds");
  EXPECT_EQ(outcome.findings[0].thread.x, 20u);
  outcome = machine.launch({1}, {21}, in, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(out[9], 300u);
  EXPECT_EQ(out[19], 200u);
  EXPECT_EQ(out[20], 100u);
}

TEST(MemoryTest, WiderRegisters) {
  // PTX ISA "Operand Size Exceeding Instruction-Type Size".
  struct Case {
    const char *type;
    unsigned bytes;
    bool isSigned;
  } cases[] = {
      {"u8", 1, false},  {"b8", 1, false}, {"s8", 1, true},
      {"u16", 2, false}, {"s16", 2, true}, {"b16", 2, false},
      {"u32", 4, false}, {"s32", 4, true}, {"b32", 4, false},
  };
  for (const Case &c : cases)
    for (unsigned count : {1u, 2u, 4u})
      for (std::string kind : {"h", "r", "d"}) {
        unsigned registerBytes = kind == "h" ? 2 : kind == "r" ? 4 : 8;
        if (registerBytes <= c.bytes)
          continue;
        std::string r = registers(kind, count);
        std::string body = "ld.global" + vectorSuffix(count) + "." + c.type +
                           " " + r + ", [%in];\n";
        // The whole registers, and their low parts.
        for (unsigned k = 0; k < count; ++k)
          body += "st.global.b" + std::to_string(8 * registerBytes) +
                  " [%out+" + std::to_string(8 * k) + "], %" + kind +
                  std::to_string(k) + ";\n";
        body += "st.global" + vectorSuffix(count) + "." + c.type +
                " [%out+32], " + r + ";\n";
        TestMachine machine(threadKernel(body, 4, 6));
        std::vector<uint8_t> in = someBytes(32 * 16);
        uint8_t *device = machine.upload(in);
        uint8_t *out = machine.allocate<uint8_t>(32 * 64);
        LaunchOutcome outcome = machine.launch({1}, {32}, device, out);
        ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
        for (unsigned t = 0; t < 32; ++t)
          for (unsigned k = 0; k < count; ++k) {
            const uint8_t *from = in.data() + t * 16 + k * c.bytes;
            bool negative = c.isSigned && from[c.bytes - 1] >> 7;
            for (unsigned byte = 0; byte < registerBytes; ++byte)
              EXPECT_EQ(out[t * 64 + 8 * k + byte], byte < c.bytes ? from[byte]
                                                    : negative     ? 0xff
                                                                   : 0)
                  << body;
            for (unsigned byte = 0; byte < c.bytes; ++byte)
              EXPECT_EQ(out[t * 64 + 32 + k * c.bytes + byte], from[byte]);
          }
      }
}

TEST(MemoryTest, SinksConstantsOffsets) {
  TestMachine machine(threadKernel(R"(
  ld.global.v4.b32 {_, %r1, _, %r3}, [%in];
  ld.global.v8.b16 {_, _, %h0, _, _, _, _, %h1}, [%in];
  st.global.v4.b32 [%out], {%r1, 5, %r3, -1};
  st.global.v2.b16 [%out+16], {%h0, %h1};
  ld.global.b32 %r4, [%in+-4+8];
  st.global.b32 [%out+20], %r4;
  ld.global.b64 %out, [%out+16];
)",
                                   4, 5));
  std::vector<uint8_t> in = someBytes(32 * 16);
  uint8_t *out = machine.allocate<uint8_t>(32 * 32);
  LaunchOutcome outcome = machine.launch({1}, {32}, machine.upload(in), out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  auto word = [](const uint8_t *bytes) {
    uint32_t value;
    std::memcpy(&value, bytes, 4);
    return value;
  };
  for (unsigned t = 0; t < 32; ++t) {
    const uint8_t *o = out + 32 * t, *i = in.data() + 16 * t;
    EXPECT_EQ(word(o), word(i + 4));
    EXPECT_EQ(word(o + 4), 5u);
    EXPECT_EQ(word(o + 8), word(i + 12));
    EXPECT_EQ(word(o + 12), ~0u);
    EXPECT_EQ(word(o + 16),
              (word(i + 4) & 0xffff) | (word(i + 12) & 0xffff0000));
    EXPECT_EQ(word(o + 20), word(i + 4));
  }
}

TEST(MemoryTest, Parameters) {
  // Of entries by address, of functions by name and by address.
  TestMachine machine(R"(
.func (.param .b32 r) second(.param .align 8 .b8 a[16]) {
  .reg .b32 %x, %y; .reg .b64 %p;
  ld.param.b32 %x, [a+4];
  mov.b64 %p, a;
  ld.param.b32 %y, [%p+8];
  add.s32 %x, %x, %y;
  st.param.b32 [r], %x;
  ret;
}
.visible .entry k(.param .u64 out, .param .align 4 .b8 s[12]) {
  .reg .b32 %r<9>; .reg .b64 %d<9>;
  ld.param.u64 %d1, [out];
  mov.b64 %d2, s;
  ld.param.v2.u16 {%r1, %r2}, [%d2+4];
  ld.param::entry.u32 %r3, [s+8];
  { .param .align 8 .b8 a[16]; .param .b32 r;
    st.param.v4.b32 [a], {1, 20, 300, 4};
    call (r), second, (a);
    ld.param.b32 %r4, [r];
  }
  st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r4};
  ret;
}
)");
  uint32_t *out = machine.allocate<uint32_t>(4);
  struct Bytes {
    uint32_t words[3];
  };
  LaunchOutcome outcome =
      machine.launch({1}, {32}, out, Bytes{{9, 0x00020001, 3}});
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(std::vector<uint32_t>(out, out + 4),
            (std::vector<uint32_t>{1, 2, 3, 320}));
}

TEST(MemoryTest, Faults) {
  EXPECT_EQ(faultOf("ld.global.b32 %r0, [%in];"), "completed");
  EXPECT_EQ(faultOf("ld.global.b32 %r0, [%in];", 32, 4),
            "out-of-bounds by thread 31");
  EXPECT_EQ(faultOf("st.global.b32 [%in], 0;", 7, 4),
            "out-of-bounds by thread 6");
  EXPECT_EQ(faultOf("ld.global.b32 %r0, [%in];", 32, 2),
            "misaligned by thread 0");
  EXPECT_EQ(faultOf("ld.global.v2.b32 {%r0, %r1}, [%in];"),
            "misaligned by thread 1");
  EXPECT_EQ(faultOf("ld.global.b64 %d0, [%in];", 1, 4),
            "misaligned by thread 0");
  // At the end of all addresses, where sums wrap round.
  EXPECT_EQ(faultOf("mov.u64 %d0, -4; st.global.b32 [%d0], 0;"),
            "out-of-bounds by thread 0");
  EXPECT_EQ(faultOf("mov.u64 %d0, -64; mov.b64 %d1, {%s, 0};\n"
                    "add.s64 %d0, %d0, %d1; ld.global.b32 %r0, [%d0];"),
            "out-of-bounds by thread 0");
  EXPECT_EQ(faultOf("mov.u64 %d0, 0; @%p0 mov.u64 %d0, -4;\n"
                    "ld.b32 %r0, [%d0];"),
            "out-of-bounds by thread 0");
  std::string s = ".shared .align 4 .b32 s[32];";
  std::string address = "mov.u32 %r9, s; add.s32 %r9, %r9, %s;\n";
  EXPECT_EQ(faultOf(address + "st.shared.b32 [%r9], 0;", 32, 0, s),
            "completed");
  EXPECT_EQ(faultOf(address + "st.shared.b32 [%r9+4], 0;", 32, 0, s),
            "out-of-bounds by thread 31");
  EXPECT_EQ(faultOf(address + "ld.shared.b32 %r0, [%r9+2];", 32, 0, s),
            "misaligned by thread 0");
  // A generic address is none of shared memory.
  EXPECT_EQ(faultOf("mov.u64 %d0, s; cvta.shared.u64 %d0, %d0;\n"
                    "ld.shared.b32 %r0, [%d0];",
                    32, 0, s),
            "out-of-bounds by thread 0");
  // Nor is one of another CTA's memory.
  EXPECT_EQ(faultOf("mov.u32 %r9, s; mapa.shared::cluster.u32 %r9, %r9, 1;\n"
                    "ld.shared::cluster.b32 %r0, [%r9];",
                    32, 0, s),
            "out-of-bounds by thread 0");
  EXPECT_EQ(faultOf(".local .align 4 .b32 l[4];\nst.local.b32 [l+16], 0;"),
            "out-of-bounds by thread 0");
}

TEST(MemoryTest, LocalStoresAreNoProgress) {
  // CTA 0 waits for CTA 1, which begins when the first one gains nothing.
  TestMachine machine(threadKernel(R"(
  .local .align 4 .b32 l;
  mov.u32 %r0, %ctaid.x;
  setp.lt.s32 %p0, %r0, 1;
  @!%p0 bra Last;
Wait:
  st.local.b32 [l], %r1;
  ld.volatile.global.u32 %r1, [flag];
  setp.lt.s32 %p1, %r1, 1;
  @%p1 bra Wait;
  bra End;
Last:
  st.volatile.global.u32 [flag], 1;
End:
)",
                                   0, 0, ".global .u32 flag;"));
  machine.options.maxInstructions = 10000000;
  LaunchOutcome outcome = machine.launch({2}, {1}, uint64_t(0), uint64_t(0));
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
}

TEST(MemoryTest, StAsync) {
  // CTA 0 sends a vector and a word to CTA 1, which waits for the bytes.
  for (Schedule::Kind kind : {Schedule::Eager, Schedule::Lazy, Schedule::Random,
                              Schedule::Adversarial}) {
    TestMachine machine(threadKernel(R"(
  mov.u32 %r0, %cluster_ctarank;
  setp.lt.s32 %p0, %r0, 1;
  @%p0 bra Ready;
  setp.lt.s32 %p1, %t, 1;
  @%p1 mbarrier.init.shared.b64 [bar], 1;
  @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 96;
Ready:
  barrier.cluster.arrive;
  barrier.cluster.wait;
  mov.u32 %r1, s;
  mapa.shared::cluster.u32 %r1, %r1, 1;
  mov.u32 %r2, bar;
  mapa.shared::cluster.u32 %r2, %r2, 1;
  @!%p0 bra Wait;
  shl.b32 %r3, %t, 4;
  add.s32 %r1, %r1, %r3;
  add.s32 %r4, %t, 100;
  st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32
      [%r1], {%t, %r4}, [%r2];
  st.async.shared::cluster.mbarrier::complete_tx::bytes.b32
      [%r1+8], 7, [%r2];
  bra End;
Wait:
  mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
  @!%p2 bra Wait;
  mov.u32 %r1, s;
  shl.b32 %r3, %t, 4;
  add.s32 %r1, %r1, %r3;
  ld.shared.v4.b32 {%r5, %r6, %r7, %r8}, [%r1];
  st.global.v4.b32 [%out], {%r5, %r6, %r7, %r8};
End:
  barrier.cluster.arrive;
  barrier.cluster.wait;
)",
                                     0, 4,
                                     ".shared .align 16 .b8 s[256];\n"
                                     ".shared .align 8 .b64 bar;"));
    uint32_t *out = machine.allocate<uint32_t>(32);
    machine.config.cluster = {2};
    machine.options.schedule.kind = kind;
    LaunchOutcome outcome = machine.launch({2}, {8}, out, out);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    for (unsigned t = 0; t < 8; ++t)
      EXPECT_EQ(std::vector<uint32_t>(out + 4 * t, out + 4 * t + 4),
                (std::vector<uint32_t>{t, 100 + t, 7, 0}));
  }
}

TEST(MemoryTest, StAsyncToGenericAddresses) {
  std::string module = ".shared .align 8 .b64 s;\n.shared .align 8 .b64 bar;";
  auto text = [](const std::string &to) {
    return "setp.lt.s32 %p0, %t, 1;\n"
           "@%p0 mbarrier.init.shared.b64 [bar], 1;\n"
           "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 8;\n"
           "mov.u64 %d0, s; cvta.shared.u64 %d0, %d0;\n"
           "mov.u64 %d1, bar; cvta.shared.u64 %d1, %d1;\n"
           "@%p0 st.async.mbarrier::complete_tx::bytes.b64 [" +
           to +
           "], %d1, [%d1];\n"
           "Wait: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n"
           "@!%p1 bra Wait;\n"
           "ld.shared.b64 %d2, [s]; sub.s64 %d2, %d2, %d1;\n"
           "st.global.b64 [%out], %d2;";
  };
  TestMachine machine(threadKernel(text("%d0"), 0, 3, module));
  uint64_t *out = machine.upload(std::vector<uint64_t>(32, 1));
  LaunchOutcome outcome = machine.launch({1}, {32}, out, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(std::vector<uint64_t>(out, out + 32), std::vector<uint64_t>(32));
  TestMachine wrong(threadKernel(text("%out"), 0, 3, module));
  out = wrong.upload(std::vector<uint64_t>(32, 1));
  outcome = wrong.launch({1}, {32}, out, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Fault);
  EXPECT_EQ(outcome.findings[0].id, "state-space");
}
