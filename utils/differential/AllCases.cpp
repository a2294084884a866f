//===- AllCases.cpp - Every case ------------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a fixed order.
//
//===----------------------------------------------------------------------===//

#include "Case.h"

using namespace ptxbench;
using namespace ptxbench::differential;

std::vector<Case> differential::makeAllCases() {
  std::vector<Case> cases;
  addIntegerCases(cases);
  addFloatCases(cases);
  addConvertCases(cases);
  addMoveCases(cases);
  addMemoryCases(cases);
  addAtomicCases(cases);
  addWarpCases(cases);
  addProgramCases(cases);
  addMatrixCases(cases);
  addWgmmaCases(cases);
  addBulkCases(cases);
  addTensorCases(cases);
  addBarrierCases(cases);
  return cases;
}
