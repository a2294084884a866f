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
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
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

TEST(Inputs, ARotationAlongSeveralAxes) {
  ArgumentSpec tensor;
  tensor.name = "A";
  tensor.shape = {2, 3, 5};
  tensor.type = ElementType::UInt8;
  tensor.rotatedAxes = 2;
  // Six rows of five bytes.
  EXPECT_EQ(rotationCut(tensor, 4), 20u);
  EXPECT_EQ(rotationCut(tensor, 7), 5u);
  tensor.rotatedAxes = 0;
  EXPECT_EQ(rotationCut(tensor, 4), 0u);
  EXPECT_EQ(inputs(tensor, {7, 4}), inputs(tensor, {7, 0}));
}

TEST(Inputs, SignsAreTurnedAround) {
  ArgumentSpec tensor;
  tensor.name = "A";
  tensor.shape = {64, 64};
  std::vector<uint8_t> plain = inputs(tensor, {7, 3});
  // Only of those that allow it.
  EXPECT_EQ(inputs(tensor, {7, 3, 0, 5u}), plain);
  tensor.turnsSigns = true;
  std::vector<uint8_t> turned = inputs(tensor, {7, 3, 0, 5u});
  EXPECT_NE(turned, inputs(tensor, {7, 3, 0, 6u}));
  unsigned count = 0;
  for (size_t i = 0; i < plain.size(); ++i) {
    uint8_t sign = i % 2 ? 0x80 : 0;
    EXPECT_EQ((plain[i] ^ turned[i]) & ~sign, 0) << i;
    count += plain[i] != turned[i];
  }
  // Half of 4096, as a coin would have it.
  EXPECT_NEAR(count, 2048, 200);
  turnSigns(tensor.type, 5, turned);
  EXPECT_EQ(turned, plain);
}

TEST(Inputs, NumbersWithoutSignsStay) {
  for (ElementType type :
       {ElementType::Int8, ElementType::UInt8, ElementType::Bool,
        ElementType::Int32, ElementType::Float64}) {
    std::vector<uint8_t> bytes(64, 0x55), before = bytes;
    turnSigns(type, 1, bytes);
    EXPECT_EQ(bytes, before);
  }
}

TEST(Inputs, OnlyTheJudgedCallKnowsItsSigns) {
  RunRequest request;
  request.judgedCall = 3;
  EXPECT_FALSE(timedInputs(request, 3).signs.has_value());
  request.judgedSigns = 9;
  EXPECT_EQ(timedInputs(request, 3).signs, 9u);
  EXPECT_FALSE(timedInputs(request, 2).signs.has_value());
  EXPECT_FALSE(trialInputs(request, 0).signs.has_value());
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

TEST(Inputs, FromWhereverTheyCome) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ptxbench-test", folder));
  RunRequest request;
  request.inputsDir = folder.str().str();
  request.tensors.resize(4);
  for (ArgumentSpec &tensor : request.tensors) {
    tensor.name = "x";
    tensor.shape = {3};
    tensor.type = ElementType::UInt8;
  }
  request.tensors[1].origin = ArgumentSpec::Origin::Computed;
  request.tensors[2].origin = ArgumentSpec::Origin::File;
  request.tensors[2].file = computedFile(request, 5, 1);
  request.tensors[2].fileOffset = 2;
  request.tensors[3].origin = ArgumentSpec::Origin::Scalar;
  request.tensors[3].shape.clear();
  request.tensors[3].type = ElementType::Float16;
  request.tensors[3].value = 1.5;
  EXPECT_NE(computedFile(request, 5, 1), computedFile(request, 4, 1));
  {
    std::error_code code;
    llvm::raw_fd_ostream os(computedFile(request, 5, 1), code);
    ASSERT_FALSE(code);
    os << "abcde";
  }
  auto make = [&](unsigned trial, unsigned index) {
    std::vector<uint8_t> bytes(request.tensors[index].bytes());
    llvm::Error error =
        makeCallInput(request, trialInputs(request, trial), index, bytes);
    return error ? llvm::toString(std::move(error))
                 : std::string(bytes.begin(), bytes.end());
  };
  std::vector<uint8_t> drawn =
      inputs(request.tensors[0], trialInputs(request, 5));
  EXPECT_EQ(make(5, 0), std::string(drawn.begin(), drawn.end()));
  EXPECT_EQ(make(5, 1), "abc");
  EXPECT_NE(make(4, 1).find("cannot read"), std::string::npos);
  EXPECT_EQ(make(5, 2), "cde");
  EXPECT_EQ(make(5, 3), std::string("\0\x3e", 2));
  // Timed calls: the file of the set behind the trials, rotated.
  request.trials = 5;
  CallInputs timed = timedInputs(request, 1);
  EXPECT_EQ(timed.set, 5u);
  std::vector<uint8_t> bytes(3);
  ASSERT_FALSE(bool(makeCallInput(request, timed, 1, bytes)));
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "bca");
  request.tensors[2].fileOffset = 3;
  EXPECT_NE(make(5, 2).find("expected 3 bytes"), std::string::npos);
  llvm::sys::fs::remove_directories(folder);
}

} // namespace
