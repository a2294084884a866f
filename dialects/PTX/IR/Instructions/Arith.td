//===- Arith.td - Arithmetic instructions --------------------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_ARITH_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_ARITH_TD

include "PTX/IR/PTXSets.td"

class PTX_ArithInst<string opcode, list<PTX_Form> forms,
                    string section = "Integer Arithmetic Instructions",
                    list<PTX_Flag> instFlags = [PTX_Pure]>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = section;
  let ptxForms = forms;
}

class PTX_FloatInst<string opcode, list<PTX_Form> forms>
    : PTX_ArithInst<opcode, forms, "Floating-Point Instructions">;

//===----------------------------------------------------------------------===//
// Addition, subtraction, multiplication
//===----------------------------------------------------------------------===//

/// `add` and `sub` have the same forms, packed integers excepted.
/// Roundings up and down.
defvar PTX_DirectedNeeds = [PTX_Needs<["rm", "rp"], "2.0", PTX_SM20>];
defvar PTX_DirectedDoubleNeeds = [PTX_Needs<["rm", "rp"], "1.2", ["sm_13"]>];

class PTX_AddLikeInst<string opcode, list<PTX_Form> more>
    : PTX_ArithInst<opcode, !listconcat([
        PTX_Form<"t=.$int", "=d:t, a:t, b:t">,
        PTX_Form<".sat t=.s32", "=d:t, a:t, b:t">,
        PTX_Form<".$rnd? .ftz? .sat? t=.f32", "=d:t, a:t, b:t", "1.0", [],
                 PTX_DirectedNeeds>,
        PTX_Form<".$rnd? t=.f64", "=d:t, a:t, b:t", "1.0", [],
                 PTX_DirectedDoubleNeeds>,
        PTX_Form<".rn? .ftz? .sat? t=.{f16|f16x2}", "=d:t, a:t, b:t", "4.2",
                 PTX_SM53>,
        PTX_Form<".rn? t=.{bf16|bf16x2}", "=d:t, a:t, b:t", "7.8", PTX_SM90>,
        PTX_Form<".$rnd? .ftz? t=.f32x2", "=d:t, a:t, b:t", "8.6", PTX_SM100>,
        PTX_Form<".$rnd? .sat? t=.f32 s=.{f16|bf16}", "=d:t, a:s, c:t", "8.6",
                 PTX_SM100>], more)>;

def PTX_AddOp : PTX_AddLikeInst<"add", [
  PTX_Form<"t=.{u16x2|s16x2}", "=d:t, a:t, b:t", "8.0", PTX_SM90>]>;
def PTX_SubOp : PTX_AddLikeInst<"sub", []>;

def PTX_MulOp : PTX_ArithInst<"mul", [
  PTX_Form<".{lo|hi} t=.$int", "=d:t, a:t, b:t">,
  PTX_Form<".wide t=.{u16|s16}", "=d:u32, a:t, b:t">,
  PTX_Form<".wide t=.{u32|s32}", "=d:u64, a:t, b:t">,
  PTX_Form<".$rnd? .ftz? .sat? t=.f32", "=d:t, a:t, b:t", "1.0", [],
           PTX_DirectedNeeds>,
  PTX_Form<".$rnd? t=.f64", "=d:t, a:t, b:t", "1.0", [],
           PTX_DirectedDoubleNeeds>,
  PTX_Form<".rn? .ftz? .sat? t=.{f16|f16x2}", "=d:t, a:t, b:t", "4.2",
           PTX_SM53>,
  PTX_Form<".rn? t=.{bf16|bf16x2}", "=d:t, a:t, b:t", "7.8", PTX_SM90>,
  PTX_Form<".$rnd? .ftz? t=.f32x2", "=d:t, a:t, b:t", "8.6", PTX_SM100>]>;

/// What the first devices had, which dropped bits of the product.
class PTX_UnroundedMadForm<string mods, string ops> : PTX_Form<mods, ops> {
  let removedVersion = "3.2";
  let removedArch = "sm_20";
}
def PTX_MadOp : PTX_ArithInst<"mad", [
  PTX_Form<".{lo|hi} t=.$int", "=d:t, a:t, b:t, c:t">,
  PTX_Form<".wide t=.{u16|s16}", "=d:u32, a:t, b:t, c:u32">,
  PTX_Form<".wide t=.{u32|s32}", "=d:u64, a:t, b:t, c:u64">,
  PTX_Form<".hi .sat t=.s32", "=d:t, a:t, b:t, c:t">,
  PTX_Form<".$rnd .ftz? .sat? t=.f32", "=d:t, a:t, b:t, c:t", "2.0",
           PTX_SM20>,
  PTX_UnroundedMadForm<".sat? t=.f32", "=d:t, a:t, b:t, c:t">,
  PTX_Form<".$rnd t=.f64", "=d:t, a:t, b:t, c:t", "1.0", [],
           PTX_DirectedDoubleNeeds>]>;

def PTX_FmaOp : PTX_FloatInst<"fma", [
  PTX_Form<".$rnd .ftz? .sat? t=.f32", "=d:t, a:t, b:t, c:t", "2.0",
           PTX_SM20>,
  PTX_Form<".$rnd t=.f64", "=d:t, a:t, b:t, c:t", "1.0", [],
           PTX_DirectedDoubleNeeds>,
  PTX_Form<".rn .ftz? .sat? t=.{f16|f16x2}", "=d:t, a:t, b:t, c:t", "4.2",
           PTX_SM53>,
  PTX_Form<".rn .ftz? .relu t=.{f16|f16x2}", "=d:t, a:t, b:t, c:t", "7.0",
           PTX_SM80>,
  PTX_Form<".$rnd .relu? t=.{bf16|bf16x2}", "=d:t, a:t, b:t, c:t", "7.0",
           PTX_SM80>,
  PTX_Form<".rn .oob .relu? t=.{f16|f16x2}", "=d:t, a:t, b:t, c:t", "8.1",
           PTX_SM90>,
  PTX_Form<".$rnd .oob .relu? t=.{bf16|bf16x2}", "=d:t, a:t, b:t, c:t", "8.1",
           PTX_SM90>,
  PTX_Form<".$rnd .ftz? t=.f32x2", "=d:t, a:t, b:t, c:t", "8.6", PTX_SM100>,
  PTX_Form<".$rnd .sat? t=.f32 s=.{f16|bf16}", "=d:t, a:s, b:s, c:t", "8.6",
           PTX_SM100>]>;

def PTX_Mul24Op : PTX_ArithInst<"mul24", [
  PTX_Form<".{lo|hi} t=.{u32|s32}", "=d:t, a:t, b:t">]>;
def PTX_Mad24Op : PTX_ArithInst<"mad24", [
  PTX_Form<".{lo|hi} t=.{u32|s32}", "=d:t, a:t, b:t, c:t">,
  PTX_Form<".hi .sat t=.s32", "=d:t, a:t, b:t, c:t">]>;
def PTX_SadOp : PTX_ArithInst<"sad", [
  PTX_Form<"t=.$int", "=d:t, a:t, b:t, c:t">]>;

//===----------------------------------------------------------------------===//
// Extended precision: the carry flag is a hidden operand
//===----------------------------------------------------------------------===//

class PTX_CarryInst<string opcode, list<PTX_Form> forms>
    : PTX_ArithInst<opcode, forms,
                    "Extended-Precision Integer Arithmetic Instructions", []>;

/// A carry out of 64 bits is newer than one into them.
class PTX_WideCarryForm<string cc, string ops, string version, list<string> sm>
    : PTX_Form<cc # "t=.{u64|s64}", ops, !if(!eq(cc, ""), "4.3", version),
               !if(!eq(cc, ""), PTX_SM20, sm),
               [PTX_Needs<["cc"], "4.3", PTX_SM20>]>;

class PTX_AddCarryInst<string opcode, string cc>
    : PTX_CarryInst<opcode, [
        PTX_Form<cc # "t=.{u32|s32}", "=d:t, a:t, b:t">,
        PTX_WideCarryForm<cc, "=d:t, a:t, b:t", "1.0", []>]>;
class PTX_MadCarryInst<string opcode, string cc>
    : PTX_CarryInst<opcode, [
        PTX_Form<cc # "t=.{u32|s32}", "=d:t, a:t, b:t, c:t", "3.0", PTX_SM20>,
        PTX_WideCarryForm<cc, "=d:t, a:t, b:t, c:t", "3.0", PTX_SM20>]>;

def PTX_AddCcOp : PTX_AddCarryInst<"add.cc", "">;
def PTX_AddcOp : PTX_AddCarryInst<"addc", ".cc? ">;
def PTX_SubCcOp : PTX_AddCarryInst<"sub.cc", "">;
def PTX_SubcOp : PTX_AddCarryInst<"subc", ".cc? ">;
// `.cc` stands behind `.lo` and `.hi`; these are opcodes of their own because
// `mad` without it touches no flag.
def PTX_MadLoCcOp : PTX_MadCarryInst<"mad.lo.cc", "">;
def PTX_MadHiCcOp : PTX_MadCarryInst<"mad.hi.cc", "">;
def PTX_MadcLoOp : PTX_MadCarryInst<"madc.lo", ".cc? ">;
def PTX_MadcHiOp : PTX_MadCarryInst<"madc.hi", ".cc? ">;

//===----------------------------------------------------------------------===//
// Division, sign, extrema
//===----------------------------------------------------------------------===//

defvar PTX_QuotientNeeds = [PTX_Needs<["rz", "rm", "rp"], "2.0", PTX_SM20>];
defvar PTX_RoundedNeeds = [PTX_Needs<["$rnd"], "2.0", PTX_SM20>];

def PTX_DivOp : PTX_ArithInst<"div", [
  PTX_Form<"t=.$int", "=d:t, a:t, b:t">,
  PTX_Form<".{approx|full} .ftz? t=.f32", "=d:t, a:t, b:t">,
  PTX_Form<".$rnd .ftz? t=.f32", "=d:t, a:t, b:t", "1.0", PTX_SM20>,
  PTX_Form<".$rnd t=.f64", "=d:t, a:t, b:t", "1.0", [], PTX_QuotientNeeds>]>;
def PTX_RemOp : PTX_ArithInst<"rem", [
  PTX_Form<"t=.$int", "=d:t, a:t, b:t">]>;

/// `abs` and `neg` have the same forms.
class PTX_SignInst<string opcode, string halfVersion>
    : PTX_ArithInst<opcode, [
        PTX_Form<"t=.{s16|s32|s64}", "=d:t, a:t">,
        PTX_Form<".ftz? t=.f32", "=d:t, a:t">,
        PTX_Form<"t=.f64", "=d:t, a:t">,
        PTX_Form<".ftz? t=.{f16|f16x2}", "=d:t, a:t", halfVersion,
                 PTX_SM53>,
        PTX_Form<"t=.{bf16|bf16x2}", "=d:t, a:t", "7.0", PTX_SM80>]>;
def PTX_AbsOp : PTX_SignInst<"abs", "6.5">;
def PTX_NegOp : PTX_SignInst<"neg", "6.0">;

/// `min` and `max` have the same forms.
class PTX_ExtremumInst<string opcode>
    : PTX_ArithInst<opcode, [
        PTX_Form<"t=.$int", "=d:t, a:t, b:t">,
        PTX_Form<".relu t=.s32", "=d:t, a:t, b:t", "8.0", PTX_SM90>,
        PTX_Form<"t=.u16x2", "=d:t, a:t, b:t", "8.0", PTX_SM90>,
        PTX_Form<".relu? t=.s16x2", "=d:t, a:t, b:t", "8.0", PTX_SM90>,
        PTX_Form<".ftz? t=.f32", "=d:t, a:t, b:t">,
        PTX_Form<"t=.f64", "=d:t, a:t, b:t">,
        PTX_Form<".ftz? .NaN t=.f32", "=d:t, a:t, b:t", "7.0", PTX_SM80>,
        PTX_Form<".ftz? .NaN? .xorsign .abs t=.f32", "=d:t, a:t, b:t", "7.2",
                 ["sm_86"]>,
        PTX_Form<".ftz? .NaN? .abs? t=.f32", "=d:t, a:t, b:t, c:t", "8.8",
                 PTX_SM100>,
        PTX_Form<".ftz? .NaN? t=.{f16|f16x2}", "=d:t, a:t, b:t", "7.0",
                 PTX_SM80>,
        PTX_Form<".ftz? .NaN? .xorsign .abs t=.{f16|f16x2}", "=d:t, a:t, b:t",
                 "7.2", ["sm_86"]>,
        PTX_Form<".NaN? t=.{bf16|bf16x2}", "=d:t, a:t, b:t", "7.0", PTX_SM80>,
        PTX_Form<".NaN? .xorsign .abs t=.{bf16|bf16x2}", "=d:t, a:t, b:t",
                 "7.2", ["sm_86"]>]>;
def PTX_MinOp : PTX_ExtremumInst<"min">;
def PTX_MaxOp : PTX_ExtremumInst<"max">;

//===----------------------------------------------------------------------===//
// Transcendentals
//===----------------------------------------------------------------------===//

def PTX_RcpOp : PTX_FloatInst<"rcp", [
  PTX_Form<".{approx|$rnd} .ftz? t=.f32", "=d:t, a:t", "1.0", [],
           PTX_RoundedNeeds>,
  PTX_Form<".$rnd .ftz? t=.f64", "=d:t, a:t", "1.0", [], PTX_QuotientNeeds>,
  PTX_Form<".approx .ftz t=.f64", "=d:t, a:t", "2.1", PTX_SM20>]>;
def PTX_SqrtOp : PTX_FloatInst<"sqrt", [
  PTX_Form<".{approx|$rnd} .ftz? t=.f32", "=d:t, a:t", "1.0", [],
           PTX_RoundedNeeds>,
  PTX_Form<".$rnd t=.f64", "=d:t, a:t", "1.0", [], PTX_QuotientNeeds>]>;
def PTX_RsqrtOp : PTX_FloatInst<"rsqrt", [
  PTX_Form<".approx .ftz? t=.f32", "=d:t, a:t">,
  PTX_Form<".approx t=.f64", "=d:t, a:t">,
  PTX_Form<".approx .ftz t=.f64", "=d:t, a:t", "4.0", PTX_SM20>]>;
def PTX_SinOp : PTX_FloatInst<"sin", [
  PTX_Form<".approx .ftz? t=.f32", "=d:t, a:t">]>;
def PTX_CosOp : PTX_FloatInst<"cos", [
  PTX_Form<".approx .ftz? t=.f32", "=d:t, a:t">]>;
def PTX_Lg2Op : PTX_FloatInst<"lg2", [
  PTX_Form<".approx .ftz? t=.f32", "=d:t, a:t">]>;
def PTX_Ex2Op : PTX_FloatInst<"ex2", [
  PTX_Form<".approx .ftz? t=.f32", "=d:t, a:t">,
  PTX_Form<".approx t=.{f16|f16x2}", "=d:t, a:t", "7.0", PTX_SM75>,
  PTX_Form<".approx .ftz t=.{bf16|bf16x2}", "=d:t, a:t", "7.8", PTX_SM90>]>;
def PTX_TanhOp : PTX_FloatInst<"tanh", [
  PTX_Form<".approx t=.f32", "=d:t, a:t", "7.0", PTX_SM75>,
  PTX_Form<".approx t=.{f16|f16x2}", "=d:t, a:t", "7.0", PTX_SM75>,
  PTX_Form<".approx t=.{bf16|bf16x2}", "=d:t, a:t", "7.8", PTX_SM90>]>;
def PTX_TestpOp : PTX_FloatInst<"testp", [
  PTX_Form<".{finite|infinite|number|notanumber|normal|subnormal}? t=.{f32|f64}",
           "=p:pred, a:t", "2.0", PTX_SM20>]>;
def PTX_CopysignOp : PTX_FloatInst<"copysign", [
  PTX_Form<"t=.{f32|f64}", "=d:t, a:t, b:t", "2.0", PTX_SM20>]>;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

def PTX_PopcOp : PTX_ArithInst<"popc", [
  PTX_Form<"t=.$bits3264", "=d:u32, a:t", "2.0", PTX_SM20>]>;
def PTX_ClzOp : PTX_ArithInst<"clz", [
  PTX_Form<"t=.$bits3264", "=d:u32, a:t", "2.0", PTX_SM20>]>;
def PTX_BrevOp : PTX_ArithInst<"brev", [
  PTX_Form<"t=.$bits3264", "=d:t, a:t", "2.0", PTX_SM20>]>;
def PTX_BfindOp : PTX_ArithInst<"bfind", [
  PTX_Form<".shiftamt? t=.{u32|u64|s32|s64}", "=d:u32, a:t", "2.0", PTX_SM20>]>;
def PTX_BfeOp : PTX_ArithInst<"bfe", [
  PTX_Form<"t=.{u32|u64|s32|s64}", "=d:t, a:t, b:u32(0..255), c:u32(0..255)", "2.0",
           PTX_SM20>]>;
def PTX_BfiOp : PTX_ArithInst<"bfi", [
  PTX_Form<"t=.$bits3264", "=f:t, a:t, b:t, c:u32(0..255), d:u32(0..255)", "2.0",
           PTX_SM20>]>;
def PTX_BmskOp : PTX_ArithInst<"bmsk", [
  PTX_Form<".{clamp|wrap} t=.b32", "=d:u32, a:u32, b:u32", "7.6",
           PTX_SM70>]>;
def PTX_SzextOp : PTX_ArithInst<"szext", [
  PTX_Form<".{clamp|wrap} t=.{u32|s32}", "=d:t, a:t, b:u32", "7.6",
           PTX_SM70>]>;
def PTX_FnsOp : PTX_ArithInst<"fns", [
  PTX_Form<"t=.b32", "=d:t, mask:b32, base:b32, offset:s32", "6.0",
           PTX_SM30>]>;
def PTX_Dp4aOp : PTX_ArithInst<"dp4a", [
  PTX_Form<"at=.{u32|s32} bt=.{u32|s32}", "=d:b32, a:b32, b:b32, c:b32", "5.0",
           ["sm_61"]>]>;
def PTX_Dp2aOp : PTX_ArithInst<"dp2a", [
  PTX_Form<".{lo|hi} at=.{u32|s32} bt=.{u32|s32}",
           "=d:b32, a:b32, b:b32, c:b32", "5.0", ["sm_61"]>]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_ARITH_TD
