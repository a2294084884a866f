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
#include "llvm/ADT/StringExtras.h"
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

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifyName(EmitError emitError, StringRef name) {
  auto isNameChar = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%';
  };
  if (llvm::all_of(name, isNameChar))
    return success();
  return emitError() << "'" << name << "' is no name in PTX";
}

static LogicalResult verifyVector(EmitError emitError, unsigned vec) {
  if (vec == 0 || vec == 2 || vec == 4)
    return success();
  return emitError() << "expected 2 or 4 elements of a vector but got " << vec;
}

LogicalResult PTXTargetAttr::verify(EmitError emitError, unsigned version,
                                    StringRef arch, unsigned addressSize,
                                    ArrayRef<StringAttr> options) {
  if (addressSize == 32 || addressSize == 64)
    return success();
  return emitError() << "expected an address size of 32 or 64 but got "
                     << addressSize;
}

LogicalResult RegAttr::verify(EmitError emitError, StringRef name,
                              StringRef type, unsigned count, unsigned vec) {
  return failure(failed(verifyName(emitError, name)) ||
                 failed(verifyVector(emitError, vec)));
}

LogicalResult VarAttr::verify(EmitError emitError, StringRef name,
                              StringRef space, StringRef type,
                              ArrayRef<int64_t> extents, unsigned vec,
                              unsigned align, StringAttr ptr, int64_t reg,
                              StringAttr attribute) {
  if (failed(verifyName(emitError, name)) ||
      failed(verifyVector(emitError, vec)))
    return failure();
  if (!llvm::is_contained(
          {"reg", "param", "global", "const", "shared", "local", "tex"}, space))
    return emitError() << "'" << space << "' is no state space of a variable";
  std::optional<Mod> mod = symbolizeMod(type);
  if (!llvm::is_contained({"texref", "samplerref", "surfref"}, type) &&
      !(mod && getModType(*mod)))
    return emitError() << "'" << type << "' is no type of a variable";
  if (align & (align - 1))
    return emitError() << "expected a power of 2 as alignment but got "
                       << align;
  // As the parser has it: sizes in bytes stay far from 64 bits.
  uint64_t size = 1;
  for (int64_t extent : extents) {
    if (extent < 0 || (extent && size > (uint64_t(1) << 58) / extent))
      return emitError() << "an array cannot have the extent " << extent;
    size *= std::max<int64_t>(extent, 1);
  }
  return success();
}

LogicalResult InitAttr::verify(EmitError emitError, StringRef kind,
                               uint64_t value, uint64_t mask,
                               StringAttr symbol) {
  bool isSymbol = kind == "symbol" || kind == "generic";
  if (!isSymbol && !llvm::is_contained({"int", "f32", "f64"}, kind))
    return emitError() << "'" << kind << "' is no kind of initial value";
  if (isSymbol != bool(symbol))
    return emitError() << "expected a symbol for the kinds 'symbol' and "
                          "'generic' alone but the kind is '"
                       << kind << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

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
