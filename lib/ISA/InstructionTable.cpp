//===- InstructionTable.cpp - Look-ups in the instruction table -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opcodes and modifiers are numbered in the order of their spellings, so that
// a binary search of the generated names is the look-up, and the enumerator is
// the index.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/ISA/Instruction.h"
#include "ptxbench/Support/Spelling.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;
using namespace ptxbench;

namespace {
#define GET_PTX_TABLES
#include "ptxbench/ISA/InstructionTables.inc"
} // namespace

const OpcodeInfo &ptxbench::getOpcodeInfo(Opcode opcode) {
  return opcodeTable[static_cast<unsigned>(opcode)];
}

ArrayRef<OpcodeInfo> ptxbench::getAllOpcodes() { return opcodeTable; }

StringRef ptxbench::stringifyMod(Mod mod) {
  return modNames[static_cast<unsigned>(mod)];
}

StringRef ptxbench::stringifyFamily(Family family) {
  return familyNames[static_cast<unsigned>(family)];
}

Family ptxbench::getFamily(Opcode opcode, ArrayRef<Mod> mods) {
  const OpcodeInfo &info = getOpcodeInfo(opcode);
  for (const FamilyModifier &entry : info.familyModifiers)
    if (is_contained(mods, entry.mod))
      return entry.family;
  return info.family;
}

std::optional<Mod> ptxbench::symbolizeMod(StringRef spelling) {
  const StringLiteral *it =
      std::lower_bound(std::begin(modNames), std::end(modNames), spelling,
                       [](StringRef a, StringRef b) { return a < b; });
  if (it == std::end(modNames) || *it != spelling)
    return std::nullopt;
  return static_cast<Mod>(it - std::begin(modNames));
}

std::optional<DataType> ptxbench::getModType(Mod mod) {
  const ModTypeEntry &entry = modTypes[static_cast<unsigned>(mod)];
  if (!entry.isType)
    return std::nullopt;
  return entry.type;
}

std::string ptxbench::stringifyDataType(DataType type) {
  std::string width = std::to_string(type.width);
  switch (type.kind) {
  case TypeKind::Predicate:
    return "pred";
  case TypeKind::Bits:
    return "b" + width;
  case TypeKind::Unsigned:
    return "u" + width;
  case TypeKind::Signed:
    return "s" + width;
  case TypeKind::Float:
    // `.f16x2` is the one packed or alternate type that registers can have.
    return type.packed ? "f16x2" : "f" + width;
  }
  return "b" + width;
}

std::optional<Opcode> ptxbench::lookupOpcode(StringRef mnemonic) {
  while (true) {
    const OpcodeInfo *it =
        std::lower_bound(std::begin(opcodeTable), std::end(opcodeTable),
                         mnemonic, [](const OpcodeInfo &info, StringRef name) {
                           return StringRef(info.name) < name;
                         });
    if (it != std::end(opcodeTable) && it->name == mnemonic)
      return it->opcode;
    size_t dot = mnemonic.rfind('.');
    if (dot == StringRef::npos)
      return std::nullopt;
    mnemonic = mnemonic.take_front(dot);
  }
}

//===----------------------------------------------------------------------===//
// Near spellings
//===----------------------------------------------------------------------===//

/// As many components of `text` as `like` has.
static StringRef takeComponents(StringRef text, StringRef like) {
  size_t dots = like.count('.') + 1, end = 0;
  while (dots-- && end != StringRef::npos)
    end = text.find('.', end ? end + 1 : 0);
  return text.take_front(end);
}

StringRef ptxbench::nearestOpcode(StringRef text, StringRef base) {
  StringRef best;
  unsigned bestDistance = ~0u;
  size_t skipped = base.empty() ? 0 : base.size() + 1;
  for (const OpcodeInfo &info : opcodeTable) {
    StringRef name = info.name;
    if (skipped && (!name.starts_with(base) || name.size() <= skipped ||
                    name[skipped - 1] != '.'))
      continue;
    StringRef part = takeComponents(text, name);
    StringRef behind = text.drop_front(part.size()).ltrim('.');
    part = part.drop_front(skipped);
    unsigned limit = maxEdits(part);
    unsigned distance = countEdits(part, name.drop_front(skipped), limit);
    if (distance > limit)
      continue;
    // What follows and is no modifier is wrong, too.
    behind = behind.take_until([](char c) { return c == '.'; });
    distance += !behind.empty() && !symbolizeMod(behind);
    // Of two as near, the longer one explains more of the text.
    if (distance > bestDistance ||
        (distance == bestDistance && name.size() <= best.size()))
      continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

StringRef ptxbench::nearestModifier(StringRef text, Opcode opcode) {
  StringRef best;
  unsigned bestDistance = maxEdits(text) + 1;
  for (const InstForm &form : getOpcodeInfo(opcode).forms)
    for (const ModSlot &slot : form.mods)
      for (Mod mod : slot.alternatives)
        considerSpelling(text, stringifyMod(mod), bestDistance, best);
  return best;
}
