//===- PTXAttrs.cpp - Attributes of the ptx dialect -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes are generated from their declarations; here is what the
// declarations only name.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptxbench::ptx;

#define GET_ATTRDEF_CLASSES
#include "ptxbench/Dialect/PTX/IR/PTXAttrs.cpp.inc"

void PTXDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ptxbench/Dialect/PTX/IR/PTXAttrs.cpp.inc"
      >();
}

uint64_t VarAttr::getSizeInBytes() const {
  std::optional<Mod> mod = symbolizeMod(getType());
  std::optional<DataType> type = mod ? getModType(*mod) : std::nullopt;
  if (!type)
    return 0;
  uint64_t size = (type->width + 7) / 8 * (getVec() ? getVec() : 1);
  for (int64_t extent : getExtents())
    size *= extent;
  return size;
}
