//===- AllCases.cpp - Every case ------------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a fixed order. Making all of them takes a second, so that who wants one
// family does not wait for the others.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

namespace {
struct Source {
  void (*add)(std::vector<Case> &cases);
  /// The families that its cases are of.
  std::vector<StringRef> families;
};
} // namespace

std::vector<Case> differential::makeCases(const std::string &family) {
  static const Source sources[] = {
      {addIntegerCases, {"integer", "compare"}},
      {addFloatCases, {"float", "compare", "approx"}},
      {addConvertCases, {"convert"}},
      {addMoveCases, {"move"}},
      {addMemoryCases, {"memory"}},
      {addAtomicCases, {"atomic"}},
      {addWarpCases, {"warp"}},
      {addProgramCases, {"program"}},
      {addMatrixCases, {"mma", "mma-open", "matrix-move", "wmma"}},
      {addWgmmaCases, {"wgmma", "wgmma-open", "wgmma-sums"}},
      {addBulkCases, {"bulk", "bulk-open"}},
      {addTensorCases, {"tensor", "tensor-open"}},
      {addBarrierCases,
       {"mbarrier", "mbarrier-open", "barrier", "barrier-open", "cluster",
        "cluster-open", "pipeline"}},
  };
  std::vector<Case> cases;
  for (const Source &source : sources)
    if (family.empty() || is_contained(source.families, family))
      source.add(cases);
  if (!family.empty())
    erase_if(cases,
             [&](const Case &testCase) { return testCase.family != family; });
  return cases;
}
