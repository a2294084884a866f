//===- mlir-ptxbench-runner.cpp - Analyses, runs and cross-checks kernels -===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Driver/Driver.h"

int main(int argc, char **argv) { return ptxbench::runnerMain(argc, argv); }
