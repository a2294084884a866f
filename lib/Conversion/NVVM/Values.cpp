//===- Values.cpp - Structs, vectors and casts ----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;

namespace ptxbench::nvvm {

static VectorType getListType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && (vector.getElementType().isInteger(32) ||
                    vector.getElementType().isF32())
             ? vector
             : VectorType();
}

SmallVector<Type> getParts(Type type) {
  if (auto all = dyn_cast<LLVM::LLVMStructType>(type))
    return SmallVector<Type>(all.getBody());
  if (VectorType vector = getListType(type))
    return SmallVector<Type>(vector.getNumElements(), vector.getElementType());
  return {type};
}

static std::optional<int64_t> getPosition(Value value) {
  llvm::APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

Value getPart(OpBuilder &builder, Location loc, Value value, unsigned part) {
  // What was put in last comes out without a detour.
  if (isa<LLVM::LLVMStructType>(value.getType())) {
    for (Value from = value;;) {
      auto insert = from.getDefiningOp<LLVM::InsertValueOp>();
      if (!insert || insert.getPosition().size() != 1)
        return LLVM::ExtractValueOp::create(builder, loc, value, int64_t(part));
      if (insert.getPosition().front() == part)
        return insert.getValue();
      from = insert.getContainer();
    }
  }
  if (!getListType(value.getType()))
    return value;
  for (Value from = value;;) {
    auto insert = from.getDefiningOp<LLVM::InsertElementOp>();
    std::optional<int64_t> position =
        insert ? getPosition(insert.getPosition()) : std::nullopt;
    if (!position)
      break;
    if (*position == part)
      return insert.getValue();
    from = insert.getVector();
  }
  Value position = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                            int32_t(part));
  return LLVM::ExtractElementOp::create(builder, loc, value, position);
}

/// The struct or vector that a value is the given part of.
static Value getWhole(Value value, unsigned part) {
  if (auto extract = value.getDefiningOp<LLVM::ExtractValueOp>())
    if (extract.getPosition() == ArrayRef<int64_t>(part))
      return extract.getContainer();
  if (auto extract = value.getDefiningOp<LLVM::ExtractElementOp>())
    if (getPosition(extract.getPosition()) == int64_t(part))
      return extract.getVector();
  return {};
}

Value joinParts(OpBuilder &builder, Location loc, Type type,
                ArrayRef<Value> parts) {
  bool isStruct = isa<LLVM::LLVMStructType>(type);
  if (!isStruct && !getListType(type))
    return parts.front();
  Value whole = getWhole(parts.front(), 0);
  for (auto [i, part] : llvm::enumerate(parts))
    if (whole && getWhole(part, i) != whole)
      whole = {};
  if (whole && whole.getType() == type)
    return whole;
  Value all = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, part] : llvm::enumerate(parts))
    if (isStruct)
      all = LLVM::InsertValueOp::create(builder, loc, all, part, int64_t(i));
    else
      all = LLVM::InsertElementOp::create(
          builder, loc, all, part,
          LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                   int32_t(i)));
  return all;
}

static bool isInsert(Operation *op) {
  return isa_and_nonnull<LLVM::InsertValueOp, LLVM::InsertElementOp>(op);
}

/// The struct or vector that a chain of insertions takes apart and puts
/// together again.
static Value getRejoined(Operation *last) {
  Type type = last->getResult(0).getType();
  SmallVector<Value> parts(getParts(type).size());
  Value from = last->getResult(0);
  while (isInsert(from.getDefiningOp())) {
    Operation *op = from.getDefiningOp();
    int64_t position = -1;
    Value value;
    if (auto insert = dyn_cast<LLVM::InsertValueOp>(op)) {
      if (insert.getPosition().size() == 1)
        position = insert.getPosition().front();
      value = insert.getValue();
      from = insert.getContainer();
    } else {
      auto element = cast<LLVM::InsertElementOp>(op);
      position = getPosition(element.getPosition()).value_or(-1);
      value = element.getValue();
      from = element.getVector();
    }
    if (position < 0 || position >= int64_t(parts.size()))
      return {};
    if (!parts[position])
      parts[position] = value;
  }
  Value whole = parts.front() ? getWhole(parts.front(), 0) : Value();
  for (auto [i, part] : llvm::enumerate(parts))
    if (whole && (!part || getWhole(part, i) != whole))
      whole = {};
  return whole && whole.getType() == type ? whole : Value();
}

/// Memory whose addresses have 32 bits.
static bool isNarrow(LLVM::LLVMPointerType pointer) {
  unsigned space = pointer.getAddressSpace();
  return space == unsigned(NVVM::NVVMMemorySpace::Shared) ||
         space == unsigned(NVVM::NVVMMemorySpace::SharedCluster) ||
         space == unsigned(NVVM::NVVMMemorySpace::Tensor);
}

std::string getTypeWord(Type type) {
  std::string text = debugString(type);
  StringRef word = text;
  if (word.consume_front("vector<"))
    word = word.drop_back();
  return word.str();
}

Type getTypeOfWord(MLIRContext *context, StringRef word) {
  return parseType(llvm::isDigit(word.front()) ? ("vector<" + word + ">").str()
                                               : word.str(),
                   context);
}

char getRegisterOf(Type &type) {
  Builder builder(type.getContext());
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type)) {
    bool narrow = isNarrow(pointer);
    type = builder.getIntegerType(narrow ? 32 : 64);
    return narrow ? 'r' : 'l';
  }
  if (type.isF32())
    return 'f';
  if (type.isF64())
    return 'd';
  unsigned width = 0;
  if (auto vector = dyn_cast<VectorType>(type))
    width = vector.getNumElements() *
            (vector.getElementType().isIntOrFloat()
                 ? vector.getElementType().getIntOrFloatBitWidth()
                 : 0);
  else if (type.isIntOrFloat())
    width = type.getIntOrFloatBitWidth();
  switch (width) {
  case 1:
  case 16:
  case 32:
  case 64:
  case 128:
    type = builder.getIntegerType(width);
    return width == 1    ? 'b'
           : width == 16 ? 'h'
           : width == 32 ? 'r'
           : width == 64 ? 'l'
                         : 'q';
  }
  return 0;
}

/// What a cast was made of, if that has the type and kept all its bits.
static Value undoCast(Value value, Type type) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<LLVM::BitcastOp, LLVM::IntToPtrOp, LLVM::PtrToIntOp>(
          op) ||
      op->getOperand(0).getType() != type)
    return {};
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(
      isa<LLVM::PtrToIntOp>(op) ? type : value.getType());
  if (!isa<LLVM::BitcastOp>(op)) {
    Type number = isa<LLVM::PtrToIntOp>(op) ? value.getType() : type;
    if (!number.isInteger(64) && !(number.isInteger(32) && isNarrow(pointer)))
      return {};
    // Addresses of 32 bits may be all that LLVM keeps of a number.
    if (isa<LLVM::IntToPtrOp>(op) && isNarrow(pointer) && !number.isInteger(32))
      return {};
  }
  return op->getOperand(0);
}

bool haveSameBits(Type a, Type b) {
  return getRegisterOf(a) && getRegisterOf(b) &&
         a.getIntOrFloatBitWidth() == b.getIntOrFloatBitWidth();
}

Value castBits(OpBuilder &builder, Location loc, Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (Value before = undoCast(value, type))
    return before;
  auto toPointer = dyn_cast<LLVM::LLVMPointerType>(type);
  auto fromPointer = dyn_cast<LLVM::LLVMPointerType>(from);
  if (fromPointer && toPointer) {
    Type bits = builder.getI64Type();
    Value number = LLVM::PtrToIntOp::create(builder, loc, bits, value);
    return LLVM::IntToPtrOp::create(builder, loc, type, number);
  }
  if (fromPointer) {
    if (!type.isInteger(64) && !(type.isInteger(32) && isNarrow(fromPointer)))
      return {};
    return LLVM::PtrToIntOp::create(builder, loc, type, value);
  }
  if (toPointer) {
    if (!from.isInteger(64) && !(from.isInteger(32) && isNarrow(toPointer)))
      return {};
    return LLVM::IntToPtrOp::create(builder, loc, type, value);
  }
  if (!haveSameBits(from, type))
    return {};
  return LLVM::BitcastOp::create(builder, loc, type, value);
}

/// What a value was before it was extended and cut off again.
static Value undoExtension(LLVM::TruncOp trunc) {
  auto extend = trunc.getArg().getDefiningOp<LLVM::ZExtOp>();
  return extend && extend.getArg().getType() == trunc.getType()
             ? extend.getArg()
             : Value();
}

void simplifyValues(Operation *root) {
  SmallVector<Operation *> found;
  auto isGlue = [](Operation *op) {
    return isInsert(op) ||
           isa<LLVM::BitcastOp, LLVM::IntToPtrOp, LLVM::PtrToIntOp,
               LLVM::ExtractValueOp, LLVM::ExtractElementOp, LLVM::PoisonOp,
               LLVM::ConstantOp, LLVM::ZExtOp, LLVM::TruncOp>(op);
  };
  root->walk([&](Operation *op) {
    if (isGlue(op))
      found.push_back(op);
  });
  for (Operation *op : found) {
    Value result = op->getResult(0);
    Value same;
    if (isInsert(op) && llvm::none_of(result.getUsers(), isInsert))
      same = getRejoined(op);
    else if (auto trunc = dyn_cast<LLVM::TruncOp>(op))
      same = undoExtension(trunc);
    else if (op->getNumOperands() && op->getOperand(0).getDefiningOp())
      same = isa<LLVM::BitcastOp, LLVM::IntToPtrOp, LLVM::PtrToIntOp>(op)
                 ? undoCast(op->getOperand(0), result.getType())
                 : Value();
    if (same)
      result.replaceAllUsesWith(same);
  }
  for (Operation *op : llvm::reverse(found))
    if (op->use_empty())
      op->erase();
}

} // namespace ptxbench::nvvm
