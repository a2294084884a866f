//===- Compare.td - Logic, comparison and selection ----------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_COMPARE_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_COMPARE_TD

include "PTX/IR/PTXSets.td"

class PTX_LogicInst<string opcode, list<PTX_Form> forms>
    : PTX_Inst<opcode, [PTX_Pure]> {
  let ptxSection = "Logic and Shift Instructions";
  let ptxForms = forms;
}

class PTX_CompareInst<string opcode, list<PTX_Form> forms>
    : PTX_Inst<opcode, [PTX_Pure]> {
  let ptxSection = "Comparison and Selection Instructions";
  let ptxForms = forms;
}

//===----------------------------------------------------------------------===//
// Logic and shifts
//===----------------------------------------------------------------------===//

class PTX_BinaryLogicInst<string opcode>
    : PTX_LogicInst<opcode, [
        PTX_Form<"t=.{pred|b16|b32|b64}", "=d:t, a:t, b:t">]>;
def PTX_AndOp : PTX_BinaryLogicInst<"and">;
def PTX_OrOp : PTX_BinaryLogicInst<"or">;
def PTX_XorOp : PTX_BinaryLogicInst<"xor">;
def PTX_NotOp : PTX_LogicInst<"not", [
  PTX_Form<"t=.{pred|b16|b32|b64}", "=d:t, a:t">]>;
def PTX_CnotOp : PTX_LogicInst<"cnot", [
  PTX_Form<"t=.$bits", "=d:t, a:t">]>;
def PTX_Lop3Op : PTX_LogicInst<"lop3", [
  PTX_Form<"t=.b32", "=d:t_, a:t, b:t, c:t, i/immLut:u32", "4.3", ["sm_50"]>,
  PTX_Form<".{and|or} t=.b32",
           "=d:t|p!_, a:t, b:t, c:t, i/immLut:u32, q:pred", "8.2", PTX_SM70>]>;
def PTX_ShlOp : PTX_LogicInst<"shl", [
  PTX_Form<"t=.$bits", "=d:t, a:t, b:u32">]>;
def PTX_ShrOp : PTX_LogicInst<"shr", [
  PTX_Form<"t=.{b16|b32|b64|u16|u32|u64|s16|s32|s64}", "=d:t, a:t, b:u32">]>;
def PTX_ShfOp : PTX_LogicInst<"shf", [
  PTX_Form<".{l|r} .{clamp|wrap} t=.b32", "=d:t, a:t, b:t, c:u32", "3.1",
           PTX_SM32>]>;

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

/// The comparison alone, and combined with a predicate.
class PTX_SetpForms<string cmp, string mods, string result = "=p:pred|p_",
                    string version = "1.0", list<string> sm = []> {
  list<PTX_Form> forms = [
    PTX_Form<"cmp=.$" # cmp # " " # mods, result # ", a:t, b:t", version, sm>,
    PTX_Form<"cmp=.$" # cmp # " op=.$boolop " # mods,
             result # ", a:t, b:t, c:pred", version, sm>];
}
def PTX_SetpOp : PTX_CompareInst<"setp", !listconcat(
  PTX_SetpForms<"equal", "t=.$bits">.forms,
  PTX_SetpForms<"unsignedcmp", "t=.{u16|u32|u64}">.forms,
  PTX_SetpForms<"signedcmp", "t=.{s16|s32|s64}">.forms,
  PTX_SetpForms<"floatcmp", ".ftz? t=.f32">.forms,
  PTX_SetpForms<"floatcmp", "t=.f64">.forms,
  PTX_SetpForms<"floatcmp", ".ftz? t=.f16", "=p:pred", "4.2", PTX_SM53>.forms,
  PTX_SetpForms<"floatcmp", ".ftz? t=.f16x2", "=p:pred|p_", "4.2",
                PTX_SM53>.forms,
  PTX_SetpForms<"floatcmp", "t=.bf16", "=p:pred", "7.8", PTX_SM90>.forms,
  PTX_SetpForms<"floatcmp", "t=.bf16x2", "=p:pred|p_", "7.8",
                PTX_SM90>.forms)>;

/// The same for `set`, whose result has a type of its own.
class PTX_SetForms<string cmp, string mods, string version = "1.0",
                   list<string> sm = []> {
  list<PTX_Form> forms = [
    PTX_Form<"cmp=.$" # cmp # " " # mods, "=d:d, a:t, b:t", version, sm>,
    PTX_Form<"cmp=.$" # cmp # " op=.$boolop " # mods,
             "=d:d, a:t, b:t, c:pred", version, sm>];
}
class PTX_IntSetForms<string results, string version, list<string> sm> {
  defvar d = "d=.{" # results # "} t=";
  list<PTX_Form> forms = !listconcat(
    PTX_SetForms<"equal", d # ".$bits", version, sm>.forms,
    PTX_SetForms<"unsignedcmp", d # ".{u16|u32|u64}", version, sm>.forms,
    PTX_SetForms<"signedcmp", d # ".{s16|s32|s64}", version, sm>.forms);
}
def PTX_SetOp : PTX_CompareInst<"set", !listconcat(
  PTX_IntSetForms<"u32|s32|f32", "1.0", []>.forms,
  PTX_SetForms<"floatcmp", ".ftz? d=.{u32|s32|f32} t=.f32">.forms,
  PTX_SetForms<"floatcmp", "d=.{u32|s32|f32} t=.f64">.forms,
  PTX_IntSetForms<"f16", "4.2", PTX_SM53>.forms,
  PTX_IntSetForms<"bf16", "7.8", PTX_SM90>.forms,
  PTX_SetForms<"floatcmp", ".ftz? d=.f16 t=.{f16|f32}", "4.2", PTX_SM53>.forms,
  PTX_SetForms<"floatcmp", "d=.f16 t=.f64", "4.2", PTX_SM53>.forms,
  PTX_SetForms<"floatcmp", "d=.bf16 t=.{f16|bf16|f32|f64}", "7.8",
               PTX_SM90>.forms,
  PTX_SetForms<"floatcmp", ".ftz? d=.{u16|s16|u32|s32} t=.f16", "6.5",
               PTX_SM53>.forms,
  PTX_SetForms<"floatcmp", "d=.{u16|s16|u32|s32} t=.bf16", "7.8",
               PTX_SM90>.forms,
  PTX_SetForms<"floatcmp", ".ftz? d=.f16x2 t=.f16x2", "4.2", PTX_SM53>.forms,
  PTX_SetForms<"floatcmp", ".ftz? d=.{u32|s32} t=.f16x2", "6.5",
               PTX_SM53>.forms,
  PTX_SetForms<"floatcmp", "d=.{bf16x2|u32|s32} t=.bf16x2", "7.8",
               PTX_SM90>.forms)>;

def PTX_SelpOp : PTX_CompareInst<"selp", [
  PTX_Form<"t=.$scalar", "=d:t, a:t, b:t, c:pred">]>;
def PTX_SlctOp : PTX_CompareInst<"slct", [
  PTX_Form<"t=.$scalar c=.s32", "=d:t, a:t, b:t, c:c">,
  PTX_Form<".ftz? t=.$scalar c=.f32", "=d:t, a:t, b:t, c:c">]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_COMPARE_TD
