//===- ControlFlow.td - Control flow -------------------------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_CONTROLFLOW_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_CONTROLFLOW_TD

include "PTX/IR/PTXSets.td"

/// These are records only: their operations are terminators and calls with
/// shapes of their own.
class PTX_ControlRecord<string opcode, list<PTX_Flag> instFlags,
                        list<PTX_Form> forms>
    : PTX_InstRecord<opcode, instFlags> {
  let ptxSection = "Control Flow Instructions";
  let ptxForms = forms;
}

def PTX_BraRecord : PTX_ControlRecord<"bra", [PTX_Terminator], [
  PTX_Form<".uni?", "label target">]>;
def PTX_BrxIdxRecord : PTX_ControlRecord<"brx.idx", [PTX_Terminator], [
  PTX_Form<".uni?", "r/index:u32, symbol targets", "6.0">]>;
def PTX_RetRecord : PTX_ControlRecord<"ret", [PTX_Terminator], [
  PTX_Form<".uni?", "">]>;
def PTX_ExitRecord : PTX_ControlRecord<"exit", [PTX_Terminator], [
  PTX_Form<"", "">]>;
def PTX_TrapRecord : PTX_ControlRecord<"trap", [PTX_Terminator], [
  PTX_Form<"", "">]>;
def PTX_CallRecord
    : PTX_ControlRecord<"call", [PTX_Call, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".uni?", "=args results, callee f, args arguments?, symbol list?">,
  PTX_Form<".uni?", "callee f, args arguments?, symbol list?">,
  PTX_Form<".uni?", "=args results, callee f, symbol list">,
  PTX_Form<".uni?", "callee f, symbol list">]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_CONTROLFLOW_TD
