//===- ModifierMatching.cpp - Modifiers against the slots of a form -------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slots are filled as a set: each modifier takes the first free slot that
// accepts it, and another one if the rest then does not fit. Two kinds keep
// their order, since it carries meaning: types (`cvt.f32.s32`) and state
// spaces (`cp.async.bulk.shared::cluster.shared::cta`).
//
//===----------------------------------------------------------------------===//

#include "CountRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;

namespace {

enum class OrderClass : uint8_t { Free, Type, Space };

OrderClass getOrderClass(Mod mod) {
  switch (mod) {
  case Mod::const_:
  case Mod::global:
  case Mod::local:
  case Mod::param:
  case Mod::param__entry:
  case Mod::param__func:
  case Mod::shared:
  case Mod::shared__cta:
  case Mod::shared__cluster:
    return OrderClass::Space;
  default:
    return getModType(mod) ? OrderClass::Type : OrderClass::Free;
  }
}

/// Depth-first search for an assignment; forms have few slots, and nearly
/// every modifier fits only one of them.
struct Matcher {
  ArrayRef<ModSlot> slots;
  ArrayRef<Mod> mods;
  ModMatch &match;
  unsigned requiredLeft = 0;

  bool assign(unsigned index, int lastType, int lastSpace) {
    if (index == mods.size())
      return requiredLeft == 0;
    if (mods.size() - index < requiredLeft)
      return false;
    Mod mod = mods[index];
    OrderClass orderClass = getOrderClass(mod);
    int first = orderClass == OrderClass::Type    ? lastType + 1
                : orderClass == OrderClass::Space ? lastSpace + 1
                                                  : 0;
    for (int i = first, e = slots.size(); i < e; ++i) {
      if (match.slots[i] >= 0 || !is_contained(slots[i].alternatives, mod))
        continue;
      match.slots[i] = index;
      requiredLeft -= !slots[i].optional;
      if (assign(index + 1, orderClass == OrderClass::Type ? i : lastType,
                 orderClass == OrderClass::Space ? i : lastSpace))
        return true;
      requiredLeft += !slots[i].optional;
      match.slots[i] = -1;
    }
    return false;
  }
};

} // namespace

bool ptxbench::matchModifiers(const InstForm &form, ArrayRef<Mod> mods,
                              ModMatch &match) {
  match.form = &form;
  std::fill(std::begin(match.slots), std::end(match.slots), -1);
  if (mods.size() > form.mods.size())
    return false;
  Matcher matcher{form.mods, mods, match};
  for (const ModSlot &slot : form.mods)
    matcher.requiredLeft += !slot.optional;
  if (!matcher.assign(0, -1, -1))
    return false;
  int last = -1;
  match.inOrder = true;
  for (unsigned i = 0; i < form.mods.size(); ++i) {
    if (match.slots[i] < 0)
      continue;
    match.inOrder &= match.slots[i] > last;
    last = match.slots[i];
  }
  return true;
}

std::optional<Mod> ModRule::findBreach(ArrayRef<Mod> mods) const {
  for (Mod mod : mods) {
    if (!is_contained(when, mod))
      continue;
    bool found =
        any_of(mods, [&](Mod o) { return o != mod && is_contained(what, o); });
    return found == excludes ? std::optional<Mod>(mod) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<DataType> ptxbench::getOperandType(const OperandPattern &operand,
                                                 const ModMatch &match,
                                                 ArrayRef<Mod> mods) {
  if (operand.typeSlot < 0) {
    if (operand.type.width == 0)
      return std::nullopt;
    return operand.type;
  }
  std::optional<Mod> mod = match.get(mods, operand.typeSlot);
  return mod ? getModType(*mod) : std::nullopt;
}

unsigned ptxbench::getOperandCount(const OperandPattern &operand,
                                   const ModMatch &match, ArrayRef<Mod> mods) {
  switch (operand.count.kind) {
  case CountRule::Scalar:
    return 0;
  case CountRule::Fixed:
    return operand.count.value;
  case CountRule::Slot: {
    std::optional<Mod> mod = match.get(mods, operand.count.value);
    if (!mod)
      return 0;
    StringRef digits = stringifyMod(*mod).drop_until(isDigit);
    unsigned count = 0;
    digits.take_while(isDigit).getAsInteger(10, count);
    return count;
  }
  case CountRule::Named:
    return applyCountRule(operand.count.value, match, mods);
  }
  return 0;
}
