//===- verdicts.cpp - The smallest user of the package --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// verdicts FILE.ptx: reads PTX text and says of each target instruction of each
// entry whether it can execute.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "ptxbench/Analysis/Reachability.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/MemoryBuffer.h"

int main(int argc, char **argv) {
  mlir::MLIRContext context;
  auto text = llvm::MemoryBuffer::getFileOrSTDIN(argc > 1 ? argv[1] : "-");
  auto module = text ? ptxbench::importPTX(**text, &context) : nullptr;
  if (!module)
    return 2;
  for (auto entry : module->getOps<ptxbench::ptx::EntryOp>()) {
    auto verdicts = ptxbench::analyzeReachability(entry, {});
    for (const auto &target : llvm::cantFail(std::move(verdicts)).targets)
      llvm::outs() << entry.getSymName() << ", line " << target.line << ": "
                   << target.mnemonic << ": " << stringifyReach(target.reach)
                   << ": " << target.reason << "\n";
  }
}
