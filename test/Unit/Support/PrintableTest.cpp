//===- PrintableTest.cpp - Text of others on a terminal -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What would move a cursor or hide does not come through; letters do.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Printable.h"

#include "gtest/gtest.h"

using namespace ptxbench;

TEST(Printable, OneLine) {
  EXPECT_EQ(toPrintable("plain, \xc3\xa4 and \xe4\xb8\xad"),
            "plain, \xc3\xa4 and \xe4\xb8\xad");
  EXPECT_EQ(toPrintable("x\r0 PASSED\x1b[K\n\t!"), "x 0 PASSED?[K  !");
  // A control of two bytes, one that turns the direction around, no UTF-8.
  EXPECT_EQ(toPrintable("a\xc2\x9b"
                        "2K\xe2\x80\xae"
                        "b"),
            "a?2K?b");
  EXPECT_EQ(toPrintable("\xff"), "\xef\xbf\xbd");
}

TEST(Printable, Lines) {
  EXPECT_EQ(toPrintableLines("a\rb\n\n\x07\n"), "a b\n\n?\n");
  EXPECT_EQ(toPrintableLines("a"), "a");
  EXPECT_EQ(toPrintableLines(""), "");
}
