//===- BoundedJSONTest.cpp - JSON that others wrote -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As deep as it may be, deeper, and so deep that the parser would not come
// back.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/BoundedJSON.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

std::string nested(size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(BoundedJSON, AsDeepAsItMayBe) {
  llvm::Expected<llvm::json::Value> value =
      parseBoundedJSON(nested(maxJSONDepth));
  EXPECT_TRUE(bool(value)) << llvm::toString(value.takeError());
}

TEST(BoundedJSON, Deeper) {
  for (size_t depth : {size_t(maxJSONDepth) + 1, size_t(8) << 20}) {
    llvm::Expected<llvm::json::Value> value = parseBoundedJSON(nested(depth));
    ASSERT_FALSE(bool(value));
    EXPECT_EQ(llvm::toString(value.takeError()),
              "expected JSON nested at most 200 deep");
  }
}

TEST(BoundedJSON, BracketsInStringsAndBesideEachOther) {
  std::string text = "[\"\\\"" + std::string(1000, '[') + "\"";
  for (unsigned i = 0; i < 1000; ++i)
    text += ",[]";
  llvm::Expected<llvm::json::Value> value = parseBoundedJSON(text + "]");
  EXPECT_TRUE(bool(value)) << llvm::toString(value.takeError());
}

TEST(BoundedJSON, TheLineIsFound) {
  EXPECT_EQ(findTooDeepLine("[\n[\n" + std::string(1000, '{')), 2u);
  EXPECT_FALSE(findTooDeepLine("[\n[\n{"));
}

} // namespace
