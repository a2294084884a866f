//===- Passes.h - Passes between PTX and other dialects ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the passes of Passes.td and their registration. Nothing registers
// itself: a tool calls registerConversionPasses().
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_CONVERSION_PASSES_H
#define PTXBENCH_CONVERSION_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"

namespace ptxbench {

#define GEN_PASS_DECL
#include "ptxbench/Conversion/Passes.h.inc"

/// registerConversionPasses() and one function per pass.
#define GEN_PASS_REGISTRATION
#include "ptxbench/Conversion/Passes.h.inc"

} // namespace ptxbench

#endif // PTXBENCH_CONVERSION_PASSES_H
