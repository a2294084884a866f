//===- TCGen05.td - Tensor memory and its matrix multiply ----*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TCGEN05_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TCGEN05_TD

include "PTX/IR/PTXSets.td"

class PTX_Tcgen05Inst<string opcode, list<PTX_Flag> instFlags,
                      list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "TensorCore 5th Generation Instructions";
  let ptxFamily = PTX_FamilyTcgen05;
  let ptxForms = forms;
}

def PTX_SetCtaGroup
    : PTX_ModSet<"group", ["cta_group::1", "cta_group::2"]>;

//===----------------------------------------------------------------------===//
// Allocation, waits and fences
//===----------------------------------------------------------------------===//

def PTX_Tcgen05AllocOp
    : PTX_Tcgen05Inst<"tcgen05.alloc",
                      [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".$group .sync .aligned space=.shared::cta? .b32",
           "[dst], columns:u32(32|64|128|256|512)", "8.6", PTX_SM100f>]>;
def PTX_Tcgen05DeallocOp
    : PTX_Tcgen05Inst<"tcgen05.dealloc",
                      [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".$group .sync .aligned .b32", "taddr:b32, columns:u32(0..4294967264/32)",
           "8.6", PTX_SM100f>]>;
def PTX_Tcgen05RelinquishAllocPermitOp
    : PTX_Tcgen05Inst<"tcgen05.relinquish_alloc_permit",
                      [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".$group .sync .aligned", "", "8.6", PTX_SM100f>]>;
/// The spellings `tcgen05.fence::…` and `tcgen05.wait::…` have no dot behind
/// which the opcode could end, so both are modifiers of `tcgen05`.
def PTX_Tcgen05Op
    : PTX_Tcgen05Inst<"tcgen05", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".{fence::before_thread_sync|fence::after_thread_sync}", "", "8.6",
           PTX_SM100f>,
  PTX_Form<".{wait::ld|wait::st} .sync .aligned", "", "8.6", PTX_SM100f>]>;
def PTX_Tcgen05CommitOp
    : PTX_Tcgen05Inst<"tcgen05.commit",
                      [PTX_MemRead, PTX_MemWrite, PTX_Async], [
  PTX_Form<".$group .mbarrier::arrive::one space=.shared::cluster? "
           "multicast=.multicast::cluster? .b64",
           "[mbar], mask:u16?multicast", "8.6", PTX_SM100f>]>;

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// A register has 32 bits of each of 32 lanes, a fragment up to 128 registers.
def PTX_SetTmemNum32 : PTX_ModSet<"num32", ["x1", "x2", "x4", "x8", "x16",
                                            "x32"]>;
def PTX_SetTmemNum : PTX_ModSet<"num128", ["x1", "x2", "x4", "x8", "x16", "x32",
                                           "x64", "x128"]>;
/// The fragments of each shape; `pack` is the modifier for 16-bit elements,
/// `ops` has the registers as `r:b32*@tmem`.
class PTX_TmemForms<string pack, string ops, string halfOps> {
  defvar tail = " " # pack # "? .b32";
  list<PTX_Form> forms = [
    PTX_Form<".sync .aligned? shape=.{16x64b|32x32b} num=.$num128" # tail, ops,
             "8.6", PTX_SM100f>,
    PTX_Form<".sync .aligned? shape=.16x128b num=.{$num32|x64}" # tail, ops,
             "8.6", PTX_SM100f>,
    PTX_Form<".sync .aligned? shape=.16x256b num=.$num32" # tail, ops, "8.6",
             PTX_SM100f>,
    PTX_Form<".sync .aligned? shape=.16x32bx2 num=.$num128" # tail, halfOps,
             "8.6", PTX_SM100f>];
}
/// A load that gives the extremum of what it loads, too.
class PTX_TmemReduceForm<string shape, string types, string more>
    : PTX_Form<".red .sync .aligned? shape=." # shape #
               " num=.{x2|x4|x8|x16|x32|x64|x128} op=.{min|max} " # types,
               "=r:t*@tmem, =reduced:t, [taddr:b32]" # more, "8.8",
               ["sm_103a", "sm_103f", "sm_110a", "sm_110f"]>;
def PTX_Tcgen05LdOp
    : PTX_Tcgen05Inst<"tcgen05.ld", [PTX_Convergent, PTX_MemRead, PTX_Async],
        !listconcat(
          PTX_TmemForms<".pack::16b", "=r:b32*@tmem, [taddr:b32]",
                        "=r:b32*@tmem, [taddr:b32], i/offset:u32">.forms, [
            PTX_TmemReduceForm<"32x32b", ".abs? .NaN? t=.f32", "">,
            PTX_TmemReduceForm<"32x32b", "t=.{u32|s32}", "">,
            PTX_TmemReduceForm<"16x32bx2", ".abs? .NaN? t=.f32",
                               ", i/offset:u32">,
            PTX_TmemReduceForm<"16x32bx2", "t=.{u32|s32}",
                               ", i/offset:u32">])>;
def PTX_Tcgen05StOp
    : PTX_Tcgen05Inst<"tcgen05.st", [PTX_Convergent, PTX_MemWrite, PTX_Async],
        PTX_TmemForms<".unpack::16b", "[taddr:b32], r:b32*@tmem",
                      "[taddr:b32], i/offset:u32, r:b32*@tmem">.forms>;
def PTX_Tcgen05CpOp
    : PTX_Tcgen05Inst<"tcgen05.cp", [PTX_MemRead, PTX_MemWrite, PTX_Async], [
  PTX_Form<".$group shape=.{128x256b|4x256b|128x128b} .b8x16? "
           ".{b6x16_p32|b4x16_p64}?", "[taddr:b32], desc:b64", "8.6",
           PTX_SM100f>,
  PTX_Form<".$group shape=.64x128b .{warpx2::02_13|warpx2::01_23} .b8x16? "
           ".{b6x16_p32|b4x16_p64}?", "[taddr:b32], desc:b64", "8.6",
           PTX_SM100f>,
  PTX_Form<".$group shape=.32x128b .warpx4 .b8x16? .{b6x16_p32|b4x16_p64}?",
           "[taddr:b32], desc:b64", "8.6", PTX_SM100f>]> {
  let ptxRules = [PTX_With<["b8x16"], ["b6x16_p32", "b4x16_p64"]>,
                  PTX_With<["b6x16_p32", "b4x16_p64"], ["b8x16"]>];
}
def PTX_Tcgen05ShiftOp
    : PTX_Tcgen05Inst<"tcgen05.shift",
                      [PTX_MemRead, PTX_MemWrite, PTX_Async], [
  PTX_Form<".$group .down", "[taddr:b32]", "8.6", PTX_SM100a>]>;

//===----------------------------------------------------------------------===//
// Matrix multiply
//===----------------------------------------------------------------------===//

/// Use of the collector buffers of A, and of B in the `.ws` forms.
def PTX_SetCollectorA
    : PTX_ModSet<"collectora", !foreach(use, ["fill", "use", "lastuse",
                                              "discard"],
                                        "collector::a::" # use)>;
def PTX_SetCollectorB
    : PTX_ModSet<"collectorb", !foldl([]<string>, ["b0", "b1", "b2", "b3"],
        all, b, !listconcat(all, !foreach(use, ["fill", "use", "lastuse",
                                                "discard"],
                                          "collector::" # b # "::" # use)))>;

/// How the operand `a` is used: rows of one in tensor memory may be shifted.
class PTX_Tcgen05Usage<string a> {
  string mods = !if(!eq(a, "a:b64, "), "", ".ashift? ") # ".$collectora?";
}

/// The forms of one kind of elements: A from a shared-memory descriptor or
/// from tensor memory, dense or sparse, with or without disabled lanes.
class PTX_Tcgen05KindForms<string sp, string kind, string tail,
                           list<string> sm> {
  defvar meta = !if(!eq(sp, ""), "", "[meta:b32], ");
  list<PTX_Form> forms = !foldl([]<PTX_Form>, ["a:b64, ", "[a:b32], "], all, a,
    !listconcat(all, [
      PTX_Form<sp # ".$group " # kind # PTX_Tcgen05Usage<a>.mods,
               "[d:b32], " # a # "b:b64, " # meta #
               "idesc:b32, enable:pred" # tail, "8.6", sm>,
      PTX_Form<sp # "group=.cta_group::1 " # kind # PTX_Tcgen05Usage<a>.mods,
               "[d:b32], " # a # "b:b64, " # meta #
               "idesc:b32, disable:b32*4, enable:pred" # tail, "8.6", sm>,
      PTX_Form<sp # "group=.cta_group::2 " # kind # PTX_Tcgen05Usage<a>.mods,
               "[d:b32], " # a # "b:b64, " # meta #
               "idesc:b32, disable:b32*8, enable:pred" # tail, "8.6", sm>]));
}

/// The forms of weight-stationary products.
class PTX_Tcgen05WsForms<string sp, string kind, list<string> sm> {
  defvar meta = !if(!eq(sp, ""), "", "[meta:b32], ");
  list<PTX_Form> forms = !foreach(a, ["a:b64, ", "[a:b32], "],
    PTX_Form<".ws " # sp # "group=.cta_group::1 " # kind # ".$collectorb?",
             "[d:b32], " # a # "b:b64, " # meta #
             "idesc:b32, enable:pred, zeroColumnMask:b64?", "8.6", sm>);
}

/// The forms with scale factors for blocks. `f` targets lack the older names of
/// the block sizes, and the sparse products of 4-bit elements.
class PTX_Tcgen05BlockForms<string sp> {
  defvar meta = !if(!eq(sp, ""), "", "[meta:b32], ");
  defvar head = sp # ".$group kind=.{kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4} "
                     ".block_scale ";
  defvar tail = "b:b64, " # meta #
                "idesc:b32, [scaleA:b32], [scaleB:b32], enable:pred";
  defvar sm4 = !if(!eq(sp, ""), PTX_SM100f, PTX_SM100a);
  defvar kinds = [PTX_Needs<["kind::mxf4"], "8.6", sm4>,
                  PTX_Needs<["kind::mxf4nvf4"], "8.7", sm4>];
  defvar older = [PTX_Needs<["scale_vec::1X", "scale_vec::2X",
                             "scale_vec::4X"], "8.6", PTX_SM100a>];
  list<PTX_Form> forms = !foldl([]<PTX_Form>, ["a:b64, ", "[a:b32], "], all, a,
    !listconcat(all, [
      PTX_Form<head # ".{scale_vec::1X|scale_vec::2X|scale_vec::4X} "
               ".$collectora?", "[d:b32], " # a # tail, "8.6", PTX_SM100f,
               !listconcat(kinds, older)>,
      PTX_Form<head # ".{block16|block32}? .$collectora?",
               "[d:b32], " # a # tail, "8.8", PTX_SM100f, kinds>]));
}

class PTX_Tcgen05MmaForms<string sp> {
  defvar floats = "kind=.{kind::f16|kind::tf32|kind::f8f6f4} ";
  list<PTX_Form> forms = !listconcat(
    PTX_Tcgen05KindForms<sp, floats, "", PTX_SM100f>.forms,
    PTX_Tcgen05KindForms<sp, "kind=.kind::i8 ", "", PTX_SM100i8>.forms,
    PTX_Tcgen05KindForms<sp, "kind=.{kind::f16|kind::tf32} ",
                         ", i/scale:u32(0..15)",
                         ["sm_100a", "sm_100f", "sm_103a"]>.forms,
    PTX_Tcgen05BlockForms<sp>.forms,
    PTX_Tcgen05WsForms<sp, floats, PTX_SM100f>.forms,
    PTX_Tcgen05WsForms<sp, "kind=.kind::i8 ", PTX_SM100i8>.forms);
}

def PTX_Tcgen05MmaOp
    : PTX_Tcgen05Inst<"tcgen05.mma",
                      [PTX_MemRead, PTX_MemWrite, PTX_Async],
                      !listconcat(PTX_Tcgen05MmaForms<"">.forms,
                                  PTX_Tcgen05MmaForms<".sp ">.forms)> {
  let ptxRules = [
    PTX_Without<["ashift"], ["collector::a::fill", "collector::a::use"]>,
    PTX_Without<["kind::mxf4"], ["block16", "scale_vec::1X", "scale_vec::4X"]>,
    PTX_Without<["kind::mxf4nvf4"], ["scale_vec::1X"]>,
    PTX_With<["kind::mxf4nvf4"],
             ["block16", "block32", "scale_vec::2X", "scale_vec::4X"]>,
    PTX_Without<["kind::mxf8f6f4"],
                ["block16", "scale_vec::2X", "scale_vec::4X"]>];
}

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TCGEN05_TD
