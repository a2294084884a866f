//===- PTXConversions.td - nvvm as PTX and back ------------*- tablegen -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operation of nvvm is in PTX, as a text with places for what differs.
// -convert-nvvm-to-ptx fills the places, -convert-ptx-to-nvvm holds an
// instruction against the text and reads them. Names are those of the
// operation's operands, results and attributes; one that begins with `~` is
// computed by lib/Conversion/NVVM/Hooks.cpp.
//
//   $a               the register of an operand or result; a constant stands
//                    as such where PTX has one
//   $?a              an i32 that is a predicate in PTX
//   $a*              all elements of a list, struct or vector, with commas
//   $a*=b            likewise, in the registers that b is given in
//   $a[0]            one element of a struct
//   $=a              an operand that must be a constant
//   $!a              a predicate that an attribute gives, in a register
//   $:a  $:{a}       an attribute: the word of an enumerator, m64n8k16 of a
//                    shape
//   $#a  $#{a}       its number; of a list: how long it is
//   <.x/.y>          .x; .y means the same. One of them may be empty
//   <a? x>  <a? x;y> x if the operand or result a is there, else y
//   <a v:x;w:y>      by the value of the attribute a. `-`: it is not there;
//                    `*`: any other. Again x may be `x/z`
//   <@a 3:x;0:y>     by the address space of the pointer a; `-`: no pointer
//   <%a i32:x>       by the type of a; 4xi8 is a vector
//   %tid.x           a special register
//
// Modifiers may stand in another order than here, but for those that are alike:
// the n-th type of an instruction is the n-th type here.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXCONVERSIONS_TD
#define PTXBENCH_DIALECT_PTX_IR_PTXCONVERSIONS_TD

include "mlir/Dialect/LLVMIR/NVVMOps.td"
include "PTX/IR/PTXCounterparts.td"

/// Each text is read; the first that has a case for the operation is written.
class PTX_Conversion<string op, list<string> texts> {
  string operation = op;
  list<string> templates = texts;
  /// Statements around the instruction, in a scope of their own. What has some
  /// is read back only as a whole.
  string before = "";
  string after = "";
  /// The operand that is the guard.
  string guard = "";
  /// What is not kept on the way to PTX, and on the way back. Where `reads` is
  /// not set, `lostInNVVM` says why.
  string lostInPTX = "";
  string lostInNVVM = "";
  bit reads = 1;
  /// Executed again, it may give another result.
  bit isVolatile = 0;
}
class PTX_Converts<string op, string text> : PTX_Conversion<op, [text]>;

/// An operation that does not become PTX, and why. Each of nvvm has a record of
/// the one kind or of the other.
class PTX_NoConversion<string op, string text> {
  string operation = op;
  string reason = text;
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

class PTX_SharedOf<string operand> {
  string text = !strconcat("<@", operand, " 0:;3:.shared/.shared::cta>");
}
defvar PTX_AddrShared = PTX_SharedOf<"addr">.text;
defvar PTX_Hint = "<l2CacheHint? .L2::cache_hint>";
defvar PTX_HintValue = "<l2CacheHint? , $l2CacheHint>";
defvar PTX_Multicast = "<multicastMask? .multicast::cluster>";
defvar PTX_MulticastValue = "<multicastMask? , $multicastMask>";
defvar PTX_Group = "<group cta_1:.cta_group::1;cta_2:.cta_group::2>";

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

def : PTX_Converts<"nvvm.wgmma.fence.aligned", "wgmma.fence.sync.aligned">;
def : PTX_Converts<"nvvm.wgmma.commit.group.sync.aligned",
                   "wgmma.commit_group.sync.aligned">;
def : PTX_Converts<"nvvm.wgmma.wait.group.sync.aligned",
                   "wgmma.wait_group.sync.aligned $#group">;
def : PTX_Converts<"nvvm.wgmma.mma_async",
    "wgmma.mma_async.sync.aligned.$:shape"
    "<satfinite -:;wrapped:;satfinite:.satfinite>"
    ".$:typeD.$:typeA.$:typeB"
    "<typeA b1:.and.popc;*:> "
    "{$results*=inouts}, $descriptorA, $descriptorB, "
    "<typeD s32:$!scaleD<scaleA one:><scaleB one:>;"
    "*:$#scaleD, <scaleA one:1;neg:-1>, <scaleB one:1;neg:-1>>"
    "<typeA f16:, $#layoutA, <layoutB col:0;row:1>;"
    "bf16:, $#layoutA, <layoutB col:0;row:1>;"
    "*:<layoutA row:><layoutB col:>>"> {
  let lostInNVVM = "A in registers, sparse A, a scale-d in a register and b1 "
                   "have no operation";
}

//===----------------------------------------------------------------------===//
// Bulk copies and TMA
//===----------------------------------------------------------------------===//

def : PTX_Converts<"nvvm.cp.async.bulk.global.shared.cta",
    !strconcat("cp.async.bulk.global.shared::cta.bulk_group", PTX_Hint,
               "<byteMask? .cp_mask> [$dstMem], [$srcMem], $size",
               PTX_HintValue, "<byteMask? , $byteMask>")>;
def : PTX_Converts<"nvvm.cp.async.bulk.shared.cluster.global",
    !strconcat("cp.async.bulk<@dstMem 7:.shared::cluster;"
               "3:.shared::cta>.global.mbarrier::complete_tx::bytes",
               PTX_Multicast, PTX_Hint, " [$dstMem], [$srcMem], $size, [$mbar]",
               PTX_MulticastValue, PTX_HintValue)>;
def : PTX_Converts<"nvvm.cp.async.bulk.shared.cluster.shared.cta",
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
    "[$dstMem], [$srcMem], $size, [$mbar]">;
def : PTX_Converts<"nvvm.cp.async.bulk.prefetch",
    !strconcat("cp.async.bulk.prefetch.L2.global", PTX_Hint,
               " [$srcMem], $size", PTX_HintValue)>;
def : PTX_Converts<"nvvm.cp.async.bulk.commit.group",
                   "cp.async.bulk.commit_group">;
def : PTX_Converts<"nvvm.cp.async.bulk.wait_group",
                   "cp.async.bulk.wait_group<read -:;true:.read> $#group">;

// Four rows or columns of a 2D tensor have five coordinates.
defvar PTX_LoadDim = "<mode tile_gather4:.2d;*:.$#{coordinates}d>";
defvar PTX_LoadMode = "<mode tile:.tile/;im2col:.im2col;im2col_w:.im2col::w;"
                      "im2col_w_128:.im2col::w::128;"
                      "tile_gather4:.tile::gather4>";
defvar PTX_StoreDim = "<mode tile_scatter4:.2d;*:.$#{coordinates}d>";
defvar PTX_StoreMode = "<mode tile:.tile/;im2col:.im2col_no_offs;"
                       "tile_scatter4:.tile::scatter4>";
defvar PTX_Map = "[$tmaDescriptor, {$coordinates*}]";
defvar PTX_Im2colValue = "<im2colOffsets? , {$im2colOffsets*}>";

def : PTX_Converts<"nvvm.cp.async.bulk.tensor.shared.cluster.global",
    !strconcat("cp.async.bulk.tensor", PTX_LoadDim,
               "<isCTAOnly false:.shared::cluster<@dstMem 7:;3:>;"
               "true:.shared::cta<@dstMem 3:>>.global",
               PTX_LoadMode, ".mbarrier::complete_tx::bytes", PTX_Multicast,
               "<group -:;cta_1:.cta_group::1;cta_2:.cta_group::2>", PTX_Hint,
               " [$dstMem], ", PTX_Map, ", [$mbar]", PTX_Im2colValue,
               PTX_MulticastValue, PTX_HintValue)> {
  let guard = "predicate";
  let lostInNVVM = "`.cta_group` under a guard has no operation";
}
def : PTX_Converts<"nvvm.cp.async.bulk.tensor.global.shared.cta",
    !strconcat("cp.async.bulk.tensor", PTX_StoreDim, ".global.shared::cta",
               PTX_StoreMode, ".bulk_group", PTX_Hint, " ", PTX_Map,
               ", [$srcMem]", PTX_HintValue)> {
  let guard = "predicate";
}
def : PTX_Converts<"nvvm.cp.async.bulk.tensor.reduce",
    !strconcat("cp.reduce.async.bulk.tensor", PTX_StoreDim,
               ".global.shared::cta.$:redKind", PTX_StoreMode, ".bulk_group",
               PTX_Hint, " ", PTX_Map, ", [$srcMem]", PTX_HintValue)>;
def : PTX_Converts<"nvvm.cp.async.bulk.tensor.prefetch",
    !strconcat("cp.async.bulk.prefetch.tensor", PTX_LoadDim, ".L2.global",
               PTX_LoadMode, PTX_Hint, " ", PTX_Map, PTX_Im2colValue,
               PTX_HintValue)>;

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

def : PTX_Converts<"nvvm.cp.async.shared.global",
    "cp.async.$:modifier<.shared/.shared::cta>.global [$dst], [$src], $#size"
    "<cpSize? , $cpSize>"> {
  let lostInNVVM = "ignore-src, a cache hint and a prefetch size have no "
                   "operation";
}
def : PTX_Converts<"nvvm.cp.async.commit.group", "cp.async.commit_group">;
def : PTX_Converts<"nvvm.cp.async.wait.group", "cp.async.wait_group $#n">;
def : PTX_Converts<"nvvm.cp.async.mbarrier.arrive",
    !strconcat("cp.async.mbarrier.arrive<noinc false:;true:.noinc>",
               PTX_AddrShared, ".b64 [$addr]")>;

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

def : PTX_Converts<"nvvm.mbarrier.init",
    !strconcat("mbarrier.init", PTX_AddrShared, ".b64 [$addr], $count")> {
  let guard = "predicate";
}
def : PTX_Converts<"nvvm.mbarrier.inval",
    !strconcat("mbarrier.inval", PTX_AddrShared, ".b64 [$addr]")>;

class PTX_Orders<string strong> {
  string text = !strconcat("<relaxed false:<scope cta:/.", strong,
                           ".cta;cluster:.", strong,
                           ".cluster>;true:.relaxed.$:scope>");
}
defvar PTX_Release = PTX_Orders<"release">.text;
defvar PTX_Acquire = PTX_Orders<"acquire">.text;
defvar PTX_ArriveSpace = "<@addr 0:;3:.shared/.shared::cta;7:.shared::cluster>";
// An arrival at another CTA gives no state.
defvar PTX_State = "<@addr 7:_;*:<res? $res;_>>";

foreach op = ["mbarrier.arrive", "mbarrier.arrive_drop"] in {
  def : PTX_Converts<!strconcat("nvvm.", op),
      !strconcat(op, PTX_Release, PTX_ArriveSpace, ".b64 ", PTX_State,
                 ", [$addr]<count? , $count>")>;
  def : PTX_Converts<!strconcat("nvvm.", op, ".nocomplete"),
      !strconcat(op, "<.noComplete/.noComplete.release.cta>", PTX_AddrShared,
                 ".b64 $res, [$addr], $count")>;
}
def : PTX_Converts<"nvvm.mbarrier.arrive.expect_tx",
    !strconcat("mbarrier.arrive.expect_tx", PTX_Release, PTX_ArriveSpace,
               ".b64 ", PTX_State, ", [$addr], $txcount")> {
  let guard = "predicate";
}
def : PTX_Converts<"nvvm.mbarrier.arrive_drop.expect_tx",
    !strconcat("mbarrier.arrive_drop.expect_tx", PTX_Release, PTX_ArriveSpace,
               ".b64 ", PTX_State, ", [$addr], $txcount")>;
foreach op = ["mbarrier.expect_tx", "mbarrier.complete_tx"] in
  def : PTX_Converts<!strconcat("nvvm.", op),
      !strconcat(op,
                 "<scope cta:.relaxed.cta/;cluster:.relaxed.cluster><@addr "
                 "3:.shared/.shared::cta;7:.shared::cluster>.b64 [$addr], "
                 "$txcount")>;

def : PTX_Converts<"nvvm.mbarrier.test.wait",
    !strconcat("mbarrier.test_wait<%stateOrPhase i64:;i32:.parity>",
               PTX_Acquire, PTX_AddrShared,
               ".b64 $res, [$addr], $stateOrPhase")>;
def : PTX_Converts<"nvvm.mbarrier.try_wait",
    !strconcat("mbarrier.try_wait<%stateOrPhase i64:;i32:.parity>", PTX_Acquire,
               PTX_AddrShared,
               ".b64 $res, [$addr], $stateOrPhase<ticks? , $ticks>")>;
def : PTX_Converts<"nvvm.mbarrier.try_wait.parity",
    !strconcat("mbarrier.try_wait.parity", PTX_AddrShared,
               ".b64 p, [$addr], $phase, $ticks")> {
  let before = ".reg .pred p;\nwait:";
  let after = "@p bra.uni done;\nbra.uni wait;\ndone:";
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

defvar PTX_MatrixElement =
    "<eltType b16:.b16;b8:.b8;b8x16.b6x16_p32:.b8x16.b6x16_p32;"
    "b8x16.b4x16_p64:.b8x16.b4x16_p64>";
def : PTX_Converts<"nvvm.ldmatrix",
    !strconcat("ldmatrix.sync.aligned.$:shape.x$#num<layout row:;"
               "col:.trans><.shared/.shared::cta>", PTX_MatrixElement,
               " {$res*}, [$ptr]")>;
def : PTX_Converts<"nvvm.stmatrix",
    !strconcat("stmatrix.sync.aligned.$:shape.x$#sources<layout row:;"
               "col:.trans><.shared/.shared::cta>", PTX_MatrixElement,
               " [$ptr], {$sources*}")>;

defvar PTX_MmaTypes = ".$:~typeD.$:multiplicandAPtxType"
                      ".$:multiplicandBPtxType.$:~typeC";
defvar PTX_Saturation =
    "<intOverflowBehavior -:;wrapped:;satfinite:.satfinite>";
defvar PTX_Products = "{$res*}, {$operandA*}, {$operandB*}, {$operandC*}";
defvar PTX_Scales = "$scaleAData, {$byteIdA, $threadIdA}, $scaleBData, "
                    "{$byteIdB, $threadIdB}";
def : PTX_Converts<"nvvm.mma.sync",
    !strconcat("mma.sync.aligned.$:shape.$:layoutA.$:layoutB", PTX_Saturation,
               PTX_MmaTypes,
               "<b1Op -:;none:;xor_popc:.xor.popc;and_popc:.and.popc> ",
               PTX_Products)>;
def : PTX_Converts<"nvvm.mma.sp.sync",
    !strconcat("mma<orderedMetadata -:.sp;"
               "true:.sp::ordered_metadata>.sync.aligned.$:shape.row.col<kind "
               "-:;f8f6f4:.kind::f8f6f4>", PTX_Saturation, PTX_MmaTypes, " ",
               PTX_Products, ", $sparseMetadata, $=sparsitySelector")>;
defvar PTX_BlockKind = "<kind mxf8f6f4:.kind::mxf8f6f4;mxf4:.kind::mxf4;"
                       "mxf4nvf4:.kind::mxf4nvf4>.block_scale";
defvar PTX_ScaleVec =
    "<scaleVecSize x1:.scale_vec::1X/;x2:.scale_vec::2X/;x4:.scale_vec::4X>";
def : PTX_Converts<"nvvm.mma.block_scale",
    !strconcat("mma.sync.aligned.$:shape.row.col", PTX_BlockKind, PTX_ScaleVec,
               PTX_MmaTypes, ".$:blockScaleFormat ", PTX_Products, ", ",
               PTX_Scales)>;
def : PTX_Converts<"nvvm.mma.sp.block_scale",
    !strconcat("mma<orderedMetadata -:.sp;"
               "true:.sp::ordered_metadata>.sync.aligned.$:shape.row.col",
               PTX_BlockKind, PTX_ScaleVec, PTX_MmaTypes,
               ".$:blockScaleFormat ", PTX_Products,
               ", $sparseMetadata, $=sparsitySelector, ", PTX_Scales)>;

defvar PTX_WmmaSpace = "<@ptr 0:;1:.global;3:.shared/.shared::cta>";
defvar PTX_WmmaShape = ".m$#{m}n$#{n}k$#{k}";
def : PTX_Converts<"nvvm.wmma.load",
    !strconcat("wmma.load.$:frag.sync.aligned.$:layout", PTX_WmmaShape,
               PTX_WmmaSpace, ".$:eltype {$res*}, [$ptr], $stride")> {
  let lostInNVVM = "an address without a stride has no operation";
}
def : PTX_Converts<"nvvm.wmma.store",
    !strconcat("wmma.store.d.sync.aligned.$:layout", PTX_WmmaShape,
               PTX_WmmaSpace, ".$:eltype [$ptr], {$args*}, $stride")> {
  let lostInNVVM = "an address without a stride has no operation";
}
def : PTX_Converts<"nvvm.wmma.mma",
    !strconcat("wmma.mma.sync.aligned.$:layoutA.$:layoutB", PTX_WmmaShape,
               "<eltypeA f16:.$:eltypeB.$:eltypeB;"
               "*:.$:eltypeB.$:eltypeA.$:eltypeA.$:eltypeB> {$res*}, {$args*}, "
               "{$args*}, {$args*}")>;

//===----------------------------------------------------------------------===//
// Warps, CTAs, clusters
//===----------------------------------------------------------------------===//

def : PTX_Converts<"nvvm.setmaxregister",
    "setmaxnreg<action increase:.inc;decrease:.dec>.sync.aligned.u32 "
    "$#regCount">;
def : PTX_Converts<"nvvm.elect.sync",
    "elect.sync _|$pred, <membermask? $membermask;4294967295>"> {
  let lostInNVVM = "the elected lane has no result; where it is read, the "
                   "instruction stays";
}
def : PTX_Converts<"nvvm.redux.sync",
    "redux.sync<kind add:<%val i32:.add.s32/.add.u32>;min:.min.s32;"
    "max:.max.s32;umin:.min.u32;umax:.max.u32;and:.and.b32;or:.or.b32;"
    "xor:.xor.b32;fmin:<%val f32:.min><abs false:;true:.abs>"
    "<nan false:;true:.NaN>.f32;fmax:<%val f32:.max><abs false:;true:.abs>"
    "<nan false:;true:.NaN>.f32> $res, $val, $mask_and_clamp">;
def : PTX_Converts<"nvvm.shfl.sync",
    "shfl.sync.$:kind.b32 "
    "<return_value_and_is_valid -:$res;true:$res[0]|$res[1]>, $val, $offset, "
    "$mask_and_clamp, $thread_mask">;
def : PTX_Converts<"nvvm.vote.sync",
    "vote.sync.$:kind<kind ballot:<%res i32:.b32>;*:<%res i1:.pred>> $res, "
    "$pred, $mask">;
def : PTX_Converts<"nvvm.match.sync",
    "match.$:kind.sync<%val i32:.b32;i64:.b64> "
    "<kind any:<%res i32:$res>;all:$res[0]|$res[1]>, $val, $thread_mask"> {
  let lostInNVVM = "`match.all` without its predicate has no operation";
}
def : PTX_Conversion<"nvvm.barrier", [
    "bar</.cta>.sync <reductionOp -:><barrierId? $barrierId;0>"
    "<numberOfThreads? , $numberOfThreads>",
    "barrier<.cta/>.sync.aligned <reductionOp -:><barrierId? $barrierId;0>"
    "<numberOfThreads? , $numberOfThreads>",
    "bar</.cta>.red<reductionOp popc:.popc.u32;and:.and.pred;or:.or.pred> "
    "<reductionOp popc:$res;*:$?res>, 0, $?reductionPredicate",
    "barrier<.cta/>.red.aligned<reductionOp popc:.popc.u32;and:.and.pred;"
    "or:.or.pred> <reductionOp popc:$res;*:$?res>, 0, $?reductionPredicate"]> {
  let lostInNVVM = "barriers that are not aligned have no operation";
}
def : PTX_Converts<"nvvm.barrier0", "bar.sync 0"> {
  let reads = 0;
  let lostInNVVM = "becomes `nvvm.barrier`";
}
def : PTX_Conversion<"nvvm.barrier.arrive", [
    "bar</.cta>.arrive <barrierId? $barrierId;0>, $numberOfThreads",
    "barrier<.cta/>.arrive.aligned <barrierId? $barrierId;0>, "
    "$numberOfThreads"]>;
def : PTX_Converts<"nvvm.bar.warp.sync", "bar.warp.sync $mask">;
def : PTX_Converts<"nvvm.cluster.arrive",
    "barrier.cluster.arrive</.release><aligned -:;true:.aligned>">;
def : PTX_Converts<"nvvm.cluster.arrive.relaxed",
    "barrier.cluster.arrive.relaxed<aligned -:;true:.aligned>">;
def : PTX_Converts<"nvvm.cluster.wait",
    "barrier.cluster.wait</.acquire><aligned -:;true:.aligned>">;
def : PTX_Converts<"nvvm.mapa",
    "mapa<@a 0:<@res 0:.u64>;3:<@res 7:.shared::cluster.u32/"
    ".shared::cluster.u64>> $res, $a, $b">;
def : PTX_Converts<"nvvm.clusterlaunchcontrol.try.cancel",
    "clusterlaunchcontrol.try_cancel.async<.shared::cta/>"
    ".mbarrier::complete_tx::bytes<multicast -:;true:.multicast::cluster::all>"
    ".b128 [$smemAddress], [$mbarrier]">;
def : PTX_Converts<"nvvm.clusterlaunchcontrol.query.cancel",
    "clusterlaunchcontrol.query_cancel<query_type "
    "is_canceled:<%res i1:.is_canceled.pred>;"
    "get_first_cta_id_x:<%res i32:.get_first_ctaid::x.b32>;"
    "get_first_cta_id_y:<%res i32:.get_first_ctaid::y.b32>;"
    "get_first_cta_id_z:<%res i32:.get_first_ctaid::z.b32>>.b128 $res, "
    "$try_cancel_response"> {
  let lostInNVVM = "`.v4` has no operation";
}
def : PTX_Converts<"nvvm.griddepcontrol", "griddepcontrol.$:kind">;
def : PTX_Converts<"nvvm.nanosleep", "nanosleep.u32 $duration">;
defvar PTX_PrefetchSpace = "<@addr 0:;1:.global;5:.local>";
def : PTX_Conversion<"nvvm.prefetch", [
    "prefetchu.L1 [$addr]<uniform true:><cacheLevel L1:><@addr 0:>",
    "prefetch<@addr 0:;4:.const>.tensormap <tensormap true:>"
    "<in_param_space -:>[$addr]",
    !strconcat("prefetch", PTX_PrefetchSpace,
               "<cacheLevel L1:.L1;L2:.L2> <uniform -:><evictPriority "
               "-:>[$addr]"),
    "prefetch.global<evictPriority evict_normal:.L2::evict_normal;"
    "evict_last:.L2::evict_last> <cacheLevel L2:><@addr 1:>[$addr]"]> {
  let guard = "predicate";
  // The operation has a generic address, the instruction one of .param.
  let lostInPTX = "`in_param_space` stays, for its generic address";
  let lostInNVVM = "`.param` has no operation";
}

foreach register = PTX_SpecialRegisters in
  def : PTX_Converts<!strconcat("nvvm.read.ptx.sreg.", register[0]),
      !strconcat("mov<.u", register[2], "/.b", register[2], "/.s", register[2],
                 "> $res, %", register[1])> {
    let isVolatile = !or(!eq(register[0], "clock"),
                         !eq(register[0], "clock64"),
                         !eq(register[0], "globaltimer"),
                         !eq(register[0], "globaltimer.lo"));
    let lostInPTX = "its range";
    let lostInNVVM = !if(!or(!eq(register[0], "warpid"),
                             !eq(register[0], "smid")),
                         "a volatile read stays", "");
  }

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

def : PTX_Converts<"nvvm.fence.mbarrier.init",
                   "fence.mbarrier_init.release.cluster">;
def : PTX_Converts<"nvvm.fence.proxy",
    "fence.proxy<kind alias:.alias;async:.async;async.global:.async.global;"
    "async.shared:.async<space cta:.shared::cta;cluster:.shared::cluster>>">;
def : PTX_Converts<"nvvm.fence.proxy.acquire",
    "fence.proxy.tensormap::generic.acquire.$:scope [$addr], $=size">;
def : PTX_Converts<"nvvm.fence.proxy.release",
    "fence.proxy.tensormap::generic.release.$:scope">;
def : PTX_Converts<"nvvm.fence.proxy.sync_restrict",
    "fence.proxy.async::generic<order "
    "acquire:.acquire.sync_restrict::shared::cluster;"
    "release:.release.sync_restrict::shared::cta>.cluster">;
def : PTX_Converts<"nvvm.fence.sync_restrict",
    "fence<order acquire:.acquire.sync_restrict::shared::cluster;"
    "release:.release.sync_restrict::shared::cta>.cluster">;
def : PTX_Converts<"nvvm.fence.sc.cluster", "fence.sc.cluster">;
def : PTX_Conversion<"nvvm.memory.barrier", [
    "membar<scope cta:.cta;gpu:.gl;sys:.sys>",
    "fence.sc<scope cta:.cta;gpu:.gpu;sys:.sys;cluster:.cluster>"]> {
  let lostInNVVM = "`fence.sc.cluster` becomes `nvvm.fence.sc.cluster`";
}

//===----------------------------------------------------------------------===//
// tcgen05
//===----------------------------------------------------------------------===//

def : PTX_Converts<"nvvm.tcgen05.alloc",
    !strconcat("tcgen05.alloc", PTX_Group,
               ".sync.aligned<@addr 0:;3:.shared::cta>.b32 [$addr], $nCols")>;
def : PTX_Converts<"nvvm.tcgen05.dealloc",
    !strconcat("tcgen05.dealloc", PTX_Group,
               ".sync.aligned.b32 $taddr, $nCols")>;
def : PTX_Converts<"nvvm.tcgen05.relinquish_alloc_permit",
    !strconcat("tcgen05.relinquish_alloc_permit", PTX_Group, ".sync.aligned")>;
def : PTX_Converts<"nvvm.tcgen05.fence",
    "tcgen05<kind before:.fence::before_thread_sync;"
    "after:.fence::after_thread_sync>">;
def : PTX_Converts<"nvvm.tcgen05.wait",
    "tcgen05<kind load:.wait::ld;store:.wait::st>.sync.aligned">;
def : PTX_Converts<"nvvm.tcgen05.commit",
    !strconcat("tcgen05.commit", PTX_Group,
               ".mbarrier::arrive::one<@addr 0:;3:.shared::cluster>",
               PTX_Multicast, ".b64 [$addr]", PTX_MulticastValue)>;
def : PTX_Converts<"nvvm.tcgen05.shift",
    !strconcat("tcgen05.shift", PTX_Group, ".down [$taddr]")>;
def : PTX_Converts<"nvvm.tcgen05.cp",
    !strconcat("tcgen05.cp", PTX_Group,
               "<shape shape_128x256b:.128x256b;shape_4x256b:.4x256b;"
               "shape_128x128b:.128x128b;shape_64x128b:.64x128b;"
               "shape_32x128b:.32x128b><multicast none:;"
               "warpx2_02_13:.warpx2::02_13;warpx2_01_23:.warpx2::01_23;"
               "warpx4:.warpx4><srcFormat -:;b6x16_p32:.b8x16.b6x16_p32;"
               "b4x16_p64:.b8x16.b4x16_p64> [$taddr], $smem_desc")>;

defvar PTX_TmemShape =
    "<shape shape_16x64b:.16x64b;shape_16x128b:.16x128b;"
    "shape_16x256b:.16x256b;shape_32x32b:.32x32b;shape_16x32bx2:.16x32bx2>"
    ".x$#{~num}";
def : PTX_Converts<"nvvm.tcgen05.ld",
    !strconcat("tcgen05.ld.sync.aligned", PTX_TmemShape,
               "<pack -:;true:.pack::16b>.b32 {$res*}, [$tmemAddr]<offset? , "
               "$=offset>")> {
  let lostInNVVM = "`.red` has no operation";
}
def : PTX_Converts<"nvvm.tcgen05.st",
    !strconcat("tcgen05.st.sync.aligned", PTX_TmemShape,
               "<unpack -:;true:.unpack::16b>.b32 [$tmemAddr]<offset? , "
               "$=offset>, {$val*}")>;

defvar PTX_CtaGroup = "<ctaGroup cta_1:.cta_group::1;cta_2:.cta_group::2>";
defvar PTX_MmaKind = ".kind::$:kind";
defvar PTX_CollectorA = "<.collector::a::$:collectorOp/>";
defvar PTX_CollectorB = "<.collector::$:{collectorBBuffer}::$:collectorOp/>";
defvar PTX_MatricesAB = "[$matrixD], <@matrixA 6:[$matrixA];-:$matrixA>, "
                        "$matrixB, ";
class PTX_MmaOf<bit sparse> {
  string op = !strconcat("nvvm.tcgen05.mma", !if(sparse, ".sp", ""));
  string wsOp = !strconcat("nvvm.tcgen05.mma.ws", !if(sparse, ".sp", ""));
  string mod = !if(sparse, ".sp", "");
  string metadata = !if(sparse, "[$sparseMetadata], ", "");
}
foreach sparse = [0, 1] in {
  defvar mma = PTX_MmaOf<sparse>;
  def : PTX_Converts<mma.op,
      !strconcat("tcgen05.mma", mma.mod, PTX_CtaGroup, PTX_MmaKind,
                 "<aShift -:;true:.ashift>", PTX_CollectorA, " ",
                 PTX_MatricesAB, mma.metadata,
                 "$idesc, <disableOutputLane? {$disableOutputLane*}, "
                 ">$enableInputD<scaleInputD? , $=scaleInputD>")>;
  def : PTX_Converts<!strconcat(mma.op, ".block_scale"),
      !strconcat("tcgen05.mma", mma.mod, PTX_CtaGroup, PTX_MmaKind,
                 ".block_scale<blockScale default:;"
                 "block16:.block16/.scale_vec::4X;"
                 "block32:.block32/.scale_vec::1X/.scale_vec::2X>",
                 PTX_CollectorA, " ", PTX_MatricesAB, mma.metadata,
                 "$idesc, [$scaleA], [$scaleB], $enableInputD")>;
  def : PTX_Converts<mma.wsOp,
      !strconcat("tcgen05.mma.ws", mma.mod, ".cta_group::1", PTX_MmaKind,
                 PTX_CollectorB, " ", PTX_MatricesAB, mma.metadata,
                 "$idesc, $enableInputD<zeroColMask? , $zeroColMask>")>;
}
def : PTX_Converts<"nvvm.st.bulk",
    "st.bulk</.weak><@addr 0:;3:.shared::cta> [$addr], $size, $#initVal">;

//===----------------------------------------------------------------------===//
// Bytes, products and conversions of numbers
//===----------------------------------------------------------------------===//

def : PTX_Converts<"nvvm.prmt",
    "prmt.b32<mode default:;f4e:.f4e;b4e:.b4e;rc8:.rc8;ecl:.ecl;ecr:.ecr;"
    "rc16:.rc16> $res, $lo, <hi? $hi;0>, $selector">;
def : PTX_Converts<"nvvm.rcp.approx.ftz.f", "rcp.approx.ftz.f32 $res, $arg">;
defvar PTX_DotTypes = "<a_type signed:.s32;unsigned:.u32>"
                      "<b_type signed:.s32;unsigned:.u32>";
def : PTX_Converts<"nvvm.dot.accumulate.4way",
    !strconcat("dp4a", PTX_DotTypes, "<%a 4xi8:><%b 4xi8:> $res, $a, $b, $c")>;
def : PTX_Converts<"nvvm.dot.accumulate.2way",
    !strconcat("dp2a<b_hi false:.lo;true:.hi>", PTX_DotTypes,
               "<%a 2xi16:><%b 4xi8:> $res, $a, $b, $c")>;

defvar PTX_Relu = "<relu false:;true:.relu>";
defvar PTX_Satfinite = "<sat none:;satfinite:.satfinite>";
// Two numbers of 8 bits, or of 6 with zeros in front.
defvar PTX_TwoBytes = "<%dst i16:;2xi8:>";
class PTX_Number<string attr, string suffix> {
  string f8 = !strconcat("<", attr, " f8E4M3FN:.e4m3", suffix,
                         ";f8E5M2:.e5m2", suffix, ">");
  string f8OrScale = !strconcat("<", attr, " f8E4M3FN:.e4m3", suffix,
                                ";f8E5M2:.e5m2", suffix,
                                ";f8E8M0FNU:.ue8m0", suffix, ">");
  string scale = !strconcat("<", attr, " f8E8M0FNU:.ue8m0", suffix, ">");
  string f6 = !strconcat("<", attr, " f6E2M3FN:.e2m3", suffix,
                         ";f6E3M2FN:.e3m2", suffix, ">");
  string f4 = !strconcat("<", attr, " f4E2M1FN:.e2m1", suffix, ">");
}
defvar PTX_BytesLost = "two bytes as a vector come back as an i16";
defvar PTX_Dst2 = PTX_Number<"dstTy", "x2">;
defvar PTX_Dst4 = PTX_Number<"dstTy", "x4">;
defvar PTX_Src2 = PTX_Number<"srcType", "x2">;

def : PTX_Converts<"nvvm.convert.float.to.tf32",
    !strconcat("cvt.$:rnd", PTX_Satfinite, PTX_Relu, ".tf32.f32 $res, $src")>;
foreach type = ["f16x2", "bf16x2"] in
  def : PTX_Converts<!strconcat("nvvm.convert.f32x2.to.", type),
      !strconcat("cvt.$:rnd", PTX_Relu, PTX_Satfinite, "<%dst 2x",
                 !subst("x2", "", type), ":>.", type,
                 ".f32 $dst, $src_hi, $src_lo<random_bits? , $random_bits>")>;
def : PTX_Converts<"nvvm.convert.f32x2.to.f8x2",
    !strconcat("cvt.$:rnd", PTX_Satfinite, PTX_Relu, PTX_TwoBytes,
               PTX_Dst2.f8OrScale, ".f32 $dst, $a, $b")> {
  let lostInNVVM = PTX_BytesLost;
}
def : PTX_Converts<"nvvm.convert.f16x2.to.f8x2",
    !strconcat("cvt.rn.satfinite", PTX_Relu, PTX_TwoBytes, "<%a 2xf16:>",
               PTX_Dst2.f8, ".f16x2 $dst, $a")> {
  let lostInNVVM = PTX_BytesLost;
}
def : PTX_Converts<"nvvm.convert.bf16x2.to.f8x2",
    !strconcat("cvt.$:rnd", PTX_Satfinite, PTX_TwoBytes, "<%a 2xbf16:>",
               PTX_Dst2.scale, ".bf16x2 $dst, $a")> {
  let lostInNVVM = PTX_BytesLost;
}
def : PTX_Converts<"nvvm.convert.f8x2.to.f16x2",
    !strconcat("cvt.rn", PTX_Relu, "<%dst 2xf16:><%src 2xi8:>.f16x2",
               PTX_Src2.f8, " $dst, $src")>;
def : PTX_Converts<"nvvm.convert.f8x2.to.bf16x2",
    !strconcat("cvt.rn<%dst 2xbf16:><%src 2xi8:>.bf16x2", PTX_Src2.scale,
               " $dst, $src")>;
def : PTX_Converts<"nvvm.convert.f32x2.to.f6x2",
    !strconcat("cvt.rn.satfinite", PTX_Relu, PTX_TwoBytes, PTX_Dst2.f6,
               ".f32 $dst, $a, $b")> {
  let lostInNVVM = PTX_BytesLost;
}
def : PTX_Converts<"nvvm.convert.f6x2.to.f16x2",
    !strconcat("cvt.rn", PTX_Relu, "<%dst 2xf16:><%src 2xi8:>.f16x2",
               PTX_Src2.f6, " $dst, $src")>;
def : PTX_Converts<"nvvm.convert.f32x2.to.f4x2",
    !strconcat("cvt.rn.satfinite", PTX_Relu, PTX_Dst2.f4,
               ".f32 $dst, $a, $b")>;
def : PTX_Converts<"nvvm.convert.f4x2.to.f16x2",
    !strconcat("cvt.rn", PTX_Relu, "<%dst 2xf16:>.f16x2", PTX_Src2.f4,
               " $dst, $src")>;
// Of four, PTX has the elements in braces.
def : PTX_Converts<"nvvm.convert.f32x4.to.f8x4",
    !strconcat("cvt.rs", PTX_Relu, ".satfinite<%dst 4xi8:>", PTX_Dst4.f8,
               ".f32 $dst, {$src*}, $rbits")>;
def : PTX_Converts<"nvvm.convert.f32x4.to.f6x4",
    !strconcat("cvt.rs", PTX_Relu, ".satfinite<%dst 4xi8:>", PTX_Dst4.f6,
               ".f32 $dst, {$src*}, $rbits")>;
def : PTX_Converts<"nvvm.convert.f32x4.to.f4x4",
    !strconcat("cvt.rs", PTX_Relu, ".satfinite", PTX_Dst4.f4,
               ".f32 $dst, {$src*}, $rbits")>;

//===----------------------------------------------------------------------===//
// The thread and its tools
//===----------------------------------------------------------------------===//

// Read back where the text ends, which no pattern can say.
def : PTX_Converts<"nvvm.exit", "exit">;
def : PTX_Converts<"nvvm.breakpoint", "brkpt">;
def : PTX_Conversion<"nvvm.pmevent", [
    "pmevent<maskedEventId -:> $#eventId",
    "pmevent.mask<eventId -:> $#maskedEventId"]>;
def : PTX_Converts<"nvvm.read.ptx.sreg.warpsize", "mov.u32 $res, WARP_SZ"> {
  let reads = 0;
  let lostInPTX = "its range";
  let lostInNVVM = "is a constant, 32";
}

def : PTX_NoConversion<"nvvm.inline_ptx",
    "it is PTX already, as text: `-ptx-import-inline-asm` reads it">;
def : PTX_NoConversion<"nvvm.tcgen05.mma_smem_desc",
    "no instruction makes a descriptor: upstream's lowering shifts and joins "
    "the numbers by LLVM's own operations">;

#endif // PTXBENCH_DIALECT_PTX_IR_PTXCONVERSIONS_TD
