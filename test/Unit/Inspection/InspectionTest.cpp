//===- InspectionTest.cpp - Tests of what a candidate must not use --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources that use a library beside those that only look like it.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Inspection/Inspection.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxbench;

/// "rule name line" of each finding.
static std::vector<std::string> inspect(llvm::StringRef text) {
  std::vector<std::string> out;
  for (const InspectionFinding &finding : inspectSource(text))
    out.push_back(std::string(ruleOf(finding.kind)) + " " + finding.name + " " +
                  std::to_string(finding.line));
  return out;
}
using Strings = std::vector<std::string>;

TEST(InspectSourceTest, Libraries) {
  EXPECT_EQ(inspect("\n  cublasGemmEx(h);"),
            Strings{"banned-library cublasGemmEx 2"});
  EXPECT_EQ(inspect("auto f = &cudnnCreate; cudnnCreate(&h);"),
            Strings{"banned-library cudnnCreate 1"});
  EXPECT_EQ(
      inspect("#include <cublas_v2.h>\n# include \"cudnn.h\"\n"),
      (Strings{"banned-library cublas_v2.h 1", "banned-library cudnn.h 2"}));
  EXPECT_EQ(inspect("dlopen(\"/usr/lib/libcublas.so.13\", 1);"),
            (Strings{"run-time-lookup dlopen 1",
                     "banned-library libcublas.so.13 1"}));
  EXPECT_EQ(inspect("const char *s = R\"x(libcudnn.so.9)x\";"),
            Strings{"banned-library libcudnn.so.9 1"});
  EXPECT_EQ(inspect("nvrtcCompileProgram"),
            Strings{"banned-library nvrtcCompileProgram 1"});
}

TEST(InspectSourceTest, OnlyLooksLikeIt) {
  EXPECT_EQ(inspect("// cublasGemmEx\n/* cudnnCreate\n */ int cublasless;"),
            Strings{});
  EXPECT_EQ(inspect("puts(\"cublasGemmEx is not used\");"), Strings{});
  EXPECT_EQ(inspect("my_cublasGemmEx(); int xcudnnCreate;"), Strings{});
  EXPECT_EQ(inspect("config.system(); p->fork(); int system = 1;"), Strings{});
  EXPECT_EQ(inspect("char c = '\"'; // \" cublasGemmEx"), Strings{});
  EXPECT_EQ(inspect("int n = 1'000'000; /* cublasGemmEx */"), Strings{});
  EXPECT_EQ(inspect(""), Strings{});
}

TEST(InspectSourceTest, LinesAndSplices) {
  // A comment goes on behind a backslash; a name is put together over one.
  EXPECT_EQ(inspect("// \\\ncublasGemmEx();\ncublas\\\nCreate();"),
            Strings{"banned-library cublasCreate 3"});
  EXPECT_EQ(inspect("/* not closed cublasCreate()"), Strings{});
  EXPECT_EQ(inspect("\"not closed\ncublasCreate()"),
            Strings{"banned-library cublasCreate 2"});
}

TEST(InspectSourceTest, System) {
  EXPECT_EQ(inspect("int p = fork();"), Strings{"banned-system-call fork 1"});
  EXPECT_EQ(inspect("f(& socket);"), Strings{"banned-system-call socket 1"});
}

TEST(InspectLibraryTest, NoLibrary) {
  llvm::SmallString<128> path;
  int descriptor;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("inspect", "so", descriptor, path));
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << "no library";
  }
  llvm::Expected<std::vector<InspectionFinding>> findings =
      inspectLibrary(path);
  EXPECT_FALSE(bool(findings));
  EXPECT_FALSE(llvm::toString(findings.takeError()).empty());
  llvm::Expected<std::vector<InspectionFinding>> missing =
      inspectLibrary("/nowhere/a.so");
  EXPECT_FALSE(bool(missing));
  llvm::consumeError(missing.takeError());
  (void)llvm::sys::fs::remove(path);
}
