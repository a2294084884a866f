//===- ptxbench-host.cpp - Runs the host code of candidates in MLIR -------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker of mlir-ptxbench-runner that has LLVM's compiler for the host, which
// is large. It has no use of its own.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/HostCode.h"
#include "ptxbench/Support/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc > 1 && llvm::StringRef(argv[1]) == ptxbench::workerArgument) {
    ptxbench::enableHostCode();
    return ptxbench::runtimeWorkerMain(argc, argv);
  }
  ptxbench::setVersionPrinter();
  llvm::cl::HideUnrelatedOptions(llvm::cl::getGeneralCategory());
  if (!llvm::cl::ParseCommandLineOptions(
          argc, argv,
          "the host code of candidates in MLIR, for mlir-ptxbench-runner, "
          "which starts it\n",
          &llvm::errs()))
    return 2;
  llvm::errs() << "ptxbench-host: it is mlir-ptxbench-runner that starts this "
                  "program\n";
  return 2;
}
