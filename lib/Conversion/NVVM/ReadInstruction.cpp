//===- ReadInstruction.cpp - Instructions to operations of nvvm -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of all ways in which a record fits an instruction, the one whose operation is
// valid and needs the fewest casts is taken.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Hooks.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "ptxbench/Dialect/PTX/IR/AsmConstraints.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::nvvm {

namespace {

/// Builds the operation of one match.
class OpMaker {
public:
  OpMaker(OpBuilder &builder, Location loc, const Conversion &conversion,
          const Bindings &bindings, const BodyValues &values)
      : builder(builder), loc(loc), conversion(conversion), bindings(bindings),
        values(values) {}

  /// Null if a value does not fit.
  Operation *make(Value guard, bool isNegated);
  /// What the written values of the body are outside.
  bool getResults(Operation *op,
                  SmallVectorImpl<std::pair<Value, Value>> &results);
  unsigned getNumCasts() const { return numCasts; }

private:
  SmallVector<Type> getAllowed(const ValueDesc &desc) const;
  Value makeValue(const Atom &atom, ArrayRef<Type> allowed);
  bool addOperands(const ValueDesc &desc, SmallVectorImpl<Value> &operands);
  Type getResultType(const ValueDesc &desc);
  Type getElement(StringRef name, unsigned place) const;
  StringRef getWord(StringRef name) const {
    auto it = bindings.words.find(name);
    return it == bindings.words.end() ? StringRef() : StringRef(it->second);
  }

  OpBuilder &builder;
  Location loc;
  const Conversion &conversion;
  const Bindings &bindings;
  const BodyValues &values;
  unsigned numCasts = 0;
  /// The type that the operand `val` got, for results of the same.
  Type valType;
};

} // namespace

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The type that a constraint of upstream's stands for, if it is one.
static Type getConstraintType(MLIRContext *context, StringRef name) {
  Builder builder(context);
  auto getPointer = [&](NVVM::NVVMMemorySpace space) -> Type {
    return LLVM::LLVMPointerType::get(context, unsigned(space));
  };
  using Space = NVVM::NVVMMemorySpace;
  return llvm::StringSwitch<Type>(name)
      .Case("I1", builder.getI1Type())
      .Case("I8", builder.getIntegerType(8))
      .Case("I16", builder.getIntegerType(16))
      .Case("I32", builder.getI32Type())
      .Case("I64", builder.getI64Type())
      .Case("I128", builder.getIntegerType(128))
      .Case("F32", builder.getF32Type())
      .Case("F64", builder.getF64Type())
      .Cases({"LLVM_PointerGeneric", "LLVM_AnyPointer"},
             getPointer(Space::Generic))
      .Case("LLVM_PointerGlobal", getPointer(Space::Global))
      .Case("LLVM_PointerShared", getPointer(Space::Shared))
      .Case("LLVM_PointerConst", getPointer(Space::Constant))
      .Case("LLVM_PointerLocal", getPointer(Space::Local))
      .Case("LLVM_PointerTensor", getPointer(Space::Tensor))
      .Case("LLVM_PointerSharedCluster", getPointer(Space::SharedCluster))
      .Default(Type());
}

SmallVector<Type> OpMaker::getAllowed(const ValueDesc &desc) const {
  MLIRContext *context = builder.getContext();
  if (auto it = bindings.spaces.find(desc.name);
      it != bindings.spaces.end() && it->second != "-") {
    unsigned space = 0;
    it->second.getAsInteger(10, space);
    return {LLVM::LLVMPointerType::get(context, space)};
  }
  bool isNoPointer = bindings.spaces.count(desc.name);
  if (auto it = bindings.types.find(desc.name); it != bindings.types.end())
    return {getTypeOfWord(context, it->second)};
  SmallVector<Type> types;
  SmallVector<StringRef> names;
  StringRef(desc.types).split(names, '|');
  for (StringRef name : names)
    if (Type type = getConstraintType(context, name))
      if (!isNoPointer || !isa<LLVM::LLVMPointerType>(type))
        types.push_back(type);
  return types;
}

Type OpMaker::getElement(StringRef name, unsigned place) const {
  return getElementType(conversion, builder.getContext(), name, place,
                        [&](StringRef n) { return getWord(n); });
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value OpMaker::makeValue(const Atom &atom, ArrayRef<Type> allowed) {
  if (atom.kind == Atom::Int) {
    // A predicate that is true is -1 in LLVM's text, and 1 in others.
    bool isPredicate = atom.number >= -1 && atom.number <= 1;
    for (Type type : allowed)
      if (type.isInteger() && (isPredicate || !type.isInteger(1)))
        return LLVM::ConstantOp::create(
            builder, loc, type,
            builder.getIntegerAttr(
                type, llvm::APInt(type.getIntOrFloatBitWidth(), atom.number,
                                  /*isSigned=*/true, /*implicitTrunc=*/true)));
    return {};
  }
  Value value = values.lookup(atom.read);
  if (!value)
    return {};
  if (atom.isTruth)
    return value.getType().isInteger(1)
               ? LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), value)
               : Value();
  if (!llvm::is_contained(allowed, value.getType())) {
    ++numCasts;
    Value cast;
    for (Type type : allowed)
      if ((cast = castBits(builder, loc, value, type)))
        break;
    value = cast;
  }
  if (value && atom.number) {
    if (!isa<LLVM::LLVMPointerType>(value.getType()))
      return {};
    value = LLVM::GEPOp::create(
        builder, loc, value.getType(), builder.getIntegerType(8), value,
        ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(atom.number))});
  }
  return value;
}

bool OpMaker::addOperands(const ValueDesc &desc,
                          SmallVectorImpl<Value> &operands) {
  auto it = bindings.atoms.find(desc.name);
  auto known = bindings.present.find(desc.name);
  bool isThere = it != bindings.atoms.end();
  if (known != bindings.present.end() && known->second != isThere)
    return false;
  if (!isThere)
    return desc.arity != Arity::Single;
  SmallVector<Type> allowed = getAllowed(desc);
  bool isWhole = desc.arity != Arity::Variadic &&
                 !bindings.types.count(desc.name) &&
                 (desc.types == "LLVM_AnyStruct" || desc.types.empty() ||
                  desc.types == "I32|");
  SmallVector<Value> parts;
  for (auto [place, list] : llvm::enumerate(it->second))
    for (const Atom &atom : list) {
      SmallVector<Type> types = allowed;
      if (types.empty() || isWhole)
        types = {getElement(desc.name, place)};
      Value value = makeValue(atom, types);
      if (!value)
        return false;
      parts.push_back(value);
    }
  if (auto count = bindings.counts.find(desc.name);
      count != bindings.counts.end() && count->second != parts.size())
    return false;
  if (desc.name == "val")
    valType = parts.front().getType();
  if (!isWhole || (desc.types == "I32|" && parts.size() == 1)) {
    if (desc.arity != Arity::Variadic && parts.size() != 1)
      return false;
    operands.append(parts);
    return true;
  }
  MLIRContext *context = builder.getContext();
  Type type = parts.front().getType();
  type = desc.types == "LLVM_AnyStruct"
             ? Type(LLVM::LLVMStructType::getLiteral(
                   context, SmallVector<Type>(parts.size(), type)))
             : Type(VectorType::get({int64_t(parts.size())}, type));
  operands.push_back(joinParts(builder, loc, type, parts));
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The type of a result; null if there is none.
Type OpMaker::getResultType(const ValueDesc &desc) {
  MLIRContext *context = builder.getContext();
  SmallVector<Type> allowed = getAllowed(desc);
  if (auto it = bindings.elements.find(desc.name);
      it != bindings.elements.end()) {
    Type first = conversion.desc->operation == "nvvm.shfl.sync" && valType
                     ? valType
                     : builder.getI32Type();
    return LLVM::LLVMStructType::getLiteral(context,
                                            {first, builder.getI1Type()});
  }
  auto it = bindings.atoms.find(desc.name);
  if (it == bindings.atoms.end())
    return {};
  StringRef types = desc.types;
  unsigned number = it->second.front().size();
  bool isStruct = types.starts_with("LLVM_AnyStruct") || types == "AnyType";
  if (isStruct || types == "I32|") {
    Type element = getElement(desc.name, 0);
    if (number == 1 && types != "LLVM_AnyStruct")
      return element;
    if (!isStruct)
      return VectorType::get({int64_t(number)}, element);
    return LLVM::LLVMStructType::getLiteral(context,
                                            SmallVector<Type>(number, element));
  }
  if (valType && llvm::is_contained(allowed, valType))
    return valType;
  if (!allowed.empty())
    return allowed.front();
  // Any type: that of the register.
  Value written = it->second.front().front().written;
  return written ? written.getType() : Type();
}

bool OpMaker::getResults(Operation *op,
                         SmallVectorImpl<std::pair<Value, Value>> &results) {
  unsigned number = 0;
  for (const ValueDesc &desc : conversion.desc->results) {
    if (number == op->getNumResults())
      break;
    Value result = op->getResult(number++);
    auto add = [&](const Atom &atom, unsigned part) {
      if (!atom.written)
        return;
      Value value = getPart(builder, loc, result, part);
      if (atom.isTruth)
        value = LLVM::ICmpOp::create(
            builder, loc, LLVM::ICmpPredicate::ne, value,
            LLVM::ConstantOp::create(builder, loc, value.getType(), 0));
      results.push_back({atom.written, value});
    };
    if (auto it = bindings.elements.find(desc.name);
        it != bindings.elements.end())
      for (const auto &[element, atom] : it->second)
        add(atom, element);
    if (auto it = bindings.atoms.find(desc.name); it != bindings.atoms.end())
      for (auto [i, atom] : llvm::enumerate(it->second.front()))
        add(atom, i);
  }
  return true;
}

Operation *OpMaker::make(Value guard, bool isNegated) {
  OperationState state(loc, conversion.desc->operation);
  SmallVector<int32_t> segments;
  for (const ValueDesc &desc : conversion.desc->operands) {
    size_t before = state.operands.size();
    if (guard && desc.name == conversion.desc->guard) {
      Value value = values.lookup(guard);
      if (value && isNegated)
        value = LLVM::XOrOp::create(
            builder, loc, value,
            LLVM::ConstantOp::create(builder, loc, value.getType(),
                                     builder.getBoolAttr(true)));
      if (!value)
        return nullptr;
      state.operands.push_back(value);
    } else {
      SmallVector<Value> added;
      if (!addOperands(desc, added))
        return nullptr;
      state.addOperands(added);
    }
    segments.push_back(state.operands.size() - before);
  }
  if (conversion.desc->hasSegments)
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(segments));
  for (const ValueDesc &desc : conversion.desc->results) {
    auto known = bindings.present.find(desc.name);
    Type type = getResultType(desc);
    if (known != bindings.present.end() && known->second != bool(type))
      return nullptr;
    if (type)
      state.addTypes(type);
    else if (desc.arity == Arity::Single)
      return nullptr;
  }
  for (const AttrDesc &desc : conversion.desc->attrs) {
    StringRef word = getWord(desc.name);
    if (word.empty() || word == "-")
      continue;
    if (Attribute attr = desc.make(builder.getContext(), word))
      state.addAttribute(desc.name, attr);
  }
  return builder.create(state);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {

/// Remembers what was made, to take it away.
class Journal : public OpBuilder::Listener {
public:
  void notifyOperationInserted(Operation *made,
                               OpBuilder::InsertPoint) override {
    inserted.push_back(made);
  }
  void undo() {
    for (Operation *made : llvm::reverse(inserted))
      made->erase();
    inserted.clear();
  }

private:
  SmallVector<Operation *> inserted;
};

} // namespace

Operation *readInstruction(OpBuilder &builder, InstOpInterface inst,
                           bool isWhole, const BodyValues &values,
                           SmallVectorImpl<std::pair<Value, Value>> &results,
                           std::string &reason) {
  Operation *source = inst;
  MLIRContext *context = source->getContext();
  Location loc = source->getLoc();
  auto text = source->getParentOfType<InlineOp>();
  std::string said, lost;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &d) {
    if (d.getSeverity() == DiagnosticSeverity::Error && said.empty())
      said = d.str();
    return success();
  });

  struct Found {
    const Conversion *conversion;
    Bindings bindings;
    unsigned numCasts;
  };
  std::optional<Found> best;
  Value guard = inst.getGuard();
  // Upstream's lowering writes a constant in the place of the predicate.
  if (guard && !source->getNumResults())
    if (std::optional<int64_t> known = values.known.getConstant(guard)) {
      if (bool(*known) == inst.isGuardNegated()) {
        reason = "its guard is always false";
        return nullptr;
      }
      guard = {};
    }
  bool hasOpcode = false, hasText = false;
  for (const Conversion &conversion : getConversions()) {
    if (!conversion.desc->reads || conversion.desc->before.empty() == isWhole)
      continue;
    for (const Text &form : conversion.texts) {
      if (form.opcode != inst.getOpcode())
        continue;
      hasOpcode = true;
      matchText(conversion, form, inst, values.known,
                [&](const Bindings &bindings) {
                  hasText = true;
                  if (guard && conversion.desc->guard.empty())
                    return false;
                  // Is it an operation? Made, looked at, and taken away.
                  Journal journal;
                  OpBuilder trial(context);
                  trial.setListener(&journal);
                  trial.setInsertionPoint(builder.getInsertionBlock(),
                                          builder.getInsertionPoint());
                  OpMaker maker(trial, loc, conversion, bindings, values);
                  Operation *op = maker.make(guard, inst.isGuardNegated());
                  bool isValid = op && succeeded(verify(op));
                  if (isValid) {
                    lost = getLoss(op, text.getSideEffects());
                    isValid = lost.empty();
                  }
                  unsigned numCasts = maker.getNumCasts();
                  journal.undo();
                  if (isValid && (!best || numCasts < best->numCasts))
                    best = Found{&conversion, bindings, numCasts};
                  return best && best->numCasts == 0;
                });
      if (best && best->numCasts == 0)
        break;
    }
  }
  if (!best) {
    std::string name = getOpcodeInfo(inst.getOpcode()).name.str();
    if (!hasOpcode)
      reason = "no operation of nvvm is '" + name + "'";
    else if (!hasText)
      reason = "no operation of nvvm is '" + name +
               "' with these modifiers and operands";
    else if (!lost.empty())
      reason = lost;
    else if (guard)
      reason = "the operation of nvvm that is '" + name + "' has no predicate";
    else
      reason = said.empty() ? "the operands of '" + name +
                                  "' are no operands of the operation of nvvm"
                            : said;
    return nullptr;
  }
  OpMaker maker(builder, loc, *best->conversion, best->bindings, values);
  Operation *op = maker.make(guard, inst.isGuardNegated());
  // What the text says of memory stays in front of it.
  AsmConstraints constraints =
      llvm::cantFail(parseAsmConstraints(text.getConstraints()));
  if (losesMemoryOrder(op, constraints.clobbersMemory)) {
    OpBuilder::InsertionGuard restore(builder);
    builder.setInsertionPoint(op);
    LLVM::InlineAsmOp::create(
        builder, loc, TypeRange(), ValueRange(), "", "~{memory}",
        /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, /*asm_dialect=*/nullptr,
        /*operand_attrs=*/nullptr);
  }
  maker.getResults(op, results);
  return op;
}

} // namespace ptxbench::nvvm
