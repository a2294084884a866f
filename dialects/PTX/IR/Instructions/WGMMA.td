//===- WGMMA.td - Warpgroup matrix multiply ------------------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_WGMMA_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_WGMMA_TD

include "PTX/IR/PTXSets.td"

class PTX_WgmmaInst<string opcode, list<PTX_Flag> instFlags,
                    list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Asynchronous Warpgroup Level Matrix Instructions";
  let ptxFamily = PTX_FamilyWgmma;
  let ptxForms = forms;
}

def PTX_WgmmaFenceOp
    : PTX_WgmmaInst<"wgmma.fence",
                    [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".sync .aligned?", "", "8.0", PTX_SM90a>]>;
def PTX_WgmmaCommitGroupOp
    : PTX_WgmmaInst<"wgmma.commit_group",
                    [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".sync .aligned?", "", "8.0", PTX_SM90a>]>;
def PTX_WgmmaWaitGroupOp
    : PTX_WgmmaInst<"wgmma.wait_group",
                    [PTX_Convergent, PTX_MemRead, PTX_MemWrite], [
  PTX_Form<".sync .aligned?", "i/count:u32(0..9223372036854775807)", "8.0", PTX_SM90a>]>;

//===----------------------------------------------------------------------===//
// Shapes: m64, every n the element type has, one k for each element type
//===----------------------------------------------------------------------===//

/// n = 8, 16, 24, ... 256.
class PTX_WgmmaShapes<string setName, string k>
    : PTX_ModSet<setName, !foreach(n, !range(8, 257, 8),
                                   "m64n" # n # "k" # k)>;
/// Integer shapes: multiples of 16 only from 32 on.
class PTX_WgmmaIntShapes<string setName, string k>
    : PTX_ModSet<setName, !listconcat(
        !foreach(n, [8, 16, 24], "m64n" # n # "k" # k),
        !foreach(n, !range(32, 257, 16), "m64n" # n # "k" # k))>;
def PTX_WgmmaShapesK8 : PTX_WgmmaShapes<"m64k8", "8">;
def PTX_WgmmaShapesK16 : PTX_WgmmaShapes<"m64k16", "16">;
def PTX_WgmmaShapesK32 : PTX_WgmmaShapes<"m64k32", "32">;
def PTX_WgmmaShapesK64 : PTX_WgmmaShapes<"m64k64", "64">;
def PTX_WgmmaIntShapesK32 : PTX_WgmmaIntShapes<"m64k32int", "32">;
def PTX_WgmmaIntShapesK64 : PTX_WgmmaIntShapes<"m64k64int", "64">;
def PTX_WgmmaIntShapesK256 : PTX_WgmmaIntShapes<"m64k256int", "256">;

//===----------------------------------------------------------------------===//
// Forms: A from shared memory or from registers
//===----------------------------------------------------------------------===//

/// `types` are the slots behind the shape; `d` the accumulator operand;
/// `meta` the operands of a sparse A; `scale` and `trans` say which immediates
/// the element types have.
class PTX_WgmmaForms<string sp, string shapes, string types, string d,
                     bit scale, bit trans,
                     string version = !if(!eq(sp, ""), "8.0", "8.2")> {
  defvar mods = sp # ".sync .aligned? shape=.$" # shapes # " " # types;
  defvar selectors = !if(!or(!eq(shapes, "m64k64"), !eq(shapes, "m64k64int")),
                         "0", "0..1");
  defvar meta = !if(!eq(sp, ""), "",
                    "meta:b32, i/selector:u32(" # selectors # "), ");
  defvar head = "+d:" # d # "*@wgmma_accumulator, ";
  defvar scaleD = "scaleD:pred" # !if(scale, "(0|1)", "");
  defvar scales = !if(scale, ", i/scaleA:s32(-1|1), i/scaleB:s32(-1|1)", "");
  list<PTX_Form> forms = [
    PTX_Form<mods, head # "a:b64, b:b64, " # meta # scaleD # scales #
             !if(trans, ", i/transA:s32(0|1), i/transB:s32(0|1)", ""), version, PTX_SM90a>,
    PTX_Form<mods, head # "a:b32*4, b:b64, " # meta # scaleD # scales #
             !if(trans, ", i/transB:s32(0|1)", ""), version, PTX_SM90a>];
}

class PTX_WgmmaAllForms<string sp, string kTf32, string kF16, string k8> {
  list<PTX_Form> forms = !listconcat(
    PTX_WgmmaForms<sp, kF16, "d=.f32 a=.f16 b=.f16", "f32", 1, 1>.forms,
    PTX_WgmmaForms<sp, kF16, "d=.f16 a=.f16 b=.f16", "f16x2", 1, 1>.forms,
    PTX_WgmmaForms<sp, kF16, "d=.f32 a=.bf16 b=.bf16", "f32", 1, 1>.forms,
    PTX_WgmmaForms<sp, kTf32, "d=.f32 a=.tf32 b=.tf32", "f32", 1, 0>.forms,
    PTX_WgmmaForms<sp, k8, "d=.f32 a=.{e4m3|e5m2} b=.{e4m3|e5m2}", "f32", 1,
                   0>.forms,
    PTX_WgmmaForms<sp, k8, "d=.f16 a=.{e4m3|e5m2} b=.{e4m3|e5m2}", "f16x2", 1,
                   0>.forms,
    PTX_WgmmaForms<sp, k8 # "int", ".satfinite? d=.s32 a=.s8 b=.s8", "s32", 0,
                   0>.forms,
    PTX_WgmmaForms<sp, k8 # "int", ".satfinite? d=.s32 a=.u8 b=.u8", "s32", 0,
                   0>.forms,
    PTX_WgmmaForms<sp, k8 # "int", ".satfinite? d=.s32 a=.s8 b=.u8", "s32", 0,
                   0, "8.4">.forms,
    PTX_WgmmaForms<sp, k8 # "int", ".satfinite? d=.s32 a=.u8 b=.s8", "s32", 0,
                   0, "8.4">.forms);
}

def PTX_WgmmaMmaAsyncOp
    : PTX_WgmmaInst<"wgmma.mma_async",
                    [PTX_Convergent, PTX_Warpgroup, PTX_Async, PTX_MemRead,
                     PTX_MemWrite],
        !listconcat(
          PTX_WgmmaAllForms<"", "m64k8", "m64k16", "m64k32">.forms,
          PTX_WgmmaForms<"", "m64k256int", "d=.s32 a=.b1 b=.b1 .and .popc",
                         "s32", 0, 0>.forms,
          PTX_WgmmaAllForms<".sp ", "m64k16", "m64k32", "m64k64">.forms)>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_WGMMA_TD
