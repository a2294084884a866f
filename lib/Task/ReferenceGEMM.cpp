//===- ReferenceGEMM.cpp - A matrix product in double precision -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each row of B is decoded once and multiplied with all wanted rows of A. Eight
// partial sums let the compiler use vector registers; products of two bfloat16
// or float16 values are exact in double.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/ReferenceGEMM.h"

#include <algorithm>
#include <thread>

using namespace ptxbench;
using llvm::Twine;

static double dot(const double *a, const double *b, uint64_t count) {
  double sums[8] = {};
  uint64_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (unsigned j = 0; j != 8; ++j)
      sums[j] += a[i + j] * b[i + j];
  double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
               ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  for (; i != count; ++i)
    sum += a[i] * b[i];
  return sum;
}

llvm::Expected<std::vector<double>>
ptxbench::referenceGEMM(const TensorView &a, const TensorView &b, uint64_t m,
                        uint64_t n, uint64_t k, llvm::ArrayRef<int64_t> rows,
                        unsigned threads) {
  auto fits = [](const TensorView &view, uint64_t height, uint64_t width) {
    return height && width && view.bytes.size() % sizeOf(view.type) == 0 &&
           view.count() % width == 0 && view.count() / width == height;
  };
  if (!fits(a, m, k))
    return llvm::createStringError("expected A to have " + Twine(m) + " x " +
                                   Twine(k) + " elements but got " +
                                   Twine(a.count()));
  if (!fits(b, n, k))
    return llvm::createStringError("expected B to have " + Twine(n) + " x " +
                                   Twine(k) + " elements but got " +
                                   Twine(b.count()));
  for (int64_t row : rows)
    if (row < 0 || uint64_t(row) >= m)
      return llvm::createStringError("expected rows below " + Twine(m) +
                                     " but got " + Twine(row));

  std::vector<double> left(rows.size() * k), result(rows.size() * n);
  for (size_t i = 0; i != rows.size(); ++i)
    decodeMany(a.type, a.bytes.data(), uint64_t(rows[i]) * k, k, &left[i * k]);
  auto columns = [&](uint64_t begin, uint64_t end) {
    std::vector<double> right(k);
    for (uint64_t column = begin; column != end; ++column) {
      decodeMany(b.type, b.bytes.data(), column * k, k, right.data());
      for (size_t i = 0; i != rows.size(); ++i)
        result[i * n + column] = dot(&left[i * k], right.data(), k);
    }
  };
  uint64_t share = (n + std::max(1u, threads) - 1) / std::max(1u, threads);
  std::vector<std::thread> workers;
  for (uint64_t begin = share; begin < n; begin += share)
    workers.emplace_back(columns, begin, std::min(n, begin + share));
  columns(0, std::min(n, share));
  for (std::thread &worker : workers)
    worker.join();
  return result;
}
