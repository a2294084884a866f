//===- Instructions.cpp - Registration of the instruction operations ------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines and registers the operation classes, one for each opcode, that are
// generated from the instruction records.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Dialect/PTX/IR/Instructions.h"

#define PTX_INST_OP(Class, opcode, name)                                       \
  MLIR_DEFINE_EXPLICIT_TYPE_ID(ptxbench::ptx::Class)
#include "ptxbench/Dialect/PTX/IR/InstructionOps.inc"
#undef PTX_INST_OP

namespace ptxbench::ptx {

void PTXDialect::registerInstructions() {
#define PTX_INST_OP(Class, opcode, name) addOperations<Class>();
#include "ptxbench/Dialect/PTX/IR/InstructionOps.inc"
#undef PTX_INST_OP
}

} // namespace ptxbench::ptx
