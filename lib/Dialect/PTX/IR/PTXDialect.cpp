//===- PTXDialect.cpp - The ptx dialect -----------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers operations and attributes, and says which type of MLIR a register's
// type becomes.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"

using namespace mlir;

#include "ptxbench/Dialect/PTX/IR/PTXDialect.cpp.inc"
#include "ptxbench/Dialect/PTX/IR/PTXInterfaces.cpp.inc"

namespace ptxbench::ptx {

void PTXDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ptxbench/Dialect/PTX/IR/PTXOps.cpp.inc"
      >();
  registerInstructions();
  registerAttributes();
}

Type getRegisterType(MLIRContext *context, DataType type) {
  if (type.kind == TypeKind::Predicate)
    return IntegerType::get(context, 1);
  if (type.kind == TypeKind::Float && !type.packed && !type.alternate) {
    switch (type.width) {
    case 16:
      return Float16Type::get(context);
    case 32:
      return Float32Type::get(context);
    case 64:
      return Float64Type::get(context);
    }
  }
  return IntegerType::get(context, type.width);
}

Type getRegisterType(MLIRContext *context, StringRef type) {
  std::optional<Mod> mod = symbolizeMod(type);
  std::optional<DataType> data = mod ? getModType(*mod) : std::nullopt;
  if (!data)
    return {};
  return getRegisterType(context, *data);
}

} // namespace ptxbench::ptx
