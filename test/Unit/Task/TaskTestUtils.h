//===- TaskTestUtils.h - Texts and files of tasks ---------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changed texts, and a folder of files.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_TASK_TASKTESTUTILS_H
#define PTXBENCH_TEST_UNIT_TASK_TASKTESTUTILS_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace ptxbench {

/// `text` with the first `from`, which has to be there, replaced.
inline std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos)
    text.replace(at, from.size(), to);
  return text;
}

/// A folder that is removed at the end.
class TaskFiles : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ptxbench-tasks", root));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  void write(llvm::StringRef file, llvm::StringRef text) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, file);
    ASSERT_FALSE(
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)));
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    ASSERT_FALSE(code);
    os << text;
  }

  llvm::SmallString<128> root;
};

} // namespace ptxbench

#endif // PTXBENCH_TEST_UNIT_TASK_TASKTESTUTILS_H
