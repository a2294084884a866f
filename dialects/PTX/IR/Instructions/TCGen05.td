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
  PTX_Form<".$group .sync .aligned space=.{shared::cta|shared}? .b32",
           "[dst], columns:u32", "8.6", PTX_SM100f>]>;
def PTX_Tcgen05DeallocOp
    : PTX_Tcgen05Inst<"tcgen05.dealloc",
                      [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".$group .sync .aligned .b32", "taddr:b32, columns:u32",
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

def PTX_SetTmemNum : PTX_ModSet<"num", ["x1", "x2", "x4", "x8", "x16", "x32",
                                        "x64", "x128"]>;
def PTX_Tcgen05LdOp
    : PTX_Tcgen05Inst<"tcgen05.ld",
                      [PTX_Convergent, PTX_MemRead, PTX_Async], [
  PTX_Form<".sync .aligned shape=.{16x64b|16x128b|16x256b|32x32b} .$num "
           ".pack::16b? .b32", "=r:b32*@tmem, [taddr]", "8.6",
           PTX_SM100f>,
  PTX_Form<".sync .aligned shape=.16x32bx2 .$num "
           ".pack::16b? .b32", "=r:b32*@tmem, [taddr], i/offset:u32", "8.6",
           PTX_SM100f>,
  PTX_Form<".red .sync .aligned shape=.32x32b .$num "
           "op=.{min|max} .abs? .NaN? t=.{f32|u32|s32}",
           "=r:t*@tmem, =reduced:t, [taddr]", "8.8", ["sm_103a", "sm_103f"]>,
  PTX_Form<".red .sync .aligned shape=.16x32bx2 .$num "
           "op=.{min|max} .abs? .NaN? t=.{f32|u32|s32}",
           "=r:t*@tmem, =reduced:t, [taddr], i/offset:u32", "8.8",
           ["sm_103a", "sm_103f"]>]>;
def PTX_Tcgen05StOp
    : PTX_Tcgen05Inst<"tcgen05.st",
                      [PTX_Convergent, PTX_MemWrite, PTX_Async], [
  PTX_Form<".sync .aligned shape=.{16x64b|16x128b|16x256b|32x32b} .$num "
           ".unpack::16b? .b32", "[taddr], r:b32*@tmem", "8.6",
           PTX_SM100f>,
  PTX_Form<".sync .aligned shape=.16x32bx2 .$num "
           ".unpack::16b? .b32", "[taddr], i/offset:u32, r:b32*@tmem", "8.6",
           PTX_SM100f>]>;
def PTX_Tcgen05CpOp
    : PTX_Tcgen05Inst<"tcgen05.cp", [PTX_MemRead, PTX_MemWrite, PTX_Async], [
  PTX_Form<".$group shape=.{128x256b|4x256b|128x128b} "
           "formats=.b8x16? .{b6x16_p32|b4x16_p64}?", "[taddr], desc:b64", "8.6",
           PTX_SM100f>,
  PTX_Form<".$group shape=.64x128b .{warpx2::02_13|warpx2::01_23} "
           "formats=.b8x16? .{b6x16_p32|b4x16_p64}?", "[taddr], desc:b64", "8.6",
           PTX_SM100f>,
  PTX_Form<".$group shape=.32x128b .warpx4 "
           "formats=.b8x16? .{b6x16_p32|b4x16_p64}?", "[taddr], desc:b64", "8.6",
           PTX_SM100f>]>;
def PTX_Tcgen05ShiftOp
    : PTX_Tcgen05Inst<"tcgen05.shift",
                      [PTX_MemRead, PTX_MemWrite, PTX_Async], [
  PTX_Form<".$group .down", "[taddr]", "8.6", PTX_SM100f>]>;

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

/// The forms of one kind of elements: A from a shared-memory descriptor or
/// from tensor memory, dense or sparse, with or without disabled lanes.
class PTX_Tcgen05KindForms<string sp, string kind, string tail,
                           list<string> sm> {
  defvar meta = !if(!eq(sp, ""), "", "[meta], ");
  defvar usage = ".ashift? .$collectora?";
  list<PTX_Form> forms = !foldl([]<PTX_Form>, ["a:b64, ", "[a], "], all, a,
    !listconcat(all, [
      PTX_Form<sp # ".$group " # kind # usage,
               "[d], " # a # "b:b64, " # meta #
               "idesc:b32, enable:pred" # tail, "8.6", sm>,
      PTX_Form<sp # "group=.cta_group::1 " # kind # usage,
               "[d], " # a # "b:b64, " # meta #
               "idesc:b32, disable:b32*4, enable:pred" # tail, "8.6", sm>,
      PTX_Form<sp # "group=.cta_group::2 " # kind # usage,
               "[d], " # a # "b:b64, " # meta #
               "idesc:b32, disable:b32*8, enable:pred" # tail, "8.6", sm>]));
}

/// The forms of weight-stationary products.
class PTX_Tcgen05WsForms<string sp, string kind, list<string> sm> {
  defvar meta = !if(!eq(sp, ""), "", "[meta], ");
  list<PTX_Form> forms = !foreach(a, ["a:b64, ", "[a], "],
    PTX_Form<".ws " # sp # "group=.cta_group::1 " # kind # ".$collectorb?",
             "[d], " # a # "b:b64, " # meta #
             "idesc:b32, enable:pred, zeroColumnMask:b64?", "8.6", sm>);
}

/// The forms with scale factors for blocks.
class PTX_Tcgen05BlockForms<string sp> {
  defvar meta = !if(!eq(sp, ""), "", "[meta], ");
  list<PTX_Form> forms = !foreach(a, ["a:b64, ", "[a], "],
    PTX_Form<sp # ".$group kind=.{kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4} "
             ".block_scale "
             ".{scale_vec::1X|scale_vec::2X|scale_vec::4X|block16|block32}? "
             ".$collectora?",
             "[d], " # a # "b:b64, " # meta #
             "idesc:b32, [scaleA], [scaleB], enable:pred", "8.6",
             PTX_SM100f>);
}

class PTX_Tcgen05MmaForms<string sp> {
  defvar floats = "kind=.{kind::f16|kind::tf32|kind::f8f6f4} ";
  list<PTX_Form> forms = !listconcat(
    PTX_Tcgen05KindForms<sp, floats, "", PTX_SM100f>.forms,
    PTX_Tcgen05KindForms<sp, "kind=.kind::i8 ", "", PTX_SM100i8>.forms,
    PTX_Tcgen05KindForms<sp, "kind=.{kind::f16|kind::tf32} ",
                         ", i/scale:u32(0..15)", PTX_SM100f>.forms,
    PTX_Tcgen05BlockForms<sp>.forms,
    PTX_Tcgen05WsForms<sp, floats, PTX_SM100f>.forms,
    PTX_Tcgen05WsForms<sp, "kind=.kind::i8 ", PTX_SM100i8>.forms);
}

def PTX_Tcgen05MmaOp
    : PTX_Tcgen05Inst<"tcgen05.mma",
                      [PTX_MemRead, PTX_MemWrite, PTX_Async],
                      !listconcat(PTX_Tcgen05MmaForms<"">.forms,
                                  PTX_Tcgen05MmaForms<".sp ">.forms)>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TCGEN05_TD
