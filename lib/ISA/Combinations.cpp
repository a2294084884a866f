//===- Combinations.cpp - All instructions of a form ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills the slots of a form in all ways and drops what the rules forbid.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/ISA/Combinations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace ptxbench;

static bool exists(const InstForm &form, ArrayRef<Mod> mods, TargetArch target,
                   PTXVersion version) {
  for (const ModRule &rule : form.rules)
    if (rule.findBreach(mods))
      return false;
  for (const ModRequirement &requirement : form.requirements)
    if (is_contained(mods, requirement.mod) &&
        (requirement.minVersion > version ||
         (!requirement.targets.empty() &&
          !supportsTarget(target, requirement.targets))))
      return false;
  return true;
}

static void fill(const InstForm &form, unsigned slot,
                 SmallVectorImpl<Mod> &mods,
                 function_ref<void(ArrayRef<Mod>)> use) {
  if (slot == form.mods.size())
    return use(mods);
  const ModSlot &place = form.mods[slot];
  if (place.optional)
    fill(form, slot + 1, mods, use);
  for (Mod mod : place.alternatives) {
    mods.push_back(mod);
    fill(form, slot + 1, mods, use);
    mods.pop_back();
  }
}

void ptxbench::forEachModifierList(const InstForm &form, TargetArch target,
                                   PTXVersion version,
                                   function_ref<void(ArrayRef<Mod>)> use) {
  if (!supportsTarget(target, form.targets) || form.minVersion > version)
    return;
  if (form.removedVersion && form.removedArch <= target.sm)
    return;
  SmallVector<Mod> mods;
  fill(form, 0, mods, [&](ArrayRef<Mod> filled) {
    if (exists(form, filled, target, version))
      use(filled);
  });
}

bool ptxbench::isArithmetic(const OpcodeInfo &info) {
  static constexpr StringLiteral sections[] = {
      "Integer Arithmetic Instructions",
      "Extended-Precision Integer Arithmetic Instructions",
      "Floating-Point Instructions",
      "Logic and Shift Instructions",
      "Comparison and Selection Instructions",
  };
  return is_contained(sections, info.section);
}

std::string ptxbench::mnemonicOf(const OpcodeInfo &info, ArrayRef<Mod> mods) {
  std::string text = info.name.str();
  for (Mod mod : mods)
    text += "." + stringifyMod(mod).str();
  return text;
}
