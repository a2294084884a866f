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

/// 128 bits are newer in the scope of the system.
defvar PTX_SysNeeds = [PTX_Needs<["sys"], "8.4">];

/// A load or store with every vector and type that has one requirement each.
class PTX_AccessForms<string mods, string ops, string version = "1.0",
                      list<string> sm = []> {
  list<PTX_Form> forms = [
    PTX_Form<mods # "vec=.{v2|v4}? t=.$mem32", ops, version, sm>,
    PTX_Form<mods # "vec=.v2? t=.$mem64", ops, version, sm>,
    PTX_Form<mods # "t=.b128", !subst("*vec", "", ops), "8.3", PTX_SM70,
             PTX_SysNeeds>];
}
/// Eight narrow elements.
class PTX_NarrowForm<string mods, string ops, string version = "1.0",
                     list<string> sm = []>
    : PTX_Form<mods # "vec=.v8 t=.{b8|b16|u8|u16|s8|s16}", ops, version, sm>;
/// Accesses to 256 bits of global memory.
class PTX_WideAccessForms<string mods, string ops> {
  list<PTX_Form> forms = [
    PTX_Form<mods # "vec=.v8 t=.$word", ops, "8.8", PTX_SM100>,
    PTX_Form<mods # "vec=.v4 t=.$mem64", ops, "8.8", PTX_SM100>];
}

/// A hint for the cache's level 1 stands where no cache operation does.
def PTX_CacheOpRule
    : PTX_Without<["ca", "cg", "cs", "lu", "cv", "wb", "wt"], ["$l1"]>;
def PTX_CacheOpNeeds
    : PTX_Needs<["ca", "cg", "cs", "lu", "cv", "wb", "wt"], "2.0", PTX_SM20>;
def PTX_WeakNeeds : PTX_Needs<["weak"], "6.0", PTX_SM70>;
defvar PTX_LdOps = "=d:t*vec~{}, [a], policy:b64?hint";
defvar PTX_LdPlainOps = "=d:t*vec~{}, [a]";
defvar PTX_StOps = "[a], b:t*vec~{}, policy:b64?hint";
defvar PTX_StPlainOps = "[a], b:t*vec~{}";

def PTX_LdOp : PTX_MemoryInst<"ld", [PTX_MemRead], !listconcat(
  PTX_AccessForms<".weak? space=.$ldspace? .{ca|cg|cs|lu|cv}? .$l1? "
                  "hint=.L2::cache_hint? .$prefetchsize? ", PTX_LdOps>.forms,
  PTX_AccessForms<".volatile space=.$strongspace? .$prefetchsize? ",
                  PTX_LdPlainOps>.forms,
  PTX_AccessForms<".{relaxed|acquire} .$scope space=.$strongspace? .$l1? "
                  "hint=.L2::cache_hint? .$prefetchsize? ", PTX_LdOps, "6.0",
                  PTX_SM70>.forms,
  PTX_AccessForms<"space=.global .{ca|cg|cs}? .nc .$l1? "
                  "hint=.L2::cache_hint? .$prefetchsize? ", PTX_LdOps, "3.1",
                  PTX_SM32>.forms,
  [PTX_NarrowForm<".weak? space=.$ldspace? .{ca|cg|cs|lu|cv}? .$l1? "
                  "hint=.L2::cache_hint? .$prefetchsize? ", PTX_LdOps>,
   PTX_NarrowForm<".volatile space=.$strongspace? .$prefetchsize? ",
                  PTX_LdPlainOps>,
   PTX_NarrowForm<".{relaxed|acquire} .$scope space=.$strongspace? .$l1? "
                  "hint=.L2::cache_hint? .$prefetchsize? ", PTX_LdOps, "6.0",
                  PTX_SM70>,
   PTX_NarrowForm<"space=.global .{ca|cg|cs}? .nc .$l1? "
                  "hint=.L2::cache_hint? .$prefetchsize? ", PTX_LdOps, "3.1",
                  PTX_SM32>,
   PTX_Form<".mmio .relaxed .sys space=.global? t=.{$mem32|$mem64}",
            "=d:t~{}, [a]", "8.2", PTX_SM70>,
   PTX_Form<".mmio .relaxed .sys space=.global? t=.b128", "=d:t{}, [a]",
            "8.4", PTX_SM70>],
  PTX_WideAccessForms<".weak? space=.global? .{ca|cg|cs|lu|cv}? .$l1? .$l2? "
                      "hint=.L2::cache_hint? .$prefetchsize? ",
                      PTX_LdOps>.forms,
  PTX_WideAccessForms<".volatile space=.global? .$l2? .$prefetchsize? ",
                      PTX_LdPlainOps>.forms,
  PTX_WideAccessForms<".{relaxed|acquire} .$scope space=.global? .$l1? .$l2? "
                      "hint=.L2::cache_hint? .$prefetchsize? ",
                      PTX_LdOps>.forms,
  PTX_WideAccessForms<"space=.global .{ca|cg|cs}? .nc .$l1? .$l2? "
                      "hint=.L2::cache_hint? .$prefetchsize? ",
                      PTX_LdOps>.forms)> {
  let ptxRules = [PTX_CacheRule, PTX_CacheOpRule];
  let ptxNeeds = [PTX_CacheOpNeeds, PTX_WeakNeeds];
}
def PTX_LduOp : PTX_MemoryInst<"ldu", [PTX_MemRead],
  PTX_AccessForms<"space=.global? ", PTX_LdPlainOps, "2.0", PTX_SM20>.forms>;

def PTX_StOp : PTX_MemoryInst<"st", [PTX_MemWrite], !listconcat(
  PTX_AccessForms<".weak? space=.$stspace? .{wb|cg|cs|wt}? .$l1? "
                  "hint=.L2::cache_hint? ", PTX_StOps>.forms,
  PTX_AccessForms<".volatile space=.$strongspace? ", PTX_StPlainOps>.forms,
  PTX_AccessForms<".{relaxed|release} .$scope space=.$strongspace? .$l1? "
                  "hint=.L2::cache_hint? ", PTX_StOps, "6.0", PTX_SM70>.forms,
  [PTX_NarrowForm<".weak? space=.$stspace? .{wb|cg|cs|wt}? .$l1? "
                  "hint=.L2::cache_hint? ", PTX_StOps>,
   PTX_NarrowForm<".volatile space=.$strongspace? ", PTX_StPlainOps>,
   PTX_NarrowForm<".{relaxed|release} .$scope space=.$strongspace? .$l1? "
                  "hint=.L2::cache_hint? ", PTX_StOps, "6.0", PTX_SM70>,
   PTX_Form<".mmio .relaxed .sys space=.global? t=.{$mem32|$mem64}",
            "[a], b:t~{}", "8.2", PTX_SM70>,
   PTX_Form<".mmio .relaxed .sys space=.global? t=.b128", "[a], b:t{}",
            "8.4", PTX_SM70>],
  PTX_WideAccessForms<".weak? space=.global? .{wb|cg|cs|wt}? .$l1? .$l2? "
                      "hint=.L2::cache_hint? ", !subst("~", "~_", PTX_StOps)>.forms,
  PTX_WideAccessForms<".volatile space=.global? .$l2? ", !subst("~", "~_", PTX_StPlainOps)>.forms,
  PTX_WideAccessForms<".{relaxed|release} .$scope space=.global? .$l1? .$l2? "
                      "hint=.L2::cache_hint? ", !subst("~", "~_", PTX_StOps)>.forms)> {
  let ptxRules = [PTX_CacheRule, PTX_CacheOpRule];
  let ptxNeeds = [PTX_CacheOpNeeds, PTX_WeakNeeds,
                  PTX_Needs<["param"], "2.0", PTX_SM20>];
}

def PTX_StAsyncOp : PTX_MemoryInst<"st.async", [PTX_MemWrite, PTX_Async], [
  PTX_Form<".{weak|cluster}? space=.shared::cluster? "
           ".mbarrier::complete_tx::bytes vec=.{v2|v4}? "
           "t=.{b32|u32|s32|f32}",
           "[a], b:t*vec{}, [mbar]", "8.1", PTX_SM90>,
  PTX_Form<".{weak|cluster}? space=.shared::cluster? "
           ".mbarrier::complete_tx::bytes vec=.v2? t=.{b64|u64|s64|f64}",
           "[a], b:t*vec{}, [mbar]", "8.1", PTX_SM90>,
  PTX_Form<".mmio? .release? .{gpu|sys} space=.global? t=.{$mem32|$mem64}",
           "[a], b:t", "8.1", PTX_SM90>,
  PTX_Form<".weak? space=.global? t=.{$mem32|$mem64}", "[a], b:t", "8.1",
           PTX_SM90>]> {
  let ptxFamily = PTX_FamilyCluster;
  let ptxRules = [PTX_With<["mmio"], ["release"]>];
  let ptxNeeds = [PTX_Needs<["global", "mmio", "release"], "8.7", PTX_SM100>];
}
def PTX_StBulkOp : PTX_MemoryInst<"st.bulk", [PTX_MemWrite], [
  PTX_Form<".weak? space=.shared::cta?", "[a], size:u64(0..9223372036854775800/8), i/initval:u64(0)", "8.6",
           PTX_SM100>]>;

//===----------------------------------------------------------------------===//
// Atomics and reductions
//===----------------------------------------------------------------------===//

/// Vectors are added in global memory only.
def PTX_VectorRule : PTX_Without<["v2", "v4", "v8"], ["$notglobal"]>;

/// Shared memory, and words of 64 bits in it, came later.
defvar PTX_SharedAtomNeeds = [PTX_Needs<["shared", "shared::cta"], "1.2",
                                        PTX_SM12>];
defvar PTX_SharedWideAtomNeeds = [PTX_Needs<["shared", "shared::cta"], "2.0",
                                            PTX_SM20>];

/// Orders and scopes.
defvar PTX_AtomNeeds = [PTX_Needs<["cta", "gpu", "sys"], "5.0", PTX_SM60>,
                        PTX_Needs<["$sem"], "6.0", PTX_SM70>];

class PTX_AtomVectorForms<string sem, string result> {
  defvar m = sem # ".$scope? space=.$atomspace? ";
  defvar h = " hint=.L2::cache_hint? ";
  defvar vecOps = result # "[a], b:t*vec, policy:b64?hint";
  list<PTX_Form> forms = [
    PTX_Form<m # "op=.add" # h # "vec=.{v2|v4} t=.f32", vecOps, "8.1",
             PTX_SM90>,
    PTX_Form<m # "op=.{add|min|max} .noftz" # h #
             "vec=.{v2|v4|v8} t=.{f16|bf16}", vecOps, "8.1", PTX_SM90>,
    PTX_Form<m # "op=.{add|min|max} .noftz" # h #
             "vec=.{v2|v4} t=.{f16x2|bf16x2}", vecOps, "8.1", PTX_SM90>];
}

class PTX_AtomForms<string sem, string result, string vecResult> {
  defvar m = sem # ".$scope? space=.$atomspace? ";
  defvar h = " hint=.L2::cache_hint? ";
  defvar ops = result # "[a], b:t, policy:b64?hint";
  list<PTX_Form> forms = !listconcat([
    PTX_Form<m # "op=.{and|or|xor}" # h # "t=.b32", ops, "1.1", PTX_SM11,
             PTX_SharedAtomNeeds>,
    PTX_Form<m # "op=.{and|or|xor}" # h # "t=.b64", ops, "3.1", PTX_SM32>,
    PTX_Form<m # "op=.add" # h # "t=.{u32|s32}", ops, "1.1", PTX_SM11,
             PTX_SharedAtomNeeds>,
    PTX_Form<m # "op=.add" # h # "t=.u64", ops, "1.2", PTX_SM12,
             PTX_SharedWideAtomNeeds>,
    PTX_Form<m # "op=.add" # h # "t=.f32", ops, "2.0", PTX_SM20>,
    PTX_Form<m # "op=.add" # h # "t=.f64", ops, "5.0", PTX_SM60>,
    PTX_Form<m # "op=.{inc|dec}" # h # "t=.u32", ops, "1.1", PTX_SM11,
             PTX_SharedAtomNeeds>,
    PTX_Form<m # "op=.{min|max}" # h # "t=.{u32|s32}", ops, "1.1", PTX_SM11,
             PTX_SharedAtomNeeds>,
    PTX_Form<m # "op=.{min|max}" # h # "t=.{u64|s64}", ops, "3.1", PTX_SM32>,
    PTX_Form<m # "op=.add .noftz" # h # "t=.f16", ops, "6.3", PTX_SM70>,
    PTX_Form<m # "op=.add .noftz" # h # "t=.f16x2", ops, "6.2", PTX_SM60>,
    PTX_Form<m # "op=.add .noftz" # h # "t=.{bf16|bf16x2}", ops, "7.8",
             PTX_SM90>],
    PTX_AtomVectorForms<sem, vecResult>.forms);
}

def PTX_AtomOp : PTX_MemoryInst<"atom", [PTX_MemRead, PTX_MemWrite],
  !listconcat(
    PTX_AtomForms<".{relaxed|acquire|release|acq_rel}? ", "=d:t_, ",
                  "=d:t*vec, ">.forms,
    PTX_AtomVectorForms<".{relaxed|acquire|release|acq_rel}? ", "_, ">.forms,
    [PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.exch hint=.L2::cache_hint? t=.b32",
              "=d:t_, [a], b:t, policy:b64?hint", "1.1", PTX_SM11,
              PTX_SharedAtomNeeds>,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.exch hint=.L2::cache_hint? t=.b64",
              "=d:t_, [a], b:t, policy:b64?hint", "1.2", PTX_SM12,
              PTX_SharedWideAtomNeeds>,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.exch hint=.L2::cache_hint? t=.b128",
              "=d:t_, [a], b:t, policy:b64?hint", "8.3", PTX_SM90,
              PTX_SysNeeds>,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.cas t=.b32", "=d:t_, [a], b:t, c:t", "1.1", PTX_SM11,
              PTX_SharedAtomNeeds>,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.cas t=.b64", "=d:t_, [a], b:t, c:t", "1.2", PTX_SM12,
              PTX_SharedWideAtomNeeds>,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.cas t=.b16", "=d:t_, [a], b:t, c:t", "6.3", PTX_SM70>,
     PTX_Form<".{relaxed|acquire|release|acq_rel}? .$scope? space=.$atomspace? "
              "op=.cas t=.b128", "=d:t_, [a], b:t, c:t", "8.3", PTX_SM90,
              PTX_SysNeeds>]),
  "Parallel Synchronization and Communication Instructions"> {
  let ptxRules = [PTX_CacheRule, PTX_VectorRule];
  let ptxNeeds = PTX_AtomNeeds;
}

def PTX_RedOp : PTX_MemoryInst<"red", [PTX_MemRead, PTX_MemWrite],
  PTX_AtomForms<".{relaxed|release}? ", "", "">.forms,
  "Parallel Synchronization and Communication Instructions"> {
  let ptxFamilyModifiers = [PTX_FamilyModifier<"v4", PTX_FamilyRedV4>];
  let ptxRules = [PTX_CacheRule, PTX_VectorRule];
  let ptxNeeds = PTX_AtomNeeds;
}

class PTX_RedAsyncForms<string mods, string ops, string version,
                        list<string> sm> {
  list<PTX_Form> forms = [
    PTX_Form<mods # " op=.{inc|dec} t=.u32", ops, version, sm>,
    PTX_Form<mods # " op=.{min|max} t=.{u32|s32}", ops, version, sm>,
    PTX_Form<mods # " op=.{and|or|xor} t=.b32", ops, version, sm>,
    PTX_Form<mods # " op=.add t=.{u32|s32|u64|s64}", ops, version, sm>];
}
def PTX_RedAsyncOp : PTX_MemoryInst<"red.async",
  [PTX_MemRead, PTX_MemWrite, PTX_Async], !listconcat(
    PTX_RedAsyncForms<".relaxed .cluster space=.shared::cluster? "
                      ".mbarrier::complete_tx::bytes", "[a], b:t, [mbar]",
                      "8.1", PTX_SM90>.forms,
    PTX_RedAsyncForms<".mmio? .{relaxed|release} .{gpu|sys} space=.global?",
                      "[a], b:t", "8.1", PTX_SM90>.forms),
  "Parallel Synchronization and Communication Instructions"> {
  let ptxFamily = PTX_FamilyCluster;
  let ptxRules = [PTX_With<["mmio"], ["release"]>];
  let ptxNeeds = [PTX_Needs<["global", "mmio", "release"], "8.7", PTX_SM100>];
}

//===----------------------------------------------------------------------===//
// Several memories at once
//===----------------------------------------------------------------------===//

class PTX_MultimemInst<string opcode, list<PTX_Flag> instFlags,
                       list<PTX_Form> forms>
    : PTX_MemoryInst<opcode, instFlags, forms> {
  let ptxFamily = PTX_FamilyMultimem;
  let ptxRules = PTX_SemScopeRules;
}

def PTX_SetHalf : PTX_ModSet<"half", ["f16", "bf16"]>;
def PTX_SetHalf2 : PTX_ModSet<"half2", ["f16x2", "bf16x2"]>;

/// Words of 32 bits as scalars and vectors, half-words as vectors.
class PTX_MultimemHalfForms<string mods, string acc, string ops, string half,
                            string word, string version, list<string> sm> {
  list<PTX_Form> forms = [
    PTX_Form<mods # acc # " vec=.{v2|v4}? t=.$" # word, ops, version, sm>,
    PTX_Form<mods # acc # " vec=.{v2|v4|v8} t=.$" # half, ops, version, sm>];
}
/// Floats of 8 bits, alone as vectors only, two and four in a register of any
/// type; `ops` has its width as `T`.
class PTX_MultimemF8Forms<string mods, string acc, string ops> {
  list<PTX_Form> forms = !foreach(one,
    [["{v4|v8}", "{e5m2|e4m3}", "b8"],
     ["{v2|v4|v8}", "{e5m2x2|e4m3x2}", "b16"],
     ["{v2|v4}?", "{e5m2x4|e4m3x4}", "b32"]],
    PTX_Form<mods # acc # " vec=." # one[0] # " ." # one[1],
             !subst("T", one[2], ops), "8.6", PTX_SM100for120a>);
}
/// What `ld_reduce` and `red` have in common; `sem` and the space stand in
/// front of the operation.
class PTX_MultimemReduceForms<string head, string ops> {
  defvar scalar = !subst("*vec", "", !subst("{}", "", ops));
  list<PTX_Form> forms = [
    PTX_Form<head # "op=.{and|or|xor} t=.$bits3264", scalar, "8.1", PTX_SM90>,
    PTX_Form<head # "op=.{min|max} t=.{u32|s32|u64|s64}", scalar, "8.1",
             PTX_SM90>,
    PTX_Form<head # "op=.add t=.{u32|s32|u64|f64}", scalar, "8.1", PTX_SM90>,
    PTX_Form<head # "op=.add vec=.{v2|v4}? t=.f32", ops, "8.1", PTX_SM90>];
}

def PTX_MultimemLdReduceOp
    : PTX_MultimemInst<"multimem.ld_reduce", [PTX_MemRead], !listconcat(
        PTX_MultimemReduceForms<
          ".{weak|relaxed|acquire}? .$scope? space=.global? ",
          "=d:t*vec{}, [a]">.forms,
        PTX_MultimemHalfForms<
          ".{weak|relaxed|acquire}? .$scope? space=.global? op=.add", "",
          "=d:t*vec{}, [a]", "half", "half2", "8.1", PTX_SM90>.forms,
        PTX_MultimemHalfForms<
          ".{weak|relaxed|acquire}? .$scope? space=.global? op=.add",
          " .acc::f32", "=d:t*vec{}, [a]", "half", "half2", "8.2",
          PTX_SM90>.forms,
        PTX_MultimemHalfForms<
          ".{weak|relaxed|acquire}? .$scope? space=.global? op=.{min|max}",
          "", "=d:t*vec{}, [a]", "half", "half2", "8.1", PTX_SM90>.forms,
        PTX_MultimemF8Forms<
          ".{weak|relaxed|acquire}? .$scope? space=.global? op=.add",
          " .acc::f16?", "=d:T*vec{}, [a]">.forms,
        PTX_MultimemF8Forms<
          ".{weak|relaxed|acquire}? .$scope? space=.global? op=.{min|max}",
          "", "=d:T*vec{}, [a]">.forms)>;
def PTX_MultimemStOp
    : PTX_MultimemInst<"multimem.st", [PTX_MemWrite], !listconcat([
        PTX_Form<".{weak|relaxed|release}? .$scope? space=.global? "
                 "t=.{b32|b64|u32|u64|s32|s64|f64}", "[a], b:t", "8.1",
                 PTX_SM90>,
        PTX_Form<".{weak|relaxed|release}? .$scope? space=.global? "
                 "vec=.{v2|v4}? t=.f32", "[a], b:t*vec{}", "8.1", PTX_SM90>],
        PTX_MultimemHalfForms<
          ".{weak|relaxed|release}? .$scope? space=.global?", "",
          "[a], b:t*vec{}", "half", "half2", "8.1", PTX_SM90>.forms,
        PTX_MultimemF8Forms<
          ".{weak|relaxed|release}? .$scope? space=.global?", "",
          "[a], r/b:T*vec{}">.forms)>;
def PTX_MultimemRedOp
    : PTX_MultimemInst<"multimem.red", [PTX_MemRead, PTX_MemWrite],
        !listconcat(
          PTX_MultimemReduceForms<
            ".{relaxed|release}? .$scope? space=.global? ",
            "[a], b:t*vec">.forms,
          PTX_MultimemHalfForms<
            ".{relaxed|release}? .$scope? space=.global? op=.add", "",
            "[a], b:t*vec", "half", "half2", "8.1", PTX_SM90>.forms,
          [PTX_Form<".{relaxed|release}? .$scope? space=.global? "
                    "op=.{min|max} vec=.{v2|v4} t=.$half2", "[a], b:t*vec",
                    "8.1", PTX_SM90>,
           PTX_Form<".{relaxed|release}? .$scope? space=.global? "
                    "op=.{min|max} vec=.{v2|v4|v8} t=.$half", "[a], b:t*vec",
                    "8.1", PTX_SM90>])>;

//===----------------------------------------------------------------------===//
// Cache control
//===----------------------------------------------------------------------===//

def PTX_PrefetchOp : PTX_MemoryInst<"prefetch", [PTX_MemRead], [
  PTX_Form<"space=.{global|local}? .{L1|L2}", "[a]", "2.0", PTX_SM20>,
  PTX_Form<"space=.global? .{L2::evict_last|L2::evict_normal}", "[a]", "7.4",
           PTX_SM80>,
  PTX_Form<"space=.{const|param}? .tensormap", "[a]", "8.0", PTX_SM90>]> {
  let ptxFamilyModifiers = [PTX_FamilyModifier<"tensormap", PTX_FamilyTma>];
}
def PTX_PrefetchuOp : PTX_MemoryInst<"prefetchu", [PTX_MemRead], [
  PTX_Form<".L1", "[a]", "2.0", PTX_SM20>]>;
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
           "=d:b64, fraction:f32?", "7.4", PTX_SM80>,
  PTX_Form<".range space=.global? "
           ".{L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged} "
           ".{L2::evict_first|L2::evict_unchanged}? t=.b64",
           "=d:b64, [a], primary:u32, total:u32", "7.4", PTX_SM80>,
  PTX_Form<".cvt .L2 t=.b64", "=d:b64, property:b64", "7.4", PTX_SM80>]>;

//===----------------------------------------------------------------------===//
// Stack
//===----------------------------------------------------------------------===//

class PTX_StackInst<string opcode, list<PTX_Form> forms>
    : PTX_MemoryInst<opcode, [PTX_MemRead, PTX_MemWrite], forms,
                     "Stack Manipulation Instructions">;
def PTX_StacksaveOp : PTX_StackInst<"stacksave", [
  PTX_Form<"t=.{u32|u64}", "=d:t", "7.3", ["sm_52"]>]>;
def PTX_StackrestoreOp : PTX_StackInst<"stackrestore", [
  PTX_Form<"t=.{u32|u64}", "r/a:t", "7.3", ["sm_52"]>]>;
def PTX_AllocaOp : PTX_StackInst<"alloca", [
  PTX_Form<"t=.{u32|u64}", "=d:t, size:t, i/align:u32(1|2|4|8|16|32|64|128|256|512|1024|2048|4096|"
           "8192|16384|32768|65536|131072|262144|524288|1048576)?", "7.3", ["sm_52"]>]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_MEMORY_TD
