//===- ChildTrialTest.cpp - Tests of work that may end its process --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each way in which a child can end.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/ChildTrial.h"
#include "ptxbench/Support/Subprocess.h"
#include "gtest/gtest.h"

#include <csignal>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

using namespace ptxbench;

namespace {

TEST(ChildTrial, WhatEndsIsNoMatter) {
  int here = 1;
  EXPECT_FALSE(tryInChild([&] { here = 2; }, 60));
  EXPECT_FALSE(
      tryInChild([&] { here = 3; }, std::numeric_limits<double>::infinity()));
  // It was another process.
  EXPECT_EQ(here, 1);
}

TEST(ChildTrial, SignalsAreNamed) {
  EXPECT_EQ(tryInChild([] { ::raise(SIGSEGV); }, 60).value_or(""),
            "signal 11 (Segmentation fault)");
  EXPECT_EQ(tryInChild([] { ::raise(SIGABRT); }, 60).value_or(""),
            "signal 6 (Aborted)");
}

TEST(ChildTrial, WhoeverIgnoresTheEndOfChildrenIsToldAllTheSame) {
  auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(tryInChild([] { ::raise(SIGSEGV); }, 60).value_or(""),
            "signal 11 (Segmentation fault)");
  std::signal(SIGCHLD, SIG_IGN);
  EXPECT_FALSE(tryInChild([] {}, 60));
  std::signal(SIGCHLD, before);
}

TEST(ChildTrial, SoIsAStatusOfItsOwn) {
  std::optional<std::string> end = tryInChild([] { ::_exit(70); }, 60);
  ASSERT_TRUE(end);
  EXPECT_TRUE(llvm::StringRef(*end).contains("70")) << *end;
}

/// Ends with status 70 where there is no room for so many GiB.
void reserve(size_t gibibytes) {
  if (::mmap(nullptr, gibibytes << 30, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
    ::_exit(70);
}

TEST(ChildTrial, MemoryIsLimitedButForSanitizers) {
  EXPECT_FALSE(tryInChild([] { reserve(4); }, 60));
  std::optional<std::string> end = tryInChild([] { reserve(8); }, 60);
  EXPECT_EQ(end.value_or("none"), canLimitAddresses ? "exit code 70" : "none");
}

TEST(ChildTrial, TimeIsLimited) {
  std::optional<std::string> end = tryInChild([] { ::sleep(60); }, 0.2);
  ASSERT_TRUE(end);
  EXPECT_TRUE(llvm::StringRef(*end).starts_with("killed after 0.")) << *end;
}

} // namespace
