//===- PTXSets.td - Sets the instruction records share -------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Target families, sets of modifiers and lists of architectures that the
// records of more than one file use.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXSETS_TD
#define PTXBENCH_DIALECT_PTX_IR_PTXSETS_TD

include "PTX/IR/PTXBase.td"

//===----------------------------------------------------------------------===//
// Target families
//===----------------------------------------------------------------------===//

def PTX_FamilyWgmma : PTX_Family<"wgmma", "warpgroup matrix multiply">;
def PTX_FamilyTma : PTX_Family<"tma", "bulk and tensor copies (TMA)">;
def PTX_FamilyMbarrier : PTX_Family<"mbarrier", "barrier objects in memory">;
def PTX_FamilyCpAsync : PTX_Family<"cp.async", "asynchronous copies (LDGSTS)">;
def PTX_FamilyLdmatrix : PTX_Family<"ldmatrix", "matrix loads">;
def PTX_FamilyStmatrix : PTX_Family<"stmatrix", "matrix stores">;
def PTX_FamilyMma : PTX_Family<"mma.sync", "warp-level matrix multiply">;
def PTX_FamilySetmaxnreg : PTX_Family<"setmaxnreg", "register reallocation">;
def PTX_FamilyElect : PTX_Family<"elect", "election of one lane">;
def PTX_FamilyCluster : PTX_Family<"cluster", "thread block clusters">;
def PTX_FamilyFenceProxy : PTX_Family<"fence.proxy", "fences of proxies">;
def PTX_FamilyGriddepcontrol
    : PTX_Family<"griddepcontrol", "programmatic dependent launch">;
def PTX_FamilyTcgen05 : PTX_Family<"tcgen05", "tensor memory and its MMA">;
def PTX_FamilyTensormap : PTX_Family<"tensormap", "changes of tensor maps">;
def PTX_FamilyMultimem : PTX_Family<"multimem", "multi-memory operations">;
def PTX_FamilyRedux : PTX_Family<"redux", "reductions over a warp">;
def PTX_FamilyRedV4 : PTX_Family<"red.v4", "vector reductions in memory">;

//===----------------------------------------------------------------------===//
// Architectures
//===----------------------------------------------------------------------===//

/// Before them there was sm_10, with less of everything.
defvar PTX_SM11 = ["sm_11"];
defvar PTX_SM12 = ["sm_12"];
defvar PTX_SM20 = ["sm_20"];
defvar PTX_SM30 = ["sm_30"];
defvar PTX_SM32 = ["sm_32"];
defvar PTX_SM53 = ["sm_53"];
defvar PTX_SM60 = ["sm_60"];
defvar PTX_SM70 = ["sm_70"];
defvar PTX_SM75 = ["sm_75"];
defvar PTX_SM80 = ["sm_80"];
defvar PTX_SM89 = ["sm_89"];
defvar PTX_SM90 = ["sm_90"];
defvar PTX_SM90a = ["sm_90a"];
defvar PTX_SM100 = ["sm_100"];
/// Datacenter Blackwell.
defvar PTX_SM100f = ["sm_100a", "sm_100f", "sm_103a", "sm_110a", "sm_110f"];
/// What it has in its `a` targets alone.
defvar PTX_SM100a = ["sm_100a", "sm_103a", "sm_110a"];
/// Those with integer products in tensor memory.
defvar PTX_SM100i8 = ["sm_100a", "sm_110a"];
/// Everything of the Blackwell generation with an `a` or `f` target.
defvar PTX_SM100or120f = ["sm_100a", "sm_100f", "sm_103a", "sm_110a",
                          "sm_110f", "sm_120a", "sm_120f", "sm_121a"];
/// The `f` targets of datacenter Blackwell, but only the `a` targets beside it.
defvar PTX_SM100for120a = !listconcat(PTX_SM100f, ["sm_120a", "sm_121a"]);
/// Hopper's `a` target and all of them.
defvar PTX_SM90aTo120f = !listconcat(PTX_SM90a, PTX_SM100or120f);
defvar PTX_SM120f = ["sm_120a", "sm_120f", "sm_121a"];
defvar PTX_SM120a = ["sm_120a", "sm_121a"];

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// Rounding of floating-point results.
def PTX_SetRnd : PTX_ModSet<"rnd", ["rn", "rz", "rm", "rp"]>;
/// Rounding to integers.
def PTX_SetIRnd : PTX_ModSet<"irnd", ["rni", "rzi", "rmi", "rpi"]>;
def PTX_SetInt : PTX_ModSet<"int", ["u16", "u32", "u64", "s16", "s32", "s64"]>;
def PTX_SetInt32 : PTX_ModSet<"int32", ["u32", "s32"]>;
def PTX_SetBits : PTX_ModSet<"bits", ["b16", "b32", "b64"]>;
def PTX_SetBits3264 : PTX_ModSet<"bits3264", ["b32", "b64"]>;
/// Types without sub-word ones, as compare and select take them.
def PTX_SetScalar : PTX_ModSet<"scalar", ["b16", "b32", "b64", "u16", "u32",
                                          "u64", "s16", "s32", "s64", "f32",
                                          "f64"]>;
def PTX_SetMem32 : PTX_ModSet<"mem32", ["b8", "b16", "b32", "u8", "u16", "u32",
                                        "s8", "s16", "s32", "f32"]>;
def PTX_SetMem64 : PTX_ModSet<"mem64", ["b64", "u64", "s64", "f64"]>;
def PTX_SetWord : PTX_ModSet<"word", ["b32", "u32", "s32", "f32"]>;
def PTX_SetScope : PTX_ModSet<"scope", ["cta", "cluster", "gpu", "sys"]>;
def PTX_SetShared : PTX_ModSet<"shared", ["shared", "shared::cta"]>;
def PTX_SetSharedAny
    : PTX_ModSet<"sharedany", ["shared", "shared::cta", "shared::cluster"]>;
/// State spaces of loads.
def PTX_SetLdSpace
    : PTX_ModSet<"ldspace", ["const", "global", "local", "param",
                             "param::entry", "param::func", "shared",
                             "shared::cta", "shared::cluster"]>;
/// State spaces of stores.
def PTX_SetStSpace
    : PTX_ModSet<"stspace", ["global", "local", "param", "param::func",
                             "shared", "shared::cta", "shared::cluster"]>;
/// Spaces of accesses that other threads see in order.
def PTX_SetStrongSpace
    : PTX_ModSet<"strongspace", ["global", "shared", "shared::cta",
                                 "shared::cluster"]>;
/// Spaces of atomic operations.
def PTX_SetAtomSpace
    : PTX_ModSet<"atomspace", ["global", "shared", "shared::cta",
                               "shared::cluster"]>;
/// Spaces a generic address can come from.
def PTX_SetGenericSpace
    : PTX_ModSet<"genericspace", ["const", "global", "local", "shared",
                                  "shared::cta", "shared::cluster", "param",
                                  "param::entry"]>;
def PTX_SetL1Evict
    : PTX_ModSet<"l1", ["L1::evict_normal", "L1::evict_unchanged",
                        "L1::evict_first", "L1::evict_last",
                        "L1::no_allocate"]>;
def PTX_SetL2Evict : PTX_ModSet<"l2", ["L2::evict_normal", "L2::evict_first",
                                       "L2::evict_last"]>;
def PTX_SetPrefetchSize
    : PTX_ModSet<"prefetchsize", ["L2::64B", "L2::128B", "L2::256B"]>;
def PTX_SetDim : PTX_ModSet<"dim", ["1d", "2d", "3d", "4d", "5d"]>;
/// Comparisons of bits, signed and unsigned integers.
def PTX_SetEqual : PTX_ModSet<"equal", ["eq", "ne"]>;
def PTX_SetSignedCmp
    : PTX_ModSet<"signedcmp", ["eq", "ne", "lt", "le", "gt", "ge"]>;
def PTX_SetUnsignedCmp
    : PTX_ModSet<"unsignedcmp", ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls",
                                 "hi", "hs"]>;
def PTX_SetFloatCmp
    : PTX_ModSet<"floatcmp", ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu",
                              "ltu", "leu", "gtu", "geu", "num", "nan"]>;
def PTX_SetNotGlobal
    : PTX_ModSet<"notglobal", ["const", "local", "param", "param::entry",
                               "param::func", "shared", "shared::cta",
                               "shared::cluster"]>;
def PTX_SetSemantics
    : PTX_ModSet<"sem", ["relaxed", "acquire", "release", "acq_rel"]>;
def PTX_SetBoolOp : PTX_ModSet<"boolop", ["and", "or", "xor"]>;

//===----------------------------------------------------------------------===//
// What modifiers need wherever they stand
//===----------------------------------------------------------------------===//

def : PTX_ModifierNeeds<["$prefetchsize"], "7.4", PTX_SM75>;
def : PTX_ModifierNeeds<["L2::256B", "L2::cache_hint"], "7.4", PTX_SM80>;
def : PTX_ModifierNeeds<["$l1"], "7.4", PTX_SM70>;
def : PTX_ModifierNeeds<["shared::cta"], "7.8">;
def : PTX_ModifierNeeds<["shared::cluster", "cluster"], "7.8", PTX_SM90>;
def : PTX_ModifierNeeds<["param::entry", "param::func"], "8.3">;
def : PTX_ModifierNeeds<["sync_restrict::shared::cta",
                         "sync_restrict::shared::cluster"], "8.6", PTX_SM90>;
def : PTX_ModifierNeeds<["sp::ordered_metadata"], "8.5">;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// An order and its scope stand together; weak accesses have neither.
defvar PTX_SemScopeRules = [PTX_With<["$sem"], ["$scope"]>,
                            PTX_With<["$scope"], ["$sem"]>];
/// Caches are told about global memory only.
def PTX_CacheRule
    : PTX_Without<["$l1", "$prefetchsize", "L2::cache_hint"], ["$notglobal"]>;
/// Tensors of one or two dimensions are no images.
defvar PTX_TensorRules = [
  PTX_Without<["im2col", "im2col::w", "im2col::w::128", "im2col_no_offs"],
              ["1d", "2d"]>,
  PTX_With<["tile::gather4", "tile::scatter4"], ["2d"]>];

#endif // PTXBENCH_DIALECT_PTX_IR_PTXSETS_TD
