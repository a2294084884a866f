//===- Passes.h - Passes that analyse PTX -----------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the passes of Passes.td and their registration. Nothing registers
// itself: a tool calls registerAnalysisPasses().
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ANALYSIS_PASSES_H
#define PTXBENCH_ANALYSIS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"

namespace ptxbench {

#define GEN_PASS_DECL
#include "ptxbench/Analysis/Passes.h.inc"

/// registerAnalysisPasses() and one function per pass.
#define GEN_PASS_REGISTRATION
#include "ptxbench/Analysis/Passes.h.inc"

} // namespace ptxbench

#endif // PTXBENCH_ANALYSIS_PASSES_H
