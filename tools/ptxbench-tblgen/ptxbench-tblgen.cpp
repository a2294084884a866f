//===- ptxbench-tblgen.cpp - Generator of the instruction table -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the ODS records of the PTX instructions and writes the tables of
// include/ptxbench/ISA/Instruction.h and the instruction reference. Each
// generator registers itself beside its code.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/TableGenBackend.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  ptxbench::setVersionPrinter();
  llvm::cl::ParseCommandLineOptions(argc, argv);
  return llvm::TableGenMain(argv[0], llvm::TableGenMainFn());
}
