//===- UndefinedRulesTest.cpp - Tests of undefined bits -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule by which a result is defined though an operand is not, beside a
// result that is not.
//
//===----------------------------------------------------------------------===//

#include "UndefinedTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

TEST(UndefinedRulesTest, Logic) {
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

TEST(UndefinedRulesTest, MovedBits) {
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

TEST(UndefinedRulesTest, Arithmetic) {
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

TEST(UndefinedRulesTest, Comparisons) {
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

TEST(UndefinedRulesTest, Conversions) {
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

TEST(UndefinedRulesTest, Exchange) {
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

TEST(UndefinedRulesTest, Votes) {
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

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

TEST(UndefinedRulesTest, MatrixMoves) {
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

TEST(UndefinedRulesTest, Products) {
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

TEST(UndefinedRulesTest, HalfProducts) {
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
TEST(UndefinedRulesTest, WmmaProducts) {
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

TEST(UndefinedRulesTest, WarpgroupProducts) {
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
