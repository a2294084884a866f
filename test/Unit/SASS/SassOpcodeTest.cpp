//===- SassOpcodeTest.cpp - Tests of the opcode table ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Words as ptxas writes them; the names beside them are a disassembler's.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/SASS/SassOpcode.h"
#include "gtest/gtest.h"

using namespace ptxbench;

TEST(SassOpcodeTest, Classes) {
  struct {
    SassWord word;
    const char *name;
  } cases[] = {
      {{0x03e000000c1879f0, 0x000fe20008701818}, "HGMMA"},
      {{0x000000041c187df0, 0x000fe60008000818}, "HGMMA"},
      {{0x01200000041879f1, 0x000fe60008041018}, "IGMMA"},
      {{0x00600000041879f2, 0x000fe60008014018}, "BGMMA"},
      {{0x0060000428187df3, 0x000fe60008001818}, "QGMMA"},
      {{0x00000000000079c5, 0x000fe20000000000}, "WARPGROUP.ARRIVE"},
      {{0x00008000000079c5, 0x000fc40000010100}, "WARPGROUP.DEPBAR"},
      {{0x03000007080075a7, 0x000e64000800014a}, "SYNCS.PHASECHK"},
      {{0x00000006000479ee, 0x000e220008140000}, "LDTM"},
      {{0x0000000000007941, 0x000fea0003800000}, ""},
      {{0x0000000000007000, 0}, ""},
  };
  for (const auto &test : cases)
    EXPECT_EQ(stringifySassClass(classifySass(test.word)), test.name);
}

TEST(SassOpcodeTest, Guards) {
  SassWord plain{0x0000000000e07947, 0};
  EXPECT_FALSE(plain.guarded());
  SassWord negated{0x0000001000648947, 0}; // @!P0
  EXPECT_TRUE(negated.guarded());
  EXPECT_EQ(negated.guard(), 8u);
  EXPECT_FALSE(negated.neverOn());
  SassWord off{0x00000000ff00f984, 0}; // @!PT LDS
  EXPECT_TRUE(off.neverOn());
}

TEST(SassOpcodeTest, SchedulingBitsAreNoOperation) {
  SassWord a{0x03000007080075a7, 0x000e64000800014a};
  SassWord b{0x03000007080075a7, 0x000ea2000800014a};
  SassWord c{0x03000007080075a7, 0x000e64000800014b};
  EXPECT_TRUE(a.sameOperation(b));
  EXPECT_FALSE(a.sameOperation(c));
}

TEST(SassOpcodeTest, BranchTargets) {
  // Forward, backward, and the branch to itself that ends each kernel.
  EXPECT_EQ(branchTarget({0x0000000c00c88947, 0x000fd80003800000}, 0xb80),
            0x1ab0u);
  EXPECT_EQ(branchTarget({0xfffffffc00f08947, 0x000fea000383ffff}, 0x540),
            0x510u);
  EXPECT_EQ(branchTarget({0xfffffffc00fc7947, 0x000fc0000383ffff}, 0x1b40),
            0x1b40u);
  EXPECT_TRUE(isVotingBranch({0xfffffffd00ec0947, 0x001fea000393ffff}));
  EXPECT_FALSE(isVotingBranch({0xfffffffc00f08947, 0x000fea000383ffff}));
}

TEST(SassOpcodeTest, DummyGmma) {
  EXPECT_TRUE(isDummyGmma({0x000000003fff79f0, 0}));
  EXPECT_TRUE(isDummyGmma({0x000000003fff09f0, 0}));
  EXPECT_FALSE(isDummyGmma({0x03e000000c1879f0, 0}));
}

TEST(SassOpcodeTest, GmmaShapes) {
  // HGMMA.64x24x16.F32.BF16, .64x32x8.F32.TF32 and .64x8x16.F32 with A in
  // registers.
  GmmaShape shape = decodeGmma({0x00400000041879f0, 0x000fe60008001818});
  EXPECT_EQ(shape.n, 24u);
  EXPECT_EQ(shape.floatKind, 1u);
  EXPECT_FALSE(shape.aInRegisters);
  EXPECT_EQ(decodeGmma({0x04600000041879f0, 0x000fe60008002818}).floatKind, 2u);
  EXPECT_EQ(decodeGmma({0x04600000041879f0, 0x000fe60008002818}).n, 32u);
  EXPECT_TRUE(
      decodeGmma({0x000000041c187df0, 0x000fe60008000818}).aInRegisters);
  // Columns of IGMMA are not where the others have them.
  EXPECT_FALSE(decodeGmma({0x01200000041879f1, 0x000fe60008041018}).n);
}

TEST(SassOpcodeTest, ShapesOfMnemonics) {
  auto bf16 =
      parseWgmmaShape("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16");
  ASSERT_TRUE(bf16);
  EXPECT_EQ(bf16->opcodeClass, SassClass::HGMMA);
  EXPECT_EQ(bf16->n, 256u);
  EXPECT_EQ(bf16->floatKind, 1u);
  auto fp8 =
      parseWgmmaShape("wgmma.mma_async.sync.aligned.m64n32k32.f16.e4m3.e5m2");
  ASSERT_TRUE(fp8);
  EXPECT_EQ(fp8->opcodeClass, SassClass::QGMMA);
  EXPECT_FALSE(fp8->floatKind);
  EXPECT_FALSE(parseWgmmaShape("wgmma.mma_async.sync.aligned"));

  GmmaShape sass = decodeGmma({0x03e000000c1879f0, 0x000fe20008701818});
  EXPECT_TRUE(fitsShape(*bf16, sass));
  EXPECT_FALSE(fitsShape(*fp8, sass));
  EXPECT_FALSE(fitsShape(
      *parseWgmmaShape("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16"),
      sass));
  EXPECT_FALSE(fitsShape(
      *parseWgmmaShape("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16"),
      sass));
}
