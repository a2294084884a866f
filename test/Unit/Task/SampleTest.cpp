//===- SampleTest.cpp - Which part of the work is judged ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Sample.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace ptxbench;

namespace {

using Indices = std::vector<int64_t>;

TEST(Sample, IndicesOfOneAxis) {
  Indices rows = sampleIndices(8192, 64, 1);
  EXPECT_EQ(rows.size(), 64u);
  EXPECT_EQ(rows.front(), 0);
  EXPECT_EQ(rows.back(), 8191);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
  EXPECT_EQ(sampleIndices(8192, 64, 1), rows);
  EXPECT_NE(sampleIndices(8192, 64, 2), rows);
  EXPECT_EQ(sampleIndices(3, 64, 1), (Indices{0, 1, 2}));
  EXPECT_EQ(sampleIndices(9, 2, 1), (Indices{0, 8}));
  // A single one is not always the same.
  EXPECT_EQ(sampleIndices(1000, 1, 1).size(), 1u);
  EXPECT_NE(sampleIndices(1000, 1, 1), sampleIndices(1000, 1, 2));
  EXPECT_TRUE(sampleIndices(9, 0, 1).empty());
}

TEST(Sample, SeveralAxes) {
  auto sizes = [](uint64_t count) {
    std::vector<size_t> result;
    for (const Indices &indices : sampleAxes({4, 48}, count, 7))
      result.push_back(indices.size());
    return result;
  };
  EXPECT_EQ(sizes(192), (std::vector<size_t>{4, 48}));
  EXPECT_EQ(sizes(1000), (std::vector<size_t>{4, 48}));
  EXPECT_EQ(sizes(100), (std::vector<size_t>{2, 48}));
  EXPECT_EQ(sizes(10), (std::vector<size_t>{1, 10}));
  EXPECT_EQ(sizes(0), (std::vector<size_t>{1, 1}));
  EXPECT_TRUE(sampleAxes({}, 5, 7).empty());
}

TEST(Sample, Gather) {
  // 2 x 3 x 2 elements of two bytes: element e has the bytes 2e and 2e + 1.
  std::vector<uint8_t> tensor(24);
  for (unsigned i = 0; i != 24; ++i)
    tensor[i] = uint8_t(i);
  auto gathered = [&](std::vector<Indices> indices) {
    llvm::Expected<std::vector<uint8_t>> result =
        gather(tensor, 2, {2, 3, 2}, indices);
    EXPECT_TRUE(static_cast<bool>(result));
    return result ? *result : std::vector<uint8_t>();
  };
  EXPECT_EQ(gathered({{}, {}, {}}), tensor);
  EXPECT_EQ(gathered({{1}, {}, {}}),
            std::vector<uint8_t>(tensor.begin() + 12, tensor.end()));
  EXPECT_EQ(gathered({{}, {2}, {0}}), (std::vector<uint8_t>{8, 9, 20, 21}));
  EXPECT_EQ(gathered({{1}, {0, 2}, {1}}),
            (std::vector<uint8_t>{14, 15, 22, 23}));

  auto errorOf = [&](llvm::ArrayRef<int64_t> shape,
                     std::vector<Indices> indices) {
    llvm::Expected<std::vector<uint8_t>> result =
        gather(tensor, 2, shape, indices);
    return result ? std::string("accepted")
                  : llvm::toString(result.takeError());
  };
  EXPECT_EQ(errorOf({2, 3, 2}, {{}, {3}, {}}),
            "expected indices below 3 but got 3");
  EXPECT_EQ(errorOf({2, 3, 2}, {{-1}, {}, {}}),
            "expected indices below 2 but got -1");
  EXPECT_EQ(errorOf({2, 3}, {{}, {}}),
            "expected a tensor of 12 bytes but got 24");
}

} // namespace
