//===- MnemonicMatcher.cpp - Mnemonics against the forms ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a mnemonic says is worked out once for each spelling: the forms that its
// modifiers fit, and the types, counts and state spaces of their operands under
// them. If no form fits, the first modifier that cannot be right is named, or
// what is missing.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

MnemonicInfo &ParserImpl::getMnemonic(StringRef mnemonic) {
  // Few spellings make up most of a text: those of a cheap hash, its ends and
  // its length, are remembered.
  size_t hash = mnemonic.size() * 31 + mnemonic.front() * 7 +
                mnemonic[mnemonic.size() / 2] * 3 + mnemonic.back();
  RecentMnemonic &recent = recentMnemonics[hash % std::size(recentMnemonics)];
  if (recent.info && recent.spelling == mnemonic)
    return *recent.info;
  MnemonicInfo &info = findMnemonic(mnemonic);
  recent = {mnemonic, &info};
  return info;
}

MnemonicInfo &ParserImpl::findMnemonic(StringRef mnemonic) {
  auto [it, fresh] = mnemonics.try_emplace(mnemonic);
  if (fresh)
    resolveMnemonic(mnemonic, it->second);
  return it->second;
}

static StateSpace getSpace(StringRef mod) {
  StringRef base = mod.split(':').first;
  if (base == "global")
    return StateSpace::Global;
  if (base == "shared")
    return StateSpace::Shared;
  if (base == "local")
    return StateSpace::Local;
  if (base == "const")
    return StateSpace::Const;
  if (base == "param")
    return StateSpace::Param;
  return StateSpace::None;
}

/// What follows for an operand from the instruction, beside its pattern.
void ParserImpl::resolveOperand(Opcode opcode, ArrayRef<Mod> mods,
                                ResolvedOperand &operand) const {
  StringRef name = getOpcodeInfo(opcode).name;
  if (operand.pattern->form == OperandForm::Value) {
    // Only these read special registers that stand alone.
    operand.takesSpecial = opcode == Opcode::mov ||
                           (opcode == Opcode::cvt && none_of(mods, [](Mod mod) {
                              std::optional<DataType> type = getModType(mod);
                              return type && type->kind == TypeKind::Float;
                            }));
    // These map addresses in shared memory, under either of their forms.
    bool isMapping = name == "mapa" || name == "getctarank";
    operand.takesSymbol =
        (opcode == Opcode::mov || name == "cvta" || isMapping) &&
        operand.pattern->name == "a" && !is_contained(mods, Mod::to);
    operand.isFullWidth = name == "cvta";
    if (isMapping && operand.pattern->name == "a")
      operand.space = StateSpace::Shared;
    for (Mod mod : mods)
      if (name == "cvta" && operand.space == StateSpace::None)
        operand.space = getSpace(stringifyMod(mod));
    return;
  }
  if (operand.pattern->form != OperandForm::Address &&
      operand.pattern->form != OperandForm::TensorAddress)
    return;
  SmallVector<StateSpace, 2> spaces;
  for (Mod mod : mods) {
    StateSpace space = getSpace(stringifyMod(mod));
    if (space != StateSpace::None)
      spaces.push_back(space);
  }
  StringRef role = operand.pattern->name;
  if (operand.pattern->form == OperandForm::TensorAddress)
    operand.space = StateSpace::Global;
  else if (spaces.size() == 2 && (role == "dst" || role == "src"))
    operand.space = spaces[role == "src"];
  else if (role == "mbar" || (name.starts_with("mbarrier.") && spaces.empty()))
    operand.space = StateSpace::Shared;
  else if (spaces.size() == 1)
    operand.space = spaces.front();
  // One address, generic or global, as loads and stores have it.
  bool isAccess = is_contained({"ld", "ldu", "st", "atom", "red", "prefetch",
                                "prefetchu", "discard", "applypriority"},
                               name) ||
                  name.starts_with("mbarrier.") ||
                  name.starts_with("multimem.");
  if (!isAccess || is_contained(mods, Mod::tensormap)) {
    operand.isGeneric = spaces.empty() && name == "prefetch";
    return;
  }
  operand.isGeneric = spaces.empty();
  operand.isFullWidth = spaces.empty() || spaces.front() == StateSpace::Global;
}

/// Modifiers that ptxas lets stand more than once.
static bool mayRepeat(Mod mod) {
  return mod == Mod::approx || mod == Mod::cc || mod == Mod::NaN ||
         mod == Mod::relu || mod == Mod::sat || mod == Mod::satfinite ||
         mod == Mod::shiftamt || mod == Mod::sync || mod == Mod::uni;
}

/// Whether a modifier in the first slot of a form is part of the instruction's
/// name to ptxas.
static bool isNamePart(Mod mod) {
  return is_contained({"to", "parity", "l", "r", "lo", "hi", "wide", "inc",
                       "dec", "wait::ld", "wait::st", "b", "p"},
                      stringifyMod(mod));
}

/// ptxas tells the layouts of two matrices by their order.
static bool hasLayoutsInOrder(const ModMatch &match, ArrayRef<Mod> mods) {
  int last = -1;
  for (unsigned i = 0; i < match.form->mods.size(); ++i) {
    int slot = match.slots[i];
    if (slot < 0 || (mods[slot] != Mod::row && mods[slot] != Mod::col))
      continue;
    if (slot < last)
      return false;
    last = slot;
  }
  return true;
}

/// `vote.sync.ballot` for `vote.ballot.sync`: what our opcode's name has in
/// front is a modifier to ptxas, which takes it anywhere. Empty if `mnemonic`
/// is no such name.
static std::string moveSyncToFront(StringRef mnemonic) {
  auto [base, rest] = mnemonic.split('.');
  std::string name = (base + ".sync").str();
  size_t at = ("." + rest.str() + ".").find(".sync.");
  if (at == std::string::npos || at == 0)
    return {};
  std::optional<Opcode> opcode = lookupOpcode(name);
  if (!opcode || getOpcodeInfo(*opcode).name != name)
    return {};
  StringRef behind = rest.drop_front(at + 4);
  return (name + "." + rest.take_front(at - 1) + behind).str();
}

void ParserImpl::resolveMnemonic(StringRef mnemonic, MnemonicInfo &info) {
  std::string moved = moveSyncToFront(mnemonic);
  if (!moved.empty()) {
    resolveMnemonic(moved, info);
    info.inOrder = false;
    return;
  }
  std::optional<Opcode> opcode = lookupOpcode(mnemonic);
  if (!opcode)
    return;
  const OpcodeInfo &record = getOpcodeInfo(*opcode);
  info.opcode = *opcode;
  SmallVector<Mod, 16> mods;
  StringRef rest = mnemonic.drop_front(record.name.size());
  while (!rest.empty()) {
    rest = rest.drop_front();
    StringRef name = rest.take_until([](char c) { return c == '.'; });
    rest = rest.drop_front(name.size());
    std::optional<Mod> mod = symbolizeMod(name);
    if (!mod)
      return;
    if (!mayRepeat(*mod) || !is_contained(mods, *mod))
      mods.push_back(*mod);
  }
  for (auto [index, form] : enumerate(record.forms)) {
    Candidate candidate;
    candidate.form = index;
    if (!matchModifiers(form, mods, candidate.match))
      continue;
    // What is part of the name to ptxas stands first, unlike other modifiers.
    if (!form.mods.empty() && candidate.match.slots[0] > 0 &&
        isNamePart(mods[candidate.match.slots[0]]))
      continue;
    if (!hasLayoutsInOrder(candidate.match, mods))
      continue;
    for (const OperandPattern &pattern : form.operands) {
      if (!isOperandPresent(pattern, candidate.match))
        continue;
      ResolvedOperand operand;
      operand.pattern = &pattern;
      std::optional<DataType> type =
          getOperandType(pattern, candidate.match, mods);
      operand.typed = type.has_value();
      operand.type = type.value_or(DataType());
      operand.count = getOperandCount(pattern, candidate.match, mods);
      operand.needsCommit = pattern.dir != OperandDir::In ||
                            pattern.form == OperandForm::Label ||
                            pattern.form == OperandForm::Symbol;
      resolveOperand(*opcode, mods, operand);
      if (pattern.handle != HandleKind::None)
        operand.indexed = isArrayGeometry(candidate.match, mods);
      candidate.numOptional += pattern.optional;
      candidate.operands.push_back(operand);
    }
    for (auto [slotIndex, slot] : enumerate(form.mods)) {
      std::optional<Mod> mod = candidate.match.get(mods, slotIndex);
      if (slot.name != "space" || !mod)
        continue;
      candidate.space = getSpace(stringifyMod(*mod));
    }
    candidate.requirement = getRequirement(form, mods, *module);
    bool isGeneric =
        any_of(candidate.operands, [](const ResolvedOperand &operand) {
          return operand.isGeneric;
        });
    if (candidate.requirement.empty() && isGeneric && module->target.sm < 20)
      candidate.requirement = "has a generic address, which needs sm_20 or "
                              "later but the target is " +
                              stringifyTargetArch(module->target);
    info.candidates.push_back(std::move(candidate));
  }
  info.inOrder = any_of(info.candidates, [](const Candidate &candidate) {
    return candidate.match.inOrder;
  });
  info.mods = save(ArrayRef<Mod>(mods));
  info.known = !info.candidates.empty();
}

/// As matchModifiers, but all slots may stay empty.
static bool matchSome(const InstForm &form, ArrayRef<Mod> mods,
                      ModMatch &match) {
  SmallVector<ModSlot, 16> slots(form.mods.begin(), form.mods.end());
  for (ModSlot &slot : slots)
    slot.optional = true;
  InstForm relaxed = form;
  relaxed.mods = slots;
  return matchModifiers(relaxed, mods, match);
}

/// Says what is wrong with a mnemonic that no form accepts.
void ParserImpl::reportMnemonic(StringRef mnemonic, SourceOffset loc) {
  auto suggest = [](StringRef name, StringRef dot) {
    return name.empty() ? std::string()
                        : ("did you mean '" + dot + name + "'?").str();
  };
  std::optional<Opcode> opcode = lookupOpcode(mnemonic);
  if (!opcode) {
    StringRef shown = mnemonic.take_front(80);
    error(loc, mnemonic.size(), "unknown instruction '" + shown + "'",
          suggest(nearestOpcode(mnemonic), ""));
    return;
  }
  const OpcodeInfo &record = getOpcodeInfo(*opcode);
  // The longest list of leading modifiers that some form accepts.
  SmallVector<StringRef, 16> written;
  StringRef tail = mnemonic.drop_front(record.name.size());
  if (!tail.empty())
    tail.drop_front().split(written, '.');
  SourceOffset at = loc + record.name.size();
  SmallVector<Mod, 16> mods;
  for (StringRef name : written) {
    std::optional<Mod> mod = symbolizeMod(name);
    bool known = mod && any_of(record.forms, [&](const InstForm &form) {
                   return any_of(form.mods, [&](const ModSlot &slot) {
                     return is_contained(slot.alternatives, *mod);
                   });
                 });
    if (!known) {
      StringRef nearModifier = nearestModifier(name, *opcode);
      // The part of another instruction's name, wrongly written, ends the name
      // of this one.
      StringRef other =
          mods.empty() ? nearestOpcode(mnemonic, record.name) : StringRef();
      bool isOther = !other.empty() && nearModifier.empty();
      error(at, name.size() + 1,
            "'" + Twine(record.name) + "' has no modifier '." + name + "'",
            isOther ? suggest(other, "") : suggest(nearModifier, "."));
      return;
    }
    mods.push_back(*mod);
    at += name.size() + 1;
  }
  at = loc + record.name.size();
  for (size_t index = 0; index < mods.size(); ++index) {
    Mod mod = mods[index];
    bool isFirst = any_of(record.forms, [&](const InstForm &form) {
      return !form.mods.empty() && is_contained(form.mods[0].alternatives, mod);
    });
    if (index > 0 && isFirst && isNamePart(mod)) {
      error(at, written[index].size() + 1,
            "'." + written[index] +
                "' belongs to the name and stands behind '" + record.name +
                "'");
      return;
    }
    at += written[index].size() + 1;
  }
  // Each is known, so it is their combination: find the first one with which
  // no form can be completed.
  auto accepts = [&](ArrayRef<Mod> some) {
    return any_of(record.forms, [&](const InstForm &form) {
      ModMatch match;
      return matchSome(form, some, match);
    });
  };
  at = loc + record.name.size();
  for (size_t i = 0; i < mods.size(); ++i) {
    if (!accepts(ArrayRef<Mod>(mods).take_front(i + 1))) {
      error(at, written[i].size() + 1,
            "'." + written[i] + "' does not go with the other modifiers of '" +
                mnemonic.take_front(120) + "'");
      return;
    }
    at += written[i].size() + 1;
  }
  // What is missing: the required slots of the form that lacks the fewest.
  std::string missing;
  size_t fewest = ~size_t(0);
  for (const InstForm &form : record.forms) {
    ModMatch match;
    if (!matchSome(form, mods, match))
      continue;
    std::string list;
    size_t count = 0;
    for (size_t i = 0; i < form.mods.size(); ++i) {
      if (form.mods[i].optional || match.slots[i] >= 0)
        continue;
      ArrayRef<Mod> alternatives = form.mods[i].alternatives;
      list += count++ ? ", " : "";
      for (size_t k = 0; k < std::min<size_t>(4, alternatives.size()); ++k)
        list += (k ? "|." : ".") + stringifyMod(alternatives[k]).str();
      if (alternatives.size() > 4)
        list += "|…";
    }
    if (count < fewest) {
      fewest = count;
      missing = std::move(list);
    }
  }
  if (missing.empty())
    return error(loc, mnemonic.size(),
                 "the layouts of '" + mnemonic.take_front(120) +
                     "' stand in the wrong order");
  error(loc, mnemonic.size(),
        "'" + mnemonic.take_front(120) + "' lacks a modifier: " + missing);
}
