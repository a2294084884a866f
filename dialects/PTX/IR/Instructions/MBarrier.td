//===- MBarrier.td - Barrier objects in shared memory --------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MBARRIER_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MBARRIER_TD

include "PTX/IR/PTXSets.td"

class PTX_MbarrierInst<string opcode, list<PTX_Flag> instFlags,
                       list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Parallel Synchronization and Communication Instructions";
  let ptxFamily = PTX_FamilyMbarrier;
  let ptxRules = PTX_SemScopeRules;
  let ptxForms = forms;
}

def PTX_MbarrierInitOp : PTX_MbarrierInst<"mbarrier.init", [PTX_MemWrite], [
  PTX_Form<"space=.$shared? .b64", "[a], count:u32", "7.0", PTX_SM80>]>;
def PTX_MbarrierInvalOp : PTX_MbarrierInst<"mbarrier.inval", [PTX_MemWrite], [
  PTX_Form<"space=.$shared? .b64", "[a]", "7.0", PTX_SM80>]>;

/// `expect_tx` and `complete_tx` have the same form.
class PTX_MbarrierTxInst<string opcode>
    : PTX_MbarrierInst<opcode, [PTX_MemRead, PTX_MemWrite], [
        PTX_Form<".relaxed? .{cta|cluster}? space=.$sharedany? .b64",
                 "[a], count:u32", "8.0", PTX_SM90>]>;
def PTX_MbarrierExpectTxOp : PTX_MbarrierTxInst<"mbarrier.expect_tx">;
def PTX_MbarrierCompleteTxOp : PTX_MbarrierTxInst<"mbarrier.complete_tx">;

/// `arrive` and `arrive_drop` have the same forms.
defvar PTX_MbarrierRelaxed = [PTX_Needs<["relaxed"], "8.6", PTX_SM90>];
defvar PTX_MbarrierOrders = [PTX_Needs<["relaxed"], "8.6">,
                             PTX_Needs<["acquire"], "8.0">];

class PTX_MbarrierArriveInst<string opcode>
    : PTX_MbarrierInst<opcode, [PTX_MemRead, PTX_MemWrite], [
        PTX_Form<"space=.$shared? .b64", "=state:b64_, [a]", "7.0", PTX_SM80>,
        PTX_Form<"space=.$shared? .b64", "=state:b64_, [a], count:u32", "7.8",
                 PTX_SM90>,
        PTX_Form<".noComplete .release? .cta? space=.$shared? .b64",
                 "=state:b64_, [a], count:u32(1..4294967295)", "7.0", PTX_SM80,
                 [PTX_Needs<["release"], "8.0">]>,
        PTX_Form<"sem=.{release|relaxed} .{cta|cluster} space=.$shared? .b64",
                 "=state:b64_, [a]", "8.0", PTX_SM80, PTX_MbarrierRelaxed>,
        PTX_Form<"sem=.{release|relaxed} .{cta|cluster} space=.$shared? .b64",
                 "=state:b64_, [a], count:u32", "8.0", PTX_SM90,
                 PTX_MbarrierRelaxed>,
        PTX_Form<"sem=.{release|relaxed}? .{cta|cluster}? "
                 "space=.shared::cluster .b64", "_, [a], count:u32?", "8.0",
                 PTX_SM90, PTX_MbarrierRelaxed>,
        PTX_Form<".expect_tx sem=.{release|relaxed}? .{cta|cluster}? "
                 "space=.$shared? .b64", "=state:b64_, [a], count:u32", "8.0",
                 PTX_SM90, PTX_MbarrierRelaxed>,
        PTX_Form<".expect_tx sem=.{release|relaxed}? .{cta|cluster}? "
                 "space=.shared::cluster .b64", "_, [a], count:u32", "8.0",
                 PTX_SM90, PTX_MbarrierRelaxed>]>;
def PTX_MbarrierArriveOp : PTX_MbarrierArriveInst<"mbarrier.arrive">;
def PTX_MbarrierArriveDropOp : PTX_MbarrierArriveInst<"mbarrier.arrive_drop">;

def PTX_MbarrierTestWaitOp
    : PTX_MbarrierInst<"mbarrier.test_wait", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"space=.$shared? .b64", "=p:pred, [a], state:b64", "7.0",
           PTX_SM80>,
  PTX_Form<".parity space=.$shared? .b64", "=p:pred, [a], parity:u32(0|1)", "7.1",
           PTX_SM80>,
  PTX_Form<"sem=.{acquire|relaxed}? .{cta|cluster}? space=.$shared? .b64",
           "=p:pred, [a], state:b64", "8.0", PTX_SM80, PTX_MbarrierRelaxed>,
  PTX_Form<".parity sem=.{acquire|relaxed}? .{cta|cluster}? space=.$shared? "
           ".b64", "=p:pred, [a], parity:u32(0|1)", "8.0", PTX_SM80,
           PTX_MbarrierRelaxed>]>;
def PTX_MbarrierTryWaitOp
    : PTX_MbarrierInst<"mbarrier.try_wait", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"sem=.{acquire|relaxed}? .{cta|cluster}? space=.$shared? .b64",
           "=p:pred, [a], state:b64, hint:u32?", "7.8", PTX_SM90,
           PTX_MbarrierOrders>,
  PTX_Form<".parity sem=.{acquire|relaxed}? .{cta|cluster}? space=.$shared? "
           ".b64", "=p:pred, [a], parity:u32(0|1), hint:u32?", "7.8", PTX_SM90,
           PTX_MbarrierOrders>]>;
def PTX_MbarrierPendingCountOp
    : PTX_MbarrierInst<"mbarrier.pending_count", [PTX_Pure], [
  PTX_Form<".b64", "=count:u32, state:b64", "7.0", PTX_SM80>]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MBARRIER_TD
