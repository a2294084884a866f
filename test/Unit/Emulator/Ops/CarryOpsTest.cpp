//===- CarryOpsTest.cpp - Chains with carries -----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and products of 64 and 128 bits from 32-bit and 64-bit pieces; lanes
// have carries of their own.
//
//===----------------------------------------------------------------------===//

#include "LaneCheck.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

__extension__ typedef unsigned __int128 UInt128;
__extension__ typedef __int128 Int128;
using U32 = uint32_t;
using U64 = uint64_t;

TEST(CarryOpsTest, Sum64) {
  std::string split = "mov.b64 {%r1, %r2}, %a;\nmov.b64 {%r3, %r4}, %b;\n";
  std::string join = "mov.b64 %d, {%r5, %r6};";
  checkLanes<U64, U64, U64>(split +
                                "add.cc.u32 %r5, %r1, %r3;\n"
                                "addc.u32 %r6, %r2, %r4;\n" +
                                join,
                            [](U64 a, U64 b) { return a + b; });
  checkLanes<U64, U64, U64>(split +
                                "sub.cc.s32 %r5, %r1, %r3;\n"
                                "subc.s32 %r6, %r2, %r4;\n" +
                                join,
                            [](U64 a, U64 b) { return a - b; });
}

TEST(CarryOpsTest, CarryOutOfMiddle) {
  // The carry out of 128 bits: addc.cc reads and writes it.
  checkLanes<U64, U64, U64, U64, U64>(
      "add.cc.u64 %u1, %a, %c;\naddc.cc.u64 %u2, %b, %e;\n"
      "addc.u64 %d, 0, 0;",
      [](U64 a, U64 b, U64 c, U64 e) {
        UInt128 x = UInt128(b) << 64 | a, y = UInt128(e) << 64 | c;
        return U64(UInt128(x + y) < x);
      });
  // Without .cc it stays.
  checkLanes<U32, U32, U32>("add.cc.u32 %r1, %a, %b;\naddc.u32 %r2, %a, %a;\n"
                            "add.u32 %r2, %a, %a;\naddc.u32 %d, 0, 0;",
                            [](U32 a, U32 b) { return U32(a + b < a); });
  // A borrow is a carry that is not there.
  checkLanes<U32, U32, U32>("sub.cc.u32 %r1, %a, %b;\nsubc.cc.u32 %r2, 0, 0;\n"
                            "subc.u32 %d, 10, 0;",
                            [](U32 a, U32 b) { return a < b ? 9u : 10u; });
}

TEST(CarryOpsTest, Product128) {
  // The upper half of a product, by schoolbook.
  checkLanes<U64, U64, U64>(
      "mov.b64 {%r1, %r2}, %a;\nmov.b64 {%r3, %r4}, %b;\n"
      "mul.lo.u32 %r5, %r1, %r3;\n"
      "mul.hi.u32 %r6, %r1, %r3;\n"
      "mad.lo.cc.u32 %r6, %r1, %r4, %r6;\n"
      "madc.hi.u32 %r7, %r1, %r4, 0;\n"
      "mad.lo.cc.u32 %r6, %r2, %r3, %r6;\n"
      "madc.hi.cc.u32 %r7, %r2, %r3, %r7;\n"
      "addc.u32 %r5, 0, 0;\n"
      "mad.lo.cc.u32 %r7, %r2, %r4, %r7;\n"
      "madc.hi.u32 %r5, %r2, %r4, %r5;\n"
      "mov.b64 %d, {%r7, %r5};",
      [](U64 a, U64 b) { return U64(UInt128(a) * b >> 64); });
}

TEST(CarryOpsTest, SignedProducts) {
  checkLanes<U64, U64, U64, U64>(
      "mad.hi.cc.s64 %u1, %a, %b, %c;\nmadc.lo.s64 %d, %a, %b, %c;",
      [](U64 a, U64 b, U64 c) {
        U64 high = U64(Int128(int64_t(a)) * int64_t(b) >> 64);
        return a * b + c + U64(U64(high + c) < c);
      });
  checkLanes<U32, U32, U32, U32>(
      "mad.lo.cc.s32 %r1, %a, %b, %c;\nmadc.hi.s32 %d, %a, %b, %c;",
      [](U32 a, U32 b, U32 c) {
        int64_t product = int64_t(int32_t(a)) * int32_t(b);
        return U32(product >> 32) + c + U32(U32(U32(product) + c) < c);
      });
}

TEST(CarryOpsTest, LanesHaveTheirOwn) {
  // Lanes that set the carry elsewhere do not change that of others.
  checkLanes<U32, U32, U32>("setp.lt.u32 %p1, %a, %b;\n"
                            "add.cc.u32 %r1, 0xffffffff, 1;\n"
                            "selp.u32 %r2, 1, 0, %p1;\n"
                            "addc.u32 %d, %r2, 0;",
                            [](U32 a, U32 b) { return (a < b) + 1u; });
  TestMachine machine(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %p;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d1, %d1, %d2;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p, %r2, 0;
  @%p add.cc.u32 %r3, 0xffffffff, 1;
  @!%p add.cc.u32 %r3, 0, 0;
  addc.u32 %r3, 0, 0;
  st.global.u32 [%d1], %r3;
  ret;
}
)");
  U32 *out = machine.allocate<U32>(32);
  ASSERT_EQ(machine.launch({1}, {32}, out).status, LaunchStatus::Completed);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i % 2 == 0) << i;
}
