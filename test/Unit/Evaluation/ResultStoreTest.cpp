//===- ResultStoreTest.cpp - Tests of results on the disk -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written is there again, whatever ended the writer.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/ResultStore.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace ptxbench;

namespace {

class ResultStoreTest : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> name;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("results", "jsonl", name));
    path = std::string(name);
    put("");
  }
  void TearDown() override { (void)llvm::sys::fs::remove(path); }

  void put(llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    ASSERT_FALSE(error);
    os << text;
  }
  std::string text() {
    auto file = llvm::MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : "";
  }
  std::unique_ptr<ResultStore> open() {
    auto store = ResultStore::open(path);
    if (store)
      return std::move(*store);
    error = llvm::toString(store.takeError());
    return nullptr;
  }

  std::string path, error;
};

Record makeRecord() {
  Record record;
  record.key = "3-0123456789abcdef";
  record.index = 3;
  record.task = "t";
  record.status = Status::IncorrectNumerical;
  record.reason = "two\nlines, \"quoted\"";
  record.reached = Milestone::Ran;
  record.trajectory = "x";
  record.turn = -1;
  record.latencyMs = 0.25;
  record.machineCode = {
      "5ac0", {{"gmma", {4, uint64_t(1) << 40}}, {"tma", {0, std::nullopt}}}};
  record.stages = {{"compile", "passed"}, {"sanitize", "failed"}};
  record.versions["driver"] = "580";
  record.axes["M"] = 8192;
  record.otherWorkloads = {
      {"u", {{"M", 5}}, Status::IncorrectNumerical, "wrong", 0.5, std::nullopt},
      {"v", {{"M", 6}}, Status::Passed, "", std::nullopt, 1e-6}};
  record.maxAbsoluteError = INFINITY;
  record.seconds = 1.5;
  record.timestamp = "2026-01-02T03:04:05Z";
  return record;
}

} // namespace

TEST_F(ResultStoreTest, ComesBack) {
  {
    auto store = open();
    ASSERT_TRUE(store) << error;
    ASSERT_FALSE(bool(store->append(makeRecord())));
  }
  auto store = open();
  ASSERT_TRUE(store) << error;
  ASSERT_EQ(store->records().size(), 1u);
  EXPECT_EQ(toJSON(store->records()[0]), toJSON(makeRecord()));
  EXPECT_TRUE(store->find("3-0123456789abcdef"));
  EXPECT_FALSE(store->find("3"));
}

TEST_F(ResultStoreTest, CutOff) {
  {
    auto store = open();
    ASSERT_TRUE(store) << error;
    ASSERT_FALSE(bool(store->append(makeRecord())));
  }
  std::string whole = text();
  put(whole + whole.substr(0, whole.size() / 2));
  auto store = open();
  ASSERT_TRUE(store) << error;
  EXPECT_EQ(store->records().size(), 1u);
  // The next one does not follow half a line.
  Record next = makeRecord();
  next.key = "4-0";
  ASSERT_FALSE(bool(store->append(next)));
  store.reset();
  store = open();
  ASSERT_TRUE(store) << error;
  EXPECT_EQ(store->records().size(), 2u);
}

TEST_F(ResultStoreTest, TheLastOfASample) {
  {
    auto store = open();
    ASSERT_TRUE(store) << error;
    Record first = makeRecord(), other = makeRecord(), again = makeRecord();
    first.status = Status::NotRun;
    other.key = "4-0";
    for (const Record &record : {first, other, again})
      ASSERT_FALSE(bool(store->append(record)));
    ASSERT_EQ(store->records().size(), 2u);
    EXPECT_EQ(toJSON(store->records()[0]), toJSON(again));
  }
  // The same when they are read, and a line that is there twice counts once.
  put(text() + text());
  auto store = open();
  ASSERT_TRUE(store) << error;
  ASSERT_EQ(store->records().size(), 2u);
  EXPECT_EQ(store->find("3-0123456789abcdef")->status,
            Status::IncorrectNumerical);
  EXPECT_TRUE(store->find("4-0"));
}

TEST(RecordTest, WantsAnotherRun) {
  Record record = makeRecord();
  record.stages = {{"extract", "passed"}};
  EXPECT_FALSE(record.wantsAnotherRun());
  record.status = Status::NotRun;
  EXPECT_TRUE(record.wantsAnotherRun());
  // What left a report says why it was not run.
  record.report = "reports/3.json";
  EXPECT_FALSE(record.wantsAnotherRun());
  // A report that blames the machine is not for ever.
  Report report;
  report.status = Status::NotRun;
  report.retry = true;
  record.take(report);
  EXPECT_TRUE(record.wantsAnotherRun());
  llvm::Expected<Record> read = parseRecord(
      llvm::formatv("{0}", toJSON(record)).str(), "results.jsonl", 1);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_TRUE(read->wantsAnotherRun());
  report.retry = false;
  record.take(report);
  EXPECT_FALSE(record.wantsAnotherRun());
  record.report.clear();
  record.stages = {{"extract", "unsupported"}};
  EXPECT_FALSE(record.wantsAnotherRun());
}

TEST_F(ResultStoreTest, NoRecord) {
  put("{\"schema\": \"other\"}\n");
  EXPECT_FALSE(open());
  EXPECT_NE(error.find(":1: "), std::string::npos) << error;
  EXPECT_NE(error.find("expected the schema 'ptxbench.evaluation.v1'"),
            std::string::npos)
      << error;
}

TEST_F(ResultStoreTest, TwoWriters) {
  auto store = open();
  ASSERT_TRUE(store) << error;
  EXPECT_FALSE(open());
  EXPECT_NE(error.find("another process writes"), std::string::npos) << error;
}
