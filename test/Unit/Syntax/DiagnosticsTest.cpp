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
  EXPECT_EQ(only("wgmma.fence.sync;").message,
            "'wgmma.fence.sync' lacks a modifier: .aligned");
  EXPECT_EQ(only("add.ftz.s32 %r1, %r2, %r3;").message,
            "'.s32' does not go with the other modifiers of 'add.ftz.s32'");
}

TEST(Diagnostics, TargetsAndVersions) {
  EXPECT_EQ(only("wgmma.fence.sync.aligned;", "sm_90").message,
            "'wgmma.fence.sync.aligned' needs sm_90a but the target is sm_90");
  EXPECT_EQ(only("fence.proxy.async;", "sm_90a", "7.8").message,
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
