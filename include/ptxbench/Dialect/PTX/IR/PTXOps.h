//===- PTXOps.h - Modules, functions and control flow -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXOPS_H
#define PTXBENCH_DIALECT_PTX_IR_PTXOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"

#define GET_OP_CLASSES
#include "ptxbench/Dialect/PTX/IR/PTXOps.h.inc"

#endif // PTXBENCH_DIALECT_PTX_IR_PTXOPS_H
