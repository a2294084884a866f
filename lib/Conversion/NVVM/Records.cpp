//===- Records.cpp - Operations of nvvm as PTX ----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Records.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace ptxbench::nvvm {

#define GET_NVVM_CONVERSION_PARTS
#include "ptxbench/Conversion/NVVMConversions.inc"
#undef GET_NVVM_CONVERSION_PARTS

static constexpr ConversionDesc kConversions[] = {
#define GET_NVVM_CONVERSIONS
#include "ptxbench/Conversion/NVVMConversions.inc"
};

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

StringRef EnumDesc::getWord(int64_t value) const {
  for (const EnumCase &one : cases)
    if (one.value == value)
      return one.word;
  return "";
}

const EnumCase *EnumDesc::findWord(StringRef word) const {
  const EnumCase *found = llvm::find_if(
      cases, [&](const EnumCase &one) { return one.word == word; });
  return found == cases.end() ? nullptr : found;
}

std::optional<int64_t> AttrDesc::getNumber(Attribute attr) const {
  if (!attr)
    return std::nullopt;
  if (kind == AttrKind::Enum) {
    // Of upstream's record; C++ may number enumerators otherwise.
    const EnumCase *found = enumeration->findWord(enumeration->read(attr));
    return found ? std::optional(found->value) : std::nullopt;
  }
  // Those of 16 bits are masks.
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return integer.getType().isInteger(1) || kind == AttrKind::I16
               ? int64_t(integer.getValue().getZExtValue())
               : integer.getValue().getSExtValue();
  return std::nullopt;
}

std::string AttrDesc::getWord(Attribute attr) const {
  if (!attr)
    return "-";
  switch (kind) {
  case AttrKind::Enum:
    return enumeration->read(attr).str();
  case AttrKind::Unit:
    return "true";
  case AttrKind::Bool:
    return getNumber(attr).value_or(0) ? "true" : "false";
  case AttrKind::Type:
    return debugString(cast<TypeAttr>(attr).getValue());
  case AttrKind::I16:
  case AttrKind::I32:
  case AttrKind::I64:
    return std::to_string(getNumber(attr).value_or(0));
  case AttrKind::Shape2: {
    auto shape = cast<NVVM::LdStMatrixShapeAttr>(attr);
    return "m" + std::to_string(shape.getM()) + "n" +
           std::to_string(shape.getN());
  }
  case AttrKind::Shape3: {
    auto shape = cast<NVVM::MMAShapeAttr>(attr);
    return "m" + std::to_string(shape.getM()) + "n" +
           std::to_string(shape.getN()) + "k" + std::to_string(shape.getK());
  }
  }
  llvm_unreachable("every kind returns");
}

Attribute AttrDesc::make(MLIRContext *context, StringRef word) const {
  auto getInteger = [&](unsigned width) -> Attribute {
    int64_t value;
    if (word.getAsInteger(10, value))
      return {};
    return IntegerAttr::get(IntegerType::get(context, width), value);
  };
  int m, n, k;
  switch (kind) {
  case AttrKind::Enum:
    return enumeration->make(context, word);
  case AttrKind::Unit:
    return word == "true" ? UnitAttr::get(context) : Attribute();
  case AttrKind::Bool:
    return BoolAttr::get(context, word == "true");
  case AttrKind::Type: {
    Type type = parseType(word, context);
    return type ? TypeAttr::get(type) : Attribute();
  }
  case AttrKind::I16:
    return getInteger(16);
  case AttrKind::I32:
    return getInteger(32);
  case AttrKind::I64:
    return getInteger(64);
  case AttrKind::Shape2:
    if (!word.consume_front("m") || word.consumeInteger(10, m) ||
        !word.consume_front("n") || word.getAsInteger(10, n))
      return {};
    return NVVM::LdStMatrixShapeAttr::get(context, m, n);
  case AttrKind::Shape3:
    if (!word.consume_front("m") || word.consumeInteger(10, m) ||
        !word.consume_front("n") || word.consumeInteger(10, n) ||
        !word.consume_front("k") || word.getAsInteger(10, k))
      return {};
    return NVVM::MMAShapeAttr::get(context, m, n, k);
  }
  llvm_unreachable("every kind returns");
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

template <typename T>
static const T *findByName(ArrayRef<T> list, StringRef name) {
  const T *found =
      llvm::find_if(list, [&](const T &one) { return one.name == name; });
  return found == list.end() ? nullptr : found;
}

const ValueDesc *Conversion::findOperand(StringRef name) const {
  return findByName(desc->operands, name);
}

const ValueDesc *Conversion::findResult(StringRef name) const {
  return findByName(desc->results, name);
}

const AttrDesc *Conversion::findAttr(StringRef name) const {
  return findByName(desc->attrs, name);
}

/// Where a value begins, and how many it is. Without segments one entry alone
/// has no fixed number.
static std::pair<unsigned, unsigned> findRange(ArrayRef<ValueDesc> values,
                                               StringRef name, unsigned total,
                                               ArrayRef<int32_t> segments) {
  unsigned numFixed = llvm::count_if(
      values, [](const ValueDesc &v) { return v.arity == Arity::Single; });
  unsigned first = 0;
  for (auto [i, value] : llvm::enumerate(values)) {
    unsigned number = !segments.empty()              ? segments[i]
                      : value.arity == Arity::Single ? 1
                                                     : total - numFixed;
    if (value.name == name)
      return {first, number};
    first += number;
  }
  return {0, 0};
}

OperandRange Conversion::getOperands(Operation *op, StringRef name) const {
  ArrayRef<int32_t> segments;
  if (desc->hasSegments)
    if (auto attr = dyn_cast_or_null<DenseI32ArrayAttr>(
            op->getPropertiesAsAttribute()
                ? cast<DictionaryAttr>(op->getPropertiesAsAttribute())
                      .get("operandSegmentSizes")
                : Attribute()))
      segments = attr.asArrayRef();
  auto [first, number] =
      findRange(desc->operands, name, op->getNumOperands(), segments);
  return op->getOperands().slice(first, number);
}

ResultRange Conversion::getResults(Operation *op, StringRef name) const {
  auto [first, number] =
      findRange(desc->results, name, op->getNumResults(), {});
  return op->getResults().slice(first, number);
}

ArrayRef<Conversion> getConversions() {
  static const std::vector<Conversion> conversions = [] {
    std::vector<Conversion> result;
    for (const ConversionDesc &desc : kConversions) {
      Conversion &conversion = result.emplace_back();
      conversion.desc = &desc;
      for (StringRef source : desc.sources)
        conversion.texts.push_back(llvm::cantFail(parseText(source)));
    }
    return result;
  }();
  return conversions;
}

const Conversion *findConversion(Operation *op) {
  static const llvm::StringMap<const Conversion *> byName = [] {
    llvm::StringMap<const Conversion *> map;
    for (const Conversion &conversion : getConversions())
      map[conversion.desc->operation] = &conversion;
    return map;
  }();
  return byName.lookup(op->getName().getStringRef());
}

} // namespace ptxbench::nvvm
