//===- HandleMatcher.cpp - Textures, surfaces, parts of registers ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands of texture, surface and video instructions: handles with
// samplers and coordinates, selectors of bytes, negated registers.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

static StringRef getHandleType(HandleKind kind) {
  return kind == HandleKind::Texture   ? "texref"
         : kind == HandleKind::Surface ? "surfref"
                                       : "samplerref";
}

/// Whether the geometry is one of arrays: `a1d`, `acube`.
bool syntax::isArrayGeometry(const ModMatch &match, ArrayRef<Mod> mods) {
  for (auto [index, slot] : enumerate(match.form->mods))
    if (slot.name == "geom")
      if (std::optional<Mod> mod = match.get(mods, index))
        return stringifyMod(*mod).starts_with("a");
  return false;
}

StringRef syntax::describeSelectors(SelectorKind kind) {
  switch (kind) {
  case SelectorKind::None:
    break;
  case SelectorKind::Part:
    return ".b0 to .b3, .h0 and .h1";
  case SelectorKind::HalfMask:
    return ".h0, .h1 and .h10";
  case SelectorKind::Halves:
    return ".h00 to .h33";
  case SelectorKind::ByteMask:
    return "masks like .b0, .b20 and .b3210";
  case SelectorKind::Bytes:
    return ".b0000 to .b7777";
  }
  return "none";
}

/// The product of a `vmad` or its sum can be negated, not both.
bool ParserImpl::checkMinus(Opcode opcode) {
  if (opcode != Opcode::vmad)
    return true;
  auto isNegated = [&](unsigned operand) {
    unsigned start = operandStarts[operand];
    start += nodes[start].node.kind == OperandKind::Selected;
    return (nodes[start].node.flags & OperandFlag_Minus) != 0;
  };
  if (isNegated(1) == isNegated(2) || !isNegated(3))
    return true;
  error(nodes[operandStarts[3]].node.loc, 1,
        "either the product or the addend is negated, not both");
  return false;
}

/// `[tex]`, `[tex, {c0, c1}]`, `[tex, sampler, {c0, c1}]`.
bool ParserImpl::matchHandle(const ResolvedOperand &expected, unsigned node,
                             std::string *why) {
  auto fail = [&](const Twine &reason) {
    if (why)
      *why = reason.str();
    return false;
  };
  const OperandPattern &pattern = *expected.pattern;
  OperandNode &address = nodes[node].node;
  auto isHandle = [&](const ParsedNode &base, HandleKind kind) {
    if (base.node.kind == OperandKind::Use) {
      const RegDecl &decl = current->regs[base.decl];
      return decl.type.width == 64 && decl.type.kind != TypeKind::Float;
    }
    const VarDecl *var =
        base.node.kind == OperandKind::Symbol ? getVariable(base) : nullptr;
    return var && var->typeName == getHandleType(kind) && !base.node.value;
  };
  auto expectedHandle = [&](HandleKind kind) {
    return ("must be a ." + getHandleType(kind) +
            " variable or a register of 64 bits with its handle")
        .str();
  };
  if (address.value || address.flags)
    return fail("is a handle, which has no offset");
  if (!isHandle(nodes[node + 1], pattern.handle))
    return fail(expectedHandle(pattern.handle));
  if (nodes[node + 1].node.kind == OperandKind::Use && module->target.sm < 20)
    return fail("is a handle in a register, which needs sm_20 or later");
  bool hasCoordinates = pattern.form == OperandForm::TensorAddress;
  if ((address.numChildren > 1) != hasCoordinates)
    return fail(hasCoordinates ? "must have coordinates: [handle, {…}]"
                               : "has no coordinates");
  if (!hasCoordinates)
    return true;
  bool hasSampler = address.numChildren == 3;
  bool isTexture = pattern.handle == HandleKind::Texture;
  if (hasSampler && !isTexture)
    return fail("has no sampler");
  if (hasSampler && !isHandle(nodes[node + 2], HandleKind::Sampler))
    return fail("has a sampler that " + expectedHandle(HandleKind::Sampler));
  if (isTexture && !hasSampler &&
      is_contained(module->targetOptions, "texmode_independent"))
    return fail("must have a sampler in .texmode_independent: "
                "[texture, sampler, {…}]");
  unsigned at = node + 2 + hasSampler;
  if (nodes[at].node.kind != OperandKind::Vector) {
    if (expected.indexed || !pattern.scalarAllowed)
      return fail("must have its coordinates in braces");
    OperandKind kind = nodes[at].node.kind;
    if (kind != OperandKind::Use && kind != OperandKind::SpecialReg)
      return fail("has a coordinate without braces that is no register");
    return matchValue(expected, at, false, why);
  }
  unsigned children = nodes[at].node.numChildren;
  if (!expected.indexed || !children)
    return matchVector(expected, at, expected.count, why);
  // The index in front is an integer whatever the coordinates are.
  static constexpr OperandPattern indexPattern = {
      "index",
      OperandDir::In,
      OperandForm::Value,
      -1,
      {TypeKind::Unsigned, 32, false, false},
      {},
      false,
      false,
      false,
      false};
  ResolvedOperand index = {&indexPattern, indexPattern.type, true, 0};
  if (children != expected.count && children != 4)
    return fail("is a vector of " + Twine(unsigned(expected.count)) +
                " elements, but " + Twine(children) + " are given");
  for (unsigned i = 0; i < children; ++i)
    if (!matchValue(i ? expected : index, at + 1 + i, true, why)) {
      if (why)
        *why = "has a coordinate " + utostr(i) + " that " + *why;
      return false;
    }
  return true;
}
