//===- PlainFileTest.cpp - Files where others could write -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a candidate could put in the place of a file.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/PlainFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace ptxbench;

namespace {

class PlainFile : public testing::Test {
protected:
  PlainFile() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("ptxbench-test", folder));
  }
  ~PlainFile() override { llvm::sys::fs::remove_directories(folder); }
  std::string path(const char *name) { return (folder + "/" + name).str(); }
  /// The text of a file, or what is wrong with it.
  std::string read(const std::string &file, uint64_t most = 100) {
    auto buffer = readPlainFile(file, most);
    return buffer ? (*buffer)->getBuffer().str()
                  : "error: " + llvm::toString(buffer.takeError());
  }
  void write(const std::string &file, llvm::StringRef text) {
    llvm::Error error = writeNewFile(file, text);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }

  llvm::SmallString<128> folder;
};

TEST_F(PlainFile, WhatWasWrittenIsRead) {
  write(path("a"), "one");
  EXPECT_EQ(read(path("a")), "one");
  write(path("a"), "");
  EXPECT_EQ(read(path("a")), "");
}

TEST_F(PlainFile, NoMoreThanAsked) {
  write(path("a"), "four");
  EXPECT_EQ(read(path("a"), 4), "four");
  EXPECT_EQ(read(path("a"), 3),
            "error: expected at most 3 bytes but '" + path("a") + "' has 4");
}

TEST_F(PlainFile, LinksAreNotFollowed) {
  write(path("victim"), "mine");
  ASSERT_EQ(::symlink("victim", path("link").c_str()), 0);
  EXPECT_EQ(read(path("link")), "error: expected a regular file but '" +
                                    path("link") + "' is a link");
  write(path("link"), "new");
  EXPECT_EQ(read(path("link")), "new");
  EXPECT_EQ(read(path("victim")), "mine");
  ASSERT_EQ(::symlink("/dev/zero", path("zero").c_str()), 0);
  EXPECT_EQ(read(path("zero")).find("error: "), 0u);
}

TEST_F(PlainFile, PipesAndFoldersDoNotBlock) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string none = "error: expected a regular file but '";
  EXPECT_EQ(read(path("pipe")), none + path("pipe") + "' is none");
  write(path("pipe"), "new");
  EXPECT_EQ(read(path("pipe")), "new");
  ASSERT_EQ(::mkdir(path("folder").c_str(), 0700), 0);
  EXPECT_EQ(read(path("folder")), none + path("folder") + "' is none");
  // One that is not empty stays, and is an error.
  write(path("folder/a"), "mine");
  llvm::Error error = writeNewFile(path("folder"), "new");
  ASSERT_TRUE(bool(error));
  EXPECT_NE(llvm::toString(std::move(error)).find(path("folder")),
            std::string::npos);
  EXPECT_EQ(read(path("folder/a")), "mine");
}

TEST_F(PlainFile, WhatIsNotThere) {
  EXPECT_FALSE(isAnythingThere(path("a")));
  EXPECT_NE(read(path("a")).find("error: cannot read '" + path("a")),
            std::string::npos);
  ASSERT_EQ(::symlink("nowhere", path("a").c_str()), 0);
  EXPECT_TRUE(isAnythingThere(path("a")));
}

} // namespace
