//===- SourceFilesTest.cpp - Tests of what a compilation read -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts are shortened from what GCC 12 and GNU as 2.40 write.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/SourceFiles.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

std::vector<std::string> show(const std::vector<CompiledFile> &files) {
  std::vector<std::string> lines;
  for (const CompiledFile &file : files)
    lines.push_back(
        file.path +
        (file.line ? " " + file.from + ":" + std::to_string(file.line) : ""));
  return lines;
}

using Strings = std::vector<std::string>;

TEST(SourceFiles, OfLineMarkers) {
  EXPECT_EQ(
      show(filesInLineMarkers(R"(# 0 "/w/k.cu"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "/w/k.cu"


# 1 "/w/../a \"b\".cuh" 1
int x;
# 1 "/w/\303\244.cuh" 1
# 3 "/w/../a \"b\".cuh" 2
# 4 "/w/k.cu" 2
int y;
# 1 "/w/../a \"b\".cuh" 1
# 6 "/w/k.cu" 2
# 90 "elsewhere"
#pragma x
# 1 "/c.cuh" 1 3
)")),
      (Strings{"/usr/include/stdc-predef.h", "/w/../a \"b\".cuh /w/k.cu:3",
               "/w/\303\244.cuh /w/../a \"b\".cuh:2", "/c.cuh elsewhere:91"}));
}

TEST(SourceFiles, WhatIsNoMarker) {
  EXPECT_EQ(show(filesInLineMarkers("#1 \"a\" 1\n# x \"a\" 1\n# 1 a 1\n"
                                    "# 1 \"a\n# 1 \"\\\n # 1 \"a\" 1\n# 1 "
                                    "\"a\" 2\n#")),
            Strings{});
  EXPECT_EQ(show(filesInLineMarkers("")), Strings{});
}

TEST(SourceFiles, OfTheAssembler) {
  std::string text = "before\nkeep/k.o: /w/a\\ b/d$$\\ ata.bin <stdin> \\\n"
                     " /tmp/cc1.s /w/c\\#\\\\.bin\nbetween\n"
                     "dlink.o: /tmp/cc1.s link.stub\nafter";
  EXPECT_EQ(show(takeAssemblerRules(text)),
            (Strings{"/w/a b/d$ ata.bin", "<stdin>", "/tmp/cc1.s",
                     "/w/c#\\.bin", "link.stub"}));
  EXPECT_EQ(text, "before\nbetween\nafter");
}

TEST(SourceFiles, FoldersOfHeaders) {
  EXPECT_EQ(headerFolders("COLLECT_GCC=gcc\n cc1plus -E\n"
                          "ignoring nonexistent directory \"/x\"\n"
                          "#include \"...\" search starts here:\n"
                          "#include <...> search starts here:\n"
                          " /opt/tvm/include\n /usr/include/c++/12\n"
                          "End of search list.\n /not/this\n"),
            (Strings{"/opt/tvm/include", "/usr/include/c++/12"}));
}

TEST(SourceFiles, Below) {
  EXPECT_TRUE(isBelow("/a/b/c", {"/x", "/a/b"}));
  EXPECT_TRUE(isBelow("/a/b", {"/a/"}));
  EXPECT_FALSE(isBelow("/a/bc", {"/a/b"}));
  EXPECT_FALSE(isBelow("/a/b", {"/a/b"}));
  EXPECT_FALSE(isBelow("/a/b", {}));
}

} // namespace
