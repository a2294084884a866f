//===- ReferenceGEMMTest.cpp - The double-precision product
//-----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against the three loops, and on small integers, where every order of
// summation gives the same.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/ReferenceGEMM.h"
#include "ptxbench/Task/Inputs.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

std::vector<uint8_t> random(const char *name, ElementType type,
                            uint64_t count) {
  std::vector<uint8_t> bytes(count * sizeOf(type));
  InputGenerator(5, name, type).fillAll(bytes);
  return bytes;
}

TEST(ReferenceGEMM, FitsTheThreeLoops) {
  constexpr uint64_t m = 7, n = 5, k = 19;
  for (ElementType type : {ElementType::BFloat16, ElementType::Float16,
                           ElementType::Float32, ElementType::Int8}) {
    std::vector<uint8_t> a = random("A", type, m * k),
                         b = random("B", type, n * k);
    std::vector<int64_t> rows = {0, 3, 6};
    llvm::Expected<std::vector<double>> c =
        referenceGEMM({type, a}, {type, b}, m, n, k, rows);
    ASSERT_TRUE(static_cast<bool>(c));
    ASSERT_EQ(c->size(), rows.size() * n);
    for (size_t i = 0; i != rows.size(); ++i) {
      for (uint64_t j = 0; j != n; ++j) {
        double sum = 0;
        for (uint64_t l = 0; l != k; ++l)
          sum += decode(type,
                        loadBits(type, a.data(), uint64_t(rows[i]) * k + l)) *
                 decode(type, loadBits(type, b.data(), j * k + l));
        EXPECT_NEAR((*c)[i * n + j], sum, 1e-9);
      }
    }
    llvm::Expected<std::vector<double>> threaded =
        referenceGEMM({type, a}, {type, b}, m, n, k, rows, 4);
    ASSERT_TRUE(static_cast<bool>(threaded));
    EXPECT_EQ(*threaded, *c);
  }
}

TEST(ReferenceGEMM, Refusals) {
  std::vector<uint8_t> bytes(24);
  TensorView view{ElementType::Float32, bytes};
  auto errorOf = [&](uint64_t m, uint64_t n, uint64_t k,
                     std::vector<int64_t> rows) {
    llvm::Expected<std::vector<double>> c =
        referenceGEMM(view, view, m, n, k, rows);
    return c ? std::string("accepted") : llvm::toString(c.takeError());
  };
  EXPECT_EQ(errorOf(2, 2, 3, {1}), "accepted");
  EXPECT_EQ(errorOf(2, 2, 3, {2}), "expected rows below 2 but got 2");
  EXPECT_EQ(errorOf(3, 2, 3, {0}),
            "expected A to have 3 x 3 elements but got 6");
  EXPECT_EQ(errorOf(2, 3, 3, {0}),
            "expected B to have 3 x 3 elements but got 6");
  EXPECT_NE(errorOf(0, 0, 0, {}), "accepted");
  // A product that overflows must not fit by accident.
  EXPECT_NE(errorOf(uint64_t(1) << 63, 2, 6, {}), "accepted");
}

} // namespace
