//===- AsyncCopy.td - Asynchronous copies of threads ---------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_ASYNCCOPY_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_ASYNCCOPY_TD

include "PTX/IR/PTXSets.td"

class PTX_CpAsyncInst<string opcode, list<PTX_Flag> instFlags,
                      list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Asynchronous Data Copy Instructions";
  let ptxFamily = PTX_FamilyCpAsync;
  let ptxForms = forms;
}

class PTX_CpAsyncForm<string cache, string sizes, string last, string version>
    : PTX_Form<"." # cache # " dst=.$shared .global hint=.L2::cache_hint? "
               ".$prefetchsize?",
               "[dst], [src], i/size:u32(" # sizes # "), " # last #
               ", policy:b64?hint", version, PTX_SM80>;
def PTX_CpAsyncOp
    : PTX_CpAsyncInst<"cp.async", [PTX_MemRead, PTX_MemWrite, PTX_Async], [
  PTX_CpAsyncForm<"ca", "4|8|16", "r/ignore:pred", "7.5">,
  PTX_CpAsyncForm<"ca", "4", "srcSize:u32(0..4)?", "7.0">,
  PTX_CpAsyncForm<"ca", "8", "srcSize:u32(0..8)?", "7.0">,
  PTX_CpAsyncForm<"ca", "16", "srcSize:u32(0..16)?", "7.0">,
  PTX_CpAsyncForm<"cg", "16", "srcSize:u32(0..16)?", "7.0">,
  PTX_CpAsyncForm<"cg", "16", "r/ignore:pred", "7.5">]> {
  // `.shared::cta` came with the instruction.
  let ptxCommonNeeds = 0;
  let ptxNeeds = [PTX_Needs<["$prefetchsize", "L2::cache_hint"], "7.4">];
}
def PTX_CpAsyncCommitGroupOp
    : PTX_CpAsyncInst<"cp.async.commit_group", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"", "", "7.0", PTX_SM80>]>;
def PTX_CpAsyncWaitGroupOp
    : PTX_CpAsyncInst<"cp.async.wait_group", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"", "i/count:u32", "7.0", PTX_SM80>]>;
def PTX_CpAsyncWaitAllOp
    : PTX_CpAsyncInst<"cp.async.wait_all", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"", "", "7.0", PTX_SM80>]>;
def PTX_CpAsyncMbarrierArriveOp
    : PTX_CpAsyncInst<"cp.async.mbarrier.arrive",
                      [PTX_MemRead, PTX_MemWrite, PTX_Async], [
  PTX_Form<".noinc? space=.$shared? .b64", "[a]", "7.0", PTX_SM80>]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_ASYNCCOPY_TD
