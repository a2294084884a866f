//===- TimedOutputsTest.cpp - Tests of what timed calls wrote -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/TimedOutputs.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

class TimedOutputs : public testing::Test {
protected:
  TimedOutputs() {
    request.tensors = {{"A", {100}, ElementType::BFloat16, TensorRole::Input},
                       {"C", {100}, ElementType::BFloat16, TensorRole::Output},
                       // No kernel counts these.
                       {"I", {100}, ElementType::Int32, TensorRole::Output},
                       {"L", {10}, ElementType::Float32, TensorRole::Output}};
    request.timing.calls = 3;
    for (unsigned call = 0; call < 3; ++call)
      for (const char *name : {"C", "L"}) {
        TimedOutput output;
        output.call = call;
        output.name = name;
        output.compared = true;
        output.squares = 100;
        outputs.push_back(output);
      }
  }

  /// What is found; "" for nothing.
  std::string found(bool baselineHolds = true) {
    llvm::Expected<std::optional<OutputCheck>> check =
        findWrongCall(request, outputs, baselineHolds);
    if (!check)
      return "error: " + llvm::toString(check.takeError());
    if (!*check)
      return "";
    EXPECT_FALSE((*check)->output.passed);
    return (*check)->call + " " + (*check)->output.name + ": " +
           (*check)->output.reason;
  }

  RunRequest request;
  std::vector<TimedOutput> outputs;
};

TEST_F(TimedOutputs, RightOnesPass) {
  EXPECT_EQ(found(), "");
  // Within what two right results can be apart.
  request.tolerance.maxRelativeL2 = 0.01;
  outputs[2].errorSquares = 0.02 * 0.02 * 100;
  EXPECT_EQ(found(), "");
}

TEST_F(TimedOutputs, UnwrittenElements) {
  outputs[2].unwritten = 7;
  outputs[2].first = 93;
  const char *expected = "timed call 1 C: 7 of 100 elements were never "
                         "written; the first that is wrong is element 93";
  EXPECT_EQ(found(), expected);
  EXPECT_EQ(found(/*baselineHolds=*/false), expected);
}

TEST_F(TimedOutputs, ElementsFarFromTheBaseline) {
  outputs[5].wrong = 1;
  outputs[5].first = 4;
  EXPECT_EQ(found().find("timed call 2 L: 1 of 10 elements are farther"), 0u)
      << found();
  EXPECT_EQ(found(/*baselineHolds=*/false), "");
  outputs[5].compared = false;
  EXPECT_EQ(found(), "");
}

TEST_F(TimedOutputs, AnOutputHasItsOwnLimits) {
  // Of 100 elements one may be wrong on either side.
  request.tensors[1].tolerance.emplace();
  request.tensors[1].tolerance->requiredMatchedRatio = 0.99;
  outputs[0].wrong = 2;
  EXPECT_EQ(found(), "");
  outputs[0].wrong = 3;
  EXPECT_EQ(found().find("timed call 0 C: 3 of 100"), 0u) << found();
}

TEST_F(TimedOutputs, TheWholeIsFarFromTheBaseline) {
  request.tolerance.maxRelativeL2 = 0.01;
  outputs[3].errorSquares = 0.03 * 0.03 * 100;
  EXPECT_EQ(found().find("timed call 1 L: the whole output differs"), 0u)
      << found();
  // The baseline is zero, and the output is not.
  outputs[3].squares = 0;
  EXPECT_EQ(found().find("timed call 1 L: the whole output differs"), 0u)
      << found();
  outputs[3].errorSquares = 0;
  EXPECT_EQ(found(), "");
}

TEST_F(TimedOutputs, AllCallsMustBeThere) {
  TimedOutput last = outputs.back();
  outputs.pop_back();
  EXPECT_EQ(found(), "error: the worker did not report output 'L' of timed "
                     "call 2");
  outputs.push_back(last);
  outputs.push_back(last);
  EXPECT_EQ(found(), "error: the worker reported more outputs of timed calls "
                     "than there are");
  outputs.pop_back();
  std::swap(outputs[0], outputs[1]);
  EXPECT_EQ(found(), "error: the worker did not report output 'C' of timed "
                     "call 0");
}

TEST_F(TimedOutputs, JSON) {
  outputs[0].unwritten = 1;
  outputs[0].first = 2;
  outputs[0].errorSquares = 0.25;
  TimedOutput read;
  llvm::json::Path::Root root("output");
  ASSERT_TRUE(fromJSON(toJSON(outputs[0]), read, root));
  EXPECT_EQ(toJSON(read), toJSON(outputs[0]));
  EXPECT_FALSE(fromJSON(llvm::json::Object{{"call", 1}}, read, root));
}

} // namespace
