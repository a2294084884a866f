//===- ModulesTest.cpp - Tests of modules of cases ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names, lines, and that the emulator's counts are compared with those of the
// kernel.
//
//===----------------------------------------------------------------------===//

#include "Machines.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

#include <map>

using namespace ptxbench;
using namespace ptxbench::differential;

namespace {

/// Each of 32 threads adds 1 to a counter in a branch that `bound` of them
/// take.
Case countingCase(unsigned bound) {
  Case testCase;
  testCase.name = "counting-" + std::to_string(bound);
  testCase.family = "counting";
  testCase.text = ".global .b32 @unused;\n"
                  ".entry @kernel(.param .u64 out) {\n"
                  "  .reg .pred %p; .reg .b32 %r; .reg .b64 %d;\n"
                  "  ld.param.u64 %d, [out];\n"
                  "  mov.u32 %r, %tid.x;\n"
                  "  setp.ge.u32 %p, %r, " +
                  std::to_string(bound) +
                  ";\n"
                  "  @%p bra End;\n"
                  "  add.u32 %r, %r, 1;\n"
                  "  red.global.add.u64 [%d], 1;\n"
                  "End:\n  ret;\n}\n";
  testCase.block = {32};
  testCase.buffers = {{std::vector<uint8_t>(8), true}};
  testCase.params = {BufferParam{0, 0}};
  testCase.counted = {{8, 0, 0, false}};
  return testCase;
}

} // namespace

TEST(ModulesTest, NamesAndLines) {
  Case first = countingCase(3), second = countingCase(4);
  std::vector<Module> modules = makeModules({&first, &second});
  ASSERT_EQ(modules.size(), 1u);
  EXPECT_EQ(modules[0].name, "counting-000");
  std::vector<unsigned> lines;
  std::string text = modules[0].text(&lines);
  EXPECT_EQ(lines, (std::vector<unsigned>{4, 16}));
  EXPECT_NE(kernelName(first), kernelName(second));
  EXPECT_NE(text.find(".entry " + kernelName(second) + "("), std::string::npos);
  EXPECT_NE(text.find("  @%p bra End;"), std::string::npos);
  llvm::StringRef rest = text;
  for (unsigned i = 1; i < lines[1]; ++i)
    rest = rest.split('\n').second;
  EXPECT_TRUE(rest.starts_with(".global .b32 c"));
}

TEST(ModulesTest, ManyCases) {
  std::vector<Case> cases(150, countingCase(1));
  std::vector<const Case *> pointers;
  for (const Case &testCase : cases)
    pointers.push_back(&testCase);
  std::vector<Module> modules = makeModules(pointers);
  ASSERT_EQ(modules.size(), 3u);
  EXPECT_EQ(modules[2].name, "counting-002");
  EXPECT_EQ(modules[0].cases.size() + modules[1].cases.size() +
                modules[2].cases.size(),
            150u);
}

TEST(ModulesTest, HashesSeeEverything) {
  Case testCase = countingCase(3);
  uint64_t digest = digestOf(testCase);
  auto differs = [&](auto change) {
    Case changed = testCase;
    change(changed);
    return digestOf(changed) != digest;
  };
  EXPECT_FALSE(differs([](Case &) {}));
  EXPECT_TRUE(differs([](Case &c) { c.text += " "; }));
  EXPECT_TRUE(differs([](Case &c) { c.buffers[0].bytes[7] = 1; }));
  EXPECT_TRUE(differs([](Case &c) { c.buffers[0].isOutput = false; }));
  EXPECT_TRUE(differs([](Case &c) { c.params[0] = BufferParam{0, 8}; }));
  EXPECT_TRUE(differs([](Case &c) { c.params[0] = ValueParam{{1}}; }));
  EXPECT_TRUE(differs([](Case &c) { c.block.y = 2; }));
  EXPECT_TRUE(differs([](Case &c) { c.dynamicSharedBytes = 4; }));
  EXPECT_TRUE(differs([](Case &c) { c.params[0] = TensorMapParam{}; }));
}

TEST(ModulesTest, CountsAreCompared) {
  Case right = countingCase(5), wrong = countingCase(6);
  wrong.counted[0].line = 5; // Executed by all.
  std::vector<Module> modules = makeModules({&right, &wrong});
  std::vector<Outcome> outcomes =
      runOnEmulator(modules[0], {}, /*checkCounts=*/true);
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0].error, "");
  EXPECT_EQ(outcomes[0].outputs[0],
            (std::vector<uint8_t>{5, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(outcomes[1].error, "line 5 is executed 32 times by threads and the "
                               "kernel counts 6");
}

TEST(ModulesTest, CasesHaveNamesOfTheirOwn) {
  std::vector<Case> cases = makeCases();
  EXPECT_GT(cases.size(), 2000u);
  std::map<std::string, size_t> families;
  for (const Case &testCase : cases)
    ++families[testCase.family];
  // One family alone is the same as among all.
  for (const auto &family : families)
    EXPECT_EQ(makeCases(family.first).size(), family.second) << family.first;
  llvm::StringSet<> names;
  for (const Case &testCase : cases) {
    EXPECT_TRUE(names.insert(testCase.name).second) << testCase.name;
    EXPECT_EQ(testCase.name.find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                  "0123456789._-"),
              std::string::npos)
        << testCase.name;
  }
}
