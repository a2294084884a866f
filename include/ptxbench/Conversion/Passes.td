//===- Passes.td - Passes between PTX and other dialects ---*- tablegen -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_CONVERSION_PASSES_TD
#define PTXBENCH_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def PTXImportInlineAsm : Pass<"ptx-import-inline-asm"> {
  let summary = "Read the PTX of llvm.inline_asm and nvvm.inline_ptx";
  let description = [{
    Replaces each `llvm.inline_asm` and `nvvm.inline_ptx` below the operation by
    a `ptx.inline`, whose body holds the instructions of the string. Text that
    is no PTX is an error; constraints that do not go with what the text does
    are warnings.

    The architecture that the text is held against is that of `target`, else of
    the `#nvvm.target` of the enclosing `gpu.module`, else of the `ptx.target`
    of an enclosing operation. If there is none, the instructions of every
    architecture are taken.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "The architecture of all text (sm_90a)">,
  ];
  let dependentDialects = ["::ptxbench::ptx::PTXDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def PTXExportInlineAsm : Pass<"ptx-export-inline-asm"> {
  let summary = "Write ptx.inline as llvm.inline_asm";
  let description = [{
    The way back from `-ptx-import-inline-asm`: the string is a scope with
    registers of its own. Labels get numbers that are new each time LLVM writes
    the string.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // PTXBENCH_CONVERSION_PASSES_TD
