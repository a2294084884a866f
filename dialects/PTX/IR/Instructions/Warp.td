//===- Warp.td - Exchange and votes within a warp ------------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_WARP_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_WARP_TD

include "PTX/IR/PTXSets.td"

class PTX_WarpInst<string opcode, list<PTX_Form> forms>
    : PTX_Inst<opcode, [PTX_Convergent]> {
  let ptxSection = "Parallel Synchronization and Communication Instructions";
  let ptxForms = forms;
}

/// Without `.sync`, which threads of their own progress need.
class PTX_UnsyncedForm<string mods, string ops, string version,
                       list<string> sm>
    : PTX_Form<mods, ops, version, sm> {
  let removedVersion = "6.4";
  let removedArch = "sm_70";
}

def PTX_ShflSyncOp : PTX_WarpInst<"shfl.sync", [
  PTX_Form<"mode=.{up|down|bfly|idx} t=.b32",
           "=d:t|p, a:t, b:b32, c:b32, mask:b32", "6.0", PTX_SM30>]>;
def PTX_ShflOp : PTX_WarpInst<"shfl", [
  PTX_UnsyncedForm<"mode=.{up|down|bfly|idx} t=.b32",
                   "=d:t|p, a:t, b:u32, c:u32", "3.0", PTX_SM30>]>;
def PTX_VoteSyncOp : PTX_WarpInst<"vote.sync", [
  PTX_Form<"mode=.{all|any|uni} .pred", "=d:pred, a:pred, mask:u32", "6.0",
           PTX_SM30>,
  PTX_Form<"mode=.ballot t=.b32", "=d:t, a:pred, mask:u32", "6.0",
           PTX_SM30>]>;
def PTX_VoteOp : PTX_WarpInst<"vote", [
  PTX_UnsyncedForm<"mode=.{all|any|uni} .pred", "=d:pred, a:pred", "1.2",
                   PTX_SM12>,
  PTX_UnsyncedForm<"mode=.ballot t=.b32", "=d:t, a:pred", "2.0", PTX_SM20>]>;
def PTX_MatchOp : PTX_WarpInst<"match", [
  PTX_Form<"mode=.any .sync t=.$bits3264", "=d:u32, a:t, mask:u32", "6.0",
           PTX_SM70>,
  PTX_Form<"mode=.all .sync t=.$bits3264", "=d:u32|p_, a:t, mask:u32", "6.0",
           PTX_SM70>]>;
def PTX_ActivemaskOp : PTX_WarpInst<"activemask", [
  PTX_Form<"t=.b32", "=d:t", "6.2", PTX_SM30>]>;
def PTX_ReduxSyncOp : PTX_WarpInst<"redux.sync", [
  PTX_Form<"op=.{add|min|max} t=.{u32|s32}", "=d:u32, a:u32, mask:u32", "7.0",
           PTX_SM80>,
  PTX_Form<"op=.{and|or|xor} t=.b32", "=d:u32, a:u32, mask:u32", "7.0",
           PTX_SM80>,
  PTX_Form<"op=.{min|max} .abs? .NaN? t=.f32", "=d:t, a:t, mask:u32", "8.6",
           ["sm_100a", "sm_100f", "sm_103a"]>]> {
  let ptxFamily = PTX_FamilyRedux;
}
def PTX_ElectSyncOp : PTX_WarpInst<"elect.sync", [
  PTX_Form<"", "=d:b32|p!_, mask:u32", "8.0", PTX_SM90>]> {
  let ptxFamily = PTX_FamilyElect;
}

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_WARP_TD
