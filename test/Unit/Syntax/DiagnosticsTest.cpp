//===- DiagnosticsTest.cpp - Tests of what the parser reports -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SyntaxTestUtils.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace ptxbench::syntax;

namespace {

/// The only diagnostic of a body with the usual registers on line 6; the body
/// starts on line 7.
Diagnostic only(StringRef body, StringRef target = "sm_90a",
                StringRef version = "9.0") {
  Parsed parsed(inKernel((registers + body).str(), target, version));
  EXPECT_FALSE(parsed.module);
  EXPECT_EQ(parsed.diagnostics.size(), 1u) << parsed.messages();
  return parsed.diagnostics.empty() ? Diagnostic() : parsed.diagnostics[0];
}

TEST(Diagnostics, UnknownInstructionNamesTheNearest) {
  Diagnostic d = only("  wgmma.mma_asink.sync.aligned %r1;");
  EXPECT_EQ(d.line, 7u);
  EXPECT_EQ(d.column, 3u);
  EXPECT_EQ(d.message, "unknown instruction 'wgmma.mma_asink.sync.aligned'");
  EXPECT_EQ(d.hint, "did you mean 'wgmma.mma_async'?");
}

TEST(Diagnostics, UnknownModifierNamesTheNearest) {
  Diagnostic d = only("wgmma.fence.sync.aligend;");
  EXPECT_EQ(d.column, 17u);
  EXPECT_EQ(d.message, "'wgmma.fence' has no modifier '.aligend'");
  EXPECT_EQ(d.hint, "did you mean '.aligned'?");
}

TEST(Diagnostics, MissingAndUnfittingModifiers) {
  EXPECT_EQ(only("setmaxnreg.inc.sync.u32 24;").message,
            "'setmaxnreg.inc.sync.u32' lacks a modifier: .aligned");
  EXPECT_EQ(only("add.ftz.s32 %r1, %r2, %r3;").message,
            "'.s32' does not go with the other modifiers of 'add.ftz.s32'");
}

TEST(Diagnostics, TargetsAndVersions) {
  EXPECT_EQ(only("wgmma.fence.sync.aligned;", "sm_90").message,
            "'wgmma.fence.sync.aligned' needs sm_90a but the target is sm_90");
  EXPECT_EQ(only("fence.proxy.async;", "sm_90", "7.8").message,
            "'fence.proxy.async' needs PTX ISA version 8.0 but the module has "
            "7.8");
}

TEST(Diagnostics, UndeclaredNames) {
  Diagnostic d = only("mov.u32 %r1, smen;");
  EXPECT_EQ(d.column, 14u);
  EXPECT_EQ(d.message, "the name 'smen' is not declared");
  EXPECT_EQ(d.hint, "did you mean 'smem'?");
  EXPECT_EQ(only(".reg .b32 param0;").message,
            "the register 'param0' is declared twice");
  EXPECT_EQ(only("bra $L_end;").message, "no label '$L_end' is visible here");
}

TEST(Diagnostics, NearSpellingsOfNames) {
  EXPECT_EQ(only("mov.u32 %r1, %tidd.x;").hint, "did you mean '%tid.x'?");
  EXPECT_EQ(only("mov.u32 %r1, %laneidd;").hint, "did you mean '%laneid'?");
  EXPECT_EQ(only("ld.param.u64 %rd1, [parm0];").hint, "did you mean 'param0'?");
  EXPECT_EQ(only(".reg .b32 nn; mov.u32 %r1, nm;").hint, "did you mean 'nn'?");
  Diagnostic d = only("mov.u32 %r1, %r160;");
  EXPECT_EQ(d.message, "the register '%r160' is not declared");
  EXPECT_EQ(d.hint, "'%r' has the registers '%r0' to '%r159'");
  EXPECT_EQ(only("mov.u64 %rd1, %rrd2;").hint, "did you mean '%rd2'?");
  // Far from everything.
  EXPECT_EQ(only("mov.u32 %r1, elsewhere;").hint, "");
  EXPECT_EQ(only(".reg .b32 n; mov.u32 %r1, m;").hint, "");
}

TEST(Diagnostics, NearSpellingsOfFunctions) {
  std::string text = inKernel("call fooo;");
  text.insert(text.find(".visible"), ".func foo() { ret; }\n");
  Parsed parsed(text);
  ASSERT_EQ(parsed.diagnostics.size(), 1u) << parsed.messages();
  EXPECT_EQ(parsed.diagnostics[0].column, 6u);
  EXPECT_EQ(parsed.diagnostics[0].message,
            "the function 'fooo' is not declared");
  EXPECT_EQ(parsed.diagnostics[0].hint, "did you mean 'foo'?");
  text.replace(text.find("fooo;"), 5, "foo, (parm0);");
  Parsed argument(text);
  ASSERT_EQ(argument.diagnostics.size(), 1u) << argument.messages();
  EXPECT_EQ(argument.diagnostics[0].message,
            "the name 'parm0' is not declared");
  EXPECT_EQ(argument.diagnostics[0].hint, "did you mean 'param0'?");
}

TEST(Diagnostics, NearSpellingsOfTypesAndDirectives) {
  EXPECT_EQ(only(".reg .b33 x;").hint, "did you mean '.b32'?");
  EXPECT_EQ(only(".loal .b32 x;").hint, "did you mean '.local'?");
  auto hint = [](StringRef from, StringRef to) {
    std::string text = inKernel("");
    text.replace(text.find(from.str()), from.size(), to.str());
    Parsed parsed(text);
    EXPECT_FALSE(parsed.diagnostics.empty());
    return parsed.diagnostics.empty() ? "" : parsed.diagnostics[0].hint;
  };
  EXPECT_EQ(hint(".version", ".verzion"), "did you mean '.version'?");
  EXPECT_EQ(hint(".target", ".targt"), "did you mean '.target'?");
  EXPECT_EQ(hint("sm_90a", "sm_90b"), "did you mean 'sm_90a'?");
  EXPECT_EQ(hint(".visible", ".visble"), "did you mean '.visible'?");
  EXPECT_EQ(hint(".entry", ".entyr"), "did you mean '.entry'?");
  EXPECT_EQ(hint(".param", ".parm"), "did you mean '.param'?");
  EXPECT_EQ(only(".rge .b32 x;").hint, "did you mean '.reg'?");
}

TEST(Diagnostics, NearSpellingsInTheMiddleOfAnOpcode) {
  Diagnostic d = only("cp.async.bulk.tensr.2d.shared::cluster.global.mbarrier::"
                      "complete_tx::bytes [smem], [%rd1, {%r1, %r2}], [%rd2];");
  EXPECT_EQ(d.message, "'cp.async.bulk' has no modifier '.tensr'");
  EXPECT_EQ(d.hint, "did you mean 'cp.async.bulk.tensor'?");
  EXPECT_EQ(only("wgmma.fence.synk.aligned;").hint, "did you mean '.sync'?");
}

TEST(Diagnostics, DeclaredTwiceByNumber) {
  EXPECT_EQ(only(".reg .b32 %r1;").message,
            "the register '%r1' is declared twice");
  EXPECT_EQ(only(".reg .b32 q1; .reg .b32 q<4>;").message,
            "the register 'q' is declared twice");
  EXPECT_EQ(only(".local .b32 %r1;").message,
            "the name '%r1' is declared twice");
  // Another number, another scope.
  EXPECT_TRUE(Parsed(inKernel((registers + ".reg .b32 %r160; "
                                           "{ .reg .b32 %r1; }")
                                  .str()))
                  .module);
}

TEST(Diagnostics, OffsetsAreAdded) {
  EXPECT_EQ(only("ld.global.u32 %r1, [%rd1-4];").message,
            "an offset is added, also a negative one: '+-'");
  EXPECT_EQ(only("mov.u64 %rd1, smem-4;").column, 19u);
  EXPECT_TRUE(Parsed(inKernel((registers + "ld.global.u32 %r1, [%rd1+-4]; "
                                           "ld.global.u32 %r1, [%rd1+8-4];")
                                  .str()))
                  .module);
}

TEST(Diagnostics, UnknownTargets) {
  for (StringRef target : {"sm_9000", "sm_9a", "sm_91", "sm_90f", "sm_80a"}) {
    Parsed parsed(inKernel("", target));
    EXPECT_FALSE(parsed.module) << target.str();
    ASSERT_FALSE(parsed.diagnostics.empty());
    EXPECT_EQ(parsed.diagnostics[0].message,
              ("unknown target '" + target + "'").str());
  }
}

TEST(Diagnostics, OperandsSayWhatWasExpected) {
  EXPECT_EQ(only("add.s32 %r1, %r2;").message, "expected 3 operands but got 2");
  Diagnostic d = only("add.f32 %f1, %u1, %f2;");
  EXPECT_EQ(d.column, 14u);
  EXPECT_NE(d.message.find("only .b and .f registers"), std::string::npos);
  EXPECT_NE(only("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                 "{%f1, %f2, %f3}, %rd1, %rd2, %p1, 1, 1, 0, 0;")
                .message.find("a vector of 4 elements, but 3 are given"),
            std::string::npos);
  EXPECT_NE(only("setmaxnreg.dec.sync.aligned.u32 41;")
                .message.find("24 to 256 in steps of 8"),
            std::string::npos);
}

TEST(Diagnostics, SeveralPerFileInOrder) {
  Parsed parsed(inKernel((registers + "bra nowhere;\n"
                                      "frob.s32 %r1, {%r1, %r2};\n"
                                      "add.s32 %r1, %r2, %q9;\n"
                                      "mov.u32 %r1, 1;\n")
                             .str()));
  EXPECT_FALSE(parsed.module);
  ASSERT_EQ(parsed.diagnostics.size(), 3u) << parsed.messages();
  EXPECT_EQ(parsed.diagnostics[0].line, 7u);
  EXPECT_EQ(parsed.diagnostics[1].line, 8u);
  EXPECT_EQ(parsed.diagnostics[2].line, 9u);
}

TEST(Diagnostics, StopAfterTheLimit) {
  std::string body = registers.str();
  for (unsigned i = 0; i < 100; ++i)
    body += "frob;\n";
  EXPECT_EQ(Parsed(inKernel(body)).diagnostics.size(), 20u);
}

TEST(Diagnostics, BytesThatAreNoText) {
  std::string nul = inKernel("ret;");
  nul[nul.find("ret")] = '\0';
  Parsed withNul(nul);
  ASSERT_FALSE(withNul.diagnostics.empty());
  EXPECT_EQ(withNul.diagnostics[0].message, "a NUL byte stands in the text");
  EXPECT_EQ(withNul.diagnostics[0].line, 6u);
  Parsed foreign("\x7f"
                 "ELF\x02\x01\x01");
  EXPECT_FALSE(foreign.module);
  ASSERT_FALSE(foreign.diagnostics.empty());
  EXPECT_EQ(foreign.diagnostics[0].message, "byte 0x7F is not printable ASCII");
  EXPECT_FALSE(Parsed("").module);
  EXPECT_EQ(Parsed(inKernel("ret; \xc3\xa9")).diagnostics[0].message,
            "byte 0xC3 is not printable ASCII");
  // Not even in a comment or a string.
  Parsed comment(inKernel("// caf\xc3\xa9"));
  ASSERT_EQ(comment.diagnostics.size(), 1u);
  EXPECT_EQ(comment.diagnostics[0].line, 6u);
  EXPECT_EQ(comment.diagnostics[0].column, 7u);
}

TEST(Diagnostics, PrintedWithLineCaretAndHint) {
  Parsed parsed(inKernel("\twgmma.fense.sync.aligned;"));
  ASSERT_EQ(parsed.diagnostics.size(), 1u);
  std::string text;
  raw_string_ostream os(text);
  printDiagnostic(os, "k.ptx", *parsed.lines, parsed.diagnostics[0]);
  EXPECT_EQ(text, "k.ptx:6:2: error: unknown instruction "
                  "'wgmma.fense.sync.aligned'\n"
                  "   wgmma.fense.sync.aligned;\n"
                  "   ^~~~~~~~~~~~~~~~~~~~~~~~\n"
                  "  did you mean 'wgmma.fence'?\n");
}

TEST(Diagnostics, MissingSemicolonIsReportedAtTheStatement) {
  Diagnostic d = only("mov.u32 %r1, 1\nmov.u32 %r2, 2;\n");
  EXPECT_EQ(d.line, 7u);
  EXPECT_EQ(d.message, "expected ';' at the end of the statement");
}

} // namespace
