//===- PtxasOutputTest.cpp - Recorded messages of ptxas and nvcc ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The texts are what ptxas and nvcc 13.0 printed.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/PtxasOutput.h"
#include "ptxbench/Support/Toolchain.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

TEST(PtxasOutput, ResourcesOfTwoEntries) {
  PtxasOutput output = parsePtxasOutput(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z5spillPfi' for 'sm_90a'\n"
      "ptxas info    : Function properties for _Z5spillPfi\n"
      "    600 bytes stack frame, 1256 bytes spill stores, 1264 bytes spill "
      "loads\n"
      "ptxas info    : Used 32 registers, used 1 barriers, 600 bytes "
      "cumulative "
      "stack size\n"
      "ptxas info    : Compile time = 74.875 ms\n"
      "ptxas info    : Compiling entry function '_Z3addPKfS0_Pfi' for "
      "'sm_90a'\n"
      "ptxas info    : Function properties for _Z3addPKfS0_Pfi\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 14 registers, used 2 barriers, 256 bytes smem\n"
      "ptxas info    : Compile time = 3.315 ms\n");
  EXPECT_TRUE(output.diagnostics.empty());
  ASSERT_EQ(output.resources.size(), 2u);
  const FunctionResources *spill = output.findResources("_Z5spillPfi");
  ASSERT_TRUE(spill);
  EXPECT_EQ(spill->target, "sm_90a");
  EXPECT_TRUE(spill->isEntry);
  EXPECT_EQ(spill->registers, 32u);
  EXPECT_EQ(spill->barriers, 1u);
  EXPECT_EQ(spill->stackFrame, 600u);
  EXPECT_EQ(spill->spillStores, 1256u);
  EXPECT_EQ(spill->spillLoads, 1264u);
  EXPECT_EQ(spill->cumulativeStack, 600u);
  EXPECT_FALSE(spill->staticShared.has_value());
  const FunctionResources *add = output.findResources("_Z3addPKfS0_Pfi");
  ASSERT_TRUE(add);
  EXPECT_EQ(add->registers, 14u);
  EXPECT_EQ(add->barriers, 2u);
  EXPECT_EQ(add->staticShared, 256u);
  EXPECT_EQ(add->spillStores, 0u);
  EXPECT_FALSE(output.hasErrors());
}

TEST(PtxasOutput, ADeviceFunctionDoesNotTakeTheRegistersOfItsEntry) {
  PtxasOutput output = parsePtxasOutput(
      "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
      "ptxas info    : Function properties for k\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Function properties for helper\n"
      "    16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 40 registers, used 0 barriers\n");
  const FunctionResources *entry = output.findResources("k");
  const FunctionResources *helper = output.findResources("helper");
  ASSERT_TRUE(entry && helper);
  EXPECT_EQ(entry->registers, 40u);
  EXPECT_EQ(entry->stackFrame, 0u);
  EXPECT_FALSE(helper->isEntry);
  EXPECT_EQ(helper->stackFrame, 16u);
  EXPECT_FALSE(helper->registers.has_value());
}

TEST(PtxasOutput, ErrorsHaveLines) {
  PtxasOutput output = parsePtxasOutput(
      "ptxas bad, line 3; copy.ptx, line 57; error   : Not a name of any known "
      "instruction: 'frob'\n"
      "ptxas bad2.ptx, line 59; error   : Unknown symbol '%zz'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n");
  ASSERT_EQ(output.diagnostics.size(), 3u);
  EXPECT_TRUE(output.hasErrors());
  EXPECT_EQ(output.diagnostics[0].line, 57u);
  EXPECT_EQ(output.diagnostics[0].severity, ToolSeverity::Error);
  EXPECT_EQ(output.diagnostics[0].text,
            "Not a name of any known instruction: 'frob'");
  EXPECT_EQ(output.diagnostics[1].line, 59u);
  EXPECT_EQ(output.diagnostics[2].severity, ToolSeverity::Fatal);
  EXPECT_EQ(output.diagnostics[2].line, 0u);
}

struct RemarkCase {
  const char *text;
  PtxasRemark remark;
  const char *code;
  unsigned line;
  const char *function;
};

class PtxasRemarks : public ::testing::TestWithParam<RemarkCase> {};

TEST_P(PtxasRemarks, IsClassified) {
  const RemarkCase &expected = GetParam();
  PtxasOutput output = parsePtxasOutput(expected.text);
  ASSERT_EQ(output.diagnostics.size(), 1u);
  const ToolDiagnostic &diagnostic = output.diagnostics[0];
  EXPECT_EQ(classifyRemark(diagnostic), expected.remark);
  EXPECT_EQ(diagnostic.code, expected.code);
  EXPECT_EQ(diagnostic.line, expected.line);
  EXPECT_EQ(diagnostic.function, expected.function);
  EXPECT_FALSE(output.hasErrors());
}

INSTANTIATE_TEST_SUITE_P(
    Recorded, PtxasRemarks,
    ::testing::Values(
        RemarkCase{"ptxas info    : (C7511) Potential Performance Loss: "
                   "wgmma.mma_async instructions are serialized due to "
                   "insufficient register resources for the wgmma pipeline in "
                   "function 'k'\n",
                   PtxasRemark::WgmmaSerialized, "C7511", 0, "k"},
        RemarkCase{"ptxas info    : (C7519) warpgroup.arrive is injected in "
                   "around line 42 by compiler to allow use of registers in "
                   "GMMA in function 'k'\n",
                   PtxasRemark::ArriveInjected, "C7519", 42, "k"},
        RemarkCase{
            "ptxas info    : (C7517) warpgroup.wait is injected in "
            "around line 9 by compiler to allow use of registers defined "
            "by GMMA in the function 'k2'\n",
            PtxasRemark::WaitInjected, "C7517", 9, "k2"},
        RemarkCase{"ptxas info    : (C7508) 'setmaxnreg' ignored to maintain "
                   "minimum register requirements\n",
                   PtxasRemark::SetmaxnregIgnored, "C7508", 0, ""},
        RemarkCase{
            "ptxas warning : Registers are spilled to local memory in "
            "function 'k', 24 bytes spill stores, 24 bytes spill loads\n",
            PtxasRemark::Spill, "", 0, "k"},
        RemarkCase{"ptxas info    : (Cfoo) something else\n", PtxasRemark::None,
                   "", 0, ""}));

TEST(PtxasOutput, FrontEndMessages) {
  PtxasOutput output = parsePtxasOutput(
      "kernel.cu(4): error: identifier \"x\" is undefined\n"
      "    x = 1;\n"
      "    ^\n"
      "a (1).cu(12): warning #177-D: variable \"y\" was declared but never "
      "referenced\n"
      "k.cu:3:10: fatal error: nothing.h: No such file or directory\n"
      "nvcc fatal   : Unsupported gpu architecture 'compute_10'\n");
  ASSERT_EQ(output.diagnostics.size(), 4u);
  EXPECT_EQ(output.diagnostics[0].source, "kernel.cu");
  EXPECT_EQ(output.diagnostics[0].line, 4u);
  EXPECT_EQ(output.diagnostics[0].text, "identifier \"x\" is undefined");
  EXPECT_EQ(output.diagnostics[1].severity, ToolSeverity::Warning);
  EXPECT_EQ(output.diagnostics[1].source, "a (1).cu");
  EXPECT_EQ(output.diagnostics[1].code, "177");
  EXPECT_EQ(output.diagnostics[1].line, 12u);
  EXPECT_EQ(output.diagnostics[2].severity, ToolSeverity::Error);
  EXPECT_EQ(output.diagnostics[2].line, 3u);
  EXPECT_EQ(output.diagnostics[3].severity, ToolSeverity::Fatal);
  EXPECT_EQ(output.diagnostics[3].source, "nvcc");
}

TEST(PtxasOutput, NothingInTheTextCanMakeItFail) {
  const char *texts[] = {"",
                         "ptxas",
                         "ptxas ",
                         "ptxas info",
                         "ptxas info    :",
                         "ptxas info    : Used",
                         "ptxas info    : Used 12 registers",
                         "ptxas info    : Compiling entry function ' for",
                         "ptxas info    : Function properties for",
                         "ptxas x, line 99999999999999999999; error : t",
                         "ptxas info : (",
                         "(): error: x",
                         "): ",
                         "\n\n\r\n:::::\n",
                         "    4 bytes stack frame"};
  for (const char *text : texts) {
    PtxasOutput output = parsePtxasOutput(text);
    for (const FunctionResources &resources : output.resources)
      EXPECT_FALSE(resources.registers.has_value()) << text;
    EXPECT_FALSE(output.hasErrors()) << text;
  }
}

TEST(PtxasOutput, JsonLeavesOutWhatWasNotSaid) {
  PtxasOutput output = parsePtxasOutput(
      "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
      "ptxas info    : Used 14 registers, used 0 barriers\n");
  ASSERT_EQ(output.resources.size(), 1u);
  llvm::json::Value value = toJSON(output.resources[0]);
  const llvm::json::Object *object = value.getAsObject();
  ASSERT_TRUE(object);
  EXPECT_EQ(object->getInteger("registers"), 14);
  EXPECT_EQ(object->getInteger("barriers"), 0);
  EXPECT_FALSE(object->get("smem"));
  EXPECT_FALSE(object->get("spill_stores"));
}

TEST(Toolchain, ReadsVersions) {
  EXPECT_EQ(parseToolVersion("ptxas: NVIDIA (R) Ptx optimizing assembler\n"
                             "Cuda compilation tools, release 13.0, V13.0.88\n"
                             "Build cuda_13.0.r13.0/compiler.36424714_0\n"),
            "13.0.88");
  EXPECT_EQ(parseToolVersion("Copyright, Vx; nothing"), "");
  EXPECT_EQ(parseToolVersion(""), "");
}

TEST(Toolchain, RefusesATargetThatIsNone) {
  Toolchain toolchain;
  NvccOptions options;
  options.target = "compute_90a";
  llvm::Expected<NvccRun> run =
      toolchain.runNvcc("k.cu", "unused-folder", options);
  ASSERT_FALSE(bool(run));
  EXPECT_EQ(llvm::toString(run.takeError()),
            "expected a target such as sm_90a but got 'compute_90a'");
}

} // namespace
