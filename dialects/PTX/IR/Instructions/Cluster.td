//===- Cluster.td - Clusters of thread blocks ----------------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_CLUSTER_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_CLUSTER_TD

include "PTX/IR/PTXSets.td"

class PTX_ClusterInst<string opcode, list<PTX_Flag> instFlags,
                      list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Parallel Synchronization and Communication Instructions";
  let ptxFamily = PTX_FamilyCluster;
  let ptxForms = forms;
}

def PTX_BarrierClusterArriveOp
    : PTX_ClusterInst<"barrier.cluster.arrive",
                      [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".release? .aligned?", "", "7.8", PTX_SM90,
           [PTX_Needs<["release"], "8.0">]>,
  PTX_Form<".relaxed .aligned?", "", "8.0", PTX_SM90>]>;
def PTX_BarrierClusterWaitOp
    : PTX_ClusterInst<"barrier.cluster.wait",
                      [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".acquire? .aligned?", "", "7.8", PTX_SM90,
           [PTX_Needs<["acquire"], "8.0">]>]>;

//===----------------------------------------------------------------------===//
// Cluster launch control
//===----------------------------------------------------------------------===//

def PTX_ClusterlaunchcontrolTryCancelOp
    : PTX_ClusterInst<"clusterlaunchcontrol.try_cancel",
                      [PTX_MemRead, PTX_MemWrite, PTX_Async], [
  PTX_Form<".async space=.shared::cta? .mbarrier::complete_tx::bytes .b128",
           "[a], [mbar]", "8.6", PTX_SM100>,
  PTX_Form<".async space=.shared::cta? .mbarrier::complete_tx::bytes "
           ".multicast::cluster::all .b128", "[a], [mbar]", "8.6",
           PTX_SM100or120f>]>;
def PTX_ClusterlaunchcontrolQueryCancelOp
    : PTX_ClusterInst<"clusterlaunchcontrol.query_cancel", [PTX_Pure], [
  PTX_Form<".is_canceled .pred t=.b128", "=d:pred, a:t", "8.6", PTX_SM100>,
  PTX_Form<".get_first_ctaid .v4 .b32 t=.b128", "=d:b32*4, a:t", "8.6",
           PTX_SM100>,
  PTX_Form<".{get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z} "
           "d=.b32 t=.b128", "=d:d, a:t", "8.6", PTX_SM100>]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_CLUSTER_TD
