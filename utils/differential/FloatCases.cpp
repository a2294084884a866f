//===- FloatCases.cpp - Floating point ------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything on f16, bf16, f32 and f64 but conversions.
//
//===----------------------------------------------------------------------===//

#include "ArithmeticCases.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

static constexpr StringLiteral sections[] = {
    "Integer Arithmetic Instructions",
    "Extended-Precision Integer Arithmetic Instructions",
    "Floating-Point Instructions",
    "Logic and Shift Instructions",
    "Comparison and Selection Instructions",
};

void differential::addFloatCases(std::vector<Case> &cases) {
  addArithmeticCases(
      cases, [](const OpcodeInfo &info, ArrayRef<std::string> mods) {
        return isOnFloats(mods) && is_contained(sections, info.section);
      });
}
