//===- Barrier.td - Barriers of a thread block ---------------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_BARRIER_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_BARRIER_TD

include "PTX/IR/PTXSets.td"

class PTX_BarrierInst<string opcode, list<PTX_Form> forms>
    : PTX_Inst<opcode, [PTX_Convergent, PTX_MemRead, PTX_MemWrite]> {
  let ptxSection = "Parallel Synchronization and Communication Instructions";
  let ptxForms = forms;
  let ptxNeeds = [PTX_Needs<["cta"], "7.8", PTX_SM20>,
                  PTX_Needs<["arrive", "red"], "2.0", PTX_SM20>];
}

/// `bar` is `barrier` with `.aligned` left unsaid.
class PTX_BarrierForms<string aligned, string version, list<string> sm> {
  list<PTX_Form> forms = [
    PTX_Form<".cta? action=.sync" # aligned, "a:u32(0..15), b:u32(32..65536/32)?", version, sm>,
    PTX_Form<".cta? action=.arrive" # aligned, "a:u32(0..15), b:u32(32..65536/32)", version, sm>,
    PTX_Form<".cta? action=.red op=.popc" # aligned # " t=.u32",
             "=d:t, a:u32(0..15), c:pred", version, sm>,
    PTX_Form<".cta? action=.red op=.popc" # aligned # " t=.u32",
             "=d:t, a:u32(0..15), b:u32(32..65536/32), c:pred", version, sm>,
    PTX_Form<".cta? action=.red op=.{and|or}" # aligned # " t=.pred",
             "=d:t, a:u32(0..15), c:pred", version, sm>,
    PTX_Form<".cta? action=.red op=.{and|or}" # aligned # " t=.pred",
             "=d:t, a:u32(0..15), b:u32(32..65536/32), c:pred", version, sm>];
}
def PTX_BarOp : PTX_BarrierInst<"bar", PTX_BarrierForms<"", "1.0",
                                                        []>.forms>;
def PTX_BarrierOp
    : PTX_BarrierInst<"barrier", PTX_BarrierForms<" .aligned?", "6.0",
                                                  PTX_SM30>.forms>;
def PTX_BarWarpSyncOp : PTX_BarrierInst<"bar.warp.sync", [
  PTX_Form<"", "mask:u32", "6.0", PTX_SM30>]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_BARRIER_TD
