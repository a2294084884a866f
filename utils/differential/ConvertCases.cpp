//===- ConvertCases.cpp - Conversions -------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cvt and cvt.pack.
//
//===----------------------------------------------------------------------===//

#include "ArithmeticCases.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

void differential::addConvertCases(std::vector<Case> &cases) {
  addArithmeticCases(cases,
                     [](const OpcodeInfo &info, ArrayRef<std::string> mods) {
                       return info.name == "cvt" || info.name == "cvt.pack";
                     });
}
