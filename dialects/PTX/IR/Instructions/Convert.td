//===- Convert.td - Moves, conversions and addresses ---------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_CONVERT_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_CONVERT_TD

include "PTX/IR/PTXSets.td"

class PTX_MoveInst<string opcode, list<PTX_Form> forms>
    : PTX_Inst<opcode, [PTX_Pure]> {
  let ptxSection = "Data Movement and Conversion Instructions";
  let ptxForms = forms;
}

//===----------------------------------------------------------------------===//
// Moves and permutations
//===----------------------------------------------------------------------===//

def PTX_MovOp : PTX_MoveInst<"mov", [
  PTX_Form<"t=.{pred|b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64}",
           "=d:t, a:t">,
  PTX_Form<"t=.b128", "=d:t, a:t", "8.3", PTX_SM70>,
  // One element in braces, on one side.
  PTX_Form<"t=.{b16|b32|b64}", "=d:t, a:t*1">,
  PTX_Form<"t=.{b16|b32|b64}", "=d:t*1, a:t">,
  PTX_Form<"t=.b128", "=d:t, a:t*1", "8.3", PTX_SM70>,
  PTX_Form<"t=.b128", "=d:t*1, a:t", "8.3", PTX_SM70>,
  // Packing a scalar from a vector, and the other way.
  PTX_Form<"t=.b16", "=d:t, a:b8*2">,
  PTX_Form<"t=.b32", "=d:t, a:b16*2">,
  PTX_Form<"t=.b32", "=d:t, a:b8*4">,
  PTX_Form<"t=.b64", "=d:t, a:b32*2">,
  PTX_Form<"t=.b64", "=d:t, a:b16*4">,
  PTX_Form<"t=.b128", "=d:t, a:b64*2", "8.3", PTX_SM70>,
  PTX_Form<"t=.b16", "=d:b8*2, a:t">,
  PTX_Form<"t=.b32", "=d:b16*2, a:t">,
  PTX_Form<"t=.b32", "=d:b8*4, a:t">,
  PTX_Form<"t=.b64", "=d:b32*2, a:t">,
  PTX_Form<"t=.b64", "=d:b16*4, a:t">,
  PTX_Form<"t=.b128", "=d:b64*2, a:t", "8.3", PTX_SM70>,
  // A vector moved as a whole.
  PTX_Form<".v2 t=.{b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64}",
           "=d:t*2, a:t*2">,
  PTX_Form<".v4 t=.{b16|b32|u16|u32|s16|s32|f32}",
           "=d:t*4, a:t*4">]>;

def PTX_PrmtOp : PTX_MoveInst<"prmt", [
  PTX_Form<"t=.b32 mode=.{f4e|b4e|rc8|ecl|ecr|rc16}?",
           "=d:t, a:t, b:t, c:t", "2.0", PTX_SM20>]>;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

def PTX_SetCvtInt : PTX_ModSet<"cvtint", ["u8", "u16", "u32", "u64", "s8",
                                          "s16", "s32", "s64"]>;
def PTX_SetF8x2 : PTX_ModSet<"f8x2", ["e4m3x2", "e5m2x2"]>;
def PTX_SetF8x4 : PTX_ModSet<"f8x4", ["e4m3x4", "e5m2x4"]>;
def PTX_SetF6x2 : PTX_ModSet<"f6x2", ["e2m3x2", "e3m2x2"]>;
def PTX_SetF6x4 : PTX_ModSet<"f6x4", ["e2m3x4", "e3m2x4"]>;

class PTX_CvtForm<string mods, string version = "1.0",
                  list<string> sm = [], list<PTX_Needs> needs = []>
    : PTX_Form<mods, "=d:d~, a:s~", version, sm, needs>;
defvar PTX_CvtSatfinite = [PTX_Needs<["satfinite"], "8.1">];
/// Between integers, where the value may not fit.
class PTX_CvtSatForm<string d, string s>
    : PTX_CvtForm<".sat? d=.{" # d # "} s=.{" # s # "}">;

/// Hopper had pairs of 8-bit floats first, Ada later.
class PTX_CvtF8Forms<string version, list<string> sm> {
  list<PTX_Form> forms = [
    PTX_Form<".rn .satfinite .relu? d=.$f8x2 s=.f32", "=d:d, a:s, b:s", version,
             sm>,
    PTX_Form<".rn .satfinite .relu? d=.$f8x2 s=.f16x2", "=d:d, a:s", version,
             sm>,
    PTX_Form<".rn .relu? d=.f16x2 s=.$f8x2", "=d:d, a:s", version, sm>];
}

def PTX_CvtOp : PTX_MoveInst<"cvt", !listconcat([
  // Integer to integer: `.sat` only where the value may not fit.
  PTX_CvtSatForm<"u8", "u16|u32|u64|s8|s16|s32|s64">,
  PTX_CvtSatForm<"u16", "u32|u64|s8|s16|s32|s64">,
  PTX_CvtSatForm<"u32", "u64|s8|s16|s32|s64">,
  PTX_CvtSatForm<"u64", "s8|s16|s32|s64">,
  PTX_CvtSatForm<"s8", "u8|u16|u32|u64|s16|s32|s64">,
  PTX_CvtSatForm<"s16", "u16|u32|u64|s32|s64">,
  PTX_CvtSatForm<"s32", "u32|u64|s64">,
  PTX_CvtSatForm<"s64", "u64">,
  PTX_CvtForm<"d=.$cvtint s=.$cvtint">,
  // Float to integer, rounded to an integer.
  PTX_CvtForm<".$irnd .ftz? .sat? d=.$cvtint s=.f32">,
  PTX_CvtForm<".$irnd .sat? d=.$cvtint s=.f64">,
  PTX_CvtForm<".$irnd .sat? d=.$cvtint s=.f16">,
  PTX_CvtForm<".$irnd d=.{u16|u32|u64|s16|s32|s64} s=.bf16", "7.8", PTX_SM90>,
  // Integer to float.
  PTX_CvtForm<".$rnd .ftz? .sat? d=.f32 s=.$cvtint">,
  PTX_CvtForm<".$rnd .sat? d=.f64 s=.$cvtint">,
  PTX_CvtForm<".$rnd .sat? d=.f16 s=.$cvtint">,
  PTX_CvtForm<".$rnd d=.bf16 s=.{u16|u32|u64|s16|s32|s64}", "7.8", PTX_SM90>,
  // Float to float: rounding only where precision is lost, or to integers.
  PTX_CvtForm<".$rnd .ftz? .sat? d=.f32 s=.f64">,
  PTX_CvtForm<".$rnd .ftz? .sat? d=.f16 s=.f32">,
  PTX_CvtForm<".$rnd .sat? d=.f16 s=.f64">,
  PTX_CvtForm<".ftz? .sat? d=.f64 s=.f32">,
  PTX_CvtForm<".sat? d=.f64 s=.f16">,
  PTX_CvtForm<".ftz? .sat? d=.f32 s=.f16">,
  PTX_CvtForm<".$irnd? .sat? d=.f16 s=.f16">,
  PTX_CvtForm<".$irnd? .ftz? .sat? d=.f32 s=.f32">,
  PTX_CvtForm<".$irnd? .sat? d=.f64 s=.f64">,
  PTX_CvtForm<".{rn|rz} .satfinite d=.f16 s=.f32", "8.1", PTX_SM70>,
  PTX_CvtForm<".{rn|rz} .relu .satfinite? d=.f16 s=.f32", "7.0", PTX_SM80,
              PTX_CvtSatfinite>,
  PTX_CvtForm<".{rn|rz} .relu? .satfinite? d=.bf16 s=.f32", "7.0", PTX_SM80,
              PTX_CvtSatfinite>,
  PTX_CvtForm<".{rm|rp} d=.bf16 s=.f32", "7.0", PTX_SM80>,
  PTX_CvtForm<".$rnd .ftz d=.bf16 s=.f32", "7.0", PTX_SM80>,
  PTX_CvtForm<".$rnd? d=.f32 s=.bf16", "7.1", PTX_SM80>,
  PTX_CvtForm<".$rnd? .ftz d=.f32 s=.bf16", "7.8", PTX_SM90>,
  PTX_CvtForm<".$rnd? d=.{f16|f64} s=.bf16", "7.8", PTX_SM90>,
  PTX_CvtForm<".$rnd? d=.bf16 s=.f16", "7.8", PTX_SM90>,
  PTX_CvtForm<".$rnd d=.bf16 s=.f64", "7.8", PTX_SM90>,
  PTX_CvtForm<".$irnd? d=.bf16 s=.bf16", "7.8", PTX_SM90>,
  PTX_Form<".{rn|rz} .relu? .satfinite? d=.{f16x2|bf16x2} s=.f32",
           "=d:d, a:s, b:s", "7.0", PTX_SM80, PTX_CvtSatfinite>,
  PTX_Form<".rs .relu? .satfinite? d=.{f16x2|bf16x2} s=.f32",
           "=d:d, a:s, b:s, rbits:b32", "8.7", ["sm_100a", "sm_103a"]>,
  PTX_Form<".rna .satfinite? d=.tf32 s=.f32", "=d:d, a:s", "7.0", PTX_SM80,
           PTX_CvtSatfinite>,
  PTX_Form<".{rn|rz} .relu? d=.tf32 s=.f32", "=d:d, a:s", "7.8", PTX_SM90>,
  PTX_Form<".{rn|rz} .satfinite .relu? d=.tf32 s=.f32", "=d:d, a:s", "8.6",
           PTX_SM100>,
  // fp8, fp6, fp4 and scale factors.
  PTX_Form<".rs .relu? .satfinite d=.{$f8x4|$f6x4|e2m1x4} s=.f32",
           "=d:d, a:s*4, rbits:b32", "8.7", ["sm_100a", "sm_103a"]>,
  PTX_Form<".rn .satfinite .relu? d=.{$f6x2|e2m1x2} s=.f32", "=d:d, a:s, b:s",
           "8.6", PTX_SM100or120f>,
  PTX_Form<".rn .satfinite .relu? d=.e2m1x2 s=.f16x2", "=d:d, a:s", "8.6",
           PTX_SM100or120f>,
  PTX_Form<".rn .relu? d=.f16x2 s=.{$f6x2|e2m1x2}", "=d:d, a:s", "8.6",
           PTX_SM100or120f>,
  PTX_Form<".{rz|rp} .satfinite? d=.ue8m0x2 s=.f32", "=d:d, a:s, b:s", "8.6",
           PTX_SM100or120f>,
  PTX_Form<".{rz|rp} .satfinite? d=.ue8m0x2 s=.bf16x2", "=d:d, a:s", "8.6",
           PTX_SM100or120f>,
  PTX_Form<".rn d=.bf16x2 s=.ue8m0x2", "=d:d, a:s", "8.6",
           PTX_SM100or120f>],
  PTX_CvtF8Forms<"8.1", PTX_SM89>.forms,
  PTX_CvtF8Forms<"7.8", PTX_SM90>.forms)>;

def PTX_CvtPackOp : PTX_MoveInst<"cvt.pack", [
  PTX_Form<".sat .{u16|s16} t=.s32", "=d:b32, a:t, b:t", "6.5", PTX_SM75>,
  PTX_Form<".sat .{u2|s2|u4|s4|u8|s8} t=.s32 c=.b32", "=d:b32, a:t, b:t, c:c",
           "6.5", PTX_SM75>]>;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

def PTX_CvtaOp : PTX_MoveInst<"cvta", [
  PTX_Form<"space=.$genericspace t=.{u32|u64}", "=d:t, a:t", "2.0",
           PTX_SM20>,
  PTX_Form<".to space=.$genericspace t=.{u32|u64}", "=d:t, a:t", "2.0",
           PTX_SM20>]> {
  let ptxNeeds = [PTX_Needs<["param", "param::entry"], "7.7", PTX_SM70>];
}
def PTX_IsspacepOp : PTX_MoveInst<"isspacep", [
  PTX_Form<"space=.$genericspace", "=p:pred, a:b64", "2.0", PTX_SM20>,
  PTX_Form<"space=.$genericspace", "=p:pred, a:b32", "2.0", PTX_SM20>]> {
  let ptxNeeds = [PTX_Needs<["param", "param::entry"], "7.7", PTX_SM70>];
}
def PTX_MapaOp : PTX_MoveInst<"mapa", [
  PTX_Form<"space=.shared::cluster? t=.{u32|u64}", "=d:t, a:t, b:u32", "7.8",
           PTX_SM90>]> {
  let ptxFamily = PTX_FamilyCluster;
}
def PTX_GetctarankOp : PTX_MoveInst<"getctarank", [
  PTX_Form<"space=.shared::cluster? t=.{u32|u64}", "=d:u32, a:t", "7.8",
           PTX_SM90>]> {
  let ptxFamily = PTX_FamilyCluster;
}

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_CONVERT_TD
