//===- WorkerProtocolTest.cpp - Reports of workers, whole and broken ------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workers are small shell scripts that write on descriptor 3 and end in every
// way a candidate can end.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/WorkerProtocol.h"
#include "gtest/gtest.h"

#include <unistd.h>

using namespace ptxbench;

namespace {

TEST(ProtocolReader, EventsSplitAnywhere) {
  std::string text = "{\"event\":\"stage\",\"name\":\"init\"}\n"
                     "{\"event\":\"result\",\"key\":\"x\",\"value\":[1,2]}\n"
                     "{\"event\":\"stage\",\"name\":\"load\"}\n"
                     "{\"event\":\"done\"}\n";
  for (size_t step = 1; step < text.size(); ++step) {
    ProtocolReader reader;
    for (size_t at = 0; at < text.size(); at += step)
      reader.feed(llvm::StringRef(text).substr(at, step));
    reader.finish();
    EXPECT_TRUE(reader.isDone());
    EXPECT_TRUE(reader.candidateLoaded());
    EXPECT_EQ(reader.stage(), "load");
    EXPECT_EQ(reader.brokenLines(), 0u);
    EXPECT_EQ(reader.stageTimes().size(), 2u);
    ASSERT_TRUE(reader.result("x"));
    EXPECT_EQ(reader.result("x")->getAsArray()->size(), 2u);
    EXPECT_FALSE(reader.result("y"));
  }
}

TEST(ProtocolReader, JunkIsCountedAndIgnored) {
  ProtocolReader reader;
  reader.feed("PASSED\n"
              "{\"event\":\n"
              "{\"event\":42}\n"
              "[]\n"
              "null\n"
              "{\"event\":\"stage\"}\n"
              "{\"event\":\"result\",\"key\":\"x\"}\n"
              "{\"event\":\"failure\"}\n"
              "{\"event\":\"unknown\"}\n"
              "\n"
              "{\"event\":\"stage\",\"name\":\"init\"}\n");
  reader.finish();
  EXPECT_EQ(reader.brokenLines(), 9u);
  EXPECT_EQ(reader.stage(), "init");
  EXPECT_FALSE(reader.isDone());
  EXPECT_FALSE(reader.failure());
}

TEST(ProtocolReader, AnUnfinishedLineIsBroken) {
  ProtocolReader reader;
  reader.feed("{\"event\":\"done\"}");
  reader.finish();
  EXPECT_FALSE(reader.isDone());
  EXPECT_EQ(reader.brokenLines(), 1u);
}

TEST(ProtocolReader, AnEndlessLineCostsNoMemory) {
  ProtocolReader reader;
  std::string block(1 << 20, 'x');
  for (int i = 0; i < 40; ++i)
    reader.feed(block);
  reader.feed("\n{\"event\":\"done\"}\n");
  reader.finish();
  EXPECT_TRUE(reader.isDone());
  EXPECT_EQ(reader.brokenLines(), 1u);
}

TEST(ProtocolReader, EndlessEventsCostNoMemory) {
  ProtocolReader reader;
  for (unsigned i = 0; i < 20000; ++i) {
    reader.feed("{\"event\":\"stage\",\"name\":\"candidate\"}\n");
    reader.feed("{\"event\":\"result\",\"key\":\"" + std::to_string(i) +
                "\",\"value\":" + std::to_string(i) + "}\n");
  }
  // What is known already may change all the same.
  reader.feed("{\"event\":\"result\",\"key\":\"7\",\"value\":8}\n");
  reader.finish();
  EXPECT_LT(reader.stageTimes().size(), 20000u);
  EXPECT_GT(reader.brokenLines(), 20000u);
  EXPECT_FALSE(reader.result("19999"));
  ASSERT_TRUE(reader.result("7"));
  EXPECT_EQ(reader.result("7")->getAsUINT64(), 8u);
}

TEST(ProtocolReader, TheFirstFailureIsTheCause) {
  ProtocolReader reader;
  reader.feed("{\"event\":\"failure\",\"code\":\"A\",\"message\":\"one\"}\n"
              "{\"event\":\"failure\",\"code\":\"B\",\"message\":\"two\"}\n");
  ASSERT_TRUE(reader.failure());
  EXPECT_EQ(reader.failure()->code, "A");
  EXPECT_EQ(reader.failure()->message, "one");
}

TEST(ProtocolReader, DeeplyNestedJunkIsBroken) {
  ProtocolReader reader;
  reader.feed(std::string(size_t(8) << 20, '[') + "\n{\"event\":\"done\"}\n");
  EXPECT_TRUE(reader.isDone());
  EXPECT_EQ(reader.brokenLines(), 1u);
}

//===----------------------------------------------------------------------===//
// Tags
//===----------------------------------------------------------------------===//

/// What a writer with a secret sends.
std::string tagged(const std::string &secret) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  ProtocolWriter writer(ends[1], secret);
  writer.stage("load");
  writer.result("x", 1);
  writer.file("out", "bytes");
  writer.done();
  ::close(ends[1]);
  char buffer[4096];
  ssize_t got = ::read(ends[0], buffer, sizeof(buffer));
  ::close(ends[0]);
  return std::string(buffer, got > 0 ? size_t(got) : 0);
}

TEST(Tags, TheWorkersLinesAreRead) {
  std::string text = tagged("secret");
  EXPECT_EQ(text.find("secret"), std::string::npos);
  ProtocolReader reader("secret");
  reader.feed(text);
  EXPECT_TRUE(reader.isDone());
  EXPECT_EQ(reader.stage(), "load");
  EXPECT_TRUE(reader.result("x"));
  EXPECT_TRUE(reader.fileHash("out"));
  EXPECT_FALSE(reader.fileHash("other"));
  EXPECT_EQ(reader.brokenLines(), 0u);
}

TEST(Tags, ACandidatesLinesAreNot) {
  std::string text = tagged("secret");
  std::string first = text.substr(0, text.find('\n') + 1);
  ProtocolReader reader("secret");
  reader.feed("{\"event\":\"failure\",\"code\":\"EMULATOR_UNSUPPORTED\","
              "\"message\":\"no\"}\n");
  reader.feed(first);
  // Neither a line of before, nor one with another secret, nor another event
  // behind the right tag.
  reader.feed(first);
  reader.feed(tagged("guess"));
  reader.feed(first.substr(0, first.find(' ') + 1) + "{\"event\":\"done\"}\n");
  EXPECT_FALSE(reader.failure());
  EXPECT_FALSE(reader.isDone());
  EXPECT_EQ(reader.brokenLines(), 7u);
  // The worker's own next lines are read all the same.
  reader.feed(text.substr(first.size()));
  EXPECT_TRUE(reader.isDone());
}

TEST(Tags, ALineThatIsKeptBackIsMissed) {
  std::string text = tagged("secret");
  ProtocolReader reader("secret");
  reader.feed(text.substr(text.find('\n') + 1));
  EXPECT_FALSE(reader.isDone());
  EXPECT_FALSE(reader.result("x"));
}

TEST(Tags, SecretsComeWithTheRequest) {
  auto [secret, text] = splitWorkerRequest("abc\n{\"library\":\n1}");
  EXPECT_EQ(secret, "abc");
  EXPECT_EQ(text, "{\"library\":\n1}");
}

//===----------------------------------------------------------------------===//
// Supervision
//===----------------------------------------------------------------------===//

WorkerOutcome supervise(std::string script, WorkerLimits limits = {20, 20}) {
  SubprocessOptions process;
  process.argv = {"/bin/sh", "-c",
                  "stage() { echo \"{\\\"event\\\":\\\"stage\\\","
                  "\\\"name\\\":\\\"$1\\\"}\" >&3; }; "
                  "done_() { echo '{\"event\":\"done\"}' >&3; }; " +
                      script};
  return superviseWorker(process, limits);
}

TEST(Supervision, ACleanEnd) {
  WorkerOutcome outcome =
      supervise("stage init; stage load; stage candidate; done_");
  EXPECT_FALSE(outcome.problem);
  EXPECT_EQ(outcome.stage, "");
  EXPECT_EQ(outcome.reason, "");
}

TEST(Supervision, OutputOnTheStreamsDoesNotDisturb) {
  WorkerOutcome outcome =
      supervise("stage load; echo '{\"event\":\"failure\",\"message\":\"x\"}'; "
                "echo junk >&2; done_");
  EXPECT_FALSE(outcome.problem);
  EXPECT_NE(outcome.log.find("junk"), std::string::npos);
}

TEST(Supervision, ACrashOfTheCandidateIsItsRuntimeError) {
  WorkerOutcome outcome =
      supervise("stage init; stage load; stage candidate; kill -SEGV $$");
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(*outcome.problem, RunStatus::RuntimeError);
  EXPECT_EQ(outcome.stage, "candidate");
  EXPECT_EQ(outcome.code, "SIGSEGV");
  EXPECT_EQ(outcome.reason, "the process was ended by signal 11 (Segmentation "
                            "fault) in stage 'candidate'");
}

TEST(Supervision, ASandboxPassesSignalsOnAsExitCodes) {
  WorkerLimits limits{20, 20, /*signalsAsExitCodes=*/true};
  WorkerOutcome outcome = supervise("stage load; exit 139", limits);
  EXPECT_EQ(outcome.problem, RunStatus::RuntimeError);
  EXPECT_EQ(outcome.code, "SIGSEGV");
  outcome = supervise("stage load; exit 128", limits);
  EXPECT_EQ(outcome.code, "EARLY_EXIT");
  // Without a sandbox it is a number like any other.
  outcome = supervise("stage load; exit 139");
  EXPECT_EQ(outcome.code, "EARLY_EXIT");
}

TEST(Supervision, ACrashBeforeTheCandidateIsOurs) {
  WorkerOutcome outcome = supervise("stage init; kill -ABRT $$");
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(*outcome.problem, RunStatus::InternalError);
  EXPECT_EQ(outcome.code, "SIGABRT");
}

TEST(Supervision, DyingInTheMiddleOfALine) {
  WorkerOutcome outcome = supervise(
      "stage load; stage timing; printf '{\"event\":\"do' >&3; kill -9 $$");
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(*outcome.problem, RunStatus::RuntimeError);
  EXPECT_EQ(outcome.stage, "timing");
  EXPECT_EQ(outcome.code, "SIGKILL");
  EXPECT_EQ(outcome.events.brokenLines(), 1u);
}

TEST(Supervision, LeavingEarlyIsNoSuccess) {
  WorkerOutcome outcome = supervise("stage load; stage candidate; exit 0");
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(*outcome.problem, RunStatus::RuntimeError);
  EXPECT_EQ(outcome.code, "EARLY_EXIT");
  EXPECT_EQ(outcome.reason, "the process ended with exit code 0 in stage "
                            "'candidate' before its work was done");

  outcome = supervise("exit 0");
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(*outcome.problem, RunStatus::InternalError);
  EXPECT_EQ(outcome.reason, "the process ended with exit code 0 before its "
                            "first stage");
}

TEST(Supervision, AReportedFailureIsTheReason) {
  WorkerOutcome outcome = supervise(
      "stage load; stage candidate; echo '{\"event\":\"failure\",\"code\":"
      "\"CUDA_ERROR_ILLEGAL_ADDRESS\",\"message\":\"after the call\"}' >&3; "
      "kill -SEGV $$");
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(*outcome.problem, RunStatus::RuntimeError);
  EXPECT_EQ(outcome.code, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(outcome.reason, "after the call");
}

TEST(Supervision, ACrashBehindTheLastReportChangesNothing) {
  WorkerOutcome outcome = supervise("stage load; done_; kill -SEGV $$");
  EXPECT_FALSE(outcome.problem);
}

TEST(Supervision, EachStageHasItsOwnLimit) {
  // Two stages of 0.4 s each pass under a limit of 0.6 s for each.
  WorkerLimits limits{0.6, 20};
  EXPECT_FALSE(supervise("stage load; stage candidate; sleep 0.4; "
                         "stage candidate; sleep 0.4; done_",
                         limits)
                   .problem);
  WorkerOutcome outcome =
      supervise("stage load; stage candidate; sleep 1000; done_", limits);
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(*outcome.problem, RunStatus::Timeout);
  EXPECT_EQ(outcome.reason, "exceeded the limit of 0.6 s in stage 'candidate'");
}

TEST(Supervision, OurOwnHangIsNotTheCandidatesTimeout) {
  WorkerOutcome outcome = supervise("stage init; sleep 1000", {20, 0.3});
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(*outcome.problem, RunStatus::InternalError);
  EXPECT_EQ(outcome.code, "TIMEOUT");
}

TEST(Supervision, AProgramThatCannotStartIsOurFault) {
  SubprocessOptions process;
  process.argv = {"/no/such/program"};
  WorkerOutcome outcome = superviseWorker(process, {});
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(*outcome.problem, RunStatus::InternalError);
  EXPECT_NE(outcome.reason.find("/no/such/program"), std::string::npos);
}

} // namespace
