//===- Fence.td - Fences -------------------------------------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_FENCE_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_FENCE_TD

include "PTX/IR/PTXSets.td"

class PTX_FenceInst<string opcode, list<PTX_Form> forms>
    : PTX_Inst<opcode, [PTX_MemRead, PTX_MemWrite]> {
  let ptxSection = "Parallel Synchronization and Communication Instructions";
  let ptxForms = forms;
}

def PTX_MembarOp : PTX_FenceInst<"membar", [
  PTX_Form<"level=.{cta|gl}", "", "1.4">,
  PTX_Form<"level=.sys", "", "2.0", PTX_SM20>,
  PTX_Form<".proxy .alias", "", "7.5", PTX_SM70>]>;
def PTX_FenceOp : PTX_FenceInst<"fence", [
  PTX_Form<"sem=.{sc|acq_rel}? scope=.{cta|gpu|sys}", "", "6.0", PTX_SM70>,
  PTX_Form<"sem=.{sc|acq_rel}? scope=.cluster", "", "7.8", PTX_SM90>,
  PTX_Form<"sem=.{acquire|release} scope=.$scope", "", "6.0", PTX_SM70>,
  PTX_Form<"sem=.acquire .sync_restrict::shared::cluster scope=.cluster", "",
           "8.6", PTX_SM90>,
  PTX_Form<"sem=.release .sync_restrict::shared::cta scope=.cluster", "",
           "8.6", PTX_SM90>]>;
def PTX_FenceMbarrierInitOp : PTX_FenceInst<"fence.mbarrier_init", [
  PTX_Form<"sem=.release scope=.cluster", "", "8.0", PTX_SM90>]> {
  let ptxFamily = PTX_FamilyMbarrier;
}
def PTX_SetRestrict
    : PTX_ModSet<"restrict", ["sync_restrict::shared::cta",
                              "sync_restrict::shared::cluster"]>;
def PTX_FenceProxyOp : PTX_FenceInst<"fence.proxy", [
  // ptxas lets some modifiers stand that say nothing here.
  PTX_Form<"proxy=.alias .$restrict?", "", "7.5", PTX_SM70>,
  PTX_Form<"proxy=.async space=.{global|shared::cta|shared::cluster}? "
           ".$restrict?", "", "8.0", PTX_SM90>,
  PTX_Form<"proxy=.tensormap::generic sem=.release space=.{global|shared::cta|shared::cluster}? scope=.$scope", "", "8.3",
           PTX_SM90>,
  PTX_Form<"proxy=.tensormap::generic sem=.acquire scope=.$scope",
           "[a], i/size:u32(128)", "8.3", PTX_SM90>,
  PTX_Form<"proxy=.async::generic sem=.acquire space=.{global|shared::cta|shared::cluster}? .sync_restrict::shared::cluster "
           "scope=.cluster", "", "8.6", PTX_SM90>,
  PTX_Form<"proxy=.async::generic sem=.release space=.{global|shared::cta|shared::cluster}? .sync_restrict::shared::cta "
           "scope=.cluster", "", "8.6", PTX_SM90>]> {
  let ptxFamily = PTX_FamilyFenceProxy;
}

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_FENCE_TD
