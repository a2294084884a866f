//===- ptxbench-export-fuzzer.cpp - What is imported comes back -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a text is imported, the module survives its MLIR text and its PTX text.
//
//===----------------------------------------------------------------------===//

#include "FuzzTarget.h"
#include "mlir/IR/Diagnostics.h"
#include "ptxbench/Target/PTX/Import.h"
#include "ptxbench/Target/PTX/RoundTrip.h"

using namespace mlir;
using namespace ptxbench;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    llvm::errs() << diagnostic.getLocation() << ": " << diagnostic << "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      llvm::errs() << "  " << note << "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module =
      importPTX(llvm::MemoryBufferRef(text, "input.ptx"), &context,
                [](const syntax::Diagnostic &) {});
  if (module && failed(verifyRoundTrip(*module, /*isImported=*/true)))
    abort();
  return 0;
}
