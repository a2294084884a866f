//===- InputsTest.cpp - Inputs of calls -----------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rotation must be the one that the device does with two copies.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Inputs.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

std::vector<uint8_t> inputs(const ArgumentSpec &tensor, CallInputs call) {
  std::vector<uint8_t> bytes(tensor.bytes());
  generateCallInput(tensor, call, bytes);
  return bytes;
}

TEST(Inputs, ARotationMovesWholeRows) {
  ArgumentSpec tensor;
  tensor.name = "A";
  tensor.shape = {5, 3};
  std::vector<uint8_t> plain = inputs(tensor, {7, 0});
  std::vector<uint8_t> rotated = inputs(tensor, {7, 2});
  EXPECT_EQ(rotationCut(tensor, 2), 2u * 3 * 2);
  size_t cut = rotationCut(tensor, 2);
  // As the device does it: the part behind the cut, then the part before.
  std::vector<uint8_t> expected(plain.begin() + cut, plain.end());
  expected.insert(expected.end(), plain.begin(), plain.begin() + cut);
  EXPECT_EQ(rotated, expected);
  EXPECT_NE(rotated, plain);
  EXPECT_EQ(inputs(tensor, {7, 7}), rotated);
}

TEST(Inputs, SeedAndNameCount) {
  ArgumentSpec a, b;
  a.name = "A";
  b.name = "B";
  a.shape = b.shape = {64};
  EXPECT_EQ(inputs(a, {1, 0}), inputs(a, {1, 0}));
  EXPECT_NE(inputs(a, {1, 0}), inputs(a, {2, 0}));
  EXPECT_NE(inputs(a, {1, 0}), inputs(b, {1, 0}));
}

TEST(Inputs, AScalarIsNotRotated) {
  ArgumentSpec tensor;
  tensor.name = "s";
  EXPECT_EQ(tensor.elements(), 1u);
  EXPECT_EQ(rotationCut(tensor, 3), 0u);
  EXPECT_EQ(inputs(tensor, {1, 3}), inputs(tensor, {1, 0}));
}

} // namespace
