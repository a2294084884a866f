//===- MMA.td ---*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MMA_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MMA_TD

include "PTX/IR/PTXSets.td"

class PTX_MatrixInst<string opcode, list<PTX_Flag> instFlags,
                     list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Warp Level Matrix Instructions";
  let ptxForms = forms;
}

//===----------------------------------------------------------------------===//
// Matrices in shared memory
//===----------------------------------------------------------------------===//

def PTX_LdmatrixOp
    : PTX_MatrixInst<"ldmatrix", [PTX_Convergent, PTX_MemRead], [
  PTX_Form<".sync .aligned shape=.m8n8 num=.{x1|x2|x4} .trans? "
           "space=.$shared? .b16", "=r:b32*@ldmatrix, [p]", "6.5", PTX_SM75>,
  PTX_Form<".sync .aligned shape=.m16n16 num=.{x1|x2} .trans space=.$shared? "
           ".b8", "=r:b32*@ldmatrix, [p]", "8.6", PTX_SM100or120f>,
  PTX_Form<".sync .aligned shape=.m8n16 num=.{x1|x2|x4} space=.$shared? "
           ".b8x16 .{b6x16_p32|b4x16_p64}", "=r:b32*@ldmatrix, [p]", "8.6",
           PTX_SM100or120f>,
  PTX_Form<".sync .aligned shape=.m16n16 num=.{x1|x2} .trans space=.$shared? "
           ".b8x16 .{b6x16_p32|b4x16_p64}", "=r:b32*@ldmatrix, [p]", "8.6",
           PTX_SM100or120f>]> {
  let ptxFamily = PTX_FamilyLdmatrix;
}
def PTX_StmatrixOp
    : PTX_MatrixInst<"stmatrix", [PTX_Convergent, PTX_MemWrite], [
  PTX_Form<".sync .aligned shape=.m8n8 num=.{x1|x2|x4} .trans? "
           "space=.$shared? .b16", "[p], r:b32*num", "7.8", PTX_SM90>,
  PTX_Form<".sync .aligned shape=.m16n8 num=.{x1|x2|x4} .trans "
           "space=.$shared? .b8", "[p], r:b32*num", "8.6",
           PTX_SM100or120f>]> {
  let ptxFamily = PTX_FamilyStmatrix;
}
def PTX_MovmatrixOp : PTX_MatrixInst<"movmatrix", [PTX_Convergent], [
  PTX_Form<".sync .aligned shape=.m8n8 .trans .b16", "=d:b32, a:b32", "7.8",
           PTX_SM75>]> {
  let ptxFamily = PTX_FamilyMma;
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

/// `types` are the slots behind the layouts; `d`, `ab`, `c` the types of the
/// registers; `more` the operands behind `c`.
class PTX_MmaForm<string sp, string shapes, string layout, string types,
                  string d, string ab, string c, string more, string version,
                  list<string> sm>
    : PTX_Form<sp # ".sync .aligned shape=.{" # shapes # "} " # layout # " " #
               types,
               "=d:" # d # "*@mma_d, a:" # ab # "*@mma_a, b:" # ab #
               "*@mma_b, c:" # c # "*@mma_c" # more, version, sm>;

/// f16 with f16 or f32 accumulators.
class PTX_MmaHalfForms<string sp, string shapes, string layout, string types,
                       string ab, string more, string version,
                       list<string> sm> {
  list<PTX_Form> forms = [
    PTX_MmaForm<sp, shapes, layout, !subst("D", "f32", !subst("C", "f32",
                types)), "f32", ab, "f32", more, version, sm>,
    PTX_MmaForm<sp, shapes, layout, !subst("D", "f16", !subst("C", "f16",
                types)), "f16x2", ab, "f16x2", more, version, sm>];
}

defvar PTX_RowCol = ".row .col";
defvar PTX_MmaHalf = "d=.D a=.f16 b=.f16 c=.C";
defvar PTX_MmaF8 = "d=.D a=.{e4m3|e5m2} b=.{e4m3|e5m2} c=.C";
// Elements of eight bits have it on more architectures.
defvar PTX_MmaKindF8 = "kind=.kind::f8f6f4 d=.D a=.{e4m3|e5m2} b=.{e4m3|e5m2} "
                       "c=.C";
defvar PTX_MmaF8F6F4 = "kind=.kind::f8f6f4 d=.D a=.{e4m3|e5m2|e3m2|e2m3|e2m1} "
                       "b=.{e4m3|e5m2|e3m2|e2m3|e2m1} c=.C";
defvar PTX_MmaBlock = "kind=.kind::mxf8f6f4 .block_scale .scale_vec::1X? d=.f32 "
                      "a=.{e4m3|e5m2|e3m2|e2m3|e2m1} "
                      "b=.{e4m3|e5m2|e3m2|e2m3|e2m1} c=.f32 .ue8m0";
defvar PTX_MmaScales = ", scaleA:b32{}, idsA:u16*2, scaleB:b32{}, idsB:u16*2";
// Metadata and which threads of a group give it.
defvar PTX_MmaSparse1 = ", e:b32{}, i/f:u32(0)";
/// Without a kind, 8-bit floats are emulated where there are none.
defvar PTX_MmaSparseF8 = ", e:b32, i/f:u32(0)";
defvar PTX_MmaSparse2 = ", e:b32{}, i/f:u32(0..1)";
defvar PTX_MmaSparse4 = ", e:b32{}, i/f:u32(0..3)";
defvar PTX_MmaSparseScales = ", e:b32{}, i/f:u32(0), scaleA:b32{}, "
                             "idsA:u16*2, scaleB:b32{}, idsB:u16*2";
defvar PTX_Sp = "sp=.{sp|sp::ordered_metadata} ";

def PTX_MmaOp : PTX_MatrixInst<"mma", [PTX_Convergent], !listconcat(
  PTX_MmaHalfForms<"", "m16n8k16", PTX_RowCol, PTX_MmaHalf, "f16x2", "",
                   "7.0", PTX_SM80>.forms,
  PTX_MmaHalfForms<"", "m16n8k8", PTX_RowCol, PTX_MmaHalf, "f16x2", "", "6.5",
                   PTX_SM75>.forms,
  PTX_MmaHalfForms<"", "m8n8k4", ".{row|col} .{row|col}", PTX_MmaHalf, "f16x2",
                   "", "6.4", PTX_SM70>.forms,
  [PTX_MmaForm<"", "m8n8k4", ".{row|col} .{row|col}",
               "d=.f32 a=.f16 b=.f16 c=.f16", "f32", "f16x2", "f16x2", "",
               "6.4", PTX_SM70>,
   PTX_MmaForm<"", "m16n8k8|m16n8k16", PTX_RowCol,
               "d=.f32 a=.bf16 b=.bf16 c=.f32", "f32", "bf16x2", "f32", "", "7.0",
               PTX_SM80>,
   PTX_MmaForm<"", "m16n8k4|m16n8k8", PTX_RowCol,
               "d=.f32 a=.tf32 b=.tf32 c=.f32", "f32", "tf32", "f32", "", "7.0",
               PTX_SM80>,
   PTX_MmaForm<"", "m8n8k4", PTX_RowCol, ".$rnd? d=.f64 a=.f64 b=.f64 c=.f64",
               "f64", "f64", "f64", "", "7.0", PTX_SM80>,
   PTX_MmaForm<"", "m16n8k4|m16n8k8|m16n8k16", PTX_RowCol,
               ".$rnd? d=.f64 a=.f64 b=.f64 c=.f64", "f64", "f64", "f64", "",
               "7.8", PTX_SM90>,
   PTX_MmaForm<"", "m8n8k16", PTX_RowCol,
               ".satfinite? d=.s32 a=.{u8|s8} b=.{u8|s8} c=.s32", "s32", "b32",
               "s32", "", "6.5", PTX_SM75>,
   PTX_MmaForm<"", "m16n8k16|m16n8k32", PTX_RowCol,
               ".satfinite? d=.s32 a=.{u8|s8} b=.{u8|s8} c=.s32", "s32", "b32",
               "s32", "", "7.0", PTX_SM80>,
   PTX_MmaForm<"", "m8n8k32", PTX_RowCol,
               ".satfinite? d=.s32 a=.{u4|s4} b=.{u4|s4} c=.s32", "s32", "b32",
               "s32", "", "6.5", PTX_SM75>,
   PTX_MmaForm<"", "m16n8k32|m16n8k64", PTX_RowCol,
               ".satfinite? d=.s32 a=.{u4|s4} b=.{u4|s4} c=.s32", "s32", "b32",
               "s32", "", "7.0", PTX_SM80>,
   PTX_MmaForm<"", "m8n8k128", PTX_RowCol,
               "d=.s32 a=.b1 b=.b1 c=.s32 .xor .popc", "s32", "b32", "s32", "",
               "7.0", PTX_SM75>,
   PTX_MmaForm<"", "m16n8k128|m16n8k256", PTX_RowCol,
               "d=.s32 a=.b1 b=.b1 c=.s32 .xor .popc", "s32", "b32", "s32", "",
               "7.0", PTX_SM80>,
   PTX_MmaForm<"", "m8n8k128|m16n8k128|m16n8k256", PTX_RowCol,
               "d=.s32 a=.b1 b=.b1 c=.s32 .and .popc", "s32", "b32", "s32", "",
               "7.1", PTX_SM80>],
  PTX_MmaHalfForms<"", "m16n8k16", PTX_RowCol, PTX_MmaF8, "b32", "", "8.7",
                   PTX_SM89>.forms,
  [PTX_MmaForm<"", "m16n8k32", PTX_RowCol,
               "d=.f32 a=.{e4m3|e5m2} b=.{e4m3|e5m2} c=.f32", "f32", "b32",
               "f32", "", "8.4", PTX_SM89>,
   PTX_MmaForm<"", "m16n8k32", PTX_RowCol,
               "d=.f16 a=.{e4m3|e5m2} b=.{e4m3|e5m2} c=.f16", "f16x2", "b32",
               "f16x2", "", "8.7", PTX_SM89>],
  PTX_MmaHalfForms<"", "m16n8k16", PTX_RowCol, PTX_MmaKindF8, "b32", "", "8.7",
                   PTX_SM100or120f>.forms,
  [PTX_MmaForm<"", "m16n8k32", PTX_RowCol,
               !subst("D", "f32", !subst("C", "f32", PTX_MmaKindF8)), "f32",
               "b32", "f32", "", "8.6", PTX_SM100or120f>,
   PTX_MmaForm<"", "m16n8k32", PTX_RowCol,
               !subst("D", "f16", !subst("C", "f16", PTX_MmaKindF8)), "f16x2",
               "b32", "f16x2", "", "8.7", PTX_SM100or120f>,
   PTX_MmaForm<"sp=.sp::ordered_metadata ", "m16n8k64", PTX_RowCol,
               !subst("D", "f32", !subst("C", "f32", PTX_MmaKindF8)), "f32",
               "b32", "f32", PTX_MmaSparse1, "8.6", PTX_SM100or120f>],
  PTX_MmaHalfForms<"", "m16n8k32", PTX_RowCol,
                   PTX_MmaF8F6F4, "b32", "", "8.7",
                   PTX_SM120f>.forms,
  [PTX_MmaForm<"", "m16n8k64", PTX_RowCol,
               "kind=.kind::mxf4 .block_scale .scale_vec::2X? "
               "d=.f32 a=.e2m1 b=.e2m1 c=.f32 .ue8m0", "f32", "b32", "f32",
               PTX_MmaScales, "8.7", PTX_SM120f>,
   PTX_MmaForm<"", "m16n8k64", PTX_RowCol,
               "kind=.kind::mxf4nvf4 .block_scale .{scale_vec::2X|scale_vec::4X} "
               "d=.f32 a=.e2m1 b=.e2m1 c=.f32 .{ue8m0|ue4m3}", "f32", "b32",
               "f32", PTX_MmaScales, "8.7", PTX_SM120f>,
   PTX_MmaForm<"", "m16n8k32", PTX_RowCol,
               PTX_MmaBlock, "f32", "b32", "f32", PTX_MmaScales, "8.7",
               PTX_SM120f>],
  // Sparse A.
  PTX_MmaHalfForms<PTX_Sp, "m16n8k16", PTX_RowCol, PTX_MmaHalf, "f16x2",
                   PTX_MmaSparse4, "7.1", PTX_SM80>.forms,
  [PTX_MmaForm<PTX_Sp, "m16n8k32", PTX_RowCol,
               "d=.f32 a=.f16 b=.f16 c=.f32", "f32", "f16x2", "f32",
               PTX_MmaSparse4, "7.1", PTX_SM80>,
   PTX_MmaForm<PTX_Sp, "m16n8k32", PTX_RowCol,
               "d=.f16 a=.f16 b=.f16 c=.f16", "f16x2", "f16x2", "f16x2",
               PTX_MmaSparse2, "7.1", PTX_SM80>,
   PTX_MmaForm<PTX_Sp, "m16n8k16", PTX_RowCol,
               "d=.f32 a=.bf16 b=.bf16 c=.f32", "f32", "bf16x2", "f32",
               PTX_MmaSparse4, "7.1", PTX_SM80>,
   PTX_MmaForm<PTX_Sp, "m16n8k32", PTX_RowCol,
               "d=.f32 a=.bf16 b=.bf16 c=.f32", "f32", "bf16x2", "f32",
               PTX_MmaSparse2, "7.1", PTX_SM80>,
   PTX_MmaForm<PTX_Sp, "m16n8k8", PTX_RowCol,
               "d=.f32 a=.tf32 b=.tf32 c=.f32", "f32", "tf32", "f32",
               PTX_MmaSparse4, "7.1", PTX_SM80>,
   PTX_MmaForm<PTX_Sp, "m16n8k16", PTX_RowCol,
               "d=.f32 a=.tf32 b=.tf32 c=.f32", "f32", "tf32", "f32",
               PTX_MmaSparse2, "7.1", PTX_SM80>],
  !foldl([]<PTX_Form>, [["m16n8k32", "u8|s8", PTX_MmaSparse2],
                        ["m16n8k64", "u8|s8", PTX_MmaSparse1],
                        ["m16n8k64", "u4|s4", PTX_MmaSparse2],
                        ["m16n8k128", "u4|s4", PTX_MmaSparse1]], all, one,
         !listconcat(all, [
           PTX_MmaForm<PTX_Sp, one[0], PTX_RowCol,
                       ".satfinite? d=.s32 a=.{" # one[1] # "} b=.{" # one[1] #
                       "} c=.s32", "s32", "b32", "s32", one[2], "7.1",
                       PTX_SM80>])),
  [PTX_MmaForm<PTX_Sp, "m16n8k64", PTX_RowCol,
               "d=.f32 a=.{e4m3|e5m2} b=.{e4m3|e5m2} c=.f32", "f32", "b32",
               "f32", PTX_MmaSparseF8, "8.4", PTX_SM89>,
   PTX_MmaForm<"sp=.sp::ordered_metadata ", "m16n8k64", PTX_RowCol,
               "d=.f16 a=.{e4m3|e5m2} b=.{e4m3|e5m2} c=.f16", "f16x2", "b32",
               "f16x2", PTX_MmaSparse1, "8.7", PTX_SM120f>],
  PTX_MmaHalfForms<"sp=.sp::ordered_metadata ", "m16n8k64", PTX_RowCol,
                   PTX_MmaF8F6F4, "b32", PTX_MmaSparse1,
                   "8.7", PTX_SM120f>.forms,
  [PTX_MmaForm<"sp=.sp::ordered_metadata ", "m16n8k128", PTX_RowCol,
               "kind=.kind::mxf4 .block_scale .scale_vec::2X? "
               "d=.f32 a=.e2m1 b=.e2m1 c=.f32 .ue8m0", "f32", "b32", "f32",
               PTX_MmaSparseScales, "8.7", PTX_SM120a>,
   PTX_MmaForm<"sp=.sp::ordered_metadata ", "m16n8k128", PTX_RowCol,
               "kind=.kind::mxf4nvf4 .block_scale .{scale_vec::2X|scale_vec::4X} "
               "d=.f32 a=.e2m1 b=.e2m1 c=.f32 .{ue8m0|ue4m3}", "f32", "b32",
               "f32", PTX_MmaSparseScales, "8.7", PTX_SM120a>,
   PTX_MmaForm<"sp=.sp::ordered_metadata ", "m16n8k64", PTX_RowCol,
               PTX_MmaBlock, "f32", "b32", "f32", PTX_MmaSparseScales,
               "8.7", PTX_SM120f>])> {
  let ptxFamily = PTX_FamilyMma;
  let ptxRules = [PTX_Without<["scale_vec::2X"], ["ue4m3"]>,
                  PTX_Without<["scale_vec::4X"], ["ue8m0"]>];
}

//===----------------------------------------------------------------------===//
// wmma
//===----------------------------------------------------------------------===//

defvar PTX_WmmaShapes = "shape=.{m16n16k16|m8n32k16|m32n8k16} ";
class PTX_WmmaInst<string opcode, list<PTX_Flag> instFlags,
                   list<PTX_Form> forms>
    : PTX_MatrixInst<opcode, instFlags, forms> {
  let ptxFamily = PTX_FamilyMma;
}

/// `types` with the shapes that have them and what they need.
class PTX_WmmaLoadForm<string shapes, string types, string version,
                       list<string> sm, string parts = "a|b",
                       string layout = "row|col">
    : PTX_Form<"part=.{" # parts # "} .sync .aligned .{" # layout # "} " #
               shapes #
               "space=.{global|$shared}? t=.{" # types # "}",
               "=r:b32*@wmma_load, [p], stride:u32?", version, sm>;
/// Accumulators have registers of their own type.
class PTX_WmmaLoadCForm<string shapes, string type, string version,
                        list<string> sm>
    : PTX_Form<"part=.c .sync .aligned .{row|col} " # shapes #
               "space=.{global|$shared}? t=." # type,
               "=r:t*@wmma_load, [p], stride:u32?", version, sm>;
class PTX_WmmaStoreForm<string shapes, string type, string reg, string version,
                        list<string> sm>
    : PTX_Form<"part=.d .sync .aligned .{row|col} " # shapes #
               "space=.{global|$shared}? t=." # type,
               "[p], r:" # reg # "*@wmma_load, stride:u32?", version, sm>;
class PTX_WmmaMmaForm<string shapes, string types, string d, string ab,
                      string c, string version, list<string> sm,
                      string layout = ".{row|col} .{row|col}">
    : PTX_Form<".sync .aligned " # layout # " " # shapes # types,
               "=d:" # d # "*@wmma_d, a:" # ab # "*@wmma_a, b:" # ab #
               "*@wmma_b, c:" # c # "*@wmma_c", version, sm>;

def PTX_WmmaLoadOp
    : PTX_WmmaInst<"wmma.load", [PTX_Convergent, PTX_MemRead], [
  PTX_WmmaLoadCForm<PTX_WmmaShapes, "f32", "6.3", PTX_SM70>,
  PTX_WmmaLoadCForm<PTX_WmmaShapes, "s32", "6.3", ["sm_72"]>,
  PTX_WmmaLoadCForm<"shape=.m16n16k8 ", "f32", "7.0", PTX_SM80>,
  PTX_WmmaLoadCForm<"shape=.{m8n8k32|m8n8k128} ", "s32", "6.3", PTX_SM75>,
  PTX_WmmaLoadCForm<"shape=.{m8n8k32|m8n8k128} ", "f32", "6.3", PTX_SM75>,
  PTX_WmmaLoadForm<PTX_WmmaShapes, "f16", "6.3", PTX_SM70, "a|b|c">,
  PTX_WmmaLoadForm<PTX_WmmaShapes, "s8|u8", "6.3", ["sm_72"]>,
  PTX_WmmaLoadForm<PTX_WmmaShapes, "bf16", "7.0", PTX_SM80>,
  PTX_WmmaLoadForm<"shape=.m16n16k8 ", "tf32", "7.0", PTX_SM80>,
  PTX_WmmaLoadForm<"shape=.m8n8k32 ", "s4|u4", "6.3", PTX_SM75, "a", "row">,
  PTX_WmmaLoadForm<"shape=.m8n8k32 ", "s4|u4", "6.3", PTX_SM75, "b", "col">,
  PTX_WmmaLoadForm<"shape=.m8n8k128 ", "b1", "6.3", PTX_SM75, "a", "row">,
  PTX_WmmaLoadForm<"shape=.m8n8k128 ", "b1", "6.3", PTX_SM75, "b", "col">,
  PTX_Form<"part=.{a|b|c} .sync .aligned .{row|col} shape=.m8n8k4 "
           "space=.{global|$shared}? t=.f64",
           "=r:t*@wmma_load, [p], stride:u32?", "7.0", PTX_SM80>]>;
def PTX_WmmaStoreOp
    : PTX_WmmaInst<"wmma.store", [PTX_Convergent, PTX_MemWrite], [
  PTX_WmmaStoreForm<PTX_WmmaShapes, "f16", "b32", "6.3", PTX_SM70>,
  PTX_WmmaStoreForm<PTX_WmmaShapes, "f32", "t", "6.3", PTX_SM70>,
  PTX_WmmaStoreForm<PTX_WmmaShapes, "s32", "t", "6.3", ["sm_72"]>,
  PTX_WmmaStoreForm<"shape=.m16n16k8 ", "f32", "t", "7.0", PTX_SM80>,
  PTX_WmmaStoreForm<"shape=.{m8n8k32|m8n8k128} ", "s32", "t", "6.3",
                    PTX_SM75>,
  PTX_WmmaStoreForm<"shape=.{m8n8k32|m8n8k128} ", "f32", "t", "6.3",
                    PTX_SM75>,
  PTX_WmmaStoreForm<"shape=.m8n8k4 ", "f64", "t", "7.0", PTX_SM80>]>;
/// f16 fragments; `.satfinite` was dropped when version 6.5 came.
class PTX_WmmaHalfForm<string accumulators, string d, string c>
    : PTX_WmmaMmaForm<PTX_WmmaShapes, accumulators, d, "f16x2", c, "6.3",
                      PTX_SM70>;
class PTX_WmmaSaturatedForm<string accumulators, string d, string c>
    : PTX_WmmaHalfForm<accumulators # " .satfinite", d, c> {
  let removedVersion = "6.5";
}
def PTX_WmmaMmaOp : PTX_WmmaInst<"wmma.mma", [PTX_Convergent], !listconcat(
  !foldl([]<PTX_Form>, [["d=.f32 c=.f32", "f32", "f32"],
                        ["d=.f16 c=.f16", "f16x2", "f16x2"],
                        ["d=.f32 c=.f16", "f32", "f16x2"],
                        ["d=.f16 c=.f32", "f16x2", "f32"]], all, one,
         !listconcat(all, [PTX_WmmaHalfForm<one[0], one[1], one[2]>,
                           PTX_WmmaSaturatedForm<one[0], one[1], one[2]>])),
  !foreach(type, ["s8", "u8"],
    PTX_WmmaMmaForm<PTX_WmmaShapes,
                    "d=.s32 a=." # type # " b=." # type # " c=.s32 .satfinite?",
                    "s32", "b32", "s32", "6.3", ["sm_72"]>),
  [PTX_WmmaMmaForm<PTX_WmmaShapes, "d=.f32 a=.bf16 b=.bf16 c=.f32", "f32",
                   "b32", "f32", "7.0", PTX_SM80>,
   PTX_WmmaMmaForm<"shape=.m16n16k8 ", "d=.f32 a=.tf32 b=.tf32 c=.f32", "f32",
                   "b32", "f32", "7.0", PTX_SM80>,
   PTX_WmmaMmaForm<"shape=.m8n8k4 ", ".$rnd? d=.f64 a=.f64 b=.f64 c=.f64",
                   "f64", "f64", "f64", "7.0", PTX_SM80>],
  !foreach(type, ["s4", "u4"],
    PTX_WmmaMmaForm<"shape=.m8n8k32 ",
                    "d=.s32 a=." # type # " b=." # type # " c=.s32 .satfinite?",
                    "s32", "b32", "s32", "6.3", PTX_SM75, PTX_RowCol>),
  [PTX_WmmaMmaForm<"shape=.m8n8k128 ",
                   "d=.s32 a=.b1 b=.b1 c=.s32 .xor .popc", "s32", "b32", "s32",
                   "6.3", PTX_SM75, PTX_RowCol>,
   PTX_WmmaMmaForm<"shape=.m8n8k128 ",
                   "d=.s32 a=.b1 b=.b1 c=.s32 .and .popc", "s32", "b32", "s32",
                   "7.1", PTX_SM80, PTX_RowCol>])>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MMA_TD
