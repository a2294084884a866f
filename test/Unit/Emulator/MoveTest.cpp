//===- MoveTest.cpp - Tests of moves and of addresses ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mov in its forms, cvta, isspacep, mapa, getctarank, and the instructions
// without an effect.
//
//===----------------------------------------------------------------------===//

#include "EmulatorTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// Some bits, different everywhere.
std::vector<uint8_t> someBytes(size_t count) {
  std::vector<uint8_t> bytes(count);
  uint32_t state = 12345;
  for (uint8_t &byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = state >> 24;
  }
  return bytes;
}

/// Runs `body` with 16 bytes of input and 16 of output per thread; returns the
/// output and leaves the input in `in`.
std::vector<uint8_t> run16(const std::string &body, std::vector<uint8_t> &in,
                           unsigned threads = 32) {
  TestMachine machine(threadKernel(body, 4, 4));
  in = someBytes(threads * 16);
  uint8_t *device = machine.upload(in);
  uint8_t *out = machine.allocate<uint8_t>(threads * 16);
  LaunchOutcome outcome = machine.launch({1}, {threads}, device, out);
  EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  return std::vector<uint8_t>(out, out + threads * 16);
}

/// Whether each thread's first `count` elements of `size` bytes are those of
/// the input in reversed order.
void expectReversed(const std::vector<uint8_t> &in,
                    const std::vector<uint8_t> &out, unsigned size,
                    unsigned count) {
  for (size_t thread = 0; thread < in.size() / 16; ++thread)
    for (unsigned k = 0; k < count; ++k)
      for (unsigned byte = 0; byte < size; ++byte)
        EXPECT_EQ(out[thread * 16 + k * size + byte],
                  in[thread * 16 + (count - 1 - k) * size + byte])
            << "thread " << thread << ", element " << k;
}

} // namespace

TEST(MoveTest, PacksVectors) {
  std::vector<uint8_t> in, out;
  out = run16("ld.global.v2.b8 {%b0, %b1}, [%in];\n"
              "mov.b16 %h0, {%b1, %b0};\nst.global.b16 [%out], %h0;",
              in);
  expectReversed(in, out, 1, 2);
  out = run16("ld.global.v4.b8 {%b0, %b1, %b2, %b3}, [%in];\n"
              "mov.b32 %r0, {%b3, %b2, %b1, %b0};\nst.global.b32 [%out], %r0;",
              in);
  expectReversed(in, out, 1, 4);
  out = run16("ld.global.v2.b16 {%h0, %h1}, [%in];\n"
              "mov.b32 %r0, {%h1, %h0};\nst.global.b32 [%out], %r0;",
              in);
  expectReversed(in, out, 2, 2);
  out = run16("ld.global.v4.b16 {%h0, %h1, %h2, %h3}, [%in];\n"
              "mov.b64 %d0, {%h3, %h2, %h1, %h0};\nst.global.b64 [%out], %d0;",
              in);
  expectReversed(in, out, 2, 4);
  out = run16("ld.global.v2.b32 {%r0, %r1}, [%in];\n"
              "mov.b64 %d0, {%r1, %r0};\nst.global.b64 [%out], %d0;",
              in);
  expectReversed(in, out, 4, 2);
  out = run16("ld.global.v2.b64 {%d0, %d1}, [%in];\n"
              "mov.b128 %q0, {%d1, %d0};\nst.global.b128 [%out], %q0;",
              in);
  expectReversed(in, out, 8, 2);
}

TEST(MoveTest, UnpacksVectors) {
  std::vector<uint8_t> in, out;
  out = run16("ld.global.b16 %h0, [%in];\nmov.b16 {%b0, %b1}, %h0;\n"
              "st.global.v2.b8 [%out], {%b1, %b0};",
              in);
  expectReversed(in, out, 1, 2);
  out = run16("ld.global.b32 %r0, [%in];\nmov.b32 {%b0, %b1, %b2, %b3}, %r0;\n"
              "st.global.v4.b8 [%out], {%b3, %b2, %b1, %b0};",
              in);
  expectReversed(in, out, 1, 4);
  out = run16("ld.global.b32 %r0, [%in];\nmov.b32 {%h0, %h1}, %r0;\n"
              "st.global.v2.b16 [%out], {%h1, %h0};",
              in);
  expectReversed(in, out, 2, 2);
  out = run16("ld.global.b64 %d0, [%in];\nmov.b64 {%h0, %h1, %h2, %h3}, %d0;\n"
              "st.global.v4.b16 [%out], {%h3, %h2, %h1, %h0};",
              in);
  expectReversed(in, out, 2, 4);
  out = run16("ld.global.b64 %d0, [%in];\nmov.b64 {%r0, %r1}, %d0;\n"
              "st.global.v2.b32 [%out], {%r1, %r0};",
              in);
  expectReversed(in, out, 4, 2);
  out = run16("ld.global.b128 %q0, [%in];\nmov.b128 {%d0, %d1}, %q0;\n"
              "st.global.v2.b64 [%out], {%d1, %d0};",
              in);
  expectReversed(in, out, 8, 2);
}

TEST(MoveTest, SinksVectorsBraces) {
  std::vector<uint8_t> in, out;
  out = run16("ld.global.b64 %d0, [%in];\nmov.b64 {_, %r1}, %d0;\n"
              "mov.b64 {%r0, _}, %d0;\nst.global.v2.b32 [%out], {%r1, %r0};",
              in);
  expectReversed(in, out, 4, 2);
  // All are read before any is written.
  out = run16("ld.global.v2.b32 {%r0, %r1}, [%in];\n"
              "mov.v2.b32 {%r0, %r1}, {%r1, %r0};\n"
              "st.global.v2.b32 [%out], {%r0, %r1};",
              in);
  expectReversed(in, out, 4, 2);
  out = run16("ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%in];\n"
              "mov.v4.b32 {%r0, %r1, %r2, %r3}, {%r3, %r2, %r1, %r0};\n"
              "st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};",
              in);
  expectReversed(in, out, 4, 4);
  out = run16("ld.global.v4.b16 {%h0, %h1, %h2, %h3}, [%in];\n"
              "mov.v4.b16 {%h4, %h5, %h6, %h7}, {%h3, %h2, %h1, %h0};\n"
              "st.global.v4.b16 [%out], {%h4, %h5, %h6, %h7};",
              in);
  expectReversed(in, out, 2, 4);
  out = run16("ld.global.v2.b64 {%d0, %d1}, [%in];\n"
              "mov.v2.b64 {%d0, %d1}, {%d1, %d0};\n"
              "mov.b64 {%d2}, %d0; mov.b64 %d0, {%d2};\n"
              "st.global.v2.b64 [%out], {%d0, %d1};",
              in);
  expectReversed(in, out, 8, 2);
}

TEST(MoveTest, OnlyActiveLanes) {
  std::vector<uint8_t> in,
      out = run16("mov.u32 %r0, 7; mov.u32 %r1, 7; mov.u32 %r2, 7;\n"
                  "ld.global.b64 %d0, [%in];\n"
                  "setp.lt.s32 %p0, %t, 5;\n"
                  "@%p0 mov.b64 {%r0, %r1}, %d0;\n"
                  "@%p0 mov.v2.b32 {%r2, %r3}, {%r1, %r0};\n"
                  "mov.u64 %d1, 0; mov.b32 {%h0, %h1}, %r0;\n"
                  "@!%p0 mov.b64 %d1, {%r0, %r1};\n"
                  "st.global.b64 [%out], %d1;\n"
                  "st.global.v2.b32 [%out+8], {%r0, %r2};",
                  in, 20);
  auto word = [](const std::vector<uint8_t> &bytes, size_t offset) {
    uint32_t value;
    std::memcpy(&value, bytes.data() + offset, 4);
    return value;
  };
  for (unsigned t = 0; t < 20; ++t) {
    EXPECT_EQ(word(out, t * 16), t < 5 ? 0 : 7u);
    EXPECT_EQ(word(out, t * 16 + 4), t < 5 ? 0 : 7u);
    EXPECT_EQ(word(out, t * 16 + 8), t < 5 ? word(in, t * 16) : 7u);
    EXPECT_EQ(word(out, t * 16 + 12), t < 5 ? word(in, t * 16 + 4) : 7u);
  }
}

TEST(MoveTest, PredicatesConstantsSpecialRegisters) {
  TestMachine machine(threadKernel(R"(
  setp.lt.s32 %p0, %t, 3;
  mov.pred %p1, %p0;
  mov.u32 %r0, 0;
  @%p1 mov.u32 %r0, -1;
  mov.f32 %r1, 0f3FC00000;
  mov.f64 %d0, 0d3FF8000000000000;
  mov.b16 %h0, -2;
  mov.u16 %h1, %tid.x;
  mov.u32 %r2, %envreg3;
  mov.u64 %d1, %gridid;
  mov.u32 %r3, %laneid;
  st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};
  st.global.b64 [%out+16], %d0;
  st.global.v2.b16 [%out+24], {%h0, %h1};
)",
                                   0, 5));
  std::vector<uint32_t> zero(8 * 40);
  uint32_t *out = machine.upload(zero);
  LaunchOutcome outcome = machine.launch({1}, {40}, out, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned t = 0; t < 40; ++t) {
    const uint32_t *words = out + 8 * t;
    EXPECT_EQ(words[0], t < 3 ? ~0u : 0u);
    EXPECT_EQ(words[1], 0x3fc00000u);
    EXPECT_EQ(words[2], 0u);
    EXPECT_EQ(words[3], t % 32);
    EXPECT_EQ(words[4], 0u);
    EXPECT_EQ(words[5], 0x3ff80000u);
    EXPECT_EQ(words[6], 0xfffeu | t << 16);
  }
}

TEST(MoveTest, VectorsOfSpecialRegisters) {
  TestMachine machine(threadKernel("mov.v4.u32 {%r0, %r1, %r2, %r3}, %tid;\n"
                                   "mov.v4.u32 {%r4, _, %r6, _}, %ntid;\n"
                                   "mov.u32 %r5, WARP_SZ;\n"
                                   "st.global.v4.b32 [%out], "
                                   "{%r0, %r1, %r2, %r3};\n"
                                   "st.global.v4.b32 [%out+16], "
                                   "{%r4, %r5, %r6, 0};",
                                   0, 5));
  uint32_t *out = machine.allocate<uint32_t>(8 * 3);
  LaunchOutcome outcome = machine.launch({1}, {3}, out, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned t = 0; t < 3; ++t)
    EXPECT_EQ(std::vector<uint32_t>(out + 8 * t, out + 8 * t + 8),
              (std::vector<uint32_t>{t, 0, 0, 0, 3, 32, 1, 0}));
}

TEST(MoveTest, AddressesOfSymbols) {
  TestMachine machine(threadKernel(R"(
  mov.u64 %d0, g;
  ld.global.u32 %r0, [%d0+4];
  ld.const.u32 %r1, [c+4];
  mov.u64 %d1, c;
  ld.const.u32 %r2, [%d1];
  mov.u32 %r3, s;
  st.shared.u32 [%r3+4], 77;
  ld.shared.u32 %r4, [s+4];
  mov.u64 %d2, s;
  ld.shared.u32 %r5, [%d2+4];
  mov.u32 %r6, s+4;
  ld.shared.u32 %r6, [%r6];
  st.global.v4.b32 [%out], {%r0, %r1, %r2, %r4};
  st.global.v2.b32 [%out+16], {%r5, %r6};
)",
                                   0, 5,
                                   ".global .u32 g[2] = {11, 12};\n"
                                   ".const .u32 c[2] = {21, 22};\n"
                                   ".shared .align 8 .b32 s[4];"));
  uint32_t *out = machine.allocate<uint32_t>(8 * 32);
  LaunchOutcome outcome = machine.launch({1}, {32}, out, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(std::vector<uint32_t>(out, out + 6),
            (std::vector<uint32_t>{12, 22, 21, 77, 77, 77}));
}

TEST(MoveTest, GenericAddresses) {
  TestMachine machine(threadKernel(R"(
  .local .align 8 .b32 l[4];
  mov.u64 %d0, l;
  cvta.local.u64 %d1, %d0;
  st.u32 [%d1+4], %t;
  ld.local.u32 %r0, [l+4];
  cvta.to.local.u64 %d2, %d1;
  ld.local.u32 %r1, [%d2+4];
  mov.u64 %d3, s;
  cvta.shared.u64 %d4, %d3;
  st.u32 [%d4], 5;
  ld.shared.u32 %r2, [s];
  cvta.to.shared.u64 %d5, %d4;
  ld.shared.u32 %r3, [%d5];
  cvta.to.global.u64 %d6, %out;
  cvta.global.u64 %d7, %d6;
  mov.b64 %d8, in;
  cvta.param.u64 %d9, %d8;
  ld.u64 %d10, [%d9];
  mov.u32 %r4, 0;
  isspacep.local %p0, %d1;      @%p0 or.b32 %r4, %r4, 1;
  isspacep.local %p0, %d4;      @%p0 or.b32 %r4, %r4, 2;
  isspacep.shared %p0, %d4;     @%p0 or.b32 %r4, %r4, 4;
  isspacep.shared::cta %p0, %d7; @%p0 or.b32 %r4, %r4, 8;
  isspacep.global %p0, %d7;     @%p0 or.b32 %r4, %r4, 16;
  isspacep.global %p0, %d1;     @%p0 or.b32 %r4, %r4, 32;
  isspacep.param %p0, %d9;      @%p0 or.b32 %r4, %r4, 64;
  isspacep.param %p0, %d7;      @%p0 or.b32 %r4, %r4, 128;
  isspacep.global %p0, %d9;     @%p0 or.b32 %r4, %r4, 256;
  isspacep.shared::cluster %p0, %d4; @%p0 or.b32 %r4, %r4, 512;
  st.global.v4.b32 [%d7], {%r0, %r1, %r2, %r3};
  st.global.b32 [%out+16], %r4;
  st.global.b64 [%out+24], %d10;
)",
                                   0, 5, ".shared .align 8 .b32 s[4];"));
  uint32_t *out = machine.allocate<uint32_t>(8 * 32);
  LaunchOutcome outcome = machine.launch({1}, {32}, out, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned t = 0; t < 32; ++t) {
    const uint32_t *words = out + 8 * t;
    EXPECT_EQ(words[0], t);
    EXPECT_EQ(words[1], t);
    EXPECT_EQ(words[2], 5u);
    EXPECT_EQ(words[3], 5u);
    EXPECT_EQ(words[4], 1u + 4 + 16 + 64 + 256 + 512);
    uint64_t param;
    std::memcpy(&param, words + 6, 8);
    EXPECT_EQ(param, reinterpret_cast<uint64_t>(out));
  }
}

TEST(MoveTest, ConstantsAreNotGlobal) {
  TestMachine machine(threadKernel(R"(
  mov.u64 %d0, numbers; cvta.const.u64 %d0, %d0;
  mov.u64 %d1, variable; cvta.global.u64 %d1, %d1;
  mov.u32 %r4, 0;
  isspacep.const %p0, %d0;    @%p0 or.b32 %r4, %r4, 1;
  isspacep.global %p0, %d0;   @%p0 or.b32 %r4, %r4, 2;
  add.u64 %d2, %d0, 7;
  isspacep.const %p0, %d2;    @%p0 or.b32 %r4, %r4, 4;
  isspacep.const %p0, %d1;    @%p0 or.b32 %r4, %r4, 8;
  isspacep.global %p0, %d1;   @%p0 or.b32 %r4, %r4, 16;
  isspacep.const %p0, %out;   @%p0 or.b32 %r4, %r4, 32;
  st.global.b32 [%out], %r4;
)",
                                   2, 2,
                                   ".const .b32 numbers[2] = {1, 2};\n"
                                   ".global .b32 variable;"));
  uint32_t *out = machine.allocate<uint32_t>(1);
  LaunchOutcome outcome = machine.launch({1}, {1}, out, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  EXPECT_EQ(*out, 1u + 4 + 16);
}

TEST(MoveTest, AddressesInClusters) {
  // Each CTA writes its rank into the other one's memory.
  TestMachine machine(threadKernel(R"(
  mov.u32 %r0, %cluster_ctarank;
  xor.b32 %r1, %r0, 1;
  mov.u32 %r2, s;
  mapa.shared::cluster.u32 %r3, %r2, %r1;
  getctarank.shared::cluster.u32 %r4, %r3;
  st.shared::cluster.u32 [%r3], %r0;
  mov.u64 %d0, s;
  cvta.shared.u64 %d1, %d0;
  mapa.u64 %d2, %d1, %r1;
  getctarank.u64 %r5, %d2;
  st.u32 [%d2+4], %r0;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ld.shared.v2.u32 {%r6, %r7}, [s];
  mov.u32 %r8, 0;
  isspacep.shared::cta %p0, %d2;     @%p0 or.b32 %r8, %r8, 1;
  isspacep.shared::cluster %p0, %d2; @%p0 or.b32 %r8, %r8, 2;
  shl.b32 %r9, %r0, 5;
  mov.b64 %d3, {%r9, 0};
  add.s64 %out, %out, %d3;
  st.global.v4.b32 [%out], {%r4, %r5, %r6, %r7};
  st.global.b32 [%out+16], %r8;
)",
                                   0, 0, ".shared .align 8 .b32 s[4];"));
  uint32_t *out = machine.allocate<uint32_t>(16);
  machine.config.cluster = {2};
  LaunchOutcome outcome = machine.launch({2}, {1}, out, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned rank = 0; rank < 2; ++rank)
    EXPECT_EQ(
        std::vector<uint32_t>(out + 8 * rank, out + 8 * rank + 5),
        (std::vector<uint32_t>{1 - rank, 1 - rank, 1 - rank, 1 - rank, 2}));
}

TEST(MoveTest, NoSuchRank) {
  TestMachine machine(threadKernel(R"(
  mov.u32 %r0, s;
  mapa.shared::cluster.u32 %r1, %r0, 256;
  st.shared::cluster.u32 [%r1], 0;
)",
                                   0, 0, ".shared .align 8 .b32 s[4];"));
  LaunchOutcome outcome = machine.launch({1}, {1}, uint64_t(0), uint64_t(0));
  ASSERT_EQ(outcome.status, LaunchStatus::Fault);
  EXPECT_EQ(outcome.findings[0].id, "out-of-bounds");
}

TEST(MoveTest, Hints) {
  TestMachine machine(threadKernel(R"(
  createpolicy.fractional.L2::evict_last.b64 %d0, 0.5;
  createpolicy.cvt.L2.b64 %d1, 0x10F0000000000000;
  ld.global.L2::cache_hint.b32 %r0, [%in], %d0;
  prefetch.global.L2 [%in];
  prefetch.L1 [%in];
  prefetchu.L1 [%in];
  applypriority.global.L2::evict_normal [%in], 128;
  nanosleep.u32 100;
  pmevent 3;
  griddepcontrol.wait;
  griddepcontrol.launch_dependents;
  setmaxnreg.dec.sync.aligned.u32 40;
  st.global.b32 [%out], %r0;
)",
                                   7, 2));
  std::vector<uint32_t> in(64 * 32);
  for (unsigned i = 0; i < in.size(); ++i)
    in[i] = 3 * i;
  uint32_t *out = machine.allocate<uint32_t>(64);
  LaunchOutcome outcome = machine.launch({1}, {64}, machine.upload(in), out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned t = 0; t < 64; ++t)
    EXPECT_EQ(out[t], 3 * 32 * t);
  for (const InstructionCount &count : outcome.counts)
    EXPECT_EQ(count.threads, 64u) << count.opcode.str();
  TestMachine discard(threadKernel("discard.global.L2 [%in], 128;", 7, 0));
  EXPECT_EQ(discard.launch({1}, {32}, discard.upload(in), out).status,
            LaunchStatus::Completed);
  outcome = discard.launch({1}, {32}, discard.upload(in) + 4, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Fault);
  EXPECT_EQ(outcome.findings[0].id, "misaligned");
}
