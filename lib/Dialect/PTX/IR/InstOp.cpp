//===- InstOp.cpp - Properties, effects and checks of instructions --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all instruction operations share, apart from their assembly form
// (InstOpAsm.cpp) and value ranges (InstOpRanges.cpp).
//
//===----------------------------------------------------------------------===//

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Builders.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"

using namespace mlir;

namespace ptxbench::ptx {

//===----------------------------------------------------------------------===//
// Operand trees
//===----------------------------------------------------------------------===//

unsigned skipOperandTree(ArrayRef<OperandNode> nodes, unsigned index) {
  // Trees are at most three deep, but the count of open children says it all.
  unsigned open = 1;
  while (open && index < nodes.size()) {
    open += nodes[index].numChildren;
    --open;
    ++index;
  }
  return index;
}

SmallVector<OperandTree, 6> getOperandTrees(const InstProperties &inst) {
  SmallVector<OperandTree, 6> trees;
  ArrayRef<OperandNode> nodes = inst.operands;
  unsigned use = 0, def = 0;
  for (unsigned i = 0; i < nodes.size();) {
    unsigned end = skipOperandTree(nodes, i);
    OperandTree tree{nodes.slice(i, end - i), use, def};
    for (const OperandNode &node : tree.nodes) {
      use += node.readsValue();
      def += node.definesValue();
    }
    trees.push_back(tree);
    i = end;
  }
  return trees;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// Whether the root of a tree is of a kind that may stand at the operand's
/// place, as far as that can be told without types.
static bool fitsShape(const OperandTree &tree, const OperandPattern &pattern,
                      const ModMatch &match, ArrayRef<Mod> mods) {
  OperandKind kind = tree.root().kind;
  switch (pattern.form) {
  case OperandForm::Address:
    return kind == OperandKind::Address && tree.root().numChildren == 1;
  case OperandForm::TensorAddress:
    return kind == OperandKind::Address && tree.root().numChildren > 1;
  case OperandForm::ArgumentList:
    return kind == OperandKind::List;
  case OperandForm::Immediate:
    return kind == OperandKind::Int;
  case OperandForm::Sink:
    return kind == OperandKind::Sink;
  case OperandForm::Register:
  case OperandForm::Value:
    break;
  default:
    return true;
  }
  if (kind == OperandKind::Address || kind == OperandKind::List)
    return false;
  unsigned count = getOperandCount(pattern, match, mods);
  if (kind != OperandKind::Vector)
    return count == 0 || pattern.scalarAllowed || kind == OperandKind::Pair;
  unsigned given = tree.root().numChildren;
  return given == count || (pattern.longerAllowed && given > count) ||
         (pattern.bracesAllowed && count == 0 && given == 1);
}

std::optional<SmallVector<const OperandPattern *, 8>>
getPresentOperands(const InstForm &form, const ModMatch &match,
                   unsigned given) {
  SmallVector<const OperandPattern *, 8> present, written;
  unsigned required = 0;
  for (const OperandPattern &pattern : form.operands)
    if (isOperandPresent(pattern, match)) {
      present.push_back(&pattern);
      required += !pattern.optional;
    }
  if (given < required || given > present.size())
    return std::nullopt;
  unsigned optionals = given - required;
  for (const OperandPattern *pattern : present) {
    if (pattern->optional && optionals == 0)
      continue;
    optionals -= pattern->optional;
    written.push_back(pattern);
  }
  return written;
}

namespace {
/// A value whose width is not the one that its operand has.
struct WidthMismatch {
  unsigned expected;
  Type type;
};
} // namespace

/// Compares the types of a tree's values with the type of its operand. `uses`
/// and `defs` are those of the operation.
static std::optional<WidthMismatch>
findMismatch(const OperandTree &tree, const OperandPattern &pattern,
             const ModMatch &match, ArrayRef<Mod> mods, TypeRange uses,
             TypeRange defs) {
  if (pattern.form != OperandForm::Value &&
      pattern.form != OperandForm::Register)
    return std::nullopt;
  std::optional<DataType> type = getOperandType(pattern, match, mods);
  if (!type || pattern.relaxedWidth)
    return std::nullopt;
  const OperandNode &root = tree.root();
  unsigned use = tree.firstUse, def = tree.firstDef;
  // In a pair the second register is a predicate.
  bool isPair = root.kind == OperandKind::Pair;
  for (const OperandNode &node : tree.nodes) {
    Type valueType;
    if (node.readsValue() && use < uses.size())
      valueType = uses[use++];
    if (node.definesValue() && def < defs.size())
      valueType = defs[def++];
    bool isSecond = isPair && &node == &tree.nodes.back();
    if (!valueType || !valueType.isIntOrFloat())
      continue;
    unsigned expected = isSecond ? 1 : type->width;
    // Types of four and six bits live in wider registers; packing moves take
    // vectors whose elements share the width.
    if (expected < 8 && expected != 1)
      continue;
    unsigned width = valueType.getIntOrFloatBitWidth();
    bool packs = root.kind == OperandKind::Vector &&
                 getOperandCount(pattern, match, mods) == 0;
    if (packs ? width * root.numChildren != expected : width != expected)
      return WidthMismatch{expected, valueType};
  }
  return std::nullopt;
}

std::optional<uint16_t> findForm(const OpcodeInfo &info,
                                 const InstProperties &inst, TypeRange uses,
                                 TypeRange defs) {
  SmallVector<OperandTree, 6> trees = getOperandTrees(inst);
  std::optional<uint16_t> byShape;
  for (auto [index, form] : llvm::enumerate(info.forms)) {
    ModMatch match;
    if (!matchModifiers(form, inst.mods, match))
      continue;
    auto present = getPresentOperands(form, match, trees.size());
    if (!present)
      continue;
    auto all = [&](auto fits) {
      return llvm::all_of(llvm::zip(trees, *present), [&](auto pair) {
        auto &[tree, pattern] = pair;
        return fits(tree, *pattern);
      });
    };
    if (!all([&](const OperandTree &tree, const OperandPattern &pattern) {
          return fitsShape(tree, pattern, match, inst.mods);
        }))
      continue;
    if (!byShape)
      byShape = index;
    if (all([&](const OperandTree &tree, const OperandPattern &pattern) {
          return !findMismatch(tree, pattern, match, inst.mods, uses, defs);
        }))
      return index;
  }
  return byShape;
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

Attribute getPropertiesAsAttribute(MLIRContext *context,
                                   const InstProperties &inst) {
  Builder b(context);
  SmallVector<Attribute> mods, names;
  for (Mod mod : inst.mods)
    mods.push_back(b.getStringAttr(stringifyMod(mod)));
  SmallVector<int64_t> nodes;
  for (const OperandNode &node : inst.operands) {
    nodes.append({int64_t(node.kind), int64_t(node.flags),
                  int64_t(node.numChildren), node.value});
    names.push_back(node.name ? node.name : b.getStringAttr(""));
  }
  return b.getDictionaryAttr({
      b.getNamedAttr("form", b.getI64IntegerAttr(inst.form)),
      b.getNamedAttr("guard",
                     b.getI64IntegerAttr(inst.guarded + inst.guardNegated)),
      b.getNamedAttr("inline_asm", b.getI64IntegerAttr(inst.inlineAsm)),
      b.getNamedAttr("mods", b.getArrayAttr(mods)),
      b.getNamedAttr("names", b.getArrayAttr(names)),
      b.getNamedAttr("nodes", b.getDenseI64ArrayAttr(nodes)),
      b.getNamedAttr("regs", b.getDenseI32ArrayAttr(inst.regs)),
  });
}

LogicalResult
setPropertiesFromAttribute(InstProperties &inst, Attribute attr,
                           function_ref<InFlightDiagnostic()> emitError) {
  auto dict = dyn_cast_or_null<DictionaryAttr>(attr);
  if (!dict)
    return emitError() << "expected a dictionary of instruction properties";
  auto form = dict.getAs<IntegerAttr>("form");
  auto guard = dict.getAs<IntegerAttr>("guard");
  auto inlineAsm = dict.getAs<IntegerAttr>("inline_asm");
  auto mods = dict.getAs<ArrayAttr>("mods");
  auto names = dict.getAs<ArrayAttr>("names");
  auto nodes = dict.getAs<DenseI64ArrayAttr>("nodes");
  auto regs = dict.getAs<DenseI32ArrayAttr>("regs");
  if (!form || !guard || !inlineAsm || !mods || !names || !nodes || !regs)
    return emitError() << "expected the instruction properties 'form', "
                          "'guard', 'inline_asm', 'mods', 'names', 'nodes' and "
                          "'regs'";
  if (nodes.size() != int64_t(names.size()) * 4)
    return emitError() << "expected four words for each of the " << names.size()
                       << " names of operand nodes but got " << nodes.size();
  InstProperties out;
  for (Attribute mod : mods) {
    auto text = dyn_cast<StringAttr>(mod);
    std::optional<Mod> known =
        text ? symbolizeMod(text.getValue()) : std::nullopt;
    if (!known)
      return emitError() << "unknown modifier " << mod;
    out.mods.push_back(*known);
  }
  for (auto [i, name] : llvm::enumerate(names)) {
    ArrayRef<int64_t> words = nodes.asArrayRef().slice(i * 4, 4);
    auto text = dyn_cast<StringAttr>(name);
    if (!text || words[0] < 0 || words[0] > int64_t(OperandKind::Selected) ||
        words[1] < 0 || words[1] > 255 || words[2] < 0 || words[2] > 65535)
      return emitError() << "operand node " << i << " is malformed";
    OperandNode node;
    node.kind = OperandKind(words[0]);
    node.flags = words[1];
    node.numChildren = words[2];
    node.value = words[3];
    if (!text.empty())
      node.name = text;
    out.operands.push_back(node);
  }
  out.regs.assign(regs.asArrayRef().begin(), regs.asArrayRef().end());
  out.form = form.getInt();
  out.guarded = guard.getInt() > 0;
  out.guardNegated = guard.getInt() > 1;
  out.inlineAsm = inlineAsm.getInt();
  inst = std::move(out);
  return success();
}

llvm::hash_code computeHash(const InstProperties &inst) {
  llvm::hash_code hash = llvm::hash_combine(
      llvm::hash_combine_range(inst.mods), inst.form, inst.guarded,
      inst.guardNegated, inst.inlineAsm, llvm::hash_combine_range(inst.regs));
  for (const OperandNode &node : inst.operands)
    hash = llvm::hash_combine(hash, node.kind, node.flags, node.numChildren,
                              node.value, node.name);
  return hash;
}

LogicalResult readInstProperties(DialectBytecodeReader &reader,
                                 InstProperties &inst) {
  DictionaryAttr attr;
  if (failed(reader.readAttribute(attr)))
    return failure();
  return setPropertiesFromAttribute(inst, attr,
                                    [&] { return reader.emitError(); });
}

void writeInstProperties(DialectBytecodeWriter &writer, MLIRContext *context,
                         const InstProperties &inst) {
  writer.writeAttribute(getPropertiesAsAttribute(context, inst));
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// Whether two reads of the special register may differ in one thread
/// (ISA, "Special Registers": clocks, timers, counters, and what the scheduler
/// may change).
static bool isVolatileSpecialReg(StringRef name) {
  return name.starts_with("clock") || name.starts_with("globaltimer") ||
         name.starts_with("pm") || name == "warpid" || name == "smid" ||
         name == "reserved_smem_offset_0";
}

/// Whether a read keeps its place and its number: the memory it reads may
/// change under it, or it orders other accesses.
static bool isOrderedRead(ArrayRef<Mod> mods) {
  return llvm::any_of(mods, [](Mod mod) {
    return mod == Mod::volatile_ || mod == Mod::relaxed ||
           mod == Mod::acquire || mod == Mod::mmio || mod == Mod::cv;
  });
}

void getInstOpEffects(
    Operation *op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  auto inst = cast<InstOpInterface>(op);
  uint32_t flags = inst.getInfo().flags;
  bool readsVolatile =
      llvm::any_of(inst.getInst().operands, [](const OperandNode &node) {
        return node.kind == OperandKind::SpecialReg &&
               isVolatileSpecialReg(node.name.getValue());
      });
  if ((flags & IF_Pure) && !readsVolatile)
    return;
  // Whatever is neither pure nor a plain load may do anything: it may neither
  // be removed nor moved over another. A read without a result (`prefetch`) is
  // there for what it does to a cache.
  bool onlyReads = (flags & IF_MemRead) && !(flags & IF_MemWrite) &&
                   !(flags & (IF_Convergent | IF_Async)) &&
                   op->getNumResults() && !isOrderedRead(inst.getInst().mods);
  effects.emplace_back(MemoryEffects::Read::get());
  if (!onlyReads)
    effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Checks one tree against the pattern of its operand.
static LogicalResult verifyTree(Operation *op, const OperandTree &tree,
                                const OperandPattern &pattern,
                                const ModMatch &match, ArrayRef<Mod> mods) {
  if (pattern.form != OperandForm::Value &&
      pattern.form != OperandForm::Register)
    return success();
  const OperandNode &root = tree.root();
  unsigned count = getOperandCount(pattern, match, mods);
  // A vector may also be one register as wide as the whole (b64 for v2.b32).
  if (count && root.kind == OperandKind::Vector && root.numChildren != count &&
      !(pattern.longerAllowed && root.numChildren > count))
    return op->emitOpError("expected ")
           << count << " registers in operand '" << pattern.name << "' but got "
           << root.numChildren;
  if (auto mismatch = findMismatch(tree, pattern, match, mods,
                                   op->getOperandTypes(), op->getResultTypes()))
    return op->emitOpError("operand '")
           << pattern.name << "' is of " << mismatch->expected
           << " bits but its register is of type " << mismatch->type;
  return success();
}

LogicalResult verifyInstOp(Operation *op) {
  auto iface = cast<InstOpInterface>(op);
  InstProperties &inst = iface.getInst();
  unsigned numUses = inst.numUses(), numDefs = inst.numDefs();
  unsigned expected = numUses + (inst.guarded ? 1 + numDefs : 0);
  if (op->getNumOperands() != expected)
    return op->emitOpError("expected ")
           << expected << " operands (" << numUses << " of operand trees"
           << (inst.guarded ? ", a guard and its pass-through" : "")
           << ") but got " << op->getNumOperands();
  if (op->getNumResults() != numDefs)
    return op->emitOpError("expected ")
           << numDefs << " results but got " << op->getNumResults();
  if (inst.regs.size() != numDefs)
    return op->emitOpError("expected a register for each of ")
           << numDefs << " results but got " << inst.regs.size();
  if (inst.guarded) {
    if (!iface.getGuard().getType().isInteger(1))
      return op->emitOpError("expected a guard of type i1 but got ")
             << iface.getGuard().getType();
    for (auto [result, old] :
         llvm::zip(op->getResults(), iface.getPassthrough()))
      if (result.getType() != old.getType())
        return op->emitOpError("pass-through of type ")
               << old.getType() << " does not match the result's "
               << result.getType();
  }

  const OpcodeInfo &info = iface.getInfo();
  if (inst.form >= info.forms.size())
    return op->emitOpError("has no form ") << inst.form;
  const InstForm &form = info.forms[inst.form];
  ModMatch match;
  if (!matchModifiers(form, inst.mods, match))
    return op->emitOpError("modifiers and operands fit no form");
  SmallVector<OperandTree, 6> trees = getOperandTrees(inst);
  auto present = getPresentOperands(form, match, trees.size());
  if (!present)
    return op->emitOpError("expected ")
           << form.operands.size() << " written operands but got "
           << trees.size();
  // A call lists whatever parts it has.
  if (info.flags & IF_Call)
    return success();
  for (auto [tree, pattern] : llvm::zip(trees, *present))
    if (failed(verifyTree(op, tree, *pattern, match, inst.mods)))
      return failure();
  return success();
}

} // namespace ptxbench::ptx
