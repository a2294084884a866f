//===- ParserTest.cpp - Tests of the syntax tree --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SyntaxTestUtils.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

namespace {

/// One instruction with the usual registers.
Parsed parseInstruction(StringRef text, StringRef target = "sm_90a") {
  return Parsed(inKernel((registers + text + "\n").str(), target));
}

TEST(Parser, ReadsTheHeader) {
  Parsed parsed(".version 8.3\n.target sm_90a, debug\n.address_size 64\n");
  ASSERT_TRUE(parsed.module) << parsed.messages();
  EXPECT_EQ(parsed.module->version, 83);
  EXPECT_EQ(parsed.module->target.sm, 90);
  EXPECT_EQ(parsed.module->target.suffix, 'a');
  ASSERT_EQ(parsed.module->targetOptions.size(), 1u);
  EXPECT_EQ(parsed.module->targetOptions[0], "debug");
}

TEST(Parser, ResolvesOperands) {
  Parsed parsed = parseInstruction("@!%p1 add.s32 %r3, %r4, -5;");
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const Function &function = parsed.module->functions[0];
  const Instruction &inst = function.insts[0];
  EXPECT_EQ(inst.opcode, Opcode::add);
  EXPECT_TRUE(inst.guardNegated);
  EXPECT_EQ(function.getRegDecl(inst.guard).name, "%p");
  ASSERT_EQ(inst.operands.size(), 3u);
  EXPECT_EQ(inst.operands[0].kind, OperandKind::Def);
  const RegDecl &decl = function.getRegDecl(inst.operands[0].value);
  EXPECT_EQ(decl.name, "%r");
  EXPECT_EQ(inst.operands[0].value, decl.first + 3);
  EXPECT_EQ(inst.operands[1].kind, OperandKind::Use);
  EXPECT_EQ(inst.operands[2].kind, OperandKind::Int);
  EXPECT_EQ(inst.operands[2].value, -5);
}

TEST(Parser, ReadsAddressesAndVectors) {
  Parsed parsed = parseInstruction("ld.shared.v2.f32 {%f1, %f2}, [smem+16];");
  ASSERT_TRUE(parsed.module) << parsed.messages();
  ArrayRef<OperandNode> operands =
      parsed.module->functions[0].insts[0].operands;
  ASSERT_EQ(operands.size(), 5u);
  EXPECT_EQ(operands[0].kind, OperandKind::Vector);
  EXPECT_EQ(operands[0].numChildren, 2);
  EXPECT_EQ(operands[1].kind, OperandKind::Def);
  EXPECT_EQ(operands[3].kind, OperandKind::Address);
  EXPECT_EQ(operands[3].value, 16);
  EXPECT_EQ(operands[4].kind, OperandKind::Symbol);
  EXPECT_EQ(operands[4].name, "smem");
}

TEST(Parser, WgmmaWith128Accumulators) {
  std::string list;
  for (unsigned i = 0; i < 128; ++i)
    list += (i ? ", %f" : "%f") + utostr(i);
  Parsed parsed = parseInstruction(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" + list +
      "}, %rd1, %rd2, %p1, 1, -1, 0, 0;");
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const Instruction &inst = parsed.module->functions[0].insts[0];
  EXPECT_EQ(inst.operands[0].numChildren, 128);
  EXPECT_EQ(inst.operands[1].kind, OperandKind::DefUse);
}

TEST(Parser, TakesWhatRealCodeWrites) {
  for (StringRef text : {
           "mov.b64 {%r1, %r2}, %rd1;",
           "mov.b64 {_, %r2}, %rd1;",
           "mov.b64 %rd1, {%r1, %r2};",
           "mov.u32 %r1, %tid.x;",
           "mov.u32 %r1, smem+4;",
           "mov.b32 %r1, 0f3F800000;",
           "mov.f32 %f1, 1.5;",
           "setp.eq.s32 %p1|%p2, %r1, 0;",
           "setp .lt.and .f32 %p1, %f1, %f2, !%p2;",
           "st.global .u32 [%rd1+-4], %r1;",
           "st.shared.v4.b32 [smem], {%r1, %r2, %r3, 0};",
           "atom.global.add.u32 %r1, [%rd1], 1;",
           "atom.add.release.gpu.global.u32 %r1, [%rd1], 1;",
           "red.global.add.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};",
           "shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;",
           "elect.sync _|%p1, -1;",
           "mbarrier.arrive.shared::cta.b64 _, [%r1];",
           "bar.sync 0;",
           "L: bra.uni.uni L;",
           "ld.global.u32 %r1, [%rd1+4].unified;",
           ".reg .f16x2 h; shl.b32 %r1, h, 2; add.s32 %r1, h, 1;",
           "P: .callprototype _;",
           "P: .callprototype _ (.reg .b32 _) .noreturn;",
           "barrier.cluster.arrive.release.aligned;",
           "cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;",
           "ldmatrix.sync.aligned.x1.m8n8.shared.b16 {%r1}, [%r2];",
           "add.f32 %r1, %r2, %r3;",
           "add.s32 %u1, %u2, WARP_SZ;",
           "setmaxnreg.dec.sync.aligned.u32 40;",
           "nanosleep.u32 100; bar.sync 1, 128;",
           "fence.proxy.async.shared::cta;",
           "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
           ".mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];",
           "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
           "complete_tx::bytes.multicast::cluster.L2::cache_hint [%r1], [%rd1, "
           "{%r2, %r3}], [%r4], %rs1, %rd2;",
       }) {
    Parsed parsed = parseInstruction(text);
    EXPECT_TRUE(parsed.module) << text.str() << "\n" << parsed.messages();
  }
}

TEST(Parser, RefusesWhatPtxasRefuses) {
  for (StringRef text : {
           "frobnicate.s32 %r1, %r2;",
           "add.s33 %r1, %r2, %r3;",
           "add.s32 %r1, %r2;",
           "add.s32 %r1, %r2, %r3, %r4;",
           "add.s32 %r1, %r2, 1.0;",
           "add.s32 5, %r2, 1;",
           "add.f32 %u1, %f1, %f2;",
           "add.f32 %f1, %f2, 1;",
           "add.s32 %f1, %r1, %r2;",
           "add.s64 %rd1, %r2, %rd3;",
           "add.s32 %r1, %r2, %r999;",
           "mov.u32 %r1, nowhere;",
           "mov.u32 %tid.x, %r1;",
           "ld.shared.v2.f32 {%f1, %f2, %f3}, [smem];",
           "ld.global.f32 %f1, [smem];",
           "ld.global.f32 %f1, %rd1;",
           "@%r1 add.s32 %r1, %r2, %r3;",
           "bra nowhere;",
           ".reg .f16x2 h; shl.b32 %r1, %r2, h;",
           "st.global.u32 [%rd1].unified, %r1;",
           "ld.shared.u32 %r1, [%rd1].unified;",
           "ld.global.u32 %r1, [smem].unified;",
           "P: .callprototype f;",
           "P: .callprototype _ (.param .b33 _);",
           "P: .callprototype _ (.param .b32 _;",
           ".reg .bf16 h;",
           ".reg .v8 .b32 v;",
           ".reg .b32 x<16777217>;",
           "T: .branchtargets L, 5; L:",
           "// a comment that ends here \\\nfrobnicate;",
           "setmaxnreg.inc.sync.u32 24;",
           "setmaxnreg.dec.sync.aligned.u32 41;",
           "ld.global.u32 %r1, [%rd1-4];",
           ".reg .b32 %r1;",
           "wgmma.wait_group.sync.aligned -1;",
           "st.global.u32 [%rd1], %r1",
           ".reg .b32 x; .reg .b32 x;",
           "; ;",
       }) {
    Parsed parsed = parseInstruction(text);
    EXPECT_FALSE(parsed.module) << text.str();
    if (!parsed.module) {
      EXPECT_FALSE(parsed.diagnostics.empty()) << text.str();
    }
  }
}

TEST(Parser, LabelsAreLocalToScopes) {
  Parsed parsed(inKernel("bra L;\n{ bra L; L: bra L; }\n{ L: bra L; }\nL:"));
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const Function &function = parsed.module->functions[0];
  ASSERT_EQ(function.labels.size(), 3u);
  // Inner labels come first in the text; the outer one is the last.
  SmallVector<int64_t> targets;
  for (const Instruction &inst : function.insts)
    if (inst.opcode == Opcode::bra)
      targets.push_back(inst.operands[0].value);
  EXPECT_EQ(targets, (SmallVector<int64_t>{2, 0, 0, 1}));
  EXPECT_NE(function.labels[0], function.labels[1]);
  EXPECT_NE(function.labels[1], function.labels[2]);
}

TEST(Parser, ShadowedRegistersGetFreshNames) {
  Parsed parsed(inKernel(".reg .pred p; .reg .b32 r;\n"
                         "{ .reg .pred p; setp.eq.s32 p, r, 0; }\n"
                         "setp.eq.s32 p, r, 1;"));
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const Function &function = parsed.module->functions[0];
  ASSERT_EQ(function.regs.size(), 3u);
  EXPECT_EQ(function.regs[0].name, "p");
  EXPECT_NE(function.regs[2].name, "p");
  EXPECT_EQ(function.insts[0].operands[0].value, function.regs[2].first);
  EXPECT_EQ(function.insts[1].operands[0].value, function.regs[0].first);
}

TEST(Parser, CountsInlineAsmRegions) {
  Parsed parsed(inKernel((registers + "mov.u32 %r1, 0;\n"
                                      "// begin inline asm\n"
                                      "mov.u32 %r1, 1;\n"
                                      "// end inline asm\n"
                                      "mov.u32 %r1, 2;\n"
                                      "// begin inline asm\n"
                                      "mov.u32 %r1, 3; mov.u32 %r1, 4;\n"
                                      "// end inline asm\n")
                             .str()));
  ASSERT_TRUE(parsed.module) << parsed.messages();
  SmallVector<uint32_t> regions;
  for (const Statement &statement : parsed.module->functions[0].body)
    if (statement.kind == Statement::Inst)
      regions.push_back(statement.inlineAsm);
  EXPECT_EQ(regions, (SmallVector<uint32_t>{0, 1, 0, 2, 2, 0}));
}

TEST(Parser, ReadsVariablesAndInitialisers) {
  Parsed parsed(".version 9.0\n.target sm_90a\n.address_size 64\n"
                ".global .align 4 .u32 a[2][2] = {{1}, {2, 3}};\n"
                ".const .f32 c = 0f3F800000;\n"
                ".global .u64 g = generic(a)+8;\n"
                ".global .align 1 .u8 s[] = {1, 0xff(g), 0xff00(g)};\n"
                ".extern .shared .align 16 .b8 dyn[];\n");
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const std::vector<VarDecl> &vars = parsed.module->vars;
  ASSERT_EQ(vars.size(), 5u);
  ASSERT_EQ(vars[0].init.size(), 4u);
  EXPECT_EQ(vars[0].init[0].bits, 1u);
  EXPECT_EQ(vars[0].init[1].bits, 0u);
  EXPECT_EQ(vars[0].init[3].bits, 3u);
  EXPECT_EQ(vars[1].init[0].kind, Initializer::F32);
  EXPECT_EQ(vars[2].init[0].kind, Initializer::GenericSymbol);
  EXPECT_EQ(vars[2].init[0].bits, 8u);
  EXPECT_EQ(vars[3].init[2].mask, 0xff00u);
  EXPECT_EQ(vars[4].linkage, Linkage::Extern);
  EXPECT_EQ(vars[4].extents[0], 0u);
}

TEST(Parser, ReadsCallsAndPrototypes) {
  Parsed parsed(".version 9.0\n.target sm_90a\n.address_size 64\n"
                ".extern .func (.param .b32 r) f(.param .b32 a);\n"
                ".visible .entry k()\n.reqntid 128, 1, 1\n.maxnreg 64\n{\n"
                ".reg .b64 %rd<2>; .reg .b32 %r<3>;\n"
                "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 1;\n"
                "call.uni (y), f, (x); ld.param.b32 %r1, [y]; }\n"
                "mov.u64 %rd1, f;\n"
                "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 1;\n"
                "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                "call (y), %rd1, (x), P; }\nret;\n}\n");
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const Function &kernel = parsed.module->functions[1];
  ASSERT_EQ(kernel.directives.size(), 2u);
  EXPECT_EQ(kernel.directives[0].name, "reqntid");
  EXPECT_EQ(kernel.directives[0].values[0], 128u);
  ASSERT_EQ(kernel.locals.size(), 4u);
  EXPECT_NE(kernel.locals[0].name, kernel.locals[2].name);
  EXPECT_EQ(kernel.texts.size(), 1u);
}

TEST(Parser, CallsHaveTheSignatureOfTheirFunction) {
  StringRef head = ".version 9.0\n.target sm_90a\n.address_size 64\n"
                   ".extern .func (.param .b32 r) f(.param .b32 a);\n"
                   ".visible .entry k()\n{\n.param .b32 x; .param .b32 y;\n";
  EXPECT_TRUE(Parsed((head + "call (y), f, (x);\nret;\n}\n").str()).module);
  EXPECT_FALSE(Parsed((head + "call f, (x);\nret;\n}\n").str()).module);
  EXPECT_FALSE(Parsed((head + "call (y), f;\nret;\n}\n").str()).module);
  EXPECT_FALSE(Parsed((head + "call (y), g, (x);\nret;\n}\n").str()).module);
}

TEST(Parser, WarnsOnceOfModifiersInAnotherOrder) {
  StringRef text = "ldmatrix.sync.aligned.x1.m8n8.shared.b16 {%r1}, [%r2];\n";
  Parsed parsed = parseInstruction((text + text).str());
  ASSERT_TRUE(parsed.module) << parsed.messages();
  ASSERT_EQ(parsed.diagnostics.size(), 1u) << parsed.messages();
  EXPECT_EQ(parsed.diagnostics[0].severity, Severity::Warning);
  EXPECT_TRUE(
      parseInstruction("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];")
          .diagnostics.empty());
}

TEST(Parser, ShortTextAsksForBoundedMemory) {
  StringRef head = ".version 9.0\n.target sm_90a\n.address_size 64\n";
  EXPECT_FALSE(
      Parsed((head + ".global .b8 a[9][200000000] = {{1}, {2}, {3}};\n").str())
          .module);
  EXPECT_FALSE(
      Parsed((head + ".global .b8 a[2305843009213693952];\n").str()).module);
  EXPECT_FALSE(
      Parsed(inKernel(".reg .b32 a<16777216>; .reg .b32 b<2>;")).module);
}

TEST(Parser, DeepNestingIsNoRecursion) {
  std::string text;
  for (unsigned i = 0; i < 20000; ++i)
    text += "{\n";
  std::string closed = text;
  for (unsigned i = 0; i < 20000; ++i)
    closed += "}\n";
  EXPECT_TRUE(Parsed(inKernel(closed)).module);
  EXPECT_FALSE(Parsed(inKernel(text)).module);
  EXPECT_FALSE(Parsed(inKernel((registers + "mov.u32 %r1, " +
                                std::string(100000, '(') + "1;")
                                   .str()))
                   .module);
  EXPECT_FALSE(Parsed(inKernel((registers + "mov.u32 %r1, " +
                                std::string(100000, '-') + "1;")
                                   .str()))
                   .module);
}

TEST(Parser, NothingIsReadBehindTheEnd) {
  // Sanitizers tell; a copy on the heap ends where the text does.
  for (StringRef tail : {"017", "0", "0x", "0b", "0f", "1.", "1e", "1e+", "1.e",
                         "%", "%r1", "%tid.", "/", "\"", "<", "."})
    EXPECT_FALSE(Parsed((".version 9.0\n.target sm_90a\n" + tail).str()).module)
        << tail.str();
}

TEST(Parser, EveryPrefixOfAFileIsSafe) {
  std::string text = inKernel(
      (registers + "L: @%p1 bra L; ld.global.v2.u32 {%r1, %r2}, [%rd1+8];\n"
                   "{ .reg .b32 x; mov.u32 x, 0x10; }\n")
          .str());
  for (size_t size = 0; size + 2 < text.size(); ++size) {
    Parsed parsed(StringRef(text).take_front(size));
    if (size > 80) {
      EXPECT_FALSE(parsed.module) << size;
    }
  }
}

} // namespace
