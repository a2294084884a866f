//===- PTXCounterparts.td - Operations of upstream's dialects -*- tablegen -*-//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operations of nvvm, nvgpu and gpu become an instruction of PTX. From
// here come the families of operations in the analysis of reachability and
// docs/Counterparts.md.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXCOUNTERPARTS_TD
#define PTXBENCH_DIALECT_PTX_IR_PTXCOUNTERPARTS_TD

include "PTX/IR/PTXInstructions.td"

/// `op` becomes one instruction of `opcode`, unless `text` says otherwise.
class PTX_Counterpart<string op, string opcode, string text = ""> {
  string operation = op;
  string ptxOpcode = opcode;
  string note = text;
  /// Whether the instruction has `.aligned`.
  bit isAligned = 0;
}
class PTX_AlignedCounterpart<string op, string opcode, string text = "">
    : PTX_Counterpart<op, opcode, text> {
  let isAligned = 1;
}

//===----------------------------------------------------------------------===//
// nvvm
//===----------------------------------------------------------------------===//

def : PTX_AlignedCounterpart<"nvvm.wgmma.fence.aligned", "wgmma.fence">;
def : PTX_AlignedCounterpart<"nvvm.wgmma.mma_async", "wgmma.mma_async">;
def : PTX_AlignedCounterpart<"nvvm.wgmma.commit.group.sync.aligned",
                             "wgmma.commit_group">;
def : PTX_AlignedCounterpart<"nvvm.wgmma.wait.group.sync.aligned",
                             "wgmma.wait_group">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.global.shared.cta", "cp.async.bulk">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.shared.cluster.global",
                      "cp.async.bulk">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.shared.cluster.shared.cta",
                      "cp.async.bulk">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.prefetch", "cp.async.bulk.prefetch">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.commit.group",
                      "cp.async.bulk.commit_group">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.wait_group",
                      "cp.async.bulk.wait_group">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.tensor.shared.cluster.global",
                      "cp.async.bulk.tensor">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.tensor.global.shared.cta",
                      "cp.async.bulk.tensor">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.tensor.reduce",
                      "cp.reduce.async.bulk.tensor">;
def : PTX_Counterpart<"nvvm.cp.async.bulk.tensor.prefetch",
                      "cp.async.bulk.prefetch.tensor">;
def : PTX_Counterpart<"nvvm.cp.async.shared.global", "cp.async">;
def : PTX_Counterpart<"nvvm.cp.async.commit.group", "cp.async.commit_group">;
def : PTX_Counterpart<"nvvm.cp.async.wait.group", "cp.async.wait_group">;
def : PTX_Counterpart<"nvvm.cp.async.mbarrier.arrive",
                      "cp.async.mbarrier.arrive">;
def : PTX_Counterpart<"nvvm.mbarrier.init", "mbarrier.init">;
def : PTX_Counterpart<"nvvm.mbarrier.inval", "mbarrier.inval">;
def : PTX_Counterpart<"nvvm.mbarrier.arrive", "mbarrier.arrive">;
def : PTX_Counterpart<"nvvm.mbarrier.arrive.expect_tx", "mbarrier.arrive">;
def : PTX_Counterpart<"nvvm.mbarrier.arrive.nocomplete", "mbarrier.arrive">;
def : PTX_Counterpart<"nvvm.mbarrier.arrive_drop", "mbarrier.arrive_drop">;
def : PTX_Counterpart<"nvvm.mbarrier.arrive_drop.expect_tx",
                      "mbarrier.arrive_drop">;
def : PTX_Counterpart<"nvvm.mbarrier.arrive_drop.nocomplete",
                      "mbarrier.arrive_drop">;
def : PTX_Counterpart<"nvvm.mbarrier.expect_tx", "mbarrier.expect_tx">;
def : PTX_Counterpart<"nvvm.mbarrier.complete_tx", "mbarrier.complete_tx">;
def : PTX_Counterpart<"nvvm.mbarrier.test.wait", "mbarrier.test_wait">;
def : PTX_Counterpart<"nvvm.mbarrier.try_wait", "mbarrier.try_wait">;
def : PTX_Counterpart<"nvvm.mbarrier.try_wait.parity", "mbarrier.try_wait">;
def : PTX_AlignedCounterpart<"nvvm.ldmatrix", "ldmatrix">;
def : PTX_AlignedCounterpart<"nvvm.stmatrix", "stmatrix">;
def : PTX_AlignedCounterpart<"nvvm.mma.sync", "mma">;
def : PTX_AlignedCounterpart<"nvvm.mma.sp.sync", "mma">;
def : PTX_AlignedCounterpart<"nvvm.mma.block_scale", "mma">;
def : PTX_AlignedCounterpart<"nvvm.mma.sp.block_scale", "mma">;
def : PTX_AlignedCounterpart<"nvvm.wmma.load", "wmma.load">;
def : PTX_AlignedCounterpart<"nvvm.wmma.mma", "wmma.mma">;
def : PTX_AlignedCounterpart<"nvvm.wmma.store", "wmma.store">;
def : PTX_AlignedCounterpart<"nvvm.setmaxregister", "setmaxnreg">;
def : PTX_Counterpart<"nvvm.elect.sync", "elect.sync">;
def : PTX_Counterpart<"nvvm.redux.sync", "redux.sync">;
def : PTX_Counterpart<"nvvm.shfl.sync", "shfl.sync">;
def : PTX_Counterpart<"nvvm.vote.sync", "vote.sync">;
def : PTX_Counterpart<"nvvm.match.sync", "match">;
def : PTX_Counterpart<"nvvm.barrier", "barrier">;
def : PTX_Counterpart<"nvvm.barrier0", "barrier">;
def : PTX_Counterpart<"nvvm.barrier.arrive", "barrier">;
def : PTX_Counterpart<"nvvm.bar.warp.sync", "bar.warp.sync">;
def : PTX_Counterpart<"nvvm.cluster.arrive", "barrier.cluster.arrive">;
def : PTX_Counterpart<"nvvm.cluster.arrive.relaxed", "barrier.cluster.arrive">;
def : PTX_Counterpart<"nvvm.cluster.wait", "barrier.cluster.wait">;
def : PTX_Counterpart<"nvvm.mapa", "mapa">;
def : PTX_Counterpart<"nvvm.clusterlaunchcontrol.try.cancel",
                      "clusterlaunchcontrol.try_cancel">;
def : PTX_Counterpart<"nvvm.clusterlaunchcontrol.query.cancel",
                      "clusterlaunchcontrol.query_cancel">;
def : PTX_Counterpart<"nvvm.fence.mbarrier.init", "fence.mbarrier_init">;
def : PTX_Counterpart<"nvvm.fence.proxy", "fence.proxy">;
def : PTX_Counterpart<"nvvm.fence.proxy.acquire", "fence.proxy">;
def : PTX_Counterpart<"nvvm.fence.proxy.release", "fence.proxy">;
def : PTX_Counterpart<"nvvm.fence.proxy.sync_restrict", "fence.proxy">;
def : PTX_Counterpart<"nvvm.fence.sync_restrict", "fence">;
def : PTX_Counterpart<"nvvm.fence.sc.cluster", "fence">;
def : PTX_Counterpart<"nvvm.memory.barrier", "membar">;
def : PTX_Counterpart<"nvvm.griddepcontrol", "griddepcontrol">;
def : PTX_Counterpart<"nvvm.nanosleep", "nanosleep">;
def : PTX_Counterpart<"nvvm.prefetch", "prefetch",
                      "with `tensormap` it is of the family `tma`">;
def : PTX_AlignedCounterpart<"nvvm.tcgen05.alloc", "tcgen05.alloc">;
def : PTX_AlignedCounterpart<"nvvm.tcgen05.dealloc", "tcgen05.dealloc">;
def : PTX_AlignedCounterpart<"nvvm.tcgen05.relinquish_alloc_permit",
                             "tcgen05.relinquish_alloc_permit">;
def : PTX_Counterpart<"nvvm.tcgen05.fence", "tcgen05">;
def : PTX_AlignedCounterpart<"nvvm.tcgen05.wait", "tcgen05">;
def : PTX_Counterpart<"nvvm.tcgen05.commit", "tcgen05.commit">;
def : PTX_Counterpart<"nvvm.tcgen05.shift", "tcgen05.shift">;
def : PTX_Counterpart<"nvvm.tcgen05.cp", "tcgen05.cp">;
def : PTX_AlignedCounterpart<"nvvm.tcgen05.ld", "tcgen05.ld">;
def : PTX_AlignedCounterpart<"nvvm.tcgen05.st", "tcgen05.st">;
def : PTX_Counterpart<"nvvm.tcgen05.mma", "tcgen05.mma">;
def : PTX_Counterpart<"nvvm.tcgen05.mma.sp", "tcgen05.mma">;
def : PTX_Counterpart<"nvvm.tcgen05.mma.block_scale", "tcgen05.mma">;
def : PTX_Counterpart<"nvvm.tcgen05.mma.sp.block_scale", "tcgen05.mma">;
def : PTX_Counterpart<"nvvm.tcgen05.mma.ws", "tcgen05.mma">;
def : PTX_Counterpart<"nvvm.tcgen05.mma.ws.sp", "tcgen05.mma">;
def : PTX_Counterpart<"nvvm.st.bulk", "st.bulk">;
def : PTX_Counterpart<"nvvm.exit", "exit">;
def : PTX_Counterpart<"nvvm.breakpoint", "brkpt">;
def : PTX_Counterpart<"nvvm.pmevent", "pmevent">;
def : PTX_Counterpart<"nvvm.prmt", "prmt">;
def : PTX_Counterpart<"nvvm.rcp.approx.ftz.f", "rcp">;
def : PTX_Counterpart<"nvvm.dot.accumulate.4way", "dp4a">;
def : PTX_Counterpart<"nvvm.dot.accumulate.2way", "dp2a">;
foreach types = ["float.to.tf32", "f32x2.to.f16x2", "f32x2.to.bf16x2",
                 "f32x2.to.f8x2", "f16x2.to.f8x2", "bf16x2.to.f8x2",
                 "f8x2.to.f16x2", "f8x2.to.bf16x2", "f32x2.to.f6x2",
                 "f6x2.to.f16x2", "f32x2.to.f4x2", "f4x2.to.f16x2",
                 "f32x4.to.f8x4", "f32x4.to.f6x4", "f32x4.to.f4x4"] in
  def : PTX_Counterpart<!strconcat("nvvm.convert.", types), "cvt">;

// Special registers: behind "nvvm.read.ptx.sreg.", behind "%", and their type.
defvar PTX_SpecialRegisters = !listconcat(
    !foreach(name, !listconcat(
        ["laneid", "warpid", "nwarpid", "smid", "nsmid", "gridid", "clock"],
        !foldl([]<string>, ["tid", "ntid", "ctaid", "nctaid", "clusterid",
                            "nclusterid"], all, reg,
               !listconcat(all, !foreach(dim, ["x", "y", "z"],
                                         !strconcat(reg, ".", dim)))),
        !foreach(i, !range(0, 32), !strconcat("envreg", !cast<string>(i)))),
      [name, name, "32"]),
    !foreach(name, ["lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge",
                    "lanemask_gt", "cluster_ctaid.x", "cluster_ctaid.y",
                    "cluster_ctaid.z", "cluster_nctaid.x", "cluster_nctaid.y",
                    "cluster_nctaid.z", "cluster_ctarank", "cluster_nctarank",
                    "total_smem_size", "dynamic_smem_size", "aggr_smem_size",
                    "globaltimer_lo"],
             [!subst("_", ".", name), name, "32"]),
    [["clock64", "clock64", "64"], ["globaltimer", "globaltimer", "64"]]);
foreach register = PTX_SpecialRegisters in
  def : PTX_Counterpart<!strconcat("nvvm.read.ptx.sreg.", register[0]), "mov">;
def : PTX_Counterpart<"nvvm.read.ptx.sreg.warpsize", "mov">;

//===----------------------------------------------------------------------===//
// nvgpu
//===----------------------------------------------------------------------===//

def : PTX_Counterpart<"nvgpu.device_async_copy", "cp.async">;
def : PTX_Counterpart<"nvgpu.device_async_create_group",
                      "cp.async.commit_group">;
def : PTX_Counterpart<"nvgpu.device_async_wait", "cp.async.wait_group">;
def : PTX_AlignedCounterpart<"nvgpu.ldmatrix", "ldmatrix">;
def : PTX_AlignedCounterpart<"nvgpu.mma.sync", "mma">;
def : PTX_AlignedCounterpart<"nvgpu.mma.sp.sync", "mma">;
def : PTX_Counterpart<"nvgpu.mbarrier.init", "mbarrier.init">;
def : PTX_Counterpart<"nvgpu.mbarrier.arrive", "mbarrier.arrive">;
def : PTX_Counterpart<"nvgpu.mbarrier.arrive.expect_tx",
                      "mbarrier.arrive",
                      "the state is lost">;
def : PTX_Counterpart<"nvgpu.mbarrier.arrive.nocomplete", "mbarrier.arrive">;
def : PTX_Counterpart<"nvgpu.mbarrier.test.wait", "mbarrier.test_wait">;
def : PTX_Counterpart<"nvgpu.mbarrier.try_wait.parity", "mbarrier.try_wait">;
def : PTX_Counterpart<"nvgpu.tma.async.load", "cp.async.bulk.tensor">;
def : PTX_Counterpart<"nvgpu.tma.async.store", "cp.async.bulk.tensor">;
def : PTX_Counterpart<"nvgpu.tma.fence.descriptor", "fence.proxy">;
def : PTX_Counterpart<"nvgpu.tma.prefetch.descriptor", "prefetch",
                      "of the family `tma`, as it has `.tensormap`">;
def : PTX_AlignedCounterpart<"nvgpu.warpgroup.mma",
                             "wgmma.mma_async",
                             "several, between `wgmma.fence`, `wgmma.commit_group` and `wgmma.wait_group`">;

//===----------------------------------------------------------------------===//
// gpu
//===----------------------------------------------------------------------===//

def : PTX_AlignedCounterpart<"gpu.subgroup_mma_load_matrix", "wmma.load">;
def : PTX_AlignedCounterpart<"gpu.subgroup_mma_compute", "wmma.mma">;
def : PTX_AlignedCounterpart<"gpu.subgroup_mma_store_matrix", "wmma.store">;
def : PTX_Counterpart<"gpu.subgroup_reduce", "redux.sync",
                      "`uniform`, of `i32`, of all lanes: `add`, `and`, `or`, `xor`, `minsi`, `maxsi`; no other has a lowering to nvvm, nor a family">;

#endif // PTXBENCH_DIALECT_PTX_IR_PTXCOUNTERPARTS_TD
