//===- DeclarationsTest.cpp - Tests of names, signatures and values -------===//
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

/// `text` as a module of its own, from line 4 on.
Parsed parseModuleText(StringRef text, StringRef target = "sm_90a",
                       StringRef version = "9.0") {
  return Parsed((".version " + version + "\n.target " + target +
                 "\n.address_size 64\n" + text + "\n")
                    .str());
}

/// What is said of a module's text.
std::string said(StringRef text, StringRef target = "sm_90a",
                 StringRef version = "9.0") {
  return parseModuleText(text, target, version).messages();
}

TEST(Declarations, VectorsOfSpecialRegisters) {
  Parsed parsed(inKernel(".reg .v4 .u32 %t; .reg .u32 %r;\n"
                         "mov.v4.u32 %t, %ctaid;\nmov.u32 %r, %tid.b;"));
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const std::vector<Instruction> &insts = parsed.module->functions[0].insts;
  ArrayRef<OperandNode> operands = insts[0].operands;
  ASSERT_EQ(operands.size(), 10u);
  EXPECT_EQ(operands[5].kind, OperandKind::Vector);
  EXPECT_EQ(operands[6].name, "%ctaid.x");
  EXPECT_EQ(operands[9].name, "%ctaid.w");
  // Colours are another spelling of the coordinates.
  EXPECT_EQ(insts[1].operands[1].name, "%tid.z");
}

TEST(Declarations, SpecialRegistersStandAloneInFewInstructions) {
  std::string text = inKernel(".reg .b32 %r<3>;\nadd.u32 %r1, %tid.x, %r2;");
  EXPECT_EQ(Parsed(text).messages(),
            "7:14: operand 'a' of the instruction cannot be a special "
            "register, which only 'mov' and integer 'cvt' read\n");
  text = inKernel(".reg .b32 %r;\nmov.u32 %r, %clusterid.x;", "sm_80");
  EXPECT_EQ(Parsed(text).messages(),
            "7:13: '%clusterid.x' needs sm_90 but the target is sm_80\n");
  text =
      inKernel(".reg .b32 %r;\nmov.u32 %r, %aggr_smem_size;", "sm_90a", "8.0");
  EXPECT_EQ(Parsed(text).messages(),
            "7:13: '%aggr_smem_size' needs PTX ISA version 8.1 but the module "
            "has 8.0\n");
}

TEST(Declarations, ZerosInFrontOfNumbersCountForNothing) {
  Parsed parsed(inKernel(".reg .b32 %r<9>;\nmov.u32 %r007, 1;"));
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const Function &function = parsed.module->functions[0];
  EXPECT_EQ(function.insts[0].operands[0].value, function.regs[0].first + 7);
  EXPECT_EQ(Parsed(inKernel(".reg .b32 %r<9>; .reg .b32 %r01;")).messages(),
            "6:28: the register '%r01' is declared twice\n");
  // A register of that very name is another one.
  EXPECT_TRUE(
      Parsed(inKernel(".reg .b32 %r01; .reg .b32 %r<9>;\nmov.u32 %r01, %r1;"))
          .module);
}

TEST(Declarations, AllDigitsAtTheEndAreTheNumber) {
  EXPECT_EQ(Parsed(inKernel(".reg .b32 %q1<9>;\nmov.u32 %q11, 1;")).messages(),
            "7:9: the register '%q11' is not declared\n");
  EXPECT_TRUE(Parsed(inKernel(".reg .b32 %q1<9>; .reg .b32 %q11;\n"
                              "mov.u32 %q11, 1;"))
                  .module);
  Parsed parsed(inKernel(".reg .b32 %q1<9>; .reg .b64 %q<20>;\n"
                         "mov.u64 %q11, 1;"));
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const Function &function = parsed.module->functions[0];
  EXPECT_EQ(function.insts[0].operands[0].value, function.regs[1].first + 11);
}

TEST(Declarations, ListsAreLocalToTheirScopes) {
  Parsed parsed(inKernel(".reg .b64 %fp;\n"
                         "{ P: .callprototype _ (); call %fp, P; }\n"
                         "{ P: .callprototype _ (); call %fp, P; }"));
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const Function &function = parsed.module->functions[0];
  ASSERT_EQ(function.texts.size(), 2u);
  StringRef first = function.texts[0].split(':').first;
  StringRef second = function.texts[1].split(':').first;
  EXPECT_NE(first, second);
  EXPECT_EQ(function.insts[0].operands.back().name, first);
  EXPECT_EQ(function.insts[1].operands.back().name, second);
  EXPECT_EQ(Parsed(inKernel(".reg .b64 %fp;\n{ P: .callprototype _ (); }\n"
                            "call %fp, P;"))
                .messages(),
            "8:11: no prototype and no list of call targets named 'P' stands "
            "before\n");
}

TEST(Declarations, ArgumentsFitTheirParameters) {
  StringRef head = ".func f(.param .align 8 .b8 a[16], .param .f32 b) { ret; "
                   "}\n.entry k() { .param .f32 b; .reg .u32 r;\n";
  auto call = [&](StringRef text) { return said((head + text + " }").str()); };
  EXPECT_EQ(call(".param .align 8 .b8 a[16]; call f, (a, b);"), "");
  EXPECT_EQ(call(".param .align 4 .b8 a[16]; call f, (a, b);"),
            "6:37: 'a' is aligned to 4 bytes, but the parameter 'a' to 8\n");
  EXPECT_EQ(
      call(".param .align 8 .b8 a[12]; call f, (a, b);"),
      "6:37: 'a' has 12 bytes as an array, but the parameter 'a' has 16 as an "
      "array\n");
  EXPECT_EQ(call(".param .align 8 .b8 a[16]; call f, (a, r);"),
            "6:40: the argument and the parameter 'b' of type '.f32' have "
            "different types\n");
  EXPECT_EQ(call(".param .align 8 .b8 a[16]; call f, (a, 1);"),
            "6:40: the parameter 'b' of type '.f32' cannot be this constant\n");
  EXPECT_EQ(said(".func f(.param .u16 a) { ret; }\n"
                 ".entry k() { call f, (1); ret; }"),
            "5:23: a call passes no predicates and no numbers of fewer than 32 "
            "bits, but the parameter 'a' is one\n");
  EXPECT_EQ(said(".func f(.param .b16 a) { ret; }\n"
                 ".entry k() { call f, (1); ret; }"),
            "");
}

TEST(Declarations, FunctionsHaveOneSignature) {
  EXPECT_EQ(said(".func f(.param .u32 a);\n.func f(.param .u64 b) { ret; }"),
            "5:21: 'b' and 'a' of the declaration before have different "
            "types\n");
  EXPECT_EQ(said(".weak .func f();\n.visible .func f() { ret; }"),
            "5:1: the function 'f' is declared before with another linkage\n");
  EXPECT_EQ(said(".func f();"), "4:1: the function 'f' is declared, but "
                                "neither '.extern' nor defined\n");
  EXPECT_EQ(said(".extern .func f();"), "");
}

TEST(Declarations, DirectivesOfFunctions) {
  EXPECT_EQ(said(".func f() .maxnreg 32 { ret; }"),
            "4:11: '.maxnreg' is for entries only\n");
  EXPECT_EQ(said(".entry k() .maxntid 32 .reqntid 32 { ret; }"),
            "4:24: '.maxntid' and '.reqntid' exclude each other\n");
  // Where two are an error, none is said to count.
  EXPECT_EQ(said(".func f() .abi_preserve 8 .abi_preserve 16 { ret; }"),
            "4:27: a second '.abi_preserve'\n");
  EXPECT_EQ(said(".entry k() .blocksareclusters .reqntid 32 "
                 ".reqnctapercluster 0 { ret; }"),
            "4:12: '.blocksareclusters' needs '.reqntid' and "
            "'.reqnctapercluster'\n");
  EXPECT_EQ(said(".entry k() .maxnreg 0 { ret; }"),
            "4:12: the numbers of '.maxnreg' are positive\n");
  EXPECT_EQ(said(".entry k() .explicitcluster { ret; }", "sm_80"),
            "4:12: '.explicitcluster' needs sm_90 but the target is sm_80\n");
  EXPECT_EQ(said(".entry k() { ret; }", "sm_120a", "8.0"),
            "2:9: the target 'sm_120a' needs PTX ISA version 8.7 but the "
            "module has 8.0\n");
}

TEST(Declarations, PlacesOfInlinedCode) {
  StringRef text = ".file 1 \"a\"\n.entry k() { .loc 1 2 3\n"
                   ".loc 1 9 9, function_name L, inlined_at 1 2 3\nret; }\n"
                   ".section .debug_str { L: .b8 1 }";
  EXPECT_EQ(said(text), "");
  std::string other = StringRef(text).str();
  other.replace(other.find("_at 1 2"), 7, "_at 1 7");
  EXPECT_EQ(said(other), "6:1: the place 1 7 3 of 'inlined_at' is that of no "
                         "'.loc' before\n");
  other = StringRef(text).str();
  other.replace(other.find("{ L:"), 4, "{ M:");
  EXPECT_EQ(said(other), "6:27: no label 'L' in the debug sections\n");
}

TEST(Declarations, InitialValuesOfBits) {
  Parsed parsed = parseModuleText(".global .b32 a = 1.0;\n"
                                  ".global .b64 b = 1.0;\n"
                                  ".global .b64 c = 0f3F800000;\n"
                                  ".global .f32 d = .5;\n"
                                  ".global .f64 e = 1.e2;");
  ASSERT_TRUE(parsed.module) << parsed.messages();
  const std::vector<VarDecl> &vars = parsed.module->vars;
  EXPECT_EQ(vars[0].init[0].bits, 0x3F800000u);
  EXPECT_EQ(vars[1].init[0].bits, 0x3FF0000000000000u);
  EXPECT_EQ(vars[2].init[0].bits, 0x3F800000u);
  EXPECT_EQ(vars[3].init[0].bits, 0x3F000000u);
  EXPECT_EQ(vars[4].init[0].bits, 0x4059000000000000u);
  EXPECT_EQ(said(".global .u32 a = 1.0;"),
            "4:18: a variable of type '.u32' cannot hold a floating-point "
            "value\n");
  EXPECT_EQ(said(".global .f32 a = 1;"),
            "4:18: a variable of type '.f32' cannot hold an integer\n");
  EXPECT_EQ(said(".global .u32 a; .global .b64 b = a;"),
            "4:34: the address of 'a' needs a variable of type .u32 or .u64 "
            "but this one is '.b64'\n");
}

TEST(Declarations, AddressesHaveTheWidthOfTheModule) {
  EXPECT_EQ(Parsed(inKernel(".reg .b32 %r<3>;\nld.global.u32 %r1, [%r2];"))
                .messages(),
            "7:20: operand 'a' of the instruction is an address of 64 bits, "
            "but its base is .b32\n");
  EXPECT_TRUE(
      Parsed(inKernel(".reg .b32 %r<3>;\nld.shared.u32 %r1, [%r2];")).module);
  EXPECT_EQ(
      Parsed(inKernel(".reg .b32 %r<3>; .const .b32 c;\nld.u32 %r1, [c];"))
          .messages(),
      "7:13: operand 'a' of the instruction is a generic address, but 'c' is "
      "in .const\n");
}

} // namespace
