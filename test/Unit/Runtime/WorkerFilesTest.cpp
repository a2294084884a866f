//===- WorkerFilesTest.cpp - What a worker left behind --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files that were changed after they were written, and what else can be in
// their place.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/WorkerFiles.h"
#include "ptxbench/Support/PlainFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ptxbench;

namespace {

class WorkerFiles : public testing::Test {
protected:
  WorkerFiles() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("ptxbench-test", folder));
    request.workDir = folder.str().str();
    request.trials = 2;
    request.timing.enabled = false;
    request.tensors = {{"a", {2}, ElementType::Float32, TensorRole::Input},
                       {"c", {2}, ElementType::Float32, TensorRole::Output}};
  }
  ~WorkerFiles() override { llvm::sys::fs::remove_directories(folder); }

  void write(const std::string &path, llvm::StringRef text) {
    ASSERT_FALSE(bool(writeNewFile(path, text)));
  }
  void announce(const std::string &path, llvm::StringRef text) {
    events.feed("{\"event\":\"file\",\"name\":\"" +
                llvm::StringRef(path).rsplit('/').second.str() +
                "\",\"blake3\":\"" + hashOfFile(text) + "\"}\n");
  }
  void save(const std::string &path, llvm::StringRef text) {
    announce(path, text);
    write(path, text);
  }
  /// "good", or what is wrong.
  std::string outputs() {
    RunResult result;
    if (checkOutputFiles(request, 2, events, result))
      return "good";
    EXPECT_EQ(result.status, result.code == "NO_OUTPUT"
                                 ? RunStatus::RuntimeError
                                 : RunStatus::Rejected);
    return result.code + ": " + result.reason;
  }

  llvm::SmallString<128> folder;
  RunRequest request;
  ProtocolReader events;
};

TEST_F(WorkerFiles, AsTheyWereWritten) {
  save(outputFile(request, 0, 1), "12345678");
  save(outputFile(request, 1, 1), "abcdefgh");
  EXPECT_EQ(outputs(), "good");
}

TEST_F(WorkerFiles, OneThatWasNeverWritten) {
  save(outputFile(request, 0, 1), "12345678");
  EXPECT_EQ(outputs(), "NO_OUTPUT: the run was reported as done but output 'c' "
                       "of call 1 is not there");
  // The candidate's own is none.
  write(outputFile(request, 1, 1), "abcdefgh");
  EXPECT_EQ(outputs(), "FORGED_OUTPUT: output 'c' of call 1: the candidate "
                       "made 'call1.arg1.bin'");
}

TEST_F(WorkerFiles, OneThatWasChanged) {
  save(outputFile(request, 0, 1), "12345678");
  save(outputFile(request, 1, 1), "abcdefgh");
  write(outputFile(request, 0, 1), "12345679");
  EXPECT_EQ(outputs(), "FORGED_OUTPUT: output 'c' of call 0: 'call0.arg1.bin' "
                       "is not what it was when it was written");
  // To say it again does not help.
  announce(outputFile(request, 0, 1), "12345679");
  EXPECT_EQ(outputs().find("FORGED_OUTPUT"), 0u);
}

TEST_F(WorkerFiles, LinksPipesAndNothing) {
  save(outputFile(request, 0, 1), "12345678");
  std::string second = outputFile(request, 1, 1);
  announce(second, "abcdefgh");
  EXPECT_EQ(outputs().find("FORGED_OUTPUT"), 0u);
  ASSERT_EQ(::symlink("/dev/zero", second.c_str()), 0);
  EXPECT_NE(outputs().find("is a link"), std::string::npos);
  ASSERT_EQ(::unlink(second.c_str()), 0);
  ASSERT_EQ(::mkfifo(second.c_str(), 0600), 0);
  EXPECT_NE(outputs().find("expected a regular file"), std::string::npos);
  write(second, "abcdefghi");
  EXPECT_NE(outputs().find("expected at most 8 bytes"), std::string::npos);
}

TEST_F(WorkerFiles, ABaselineThatItDidNotWrite) {
  save(outputFile(request, 0, 1), "12345678");
  save(outputFile(request, 1, 1), "abcdefgh");
  request.timing.enabled = true;
  save(baselineFile(request, 1), "abcdefgh");
  EXPECT_EQ(outputs(), "good");
  write(baselineFile(request, 1), "abcdefgi");
  EXPECT_EQ(outputs().find("FORGED_OUTPUT: the baseline's output 'c'"), 0u);
}

TEST_F(WorkerFiles, WhatACandidateLeftIsRemoved) {
  std::string first = outputFile(request, 0, 1);
  save(first, "12345678");
  save(outputFile(request, 1, 1), "abcdefgh");
  std::string trace = (folder + "/trace.json").str(),
              grown = (folder + "/0.cubin").str(),
              deep = (folder + "/folder/in/folder").str(),
              own = (folder + "/own").str();
  save(trace, "{}");
  save(grown, "x");
  write(grown, "x and more");
  write(own, "x");
  ASSERT_FALSE(llvm::sys::fs::create_directories(deep));
  // Room beyond the end of a file, where a file system has that.
  int file = ::open(first.c_str(), O_WRONLY);
  ASSERT_GE(file, 0);
  bool hasRoom = ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, off_t(8) << 20) == 0;
  ::close(file);
  EXPECT_EQ(outputs(), "good");
  EXPECT_EQ(llvm::toString(keepWorkerFiles(request, events)), "");
  EXPECT_EQ(outputs(), "good");
  EXPECT_TRUE(llvm::sys::fs::exists(trace));
  for (const std::string &gone : {grown, own, (folder + "/folder").str()})
    EXPECT_FALSE(llvm::sys::fs::exists(gone)) << gone;
  struct stat status;
  ASSERT_EQ(::stat(first.c_str(), &status), 0);
  EXPECT_EQ(status.st_size, 8);
  if (hasRoom) {
    EXPECT_LT(status.st_blocks * 512, off_t(1) << 20);
  }
  // Still known for what it was.
  EXPECT_EQ(readWorkerFile(grown, 100, events).state,
            WorkerFile::State::Forged);
}

TEST_F(WorkerFiles, ATraceThatIsNotBelieved) {
  RunResult result;
  result.status = RunStatus::Passed;
  rejectTrace(result, "FORGED_TRACE", "x");
  EXPECT_EQ(result.status, RunStatus::Rejected);
  EXPECT_EQ(result.code, "FORGED_TRACE");
  // What failed before stays what it was.
  RunResult failed;
  failed.status = RunStatus::RuntimeError;
  rejectTrace(failed, "FORGED_TRACE", "x");
  EXPECT_EQ(failed.status, RunStatus::RuntimeError);
  EXPECT_EQ(failed.traceNotes.size(), 1u);
}

} // namespace
