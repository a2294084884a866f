//===- Video.td - Video instructions -------------------------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_VIDEO_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_VIDEO_TD

include "PTX/IR/PTXSets.td"

class PTX_VideoInst<string opcode, list<PTX_Form> forms,
                    string section = "Scalar Video Instructions">
    : PTX_Inst<opcode, [PTX_Pure]> {
  let ptxSection = section;
  let ptxTargets = PTX_SM20;
  let ptxForms = forms;
}

//===----------------------------------------------------------------------===//
// Scalar ones: parts of registers, extended to words
//===----------------------------------------------------------------------===//

/// Alone, with a second operation on `c`, or with the result put into `c`.
class PTX_VideoForms<string mods, string result, string sources> {
  list<PTX_Form> forms = [
    PTX_Form<mods, "=d:" # result # sources, "2.0">,
    PTX_Form<mods # " op2=.{add|min|max}",
             "=d:" # result # sources # ", c:" # result, "2.0">,
    PTX_Form<mods, "=d:" # result # ".part" # sources # ", c:" # result,
             "2.0">];
}

class PTX_VideoOpInst<string opcode>
    : PTX_VideoInst<opcode, PTX_VideoForms<
        "t=.$int32 at=.{u32|s32} bt=.{u32|s32} .sat?", "t",
        ", a:at.part, b:bt.part">.forms>;
def PTX_VaddOp : PTX_VideoOpInst<"vadd">;
def PTX_VsubOp : PTX_VideoOpInst<"vsub">;
def PTX_VabsdiffOp : PTX_VideoOpInst<"vabsdiff">;
def PTX_VminOp : PTX_VideoOpInst<"vmin">;
def PTX_VmaxOp : PTX_VideoOpInst<"vmax">;

class PTX_VideoShiftInst<string opcode>
    : PTX_VideoInst<opcode, PTX_VideoForms<
        "t=.$int32 at=.{u32|s32} bt=.u32 .sat? .{clamp|wrap}", "t",
        ", a:at.part, b:bt.part">.forms>;
def PTX_VshlOp : PTX_VideoShiftInst<"vshl">;
def PTX_VshrOp : PTX_VideoShiftInst<"vshr">;

def PTX_VsetOp : PTX_VideoInst<"vset", PTX_VideoForms<
  "at=.{u32|s32} bt=.{u32|s32} .{eq|ne|lt|le|gt|ge}", "u32",
  ", a:at.part, b:bt.part">.forms>;

def PTX_VmadOp : PTX_VideoInst<"vmad", [
  PTX_Form<"t=.$int32 at=.{u32|s32} bt=.{u32|s32} .sat? .{shr7|shr15}?",
           "=d:t, -a:at.part, -b:bt.part, -c:t", "2.0">,
  PTX_Form<"t=.$int32 at=.{u32|s32} bt=.{u32|s32} .po .sat? .{shr7|shr15}?",
           "=d:t, a:at.part, b:bt.part, c:t", "2.0">]>;

//===----------------------------------------------------------------------===//
// SIMD ones: two half-words or four bytes at once
//===----------------------------------------------------------------------===//

/// `mask` and `lanes` are the kinds of selectors of the result and the sources.
class PTX_SimdVideoInst<string opcode, list<string> heads, string result,
                        string mask, string lanes>
    : PTX_VideoInst<opcode,
        !foreach(head, heads, PTX_Form<
          head, "=d:" # result # "." # mask # ", r/a:at." # lanes #
          ", r/b:bt." # lanes # ", r/c:" # result, "3.0", PTX_SM30>),
        "SIMD Video Instructions">;

class PTX_SimdOpInst<string opcode, string mask, string lanes>
    : PTX_SimdVideoInst<opcode,
        ["t=.$int32 at=.{u32|s32} bt=.{u32|s32} .sat?",
         "t=.$int32 at=.{u32|s32} bt=.{u32|s32} op2=.add"],
        "t", mask, lanes>;
class PTX_SimdSetInst<string opcode, string mask, string lanes>
    : PTX_SimdVideoInst<opcode,
        ["at=.{u32|s32} bt=.{u32|s32} .{eq|ne|lt|le|gt|ge} op2=.add?"],
        "u32", mask, lanes>;

foreach name = ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"] in {
  def PTX_#name#2Op : PTX_SimdOpInst<name # "2", "halfmask", "halves">;
  def PTX_#name#4Op : PTX_SimdOpInst<name # "4", "bytemask", "bytes">;
}
def PTX_Vset2Op : PTX_SimdSetInst<"vset2", "halfmask", "halves">;
def PTX_Vset4Op : PTX_SimdSetInst<"vset4", "bytemask", "bytes">;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_VIDEO_TD
