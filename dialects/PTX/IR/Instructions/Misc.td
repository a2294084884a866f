//===- Misc.td - Instructions without a family ---------------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MISC_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MISC_TD

include "PTX/IR/PTXSets.td"

class PTX_MiscInst<string opcode, list<PTX_Flag> instFlags,
                   list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Miscellaneous Instructions";
  let ptxForms = forms;
}

def PTX_BrkptOp : PTX_MiscInst<"brkpt", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"", "", "1.0", PTX_SM11>]>;
def PTX_PmeventOp : PTX_MiscInst<"pmevent", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"", "i/a:u32(0..15)", "1.4">,
  PTX_Form<".mask", "i/a:u32(0..65535)", "3.0", PTX_SM20>]>;
def PTX_NanosleepOp : PTX_MiscInst<"nanosleep", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".u32", "a:u32", "6.3", PTX_SM70>]>;
def PTX_SetmaxnregOp
    : PTX_MiscInst<"setmaxnreg",
                   [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"action=.{inc|dec} .sync .aligned .u32", "i/count:u32(24..256/8)", "8.0",
           PTX_SM90aTo120f>]> {
  let ptxFamily = PTX_FamilySetmaxnreg;
}
def PTX_GriddepcontrolOp
    : PTX_MiscInst<"griddepcontrol", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"action=.{launch_dependents|wait}", "", "7.8", PTX_SM90>]> {
  let ptxFamily = PTX_FamilyGriddepcontrol;
}

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MISC_TD
