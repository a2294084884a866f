//===- Passes.td - Passes that analyse PTX -----------------*- tablegen -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ANALYSIS_PASSES_TD
#define PTXBENCH_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PTXReachability : Pass<"ptx-reachability", "::mlir::ModuleOp"> {
  let summary = "Say which target instructions can execute";
  let description = [{
    Puts on each target instruction what was proved about it:

    * `ptx.reach`: "never", "all", "some" or "maybe";
    * `ptx.reach_scope` with "some": "cta", "cluster" or "grid";
    * `ptx.reach_reason`: why, in a sentence;
    * `ptx.reach_warps`, `ptx.reach_threads`: the predicted executions per CTA,
      where they are known.

    Kernels of other dialects, `gpu.func kernel` and `llvm.func` with
    `nvvm.kernel` or `ptx_kernelcc`, have the same verdicts on operations that
    become target instructions.

    An instruction of a `.func` gets the verdict for one entry: name it with
    `entry` where a module has several (the last one counts otherwise).

    The options `grid`, `block` and `cluster` are extents x, y, z, of which y
    and z may be left out; `param` is INDEX=VALUE (as many bytes as the
    parameter has, at most 8), INDEX+OFFSET:TYPE=VALUE, or INDEX=hex:BYTES.
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"",
           "Analyse this entry only">,
    ListOption<"grid", "grid", "uint32_t", "Assume this grid">,
    ListOption<"block", "block", "uint32_t", "Assume this block">,
    ListOption<"cluster", "cluster", "uint32_t", "Assume this cluster">,
    ListOption<"params", "param", "std::string",
               "Assume the value of a parameter">,
    Option<"maxClasses", "max-classes", "unsigned", /*default=*/"64",
           "Analyse at most so many classes of threads per entry">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Give remarks instead of attributes">,
  ];
  let dependentDialects = ["::ptxbench::ptx::PTXDialect"];
}

def PTXPrintVerdicts : Pass<"ptx-print-verdicts", "::mlir::ModuleOp"> {
  let summary = "Print the verdicts of -ptx-reachability as text";
  let description = [{
    For each kernel, and each function with target instructions: how many
    instructions of each family can execute (what is `maybe` is undecided, and
    not counted among them), then each instruction with its place, its verdict
    and the reason. The module is not changed.
  }];
  let options = [
    Option<"output", "output", "std::string", /*default=*/"",
           "Where to: a file, - for standard output; default: standard error">,
  ];
}

#endif // PTXBENCH_ANALYSIS_PASSES_TD
