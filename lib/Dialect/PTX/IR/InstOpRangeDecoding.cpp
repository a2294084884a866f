//===- InstOpRangeDecoding.cpp - What an instruction computes -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes operation, types and sources out of an instruction's opcode, modifiers
// and operand trees. Whatever is not decoded here is Unknown to the evaluation
// (InstOpRanges.cpp).
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "ptxbench/Dialect/PTX/IR/InstOpRanges.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"

using namespace mlir;
using Ranges = ConstantIntRanges;

namespace ptxbench::ptx {

static RangeSource decodeSource(const OperandTree &tree, unsigned node,
                                unsigned use, unsigned width) {
  RangeSource source;
  const OperandNode &n = tree.nodes[node];
  source.width = width;
  source.negated = n.isNegated();
  switch (n.kind) {
  case OperandKind::Use:
    if (n.flags & OperandFlag_Minus)
      break;
    source.kind = RangeSource::Operand;
    source.operand = use;
    break;
  case OperandKind::Int:
    source.kind = RangeSource::Constant;
    source.constant = n.value;
    break;
  case OperandKind::SpecialReg:
    source.kind = RangeSource::SpecialReg;
    source.specialReg = n.name.getValue();
    break;
  default:
    break;
  }
  return source;
}

static RangeKind kindOf(Opcode opcode, bool hi, bool wide) {
  if (opcode == Opcode::mul)
    return wide ? RangeKind::MulWide : hi ? RangeKind::MulHi : RangeKind::MulLo;
  if (opcode == Opcode::mad)
    return wide ? RangeKind::MadWide : hi ? RangeKind::MadHi : RangeKind::MadLo;
  static constexpr std::pair<Opcode, RangeKind> kKinds[] = {
      {Opcode::mov, RangeKind::Copy},    {Opcode::add, RangeKind::Add},
      {Opcode::add_cc, RangeKind::Add},  {Opcode::sub, RangeKind::Sub},
      {Opcode::sub_cc, RangeKind::Sub},  {Opcode::div, RangeKind::Div},
      {Opcode::rem, RangeKind::Rem},     {Opcode::neg, RangeKind::Neg},
      {Opcode::abs, RangeKind::Abs},     {Opcode::min, RangeKind::Min},
      {Opcode::max, RangeKind::Max},     {Opcode::and_, RangeKind::And},
      {Opcode::or_, RangeKind::Or},      {Opcode::xor_, RangeKind::Xor},
      {Opcode::not_, RangeKind::Not},    {Opcode::cnot, RangeKind::CNot},
      {Opcode::shl, RangeKind::Shl},     {Opcode::shr, RangeKind::Shr},
      {Opcode::bfe, RangeKind::Bfe},     {Opcode::bfi, RangeKind::Bfi},
      {Opcode::popc, RangeKind::Popc},   {Opcode::clz, RangeKind::Clz},
      {Opcode::bfind, RangeKind::Bfind}, {Opcode::selp, RangeKind::Selp},
      {Opcode::setp, RangeKind::Setp},   {Opcode::set, RangeKind::Set},
      {Opcode::cvt, RangeKind::Cvt},     {Opcode::shf, RangeKind::ShfL},
      {Opcode::szext, RangeKind::Szext},
  };
  for (auto [known, kind] : kKinds)
    if (known == opcode)
      return kind;
  return RangeKind::Unknown;
}

static bool decodeCompare(RangeInst &inst, Mod mod) {
  struct Spelling {
    Mod mod;
    CompareOp compare;
    bool isUnsigned;
  };
  static constexpr Spelling kSpellings[] = {
      {Mod::eq, CompareOp::Eq, false}, {Mod::ne, CompareOp::Ne, false},
      {Mod::lt, CompareOp::Lt, false}, {Mod::le, CompareOp::Le, false},
      {Mod::gt, CompareOp::Gt, false}, {Mod::ge, CompareOp::Ge, false},
      {Mod::lo, CompareOp::Lt, true},  {Mod::ls, CompareOp::Le, true},
      {Mod::hi, CompareOp::Gt, true},  {Mod::hs, CompareOp::Ge, true}};
  for (const Spelling &spelling : kSpellings)
    if (spelling.mod == mod) {
      inst.compare = spelling.compare;
      inst.isSigned &= !spelling.isUnsigned;
      return true;
    }
  return false;
}

static bool isInteger(DataType type) {
  return type.kind != TypeKind::Float && !type.packed;
}

/// Bits without a sign (`b32`) have the kind Bits; so have packed integers
/// (`u16x2`), which no arithmetic on whole registers may take for one number.
static bool isNumber(DataType type) {
  return !type.packed &&
         (type.kind == TypeKind::Unsigned || type.kind == TypeKind::Signed);
}

static void decodeOutputs(RangeInst &inst, const OperandTree &dest) {
  uint8_t output = 0;
  bool nested = dest.root().kind == OperandKind::Pair ||
                dest.root().kind == OperandKind::Vector;
  for (const OperandNode &node :
       nested ? dest.nodes.drop_front() : dest.nodes) {
    if (node.definesValue())
      inst.outputs.push_back(output);
    ++output;
  }
}

RangeInst decodeRangeInst(Operation *op) {
  RangeInst inst;
  auto iface = cast<InstOpInterface>(op);
  InstProperties &props = iface.getInst();
  inst.outputs.assign(op->getNumResults(), 0);
  SmallVector<OperandTree, 6> trees = getOperandTrees(props);

  SmallVector<DataType, 2> types;
  bool hi = false, wide = false, right = false, compares = false;
  for (Mod mod : props.mods)
    if (std::optional<DataType> type = getModType(mod))
      types.push_back(*type);
  if (!types.empty())
    inst.isSigned = types.back().kind == TypeKind::Signed;
  bool relu = false, shiftAmount = false;
  for (Mod mod : props.mods) {
    if (mod == Mod::sat)
      inst.saturates = true;
    else if (mod == Mod::wrap)
      inst.wraps = true;
    else if (mod == Mod::wide)
      wide = true;
    else if (mod == Mod::r)
      right = true;
    else if (mod == Mod::relu)
      relu = true;
    else if (mod == Mod::shiftamt)
      shiftAmount = true;
    else if (mod == Mod::and_)
      inst.boolOp = BoolOp::And;
    else if (mod == Mod::or_)
      inst.boolOp = BoolOp::Or;
    else if (mod == Mod::xor_)
      inst.boolOp = BoolOp::Xor;
    // `lo` and `hi` are halves of a product elsewhere.
    if (iface.getOpcode() == Opcode::setp || iface.getOpcode() == Opcode::set)
      compares |= decodeCompare(inst, mod);
    hi |= mod == Mod::hi;
  }
  RangeKind kind = kindOf(iface.getOpcode(), hi, wide);
  if (kind == RangeKind::Unknown || types.empty() || trees.size() < 2 ||
      !isInteger(types.front()) || !isInteger(types.back()))
    return inst;
  inst.width = types.front().width;
  inst.sourceWidth = types.back().width;
  inst.sourceSigned = types.back().kind == TypeKind::Signed;
  if (kind == RangeKind::ShfL && right)
    kind = RangeKind::ShfR;

  switch (kind) {
  case RangeKind::Add:
  case RangeKind::Sub:
    // The carry instructions have b32 forms; they add all the same.
    if (!isNumber(types[0]) && iface.getOpcode() != Opcode::add_cc &&
        iface.getOpcode() != Opcode::sub_cc)
      return inst;
    break;
  case RangeKind::MulLo:
  case RangeKind::MulHi:
  case RangeKind::MulWide:
  case RangeKind::MadLo:
  case RangeKind::MadHi:
  case RangeKind::MadWide:
  case RangeKind::Div:
  case RangeKind::Rem:
  case RangeKind::Neg:
  case RangeKind::Abs:
  case RangeKind::Min:
  case RangeKind::Max:
    if (!isNumber(types[0]) || relu)
      return inst;
    break;
  case RangeKind::Cvt:
    if (!isNumber(types[0]) || types.size() != 2 || !isNumber(types[1]) || relu)
      return inst;
    inst.isSigned = types[0].kind == TypeKind::Signed;
    break;
  case RangeKind::Setp:
    if (!compares)
      return inst;
    break;
  case RangeKind::Set:
    if (!compares || types.size() != 2 || types[0].width != 32)
      return inst;
    break;
  case RangeKind::Bfind:
    if (inst.isSigned || shiftAmount)
      return inst;
    break;
  default:
    break;
  }

  const OperandTree &dest = trees.front();
  inst.outputs.clear();
  decodeOutputs(inst, dest);
  // Widths of the sources in which they are read.
  auto sourceWidth = [&](unsigned i) -> unsigned {
    switch (kind) {
    case RangeKind::Cvt:
    case RangeKind::Popc:
    case RangeKind::Clz:
    case RangeKind::Bfind:
      return inst.sourceWidth;
    case RangeKind::Setp:
    case RangeKind::Set:
      return i == 2 ? 1 : inst.sourceWidth;
    case RangeKind::Selp:
      return i == 2 ? 1 : inst.width;
    case RangeKind::Shl:
    case RangeKind::Shr:
    case RangeKind::Szext:
      return i == 1 ? 32 : inst.width;
    case RangeKind::Bfe:
      return i >= 1 ? 32 : inst.width;
    case RangeKind::Bfi:
      return i >= 2 ? 32 : inst.width;
    case RangeKind::MadWide:
      return i == 2 ? 2 * inst.width : inst.width;
    default:
      return inst.width;
    }
  };
  if (kind == RangeKind::Copy) {
    if (dest.root().kind == OperandKind::Vector)
      kind = RangeKind::Unpack;
    const OperandTree &tree = trees[1];
    if (tree.root().kind == OperandKind::Vector) {
      if (kind == RangeKind::Unpack || tree.root().numChildren == 0)
        return inst;
      unsigned use = tree.firstUse;
      for (unsigned i = 1; i < tree.nodes.size(); ++i) {
        inst.sources.push_back(
            decodeSource(tree, i, use, inst.width / tree.root().numChildren));
        use += tree.nodes[i].readsValue();
      }
      inst.kind = RangeKind::Pack;
      return inst;
    }
  }
  for (unsigned i = 1; i < trees.size(); ++i)
    inst.sources.push_back(
        decodeSource(trees[i], 0, trees[i].firstUse, sourceWidth(i - 1)));
  if ((kind == RangeKind::Setp || kind == RangeKind::Set) &&
      (inst.sources.size() == 3) != (inst.boolOp != BoolOp::None))
    return inst;
  if (kind == RangeKind::And || kind == RangeKind::Or || kind == RangeKind::Xor)
    inst.boolOp = BoolOp::None;
  inst.kind = kind;
  return inst;
}

} // namespace ptxbench::ptx
