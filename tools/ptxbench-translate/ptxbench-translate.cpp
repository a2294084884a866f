//===- ptxbench-translate.cpp - PTX text to MLIR and back -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--import-ptx` and `--export-ptx`; both together, in this order, make a round
// trip. Exit status: 0, or 2 for bad usage or input.
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Target/PTX/Export.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

int main(int argc, char **argv) {
  TranslateToMLIRRegistration importPTX(
      "import-ptx", "from PTX text to the ptx dialect",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        const llvm::MemoryBuffer *buffer =
            sources.getMemoryBuffer(sources.getMainFileID());
        return OwningOpRef<Operation *>(
            ptxbench::importPTX(buffer->getMemBufferRef(), context).release());
      },
      [](DialectRegistry &registry) {
        registry.insert<ptxbench::ptx::PTXDialect>();
      });
  TranslateFromMLIRRegistration exportPTX(
      "export-ptx", "from the ptx dialect to PTX text",
      [](ModuleOp module, llvm::raw_ostream &os) {
        return ptxbench::exportPTX(module, os);
      },
      [](DialectRegistry &registry) {
        registry.insert<ptxbench::ptx::PTXDialect>();
      });
  return failed(
             mlirTranslateMain(argc, argv, "ptxbench-translate: PTX and MLIR"))
             ? 2
             : 0;
}
