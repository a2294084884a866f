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

def ConvertNVVMToPTX : Pass<"convert-nvvm-to-ptx"> {
  let summary = "Make the operations of nvvm the instructions that they are";
  let description = [{
    Each operation of nvvm that docs/Counterparts.md gives an instruction for
    becomes a `ptx.inline` that holds it, with the operands bound and modifiers
    from the attributes. One that has no instruction, or none on the
    architecture, stays, with a remark that says why.

    The architecture is that of the `#nvvm.target` of the enclosing
    `gpu.module`, else of the `ptx.target` of an enclosing operation.
  }];
  let options = [
    ListOption<"only", "only", "std::string",
               "The operations to convert, or what their names begin with "
               "(nvvm.wgmma); none: all">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "What does not convert is an error">,
  ];
  let dependentDialects = ["::ptxbench::ptx::PTXDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ConvertPTXToNVVM : Pass<"convert-ptx-to-nvvm"> {
  let summary = "Make the instructions in ptx.inline operations of nvvm";
  let description = [{
    The way back from `-convert-nvvm-to-ptx`; behind `-ptx-import-inline-asm` it
    makes operations of what was inline assembly. A `ptx.inline` whose
    instructions all have an operation becomes those. Of others, the
    instructions that have one are taken out where that keeps the meaning; else
    the `ptx.inline` stays as it is, with a remark that says why.
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "What does not convert is an error">,
  ];
  let dependentDialects = ["::ptxbench::ptx::PTXDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // PTXBENCH_CONVERSION_PASSES_TD
