//===- MemcheckTest.cpp - Tests of compute-sanitizer's log ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Logs with errors, without, and that are not whole; a tool that is none.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Memcheck.h"
#include "gtest/gtest.h"

using namespace ptxbench;

TEST(MemcheckLogTest, Clean) {
  std::optional<MemcheckLog> log =
      parseMemcheckLog("========= COMPUTE-SANITIZER\n"
                       "========= ERROR SUMMARY: 0 errors\n");
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->errors, 0u);
  EXPECT_EQ(log->first, "");
}

TEST(MemcheckLogTest, Errors) {
  std::optional<MemcheckLog> log = parseMemcheckLog(
      "PASSED\n"
      "========= COMPUTE-SANITIZER\n"
      "========= Invalid __global__ write of size 2 bytes\n"
      "=========     at mark(unsigned short *)+0x50 in k.cu:14\n"
      "=========     by thread (0,0,0) in block (0,0,0)\n"
      "========= \n"
      "========= Invalid __global__ read of size 4 bytes\n"
      "=========     at other()+0x10\n"
      "========= ERROR SUMMARY: 2 errors\n");
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->errors, 2u);
  EXPECT_EQ(log->first, "Invalid __global__ write of size 2 bytes at "
                        "mark(unsigned short *)+0x50 in k.cu:14");
}

TEST(MemcheckLogTest, NotWhole) {
  EXPECT_FALSE(parseMemcheckLog("").has_value());
  EXPECT_FALSE(parseMemcheckLog("========= COMPUTE-SANITIZER\n").has_value());
  // Without the tool's mark it is somebody else's word.
  EXPECT_FALSE(parseMemcheckLog("ERROR SUMMARY: 0 errors\n").has_value());
}

TEST(MemcheckTest, AToolThatDoesNotWorkIsNoAnswer) {
  RunRequest request;
  request.library = "none";
  request.tensors.push_back(
      {"out", {1}, ElementType::Float32, TensorRole::Output});
  request.candidateSeconds = request.machineSeconds = 20;
  for (const char *tool : {"/bin/true", "/bin/false", "/nowhere/tool"}) {
    MemcheckResult result = runMemcheck("/bin/true", tool, request);
    EXPECT_EQ(result.end, MemcheckResult::End::NotStarted) << tool;
    EXPECT_NE(result.summary, "") << tool;
  }
}
