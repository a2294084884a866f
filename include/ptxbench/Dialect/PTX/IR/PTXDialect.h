//===- PTXDialect.h - The ptx dialect ---------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its attributes and interfaces. The operations of the families
// are declared in Instructions.h, those of modules, functions and control flow
// in PTXOps.h; both are much larger.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXDIALECT_H
#define PTXBENCH_DIALECT_PTX_IR_PTXDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "ptxbench/Dialect/PTX/IR/InstOp.h"

#include "ptxbench/Dialect/PTX/IR/PTXDialect.h.inc"
#include "ptxbench/Dialect/PTX/IR/PTXInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ptxbench/Dialect/PTX/IR/PTXAttrs.h.inc"

namespace ptxbench::ptx {

/// Name of the module attribute that holds a TargetAttr.
inline constexpr llvm::StringLiteral kTargetAttrName = "ptx.target";

/// The builtin type of a register of that declared type ("b32" -> i32, "f32"
/// -> f32, "pred" -> i1); null for a spelling that is no register type.
mlir::Type getRegisterType(mlir::MLIRContext *context, llvm::StringRef type);
mlir::Type getRegisterType(mlir::MLIRContext *context, DataType type);

} // namespace ptxbench::ptx

#endif // PTXBENCH_DIALECT_PTX_IR_PTXDIALECT_H
