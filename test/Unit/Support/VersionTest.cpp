//===- VersionTest.cpp ----------------------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Version.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/VersionTuple.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

TEST(VersionTest, HasThreeNumbers) {
  llvm::VersionTuple version;
  ASSERT_FALSE(version.tryParse(getVersion())) << getVersion();
  EXPECT_TRUE(version.getMinor() && version.getSubminor()) << getVersion();
}

TEST(VersionTest, NamesOursAndThatOfLLVM) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printVersion(os);
  EXPECT_EQ(text, std::string("ptxbench-mlir ") + getVersion() +
                      "\nLLVM/MLIR " + LLVM_VERSION_STRING + "\n");
}

} // namespace
