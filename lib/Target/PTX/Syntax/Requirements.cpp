//===- Requirements.cpp - What forms need of a module ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Versions, architectures and the rules of which modifiers go together, as text
// for the error where they are not met.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

static std::string stringifyVersion(unsigned version) {
  return utostr(version / 10) + "." + utostr(version % 10);
}

/// What `targets` and `version` ask for that the module lacks; empty: nothing.
static std::string findMissing(ArrayRef<TargetArch> targets, PTXVersion version,
                               const Module &module) {
  if (!module.anyTarget && !supportsTarget(module.target, targets)) {
    std::string names;
    for (TargetArch arch : targets) {
      names += names.empty() ? "" : ", ";
      names += stringifyTargetArch(arch);
      if (!arch.suffix)
        names += " or later";
    }
    return "needs " + names + " but the target is " +
           stringifyTargetArch(module.target);
  }
  if (version > module.version)
    return "needs PTX ISA version " + stringifyVersion(version) +
           " but the module has " + stringifyVersion(module.version);
  return {};
}

/// What a form with these modifiers needs that the module lacks.
std::string syntax::getRequirement(const InstForm &form, ArrayRef<Mod> mods,
                                   const Module &module) {
  if (!module.anyTarget && form.removedVersion &&
      module.version >= form.removedVersion &&
      module.target.sm >= form.removedArch)
    return "is not in PTX ISA version " +
           stringifyVersion(form.removedVersion) + " or later for sm_" +
           utostr(form.removedArch) + " or later";
  for (const ModRule &rule : form.rules) {
    std::optional<Mod> breach = rule.findBreach(mods);
    if (!breach)
      continue;
    std::string others;
    for (Mod mod : rule.what)
      if (!rule.excludes || is_contained(mods, mod))
        others +=
            (others.empty() ? "'." : ", '.") + stringifyMod(mod).str() + "'";
    return ("has '." + stringifyMod(*breach) + "', which " +
            (rule.excludes          ? "does not go with "
             : rule.what.size() > 1 ? "needs one of "
                                    : "needs ") +
            others)
        .str();
  }
  std::string missing = findMissing(form.targets, form.minVersion, module);
  for (const ModRequirement &requirement : form.requirements) {
    if (!missing.empty())
      break;
    if (!is_contained(mods, requirement.mod))
      continue;
    missing = findMissing(requirement.targets.empty() ? form.targets
                                                      : requirement.targets,
                          requirement.minVersion, module);
    if (!missing.empty())
      missing =
          ("with '." + stringifyMod(requirement.mod) + "' " + missing).str();
  }
  return missing;
}
