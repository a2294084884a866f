//===- Memory.td - Loads, stores, atomics and cache control --*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MEMORY_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MEMORY_TD

include "PTX/IR/PTXSets.td"

class PTX_MemoryInst<string opcode, list<PTX_Flag> instFlags,
                     list<PTX_Form> forms,
                     string section = "Data Movement and Conversion Instructions">
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = section;
  let ptxForms = forms;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// A load or store with every vector and type that has one requirement each.
/// `global` is the space slot for 256-bit accesses.
class PTX_AccessForms<string mods, string ops, string version = "1.0",
                      list<string> sm = ["sm_50"]> {
  list<PTX_Form> forms = [
    PTX_Form<mods # "vec=.{v2|v4}? t=.$mem32", ops, version, sm>,
    PTX_Form<mods # "vec=.v2? t=.$mem64", ops, version, sm>,
    PTX_Form<mods # "t=.b128", !subst("*vec", "", ops), "8.3", PTX_SM70>,
    PTX_Form<mods # "vec=.v8 t=.$word", ops, "8.8", PTX_SM100>,
    PTX_Form<mods # "vec=.v4 t=.$mem64", ops, "8.8", PTX_SM100>];
}

def PTX_LdOp : PTX_MemoryInst<"ld", [PTX_MemRead], !listconcat(
  PTX_AccessForms<".weak? space=.$ldspace? .{ca|cg|cs|lu|cv}? .$l1? .$l2? "
                  "hint=.L2::cache_hint? .$prefetchsize? ",
                  "=d:t*vec~_, [a], policy:b64?hint">.forms,
  PTX_AccessForms<".volatile space=.$ldspace? .$prefetchsize? ",
                  "=d:t*vec~_, [a]">.forms,
  PTX_AccessForms<".{relaxed|acquire} .$scope space=.$ldspace? .$l1? .$l2? "
                  "hint=.L2::cache_hint? .$prefetchsize? ",
                  "=d:t*vec~_, [a], policy:b64?hint", "6.0", PTX_SM70>.forms,
  PTX_AccessForms<".mmio .{relaxed|acquire} .sys space=.global? ",
                  "=d:t*vec~_, [a]", "8.2", PTX_SM70>.forms,
  PTX_AccessForms<"space=.global .{ca|cg|cs}? .nc .$l1? .$l2? "
                  "hint=.L2::cache_hint? .$prefetchsize? ",
                  "=d:t*vec~_, [a], policy:b64?hint", "3.1">.forms)>;
def PTX_LduOp : PTX_MemoryInst<"ldu", [PTX_MemRead],
  PTX_AccessForms<"space=.global? ", "=d:t*vec~_, [a]", "2.0">.forms>;

def PTX_StOp : PTX_MemoryInst<"st", [PTX_MemWrite], !listconcat(
  PTX_AccessForms<".weak? space=.$stspace? .{wb|cg|cs|wt}? .$l1? .$l2? "
                  "hint=.L2::cache_hint? ",
                  "[a], b:t*vec~, policy:b64?hint">.forms,
  PTX_AccessForms<".volatile space=.$stspace? ", "[a], b:t*vec~">.forms,
  PTX_AccessForms<".{relaxed|release} .$scope space=.$stspace? .$l1? .$l2? "
                  "hint=.L2::cache_hint? ",
                  "[a], b:t*vec~, policy:b64?hint", "6.0", PTX_SM70>.forms,
  PTX_AccessForms<".mmio .{relaxed|release} .sys space=.global? ",
                  "[a], b:t*vec~", "8.2", PTX_SM70>.forms)>;

def PTX_StAsyncOp : PTX_MemoryInst<"st.async", [PTX_MemWrite, PTX_Async], [
  PTX_Form<".weak? .cluster? space=.shared::cluster? "
           ".mbarrier::complete_tx::bytes vec=.{v2|v4}? "
           "t=.{b32|u32|s32|f32}",
           "[a], b:t*vec, [mbar]", "8.1", PTX_SM90>,
  PTX_Form<".weak? .cluster? space=.shared::cluster? "
           ".mbarrier::complete_tx::bytes vec=.v2? t=.{b64|u64|s64|f64}",
           "[a], b:t*vec, [mbar]", "8.1", PTX_SM90>,
  PTX_Form<".mmio? .release .{gpu|sys} space=.global? t=.{$mem32|$mem64}",
           "[a], b:t", "8.7", PTX_SM100>]> {
  let ptxFamily = PTX_FamilyCluster;
}
def PTX_StBulkOp : PTX_MemoryInst<"st.bulk", [PTX_MemWrite], [
  PTX_Form<".weak? space=.shared::cta?", "[a], size:u64, i/initval:u64(0)", "8.6",
           PTX_SM100>]>;

//===----------------------------------------------------------------------===//
// Atomics and reductions
//===----------------------------------------------------------------------===//

class PTX_AtomForms<string sem, string result, string vecResult> {
  defvar m = sem # ".$scope? space=.$atomspace? ";
  defvar h = " hint=.L2::cache_hint? ";
  defvar ops = result # "[a], b:t, policy:b64?hint";
  defvar vecOps = vecResult # "[a], b:t*vec, policy:b64?hint";
  list<PTX_Form> forms = [
    PTX_Form<m # "op=.{and|or|xor}" # h # "t=.$bits3264", ops>,
    PTX_Form<m # "op=.add" # h # "t=.{u32|s32|u64|f32}", ops>,
    PTX_Form<m # "op=.add" # h # "t=.f64", ops, "5.0", PTX_SM60>,
    PTX_Form<m # "op=.{inc|dec}" # h # "t=.u32", ops>,
    PTX_Form<m # "op=.{min|max}" # h # "t=.{u32|s32|u64|s64}", ops>,
    PTX_Form<m # "op=.add .noftz" # h # "t=.f16", ops, "6.3", PTX_SM70>,
    PTX_Form<m # "op=.add .noftz" # h # "t=.f16x2", ops, "6.2", PTX_SM60>,
    PTX_Form<m # "op=.add .noftz" # h # "t=.{bf16|bf16x2}", ops, "7.8",
             PTX_SM90>,
    PTX_Form<m # "op=.add" # h # "vec=.{v2|v4} t=.f32", vecOps, "8.1",
             PTX_SM90>,
    PTX_Form<m # "op=.{add|min|max} .noftz" # h #
             "vec=.{v2|v4|v8} t=.{f16|bf16}", vecOps, "8.1", PTX_SM90>,
    PTX_Form<m # "op=.{add|min|max} .noftz" # h #
             "vec=.{v2|v4} t=.{f16x2|bf16x2}", vecOps, "8.1", PTX_SM90>];
}

def PTX_AtomOp : PTX_MemoryInst<"atom", [PTX_MemRead, PTX_MemWrite],
  !listconcat(
    PTX_AtomForms<".{relaxed|acquire|release|acq_rel}? ", "=d:t_, ",
                  "=d:t*vec_, ">.forms,
    [PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.exch hint=.L2::cache_hint? t=.$bits3264",
              "=d:t_, [a], b:t, policy:b64?hint">,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.exch hint=.L2::cache_hint? t=.b128",
              "=d:t_, [a], b:t, policy:b64?hint", "8.3", PTX_SM90>,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.cas hint=.L2::cache_hint? t=.$bits3264",
              "=d:t_, [a], b:t, c:t, policy:b64?hint">,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.cas t=.b16", "=d:t_, [a], b:t, c:t", "6.3", PTX_SM70>,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.cas t=.b128", "=d:t_, [a], b:t, c:t", "8.3", PTX_SM90>]),
  "Parallel Synchronization and Communication Instructions">;

def PTX_RedOp : PTX_MemoryInst<"red", [PTX_MemRead, PTX_MemWrite],
  PTX_AtomForms<".{relaxed|release}? ", "", "">.forms,
  "Parallel Synchronization and Communication Instructions"> {
  let ptxFamilyModifiers = [PTX_FamilyModifier<"v4", PTX_FamilyRedV4>];
}

def PTX_RedAsyncOp : PTX_MemoryInst<"red.async",
  [PTX_MemRead, PTX_MemWrite, PTX_Async], [
  PTX_Form<".relaxed .cluster space=.shared::cluster? "
           ".mbarrier::complete_tx::bytes op=.{inc|dec} t=.u32",
           "[a], b:t, [mbar]", "8.1", PTX_SM90>,
  PTX_Form<".relaxed .cluster space=.shared::cluster? "
           ".mbarrier::complete_tx::bytes op=.{min|max} t=.{u32|s32}",
           "[a], b:t, [mbar]", "8.1", PTX_SM90>,
  PTX_Form<".relaxed .cluster space=.shared::cluster? "
           ".mbarrier::complete_tx::bytes op=.{and|or|xor} t=.b32",
           "[a], b:t, [mbar]", "8.1", PTX_SM90>,
  PTX_Form<".relaxed .cluster space=.shared::cluster? "
           ".mbarrier::complete_tx::bytes op=.add t=.{u32|s32|u64}",
           "[a], b:t, [mbar]", "8.1", PTX_SM90>,
  PTX_Form<".mmio? .release .{gpu|sys|cluster} space=.global? op=.add "
           "t=.{u32|s32|u64|s64}", "[a], b:t", "8.7", PTX_SM100>],
  "Parallel Synchronization and Communication Instructions"> {
  let ptxFamily = PTX_FamilyCluster;
}

//===----------------------------------------------------------------------===//
// Several memories at once
//===----------------------------------------------------------------------===//

class PTX_MultimemInst<string opcode, list<PTX_Flag> instFlags,
                       list<PTX_Form> forms>
    : PTX_MemoryInst<opcode, instFlags, forms> {
  let ptxFamily = PTX_FamilyMultimem;
}

class PTX_MultimemForms<string sem, string op, string acc, string ops> {
  list<PTX_Form> forms = [
    PTX_Form<sem # "space=.global? " # op #
             "t=.{b32|b64|u32|u64|s32|s64}", !subst("*vec", "", ops), "8.1",
             PTX_SM90>,
    PTX_Form<sem # "space=.global? " # op # acc #
             "vec=.{v2|v4|v8}? t=.{f16|f16x2|bf16|bf16x2|f32|f64}", ops, "8.1",
             PTX_SM90>];
}
def PTX_SetMultimemF8
    : PTX_ModSet<"multimemf8", ["e5m2", "e5m2x2", "e5m2x4", "e4m3", "e4m3x2",
                                "e4m3x4"]>;

def PTX_MultimemLdReduceOp
    : PTX_MultimemInst<"multimem.ld_reduce", [PTX_MemRead], !listconcat(
        PTX_MultimemForms<".{weak|relaxed|acquire}? .$scope? ",
                          "op=.{min|max|add|and|or|xor} ",
                          ".{acc::f32|acc::f16}? ", "=d:t*vec, [a]">.forms,
        [PTX_Form<".{weak|relaxed|acquire}? .$scope? space=.global? "
                  "op=.{min|max|add} .{acc::f32|acc::f16}? "
                  "vec=.{v2|v4|v8}? t=.$multimemf8", "=d:t*vec~, [a]", "8.6",
                  PTX_SM100or120f>])>;
def PTX_MultimemStOp
    : PTX_MultimemInst<"multimem.st", [PTX_MemWrite], !listconcat(
        PTX_MultimemForms<".{weak|relaxed|release}? .$scope? ", "", "",
                          "[a], b:t*vec">.forms,
        [PTX_Form<".{weak|relaxed|release}? .$scope? space=.global? "
                  "vec=.{v2|v4|v8}? t=.$multimemf8", "[a], b:t*vec~", "8.6",
                  PTX_SM100or120f>])>;
def PTX_MultimemRedOp
    : PTX_MultimemInst<"multimem.red", [PTX_MemRead, PTX_MemWrite],
        PTX_MultimemForms<".{relaxed|release}? .$scope? ",
                          "op=.{min|max|add|and|or|xor} ", "",
                          "[a], b:t*vec">.forms>;

//===----------------------------------------------------------------------===//
// Cache control
//===----------------------------------------------------------------------===//

def PTX_PrefetchOp : PTX_MemoryInst<"prefetch", [PTX_MemRead], [
  PTX_Form<"space=.{global|local}? .{L1|L2}", "[a]", "2.0">,
  PTX_Form<"space=.global .{L2::evict_last|L2::evict_normal}", "[a]", "7.4",
           PTX_SM80>,
  PTX_Form<"space=.{const|param}? .tensormap", "[a]", "8.0", PTX_SM90>]> {
  let ptxFamilyModifiers = [PTX_FamilyModifier<"tensormap", PTX_FamilyTma>];
}
def PTX_PrefetchuOp : PTX_MemoryInst<"prefetchu", [PTX_MemRead], [
  PTX_Form<".L1", "[a]", "2.0">]>;
def PTX_ApplypriorityOp
    : PTX_MemoryInst<"applypriority", [PTX_MemRead, PTX_MemWrite], [
  PTX_Form<"space=.global? .L2::evict_normal", "[a], i/size:u32(128)", "7.4",
           PTX_SM80>]>;
def PTX_DiscardOp : PTX_MemoryInst<"discard", [PTX_MemWrite], [
  PTX_Form<"space=.global? .L2", "[a], i/size:u32(128)", "7.4", PTX_SM80>]>;
def PTX_CreatepolicyOp : PTX_MemoryInst<"createpolicy", [PTX_Pure], [
  PTX_Form<".fractional "
           ".{L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged} "
           ".{L2::evict_first|L2::evict_unchanged}? t=.b64",
           "=d:t, fraction:f32?", "7.4", PTX_SM80>,
  PTX_Form<".range space=.global? "
           ".{L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged} "
           ".{L2::evict_first|L2::evict_unchanged}? t=.b64",
           "=d:t, [a], primary:u32, total:u32", "7.4", PTX_SM80>,
  PTX_Form<".cvt .L2 t=.b64", "=d:t, property:b64", "7.4", PTX_SM80>]>;

//===----------------------------------------------------------------------===//
// Stack
//===----------------------------------------------------------------------===//

class PTX_StackInst<string opcode, list<PTX_Form> forms>
    : PTX_MemoryInst<opcode, [PTX_MemRead, PTX_MemWrite], forms,
                     "Stack Manipulation Instructions">;
def PTX_StacksaveOp : PTX_StackInst<"stacksave", [
  PTX_Form<"t=.{u32|u64}", "=d:t", "7.3", ["sm_52"]>]>;
def PTX_StackrestoreOp : PTX_StackInst<"stackrestore", [
  PTX_Form<"t=.{u32|u64}", "a:t", "7.3", ["sm_52"]>]>;
def PTX_AllocaOp : PTX_StackInst<"alloca", [
  PTX_Form<"t=.{u32|u64}", "=d:t, size:t, i/align:u32?", "7.3", ["sm_52"]>]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MEMORY_TD
