//===- NestingDepthTest.cpp - How deep a text is nested -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brackets count, and what only looks like one does not.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/NestingDepth.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace ptxbench;

namespace {

std::string check(NestedText kind, StringRef text, unsigned limit = 3) {
  return toString(checkNestingDepth(text, "f", kind, limit));
}
std::string mlir(StringRef text) { return check(NestedText::MLIR, text); }
std::string llvmIR(StringRef text) { return check(NestedText::LLVM, text); }

/// `text` so many times.
std::string repeat(StringRef text, unsigned times) {
  std::string result;
  for (unsigned i = 0; i < times; ++i)
    result += text;
  return result;
}

TEST(NestingDepth, CountsEachBracket) {
  EXPECT_EQ(mlir("({[]})"), "");
  EXPECT_EQ(mlir("({[<>]})"),
            "f:1:4: error: expected a text nested at most 3 deep");
  EXPECT_EQ(mlir("module {\n module {\n  a<\n   (\n"),
            "f:4:4: error: expected a text nested at most 3 deep");
  EXPECT_EQ(mlir("((())) ((())) [[[]]] {{{}}} <<<>>>"), "");
  EXPECT_EQ(llvmIR("[1 x [1 x [1 x <1 x i8>]]]"),
            "f:1:16: error: expected a text nested at most 3 deep");
  EXPECT_EQ(llvmIR("[1 x [1 x [1 x i8]]]"), "");
}

TEST(NestingDepth, LeavesStringsAndCommentsAlone) {
  EXPECT_EQ(mlir("\"((((\" // ((((\n()"), "");
  EXPECT_EQ(mlir("\"\\\"((((\" ()"), "");
  EXPECT_NE(mlir("\"\\\\\" (((("), "");
  // A string that is not closed ends with its line.
  EXPECT_NE(mlir("\"\n(((("), "");
  EXPECT_EQ(llvmIR("c\"((((\" ; ((((\n()"), "");
  EXPECT_NE(llvmIR("\"\\\" (((("), "");
  EXPECT_NE(llvmIR("// (((("), "");
  EXPECT_NE(mlir("; (((("), "");
  EXPECT_EQ(mlir("\"(((("), "");
}

TEST(NestingDepth, SignsThatAreNoBracketsDoNotAddUp) {
  EXPECT_EQ(mlir(repeat("(i32) -> (i32) ", 100)), "");
  EXPECT_EQ(mlir(repeat("(d0 <= 1, d0 >= 0, a => b) ", 100)), "");
  EXPECT_EQ(mlir(repeat("(a < b) ", 100)), "");
  EXPECT_EQ(mlir(repeat(") > ] } ", 100) + "(((("),
            "f:1:804: error: expected a text nested at most 3 deep");
}

TEST(NestingDepth, SignsNestLikeBrackets) {
  EXPECT_EQ(mlir("- - -d0 - - -d0"), "");
  EXPECT_EQ(mlir("--\n--d0"),
            "f:2:2: error: expected a text nested at most 3 deep");
}

TEST(NestingDepth, TakesTheLimitItself) {
  std::string deep = repeat("{", maxNestingDepth);
  EXPECT_EQ(check(NestedText::MLIR, deep, maxNestingDepth), "");
  EXPECT_NE(check(NestedText::MLIR, deep + "{", maxNestingDepth), "");
}

TEST(NestingDepth, BinariesAreNoText) {
  EXPECT_EQ(mlir("ML\xefR(((("), "");
  EXPECT_EQ(llvmIR("BC\xc0\xde(((("), "");
  EXPECT_EQ(mlir(""), "");
}

TEST(NestingDepth, FilesThatAreNotThereAreForTheReader) {
  EXPECT_EQ(toString(checkFileNestingDepth("/no/such/file", NestedText::MLIR)),
            "");
}

} // namespace
