//===- EmulatorBackendTest.cpp - Running on the emulator ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What needs no candidate: who is usable, and the judge on the CPU. That
// candidates run is for the lit tests, which have a compiler for them.
//
//===----------------------------------------------------------------------===//

#include "Emulator/EmulateJob.h"
#include "Judge/ReferenceJudge.h"
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Support/Subprocess.h"
#include "ptxbench/Task/ReferenceGEMM.h"
#include "ptxbench/Task/Sample.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

struct Folder {
  Folder() { llvm::sys::fs::createUniqueDirectory("ptxbench-test", path); }
  ~Folder() { llvm::sys::fs::remove_directories(path); }
  llvm::SmallString<128> path;
};

RunRequest request(llvm::StringRef folder, int64_t rows) {
  RunRequest request;
  request.library = "candidate.so";
  for (auto [name, first, second, role] :
       {std::tuple("A", rows, 32, TensorRole::Input),
        std::tuple("B", int64_t(24), 32, TensorRole::Input),
        std::tuple("C", rows, 24, TensorRole::Output)}) {
    ArgumentSpec argument;
    argument.name = name;
    argument.shape = {first, second};
    argument.role = role;
    request.tensors.push_back(argument);
  }
  request.reference = {ReferenceSpec::Kind::GemmNT, "A", "B", "C"};
  request.workDir = folder.str();
  return request;
}

/// The right output for some inputs, those of trial 0 if none are given.
std::vector<uint8_t> product(const RunRequest &request,
                             std::optional<CallInputs> inputs = std::nullopt) {
  if (!inputs)
    inputs = trialInputs(request, 0);
  std::vector<uint8_t> a(request.tensors[0].bytes()),
      b(request.tensors[1].bytes()), c(request.tensors[2].bytes());
  generateCallInput(request.tensors[0], *inputs, a);
  generateCallInput(request.tensors[1], *inputs, b);
  uint64_t rows = uint64_t(request.tensors[0].shape[0]);
  llvm::Expected<std::vector<double>> values =
      referenceGEMM({ElementType::BFloat16, a}, {ElementType::BFloat16, b},
                    rows, 24, 32, sampleIndices(rows, rows, 1));
  EXPECT_TRUE(bool(values));
  for (size_t i = 0; i < values->size(); ++i)
    storeBits(ElementType::BFloat16, c.data(), i,
              encode(ElementType::BFloat16, (*values)[i]));
  return c;
}

void write(const RunRequest &request, llvm::ArrayRef<uint8_t> bytes) {
  std::error_code code;
  llvm::raw_fd_ostream os(outputFile(request, 0, 2), code);
  ASSERT_FALSE(code);
  os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

Trace moduleOf(const std::string &hash, const std::string &kernel,
               const std::string &finding = "") {
  Trace trace;
  trace.source = "emulator";
  trace.ptxSha256 = hash;
  trace.environment["device"] = "x";
  trace.kernels.emplace_back().name = kernel;
  if (!finding.empty()) {
    TraceFinding &found = trace.findings.emplace_back();
    found.kernel = kernel;
    found.id = "race";
    found.message = finding;
    found.line = 7;
    found.otherLine = 8;
  }
  return trace;
}

TEST(JoinModules, OfOthersThereAreFindingsOnly) {
  std::vector<std::string> notes;
  // The text that was loaded has a kernel of the same name, and comes first.
  Trace joined = joinModules(
      {moduleOf("other", "k", "race: a"), moduleOf("own", "k", "race: b")},
      {"own", "own too"}, notes);
  EXPECT_EQ(joined.ptxSha256, "own");
  EXPECT_EQ(joined.environment["device"], "x");
  ASSERT_EQ(joined.kernels.size(), 1u);
  ASSERT_EQ(joined.findings.size(), 2u);
  EXPECT_EQ(joined.findings[0].message, "race: b");
  EXPECT_EQ(joined.findings[0].line, 7u);
  EXPECT_EQ(joined.findings[1].message,
            "race: a (line 7 of PTX that was loaded at run time)");
  EXPECT_EQ(joined.findings[1].line, 0u);
  EXPECT_EQ(joined.findings[1].otherLine, 0u);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("kernel 'k' is of PTX that was loaded at run time"),
            std::string::npos);

  // Said once, in however many calls.
  joinModules({moduleOf("other", "k")}, {"own"}, notes);
  EXPECT_EQ(notes.size(), 1u);
}

TEST(JoinModules, NothingOfItsOwn) {
  std::vector<std::string> notes;
  Trace joined = joinModules({moduleOf("other", "k")}, {"own"}, notes);
  EXPECT_EQ(joined.source, "emulator");
  EXPECT_TRUE(joined.kernels.empty());
  // Not known what is its own: the first.
  joined = joinModules({moduleOf("a", "k"), moduleOf("b", "l")}, {}, notes);
  ASSERT_EQ(joined.kernels.size(), 1u);
  EXPECT_EQ(joined.kernels[0].name, "k");
}

TEST(EmulatorTraceFile, OneForEachModuleOfACall) {
  RunRequest run;
  run.workDir = "f";
  EXPECT_EQ(emulatorTraceFile(run, 0, 0), "f/trace.json");
  EXPECT_EQ(emulatorTraceFile(run, 0, 1), "f/trace-0-1.json");
  EXPECT_EQ(emulatorTraceFile(run, 2, 0), "f/trace-2-0.json");
}

TEST(ReferenceJudge, RightWrongAndMissing) {
  Folder folder;
  RunRequest run = request(folder.path, 9);
  ReferenceJudge judge(run, "no-tool");
  llvm::Expected<std::vector<OutputCheck>> missing =
      judge.judge(folder.path, 0);
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("cannot read"),
            std::string::npos);

  std::vector<uint8_t> bytes = product(run);
  write(run, bytes);
  llvm::Expected<std::vector<OutputCheck>> right = judge.judge(folder.path, 0);
  ASSERT_TRUE(bool(right)) << llvm::toString(right.takeError());
  ASSERT_EQ(right->size(), 1u);
  EXPECT_TRUE(right->front().output.passed) << right->front().output.reason;
  EXPECT_EQ(right->front().call, "trial 0");
  EXPECT_EQ(judge.describe(), "fp64 on the CPU");

  // One element in the last row.
  bytes[bytes.size() - 1] ^= 0x40;
  write(run, bytes);
  llvm::Expected<std::vector<OutputCheck>> wrong = judge.judge(folder.path, 0);
  ASSERT_TRUE(bool(wrong)) << llvm::toString(wrong.takeError());
  EXPECT_FALSE(wrong->front().output.passed);
}

TEST(ReferenceJudge, ASampleOfTheRows) {
  Folder folder;
  RunRequest run = request(folder.path, 9);
  for (ArgumentSpec &tensor : run.tensors)
    tensor.axes = {tensor.name == "B" ? "N" : "M",
                   tensor.name == "C" ? "N" : "K"};
  run.reference.independentAxes = {"M"};
  run.reference.axes = {{"M", 9}};
  // A third of the work is as much as may be done.
  run.reference.flops = 3.0 * double(uint64_t(1) << 35);
  ReferenceJudge judge(run, "no-tool");
  std::vector<uint8_t> bytes = product(run);
  // The first row and the last are always looked at.
  for (unsigned row : {0u, 8u}) {
    std::vector<uint8_t> doctored = bytes;
    doctored[row * 24 * 2 + 1] ^= 0x40;
    write(run, doctored);
    llvm::Expected<std::vector<OutputCheck>> wrong =
        judge.judge(folder.path, 0);
    ASSERT_TRUE(bool(wrong)) << llvm::toString(wrong.takeError());
    EXPECT_FALSE(wrong->front().output.passed);
    EXPECT_EQ(wrong->front().output.elements, 3u * 24u);
  }
  write(run, bytes);
  llvm::Expected<std::vector<OutputCheck>> right = judge.judge(folder.path, 0);
  ASSERT_TRUE(bool(right)) << llvm::toString(right.takeError());
  EXPECT_TRUE(right->front().output.passed);
  EXPECT_EQ(judge.describe(), "fp64 on the CPU, 3 of 9 M");
}

TEST(ReferenceJudge, TheTimedCallAndItsBaseline) {
  Folder folder;
  RunRequest run = request(folder.path, 9);
  run.trials = 1;
  run.timing.calls = 4;
  run.judgedCall = 3;
  ReferenceJudge judge(run, "no-tool");
  ASSERT_EQ(judgedCalls(run), 2u);
  // Right for the inputs of that call, in which rows are rotated.
  std::vector<uint8_t> plain = product(run, timedInputs(run, 0)),
                       rotated = product(run, judgedInputs(run, 1));
  EXPECT_NE(plain, rotated);
  auto writeTo = [](const std::string &path, llvm::ArrayRef<uint8_t> bytes) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    ASSERT_FALSE(code);
    os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  };
  writeTo(outputFile(run, 1, 2), rotated);
  std::vector<OutputCheck> baseline;
  llvm::Expected<std::vector<OutputCheck>> checks =
      judge.judge(folder.path, 1, &baseline);
  ASSERT_TRUE(bool(checks)) << llvm::toString(checks.takeError());
  EXPECT_TRUE(checks->front().output.passed);
  EXPECT_EQ(checks->front().call, "timed call 3");
  EXPECT_TRUE(baseline.empty());
  writeTo(baselineFile(run, 2), plain);
  checks = judge.judge(folder.path, 1, &baseline);
  ASSERT_TRUE(bool(checks)) << llvm::toString(checks.takeError());
  EXPECT_TRUE(checks->front().output.passed);
  ASSERT_EQ(baseline.size(), 1u);
  EXPECT_FALSE(baseline.front().output.passed);
  EXPECT_EQ(baseline.front().output.name, "C");
}

TEST(ReferenceJudge, AReferenceThatCannotBeComputed) {
  Folder folder;
  RunRequest run = request(folder.path, 9);
  run.reference.definition = "definition.json";
  ReferenceJudge judge(run, "/no/such/tool");
  llvm::Expected<std::vector<OutputCheck>> checks = judge.judge(folder.path, 0);
  ASSERT_FALSE(bool(checks));
  llvm::consumeError(checks.takeError());
}

/// A program in `folder` that does what `script` says.
std::string program(llvm::StringRef folder, llvm::StringRef script) {
  std::string path = (folder + "/tool").str();
  std::error_code code;
  {
    llvm::raw_fd_ostream file(path, code);
    file << "#!/bin/sh\n" << script << "\n";
  }
  llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all);
  return path;
}

TEST(ReferenceJudge, OutOfMemoryInTheComparison) {
  Folder folder;
  RunRequest run = request(folder.path, 9);
  run.reference.definition = "definition.json";
  // As the kernel ends what takes too much, and as an allocation fails.
  for (auto [script, reason] :
       {std::pair("kill -9 $$", "Killed"),
        std::pair("echo out of memory >&2; exit 3", "out of memory")}) {
    ReferenceJudge judge(run, program(folder.path, script));
    RunResult result;
    judge.judgeAll(result);
    EXPECT_EQ(result.status, RunStatus::InternalError);
    EXPECT_FALSE(result.correct.has_value());
    EXPECT_NE(result.reason.find(reason), std::string::npos) << result.reason;
  }
}

TEST(EmulatorBackend, WithoutItsLibrariesItIsNotUsable) {
  Folder folder;
  std::string program = (folder.path + "/bin/program").str();
  std::unique_ptr<Backend> backend = createEmulatorBackend(program);
  EXPECT_EQ(backend->name(), "emulator");
  Usability usability = backend->isUsable();
  EXPECT_FALSE(usability.usable);
  EXPECT_NE(usability.reason.find("is not there"), std::string::npos);
  RunResult result = backend->run(request(folder.path, 4));
  EXPECT_EQ(result.status, RunStatus::NotRun);
  EXPECT_EQ(result.reason, usability.reason);
}

TEST(EmulatorBackend, ARequestThatIsWrongIsRefused) {
  Folder folder;
  RunRequest wrong = request(folder.path, 4);
  wrong.tensors[1].shape = {24, 31};
  RunResult result =
      createEmulatorBackend((folder.path + "/bin/program").str())->run(wrong);
  EXPECT_EQ(result.status, RunStatus::InternalError);
  EXPECT_NE(result.reason.find("[24,31]"), std::string::npos);
}

} // namespace
