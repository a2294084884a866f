//===- SubprocessTest.cpp - Ends of programs, limits, output --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are /bin/sh with a few lines: what is tested is how their ends and
// their output are reported.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Subprocess.h"
#include "gtest/gtest.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace ptxbench;

namespace {

SubprocessOptions shell(std::string script) {
  SubprocessOptions options;
  options.argv = {"/bin/sh", "-c", std::move(script)};
  options.timeoutSeconds = 30;
  return options;
}

SubprocessResult run(const SubprocessOptions &options) {
  llvm::Expected<SubprocessResult> result = runSubprocess(options);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

TEST(Subprocess, KeepsStreamsApartAndReportsTheExitCode) {
  SubprocessResult result = run(shell("echo one; echo two >&2; exit 7"));
  EXPECT_EQ(result.end, SubprocessResult::End::Exited);
  EXPECT_EQ(result.exitCode, 7);
  EXPECT_EQ(result.out, "one\n");
  EXPECT_EQ(result.err, "two\n");
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.describeEnd(), "exit code 7");
}

TEST(Subprocess, HasASessionOfItsOwn) {
  // Its number is that of its first process, and it has no terminal.
  SubprocessResult result = run(
      shell("read -r pid name state parent group session terminal rest "
            "< /proc/self/stat; test $pid = $session && test $pid = $group && "
            "test $terminal = 0"));
  EXPECT_TRUE(result.succeeded()) << result.describeEnd();
}

TEST(Subprocess, WhatWeInheritedIsNotPassedOn) {
  // Without O_CLOEXEC, as a shell would have left it.
  int fd = ::open("/dev/null", O_WRONLY);
  ASSERT_GT(fd, 2);
  int high = ::fcntl(fd, F_DUPFD, 200);
  ASSERT_GE(high, 200);
  SubprocessResult result = run(shell(
      "for fd in " + std::to_string(fd) + " " + std::to_string(high) +
      "; do test -e /proc/self/fd/$fd && echo open $fd; done; echo done"));
  EXPECT_EQ(result.out, "done\n");
  ::close(fd);
  ::close(high);
}

TEST(Subprocess, FindsProgramsOnPath) {
  SubprocessOptions options;
  options.argv = {"true"};
  EXPECT_TRUE(run(options).succeeded());
}

TEST(Subprocess, ReportsSignals) {
  SubprocessResult result = run(shell("kill -SEGV $$"));
  EXPECT_EQ(result.end, SubprocessResult::End::Signaled);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_NE(result.describeEnd().find("signal 11"), std::string::npos);
}

TEST(Subprocess, StandardInputIsEmpty) {
  SubprocessResult result = run(shell("cat; echo end"));
  EXPECT_EQ(result.out, "end\n");
}

TEST(Subprocess, KillsTheWholeGroupAtTheLimit) {
  SubprocessOptions options = shell("sleep 1000 & sleep 1000; echo late");
  options.timeoutSeconds = 0.3;
  auto start = std::chrono::steady_clock::now();
  SubprocessResult result = run(options);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(result.end, SubprocessResult::End::TimedOut);
  EXPECT_LT(took.count(), 10.0);
  EXPECT_EQ(result.out, "");
}

TEST(Subprocess, ALimitHoldsForAProgramThatNeverStopsWriting) {
  SubprocessOptions options;
  options.argv = {"yes"};
  options.timeoutSeconds = 0.3;
  options.maxOutputBytes = 1000;
  SubprocessResult result = run(options);
  EXPECT_EQ(result.end, SubprocessResult::End::TimedOut);
  EXPECT_LT(result.out.size(), 2000u);
}

TEST(Subprocess, DoesNotWaitForWhatIsLeftRunning) {
  auto start = std::chrono::steady_clock::now();
  SubprocessResult result = run(shell("sleep 1000 & echo done"));
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(result.succeeded());
  EXPECT_EQ(result.out, "done\n");
  EXPECT_LT(took.count(), 10.0);
}

TEST(Subprocess, KeepsHeadAndTailOfBigOutput) {
  SubprocessOptions options =
      shell("echo first; i=0; while [ $i -lt 20000 ]; do echo 0123456789; "
            "i=$((i+1)); done; echo last");
  options.maxOutputBytes = 4096;
  SubprocessResult result = run(options);
  EXPECT_TRUE(result.succeeded());
  EXPECT_LT(result.out.size(), 8192u);
  EXPECT_EQ(result.out.find("first\n"), 0u);
  EXPECT_NE(result.out.find(" bytes left out]"), std::string::npos);
  ASSERT_GE(result.out.size(), 5u);
  EXPECT_EQ(result.out.substr(result.out.size() - 5), "last\n");
}

TEST(Subprocess, OutputWithinTheBoundIsWhole) {
  SubprocessOptions options =
      shell("i=0; while [ $i -lt 1000 ]; do echo 0123456789; i=$((i+1)); done");
  options.maxOutputBytes = 20000;
  EXPECT_EQ(run(options).out.size(), 11000u);
}

TEST(Subprocess, AMissingProgramIsAnError) {
  SubprocessOptions options;
  options.argv = {"no-such-program-anywhere"};
  llvm::Expected<SubprocessResult> result = runSubprocess(options);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "program 'no-such-program-anywhere' was not found on PATH");

  options.argv = {"/no/such/program"};
  result = runSubprocess(options);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "cannot run '/no/such/program': No such file or directory");
}

TEST(Subprocess, AMissingDirectoryIsAnError) {
  SubprocessOptions options = shell("true");
  options.cwd = "/no/such/place";
  llvm::Expected<SubprocessResult> result = runSubprocess(options);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "cannot enter the directory '/no/such/place': "
            "No such file or directory");
}

TEST(Subprocess, SetsTheEnvironmentAndTheDirectory) {
  SubprocessOptions options = shell("echo $PTXBENCH_X-$PTXBENCH_Y; pwd");
  options.setEnv = {{"PTXBENCH_X", "a b"}};
  options.cwd = "/";
  EXPECT_EQ(run(options).out, "a b-\n/\n");
  options.argv = {"/bin/sh", "-c", "echo $PTXBENCH_Y$PTXBENCH_X"};
  options.env = std::vector<std::string>{"PTXBENCH_Y=only"};
  options.setEnv.clear();
  EXPECT_EQ(run(options).out, "only\n");
}

/// Collects the channel and stops the program a while after a marker.
class Collector : public SubprocessMonitor {
public:
  int channelDescriptor() const override { return 3; }
  void onChannel(llvm::StringRef bytes) override {
    text += bytes.str();
    if (!end && text.find("hang") != std::string::npos)
      end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  }
  std::optional<std::chrono::steady_clock::time_point> deadline() override {
    return end;
  }
  std::string text;
  std::optional<std::chrono::steady_clock::time_point> end;
};

TEST(Subprocess, TheChannelIsApartFromTheStreams) {
  Collector collector;
  SubprocessOptions options =
      shell("echo noise; echo message >&3; echo err >&2");
  options.monitor = &collector;
  SubprocessResult result = run(options);
  EXPECT_EQ(result.out, "noise\n");
  EXPECT_EQ(collector.text, "message\n");
}

TEST(Subprocess, AMonitorIsCalledWhileItWaits) {
  class Counter : public SubprocessMonitor {
  public:
    void onWait() override { ++calls; }
    unsigned calls = 0;
  } counter;
  SubprocessOptions options = shell("sleep 0.5");
  options.monitor = &counter;
  EXPECT_TRUE(run(options).succeeded());
  EXPECT_GE(counter.calls, 2u);
}

TEST(Subprocess, WhoeverIgnoresTheEndOfChildrenIsToldAllTheSame) {
  auto before = std::signal(SIGCHLD, SIG_IGN);
  SubprocessResult result = run(shell("exit 3"));
  EXPECT_EQ(result.end, SubprocessResult::End::Exited);
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_LT(result.seconds, 10.0);
  // Nor does the child ignore it.
  std::signal(SIGCHLD, SIG_IGN);
  result = run(shell("grep SigIgn /proc/self/status"));
  uint64_t ignored = 0;
  ASSERT_FALSE(llvm::StringRef(result.out)
                   .split(':')
                   .second.trim()
                   .getAsInteger(16, ignored))
      << result.out;
  EXPECT_FALSE(ignored >> (SIGCHLD - 1) & 1) << result.out;
  std::signal(SIGCHLD, before);
}

TEST(Subprocess, AMonitorMovesTheDeadline) {
  Collector collector;
  SubprocessOptions options = shell("echo hang >&3; sleep 1000");
  options.monitor = &collector;
  SubprocessResult result = run(options);
  EXPECT_EQ(result.end, SubprocessResult::End::TimedOut);
  EXPECT_LT(result.seconds, 10.0);
}

} // namespace
