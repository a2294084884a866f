//===- TMA.td - Bulk and tensor copies, tensor maps ----------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TMA_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TMA_TD

include "PTX/IR/PTXSets.td"

class PTX_TmaInst<string opcode, list<PTX_Flag> instFlags,
                  list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Asynchronous Data Copy Instructions";
  let ptxFamily = PTX_FamilyTma;
  let ptxForms = forms;
}

/// Copies read one memory, write another, and complete later.
class PTX_BulkCopyInst<string opcode, list<PTX_Form> forms>
    : PTX_TmaInst<opcode, [PTX_MemRead, PTX_MemWrite, PTX_Async], forms>;

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

def PTX_CpAsyncBulkOp : PTX_BulkCopyInst<"cp.async.bulk", [
  PTX_Form<"dst=.shared::cluster src=.global .mbarrier::complete_tx::bytes "
           "multicast=.multicast::cluster? hint=.L2::cache_hint?",
           "[dst], [src], size:u32(0..1048560/16), [mbar], mask:u16?multicast, "
           "policy:b64?hint", "8.0", PTX_SM90>,
  PTX_Form<"dst=.shared::cta src=.global .mbarrier::complete_tx::bytes "
           "hint=.L2::cache_hint?",
           "[dst], [src], size:u32(0..1048560/16), [mbar], policy:b64?hint", "8.6",
           PTX_SM90>,
  PTX_Form<"dst=.shared::cluster src=.shared::cta "
           ".mbarrier::complete_tx::bytes",
           "[dst], [src], size:u32(0..1048560/16), [mbar]", "8.0", PTX_SM90>,
  PTX_Form<"dst=.global src=.shared::cta .bulk_group hint=.L2::cache_hint?",
           "[dst], [src], size:u32(0..1048560/16), policy:b64?hint", "8.0", PTX_SM90>,
  PTX_Form<"dst=.global src=.shared::cta .bulk_group hint=.L2::cache_hint? "
           ".cp_mask",
           "[dst], [src], size:u32(0..1048560/16), policy:b64?hint, byteMask:u16", "8.6",
           PTX_SM100>]>;

class PTX_ReduceBulkForm<string mods>
    : PTX_Form<"dst=.global src=.shared::cta .bulk_group "
               "hint=.L2::cache_hint? " # mods,
               "[dst], [src], size:u32(0..1048560/16), policy:b64?hint", "8.0", PTX_SM90>;
class PTX_ReduceClusterForm<string mods>
    : PTX_Form<"dst=.shared::cluster src=.shared::cta "
               ".mbarrier::complete_tx::bytes " # mods,
               "[dst], [src], size:u32(0..1048560/16), [mbar]", "8.0", PTX_SM90>;
def PTX_CpReduceAsyncBulkOp : PTX_BulkCopyInst<"cp.reduce.async.bulk", [
  PTX_ReduceClusterForm<"op=.{and|or|xor} t=.b32">,
  PTX_ReduceClusterForm<"op=.add t=.{u32|s32|u64}">,
  PTX_ReduceClusterForm<"op=.{inc|dec} t=.u32">,
  PTX_ReduceClusterForm<"op=.{min|max} t=.{u32|s32}">,
  PTX_ReduceBulkForm<"op=.{and|or|xor} t=.$bits3264">,
  PTX_ReduceBulkForm<"op=.add t=.{u32|s32|u64|f32|f64}">,
  PTX_ReduceBulkForm<"op=.{inc|dec} t=.u32">,
  PTX_ReduceBulkForm<"op=.{min|max} t=.{u32|s32|u64|s64|f16|bf16}">,
  PTX_ReduceBulkForm<"op=.add .noftz t=.{f16|bf16}">]>;

def PTX_CpAsyncBulkPrefetchOp : PTX_BulkCopyInst<"cp.async.bulk.prefetch", [
  PTX_Form<".L2 src=.global hint=.L2::cache_hint?",
           "[src], size:u32(0..1048560/16), policy:b64?hint", "8.0", PTX_SM90>]>;
def PTX_CpAsyncBulkCommitGroupOp
    : PTX_TmaInst<"cp.async.bulk.commit_group", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"", "", "8.0", PTX_SM90>]>;
def PTX_CpAsyncBulkWaitGroupOp
    : PTX_TmaInst<"cp.async.bulk.wait_group", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".read?", "i/count:u32", "8.0", PTX_SM90>]>;

//===----------------------------------------------------------------------===//
// Tensor copies
//===----------------------------------------------------------------------===//

def PTX_SetIm2colMode
    : PTX_ModSet<"im2colmode", ["im2col", "im2col::w", "im2col::w::128"]>;

/// Loads of a tensor tile into shared memory; `tail` names the group of the
/// two-CTA forms.
class PTX_TensorLoadForms<string spaces, string multicast, string mask,
                          string version, list<string> sm,
                          list<string> gatherSm> {
  defvar head = "dim=.$dim " # spaces # " ";
  defvar done = " .mbarrier::complete_tx::bytes " # multicast;
  defvar hint = " hint=.L2::cache_hint?";
  defvar group = " .{cta_group::1|cta_group::2}";
  defvar tile = "[dst], [map,c*dim], [mbar]" # mask # ", policy:b64?hint";
  defvar gather = "[dst], [map,c*@tma_coordinates], [mbar]" # mask #
                  ", policy:b64?hint";
  defvar im2col = "[dst], [map,c*dim], [mbar], offsets:u16*@tma_im2col" #
                  mask # ", policy:b64?hint";
  list<PTX_Form> forms = [
    PTX_Form<head # "mode=.tile?" # done # hint, tile, version, sm>,
    PTX_Form<head # "mode=.im2col" # done # hint, im2col, version, sm>,
    PTX_Form<head # "mode=.tile?" # done # group # hint, tile, "8.6",
             PTX_SM100f>,
    PTX_Form<head # "mode=.tile::gather4" # done # hint, gather, "8.6",
             gatherSm>,
    PTX_Form<head # "mode=.tile::gather4" # done # group # hint, gather,
             "8.6", PTX_SM100f>,
    PTX_Form<head # "mode=.$im2colmode" # done # group # hint, im2col, "8.6",
             PTX_SM100f>,
    PTX_Form<head # "mode=.{im2col::w|im2col::w::128}" # done # hint, im2col,
             "8.6", gatherSm,
             [PTX_Needs<["im2col::w::128"], "8.6", PTX_SM100f>]>];
}

def PTX_CpAsyncBulkTensorOp
    : PTX_BulkCopyInst<"cp.async.bulk.tensor", !listconcat(
        PTX_TensorLoadForms<"dst=.shared::cluster src=.global",
                            "multicast=.multicast::cluster?",
                            ", mask:u16?multicast", "8.0", PTX_SM90,
                            PTX_SM100f>.forms,
        PTX_TensorLoadForms<"dst=.shared::cta src=.global", "", "", "8.6",
                            PTX_SM90, PTX_SM100>.forms,
        [PTX_Form<"dim=.$dim dst=.global src=.shared::cta "
                  "mode=.{tile|im2col_no_offs}? .bulk_group "
                  "hint=.L2::cache_hint?",
                  "[map,c*dim], [src], policy:b64?hint", "8.0", PTX_SM90>,
         PTX_Form<"dim=.$dim dst=.global src=.shared::cta "
                  "mode=.tile::scatter4 .bulk_group hint=.L2::cache_hint?",
                  "[map,c*@tma_coordinates], [src], policy:b64?hint", "8.6",
                  PTX_SM100f>])> {
  let ptxRules = PTX_TensorRules;
}

def PTX_CpReduceAsyncBulkTensorOp
    : PTX_BulkCopyInst<"cp.reduce.async.bulk.tensor", [
  PTX_Form<"dim=.$dim dst=.global src=.shared::cta "
           "op=.{add|min|max|inc|dec|and|or|xor} "
           "mode=.{tile|im2col_no_offs}? .bulk_group hint=.L2::cache_hint?",
           "[map,c*dim], [src], policy:b64?hint", "8.0", PTX_SM90>]> {
  let ptxRules = PTX_TensorRules;
}

def PTX_CpAsyncBulkPrefetchTensorOp
    : PTX_BulkCopyInst<"cp.async.bulk.prefetch.tensor", [
  PTX_Form<"dim=.$dim .L2 src=.global mode=.tile? hint=.L2::cache_hint?",
           "[map,c*dim], policy:b64?hint", "8.0", PTX_SM90>,
  PTX_Form<"dim=.$dim .L2 src=.global mode=.im2col hint=.L2::cache_hint?",
           "[map,c*dim], offsets:u16*@tma_im2col, policy:b64?hint", "8.0",
           PTX_SM90>,
  PTX_Form<"dim=.$dim .L2 src=.global mode=.tile::gather4 "
           "hint=.L2::cache_hint?",
           "[map,c*@tma_coordinates], policy:b64?hint", "8.6", PTX_SM100f>,
  PTX_Form<"dim=.$dim .L2 src=.global mode=.$im2colmode hint=.L2::cache_hint?",
           "[map,c*dim], offsets:u16*@tma_im2col, policy:b64?hint", "8.6",
           PTX_SM100f>]> {
  let ptxRules = PTX_TensorRules;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

class PTX_TensormapInst<string opcode, list<PTX_Flag> instFlags,
                        list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Data Movement and Conversion Instructions";
  let ptxFamily = PTX_FamilyTensormap;
  let ptxForms = forms;
}

/// A field with one of a few values.
class PTX_TensormapEnumForm<string name, string values, string version,
                            list<string> sm>
    : PTX_Form<".tile field=." # name #
               " space=.{global|shared::cta}? .b1024 t=.b32",
               "[a], i/value:t(" # values # ")", version, sm>;
def PTX_TensormapReplaceOp
    : PTX_TensormapInst<"tensormap.replace", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".tile field=.global_address space=.{global|shared::cta}? .b1024 "
           "t=.b64", "[a], value:t", "8.3", PTX_SM90aTo120f>,
  PTX_Form<".tile field=.rank space=.{global|shared::cta}? .b1024 t=.b32",
           "[a], value:t", "8.3", PTX_SM90aTo120f>,
  PTX_Form<".tile field=.{box_dim|global_dim|element_stride} "
           "space=.{global|shared::cta}? .b1024 t=.b32",
           "[a], i/ord:u32(0..4), value:t", "8.3", PTX_SM90aTo120f>,
  PTX_Form<".tile field=.global_stride space=.{global|shared::cta}? .b1024 "
           "t=.b64", "[a], i/ord:u32(0..4), value:t", "8.3", PTX_SM90aTo120f>,
  PTX_TensormapEnumForm<"elemtype", "0..15", "8.7", PTX_SM100or120f>,
  PTX_TensormapEnumForm<"elemtype", "0..12", "8.3", PTX_SM90aTo120f>,
  PTX_TensormapEnumForm<"interleave_layout", "0..2", "8.3", PTX_SM90aTo120f>,
  PTX_TensormapEnumForm<"swizzle_mode", "0..4", "8.8", ["sm_103a"]>,
  PTX_TensormapEnumForm<"swizzle_mode", "0..3", "8.3", PTX_SM90aTo120f>,
  PTX_TensormapEnumForm<"fill_mode", "0..1", "8.3", PTX_SM90aTo120f>,
  PTX_TensormapEnumForm<"swizzle_atomicity", "0..3", "8.6",
                        PTX_SM100or120f>]>;
def PTX_TensormapCpFenceproxyOp
    : PTX_TensormapInst<"tensormap.cp_fenceproxy",
                        [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"dst=.global src=.shared::cta .tensormap::generic .release "
           "scope=.$scope .sync .aligned", "[dst], [src], i/size:u32(128)", "8.3",
           PTX_SM90>]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TMA_TD
