//===- RemoveFolderTest.cpp - Tests of removing what others left ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each case leaves in a folder what a removal by paths stumbles over.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/RemoveFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ptxbench;

namespace {

class RemoveFolder : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(
        llvm::sys::fs::createUniqueDirectory("ptxbench-remove", folder));
  }
  void TearDown() override { llvm::consumeError(removeFolder(folder)); }

  std::string path(const llvm::Twine &name) const {
    return (folder + "/" + name).str();
  }
  void makeFile(const llvm::Twine &name) {
    int fd = ::open(path(name).c_str(), O_CREAT | O_WRONLY, 0600);
    ASSERT_GE(fd, 0);
    ::close(fd);
  }
  void makeFolder(const llvm::Twine &name) {
    ASSERT_EQ(::mkdir(path(name).c_str(), 0700), 0);
  }
  /// Why it fails; empty if all is gone.
  std::string remove() {
    std::string problem = llvm::toString(removeFolder(folder));
    if (problem.empty() && llvm::sys::fs::exists(folder))
      return "it is still there";
    return problem;
  }

  llvm::SmallString<128> folder;
};

TEST_F(RemoveFolder, FilesAndFolders) {
  for (unsigned i = 0; i < 5; ++i) {
    makeFolder("d" + llvm::Twine(i));
    for (unsigned j = 0; j < 300; ++j) {
      makeFolder("d" + llvm::Twine(i) + "/e" + llvm::Twine(j));
      makeFile("d" + llvm::Twine(i) + "/e" + llvm::Twine(j) + "/f");
    }
  }
  makeFile("file");
  EXPECT_EQ(remove(), "");
}

TEST_F(RemoveFolder, WhatIsNotThere) {
  EXPECT_EQ(llvm::toString(removeFolder(path("none"))), "");
  EXPECT_NE(llvm::toString(emptyFolder(path("none"),
                                       [](llvm::StringRef) { return false; })),
            "");
}

TEST_F(RemoveFolder, DeeperThanAPathIsLong) {
  const char *name = "a_long_name_for_a_folder_that_is_in_another";
  int at = ::open(folder.c_str(), O_DIRECTORY | O_RDONLY);
  for (unsigned i = 0; i < 3000; ++i) {
    ASSERT_EQ(::mkdirat(at, name, 0700), 0);
    int next = ::openat(at, name, O_DIRECTORY | O_RDONLY);
    ASSERT_GE(next, 0);
    ::close(at);
    at = next;
  }
  int file = ::openat(at, "file", O_CREAT | O_WRONLY, 0600);
  ASSERT_GE(file, 0);
  ::close(file);
  ::close(at);
  ASSERT_GT(3000 * std::string(name).size(), size_t(PATH_MAX));
  EXPECT_EQ(remove(), "");
}

TEST_F(RemoveFolder, FoldersThatNobodyMayEnter) {
  makeFolder("a");
  makeFolder("a/b");
  makeFolder("a/b/c");
  makeFile("a/b/c/file");
  for (const char *name : {"a/b/c", "a/b", "a"})
    ASSERT_EQ(::chmod(path(name).c_str(), 0), 0);
  ASSERT_EQ(::chmod(folder.c_str(), 0), 0);
  EXPECT_EQ(remove(), "");
}

TEST_F(RemoveFolder, LinksAreNotFollowed) {
  llvm::SmallString<128> other;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ptxbench-other", other));
  std::string file = (other + "/file").str();
  int fd = ::open(file.c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_GE(fd, 0);
  ::close(fd);
  makeFolder("d");
  ASSERT_EQ(::symlink(other.c_str(), path("d/link").c_str()), 0);
  ASSERT_EQ(::symlink(other.c_str(), path("link").c_str()), 0);
  ASSERT_EQ(::symlink("link", path("d/loop").c_str()), 0);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(remove(), "");
  EXPECT_TRUE(llvm::sys::fs::exists(file));
  // Nor is one in the place of the folder.
  ASSERT_EQ(::symlink(other.c_str(), folder.c_str()), 0);
  EXPECT_EQ(remove(), "");
  EXPECT_TRUE(llvm::sys::fs::exists(file));
  EXPECT_EQ(llvm::toString(removeFolder(other)), "");
}

TEST_F(RemoveFolder, SomeEntriesAreKept) {
  makeFile("kept");
  makeFile("file");
  makeFolder("d");
  makeFolder("d/kept");
  makeFile("d/kept/file");
  EXPECT_EQ(llvm::toString(emptyFolder(
                folder, [](llvm::StringRef name) { return name == "kept"; })),
            "");
  EXPECT_TRUE(llvm::sys::fs::exists(path("kept")));
  EXPECT_FALSE(llvm::sys::fs::exists(path("file")));
  EXPECT_FALSE(llvm::sys::fs::exists(path("d")));
}

} // namespace
