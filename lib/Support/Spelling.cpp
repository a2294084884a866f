//===- Spelling.cpp - Which known word was meant --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of distances between the beginnings of both words, of which a row
// needs the two before it.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Spelling.h"

#include "llvm/ADT/SmallVector.h"

using namespace llvm;

unsigned ptxbench::countEdits(StringRef a, StringRef b, unsigned limit) {
  size_t apart = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (apart > limit)
    return limit + 1;
  // Row i: from the first i letters of `a` to the first j of `b`.
  SmallVector<unsigned, 64> before, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  before = row;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    unsigned least = row[0];
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    // No edit takes back what both rows of the past have.
    if (least > limit && *std::min_element(last.begin(), last.end()) > limit)
      return limit + 1;
  }
  return std::min(row[b.size()], limit + 1);
}

void ptxbench::considerSpelling(StringRef text, StringRef candidate,
                                unsigned &distance, StringRef &best) {
  if (!distance)
    return;
  unsigned edits = countEdits(text, candidate, distance - 1);
  if (edits >= distance)
    return;
  distance = edits;
  best = candidate;
}
