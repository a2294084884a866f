//===- InstRecords.cpp - Collecting the instruction records
//----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads every PTX_InstRecord, parses its forms, and gives each opcode,
// modifier and count rule its place in the generated enumerations.
//
//===----------------------------------------------------------------------===//

#include "InstRecords.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"

#include <set>

using namespace llvm;
using namespace ptxbench::tblgen;

/// "8.6" → 86.
static unsigned parseVersion(StringRef text, const Record *record) {
  auto [major, minor] = text.split('.');
  unsigned high, low;
  if (major.getAsInteger(10, high) || minor.getAsInteger(10, low) || low > 9)
    PrintFatalError(record->getLoc(),
                    "expected a PTX version like '8.0' but got '" + text + "'");
  return high * 10 + low;
}

static std::pair<unsigned, char> parseTarget(StringRef text,
                                             const Record *record) {
  StringRef rest = text;
  char suffix = 0;
  unsigned sm;
  if (rest.consume_front("sm_") && !rest.empty()) {
    if (rest.back() == 'a' || rest.back() == 'f') {
      suffix = rest.back();
      rest = rest.drop_back();
    }
    if (!rest.getAsInteger(10, sm))
      return {sm, suffix};
  }
  PrintFatalError(record->getLoc(),
                  "expected a target like 'sm_90a' but got '" + text + "'");
}

static std::vector<std::pair<unsigned, char>>
parseTargets(ArrayRef<StringRef> names, const Record *record) {
  std::vector<std::pair<unsigned, char>> targets;
  for (StringRef name : names)
    targets.push_back(parseTarget(name, record));
  return targets;
}

/// Whether every architecture that has one of `some` has one of `all`, as far
/// as plain ones tell.
static bool implies(ArrayRef<std::pair<unsigned, char>> some,
                    ArrayRef<std::pair<unsigned, char>> all) {
  return all_of(some, [&](auto have) {
    return any_of(all, [&](auto want) {
      return have == want || (!want.second && have.first >= want.first);
    });
  });
}

using ModSets = StringMap<std::vector<std::string>>;

/// Modifiers, of which some may be `$set`.
static std::vector<std::string> expandSets(ArrayRef<StringRef> names,
                                           const ModSets &sets,
                                           const Record *record) {
  std::vector<std::string> mods;
  for (StringRef name : names) {
    if (!name.consume_front("$")) {
      mods.push_back(name.str());
      continue;
    }
    auto it = sets.find(name);
    if (it == sets.end())
      PrintFatalError(record->getLoc(),
                      "no set of modifiers is named '" + name + "'");
    append_range(mods, it->second);
  }
  return mods;
}

/// Adds what the modifiers that `record` (PTX_Needs) lists need to a form that
/// has them, if it is more than the form needs anyway.
static void addRequirements(Form &form, const Record *record,
                            const ModSets &sets) {
  Requirement requirement;
  requirement.version =
      parseVersion(record->getValueAsString("minVersion"), record);
  requirement.targets =
      parseTargets(record->getValueAsListOfStrings("targets"), record);
  if (implies(form.targets, requirement.targets))
    requirement.targets.clear();
  if (requirement.version <= form.version && requirement.targets.empty())
    return;
  for (const std::string &mod :
       expandSets(record->getValueAsListOfStrings("modifiers"), sets, record))
    if (any_of(form.slots, [&](const Slot &slot) {
          return is_contained(slot.alternatives, mod);
        })) {
      requirement.modifier = mod;
      form.requirements.push_back(requirement);
    }
}

/// Adds the rule of `record` (PTX_Rule) to a form that can break it.
static void addRule(Form &form, const Record *record, const ModSets &sets) {
  auto listed = [&](StringRef field) {
    std::vector<std::string> mods =
        expandSets(record->getValueAsListOfStrings(field), sets, record);
    erase_if(mods, [&](const std::string &mod) {
      return none_of(form.slots, [&](const Slot &slot) {
        return is_contained(slot.alternatives, mod);
      });
    });
    return mods;
  };
  Rule rule;
  rule.when = listed("when");
  rule.what = listed("what");
  rule.excludes = record->getValueAsBit("excludes");
  if (!rule.when.empty() && (!rule.excludes || !rule.what.empty()))
    form.rules.push_back(std::move(rule));
}

InstTable ptxbench::tblgen::collectInstructions(const RecordKeeper &records) {
  InstTable table;
  StringMap<std::vector<std::string>> sets;
  for (const Record *record : records.getAllDerivedDefinitions("PTX_ModSet")) {
    std::vector<std::string> mods;
    for (StringRef mod : record->getValueAsListOfStrings("modifiers"))
      mods.push_back(mod.str());
    StringRef name = record->getValueAsString("name");
    if (!sets.try_emplace(name, std::move(mods)).second)
      PrintFatalError(record->getLoc(),
                      "two sets of modifiers are named '" + name + "'");
  }

  std::set<std::string> modifiers, rules;
  for (const Record *record : records.getAllDerivedDefinitions("PTX_Family"))
    table.families.emplace_back(record->getValueAsString("name").str(),
                                record->getValueAsString("summary").str());
  llvm::sort(table.families);

  for (const Record *record :
       records.getAllDerivedDefinitions("PTX_InstRecord")) {
    Inst inst;
    inst.record = record;
    inst.opcode = record->getValueAsString("ptxOpcode").str();
    inst.section = record->getValueAsString("ptxSection").str();
    if (inst.section.empty())
      PrintFatalError(record->getLoc(),
                      "'" + Twine(inst.opcode) + "' does not name its section");
    if (const Record *family = record->getValueAsOptionalDef("ptxFamily"))
      inst.family = family->getValueAsString("name").str();
    for (const Record *entry :
         record->getValueAsListOfDefs("ptxFamilyModifiers")) {
      std::string mod = entry->getValueAsString("modifier").str();
      modifiers.insert(mod);
      inst.familyMods.emplace_back(
          mod, entry->getValueAsDef("family")->getValueAsString("name").str());
    }
    for (const Record *flag : record->getValueAsListOfDefs("ptxFlags"))
      inst.flags.push_back(flag->getValueAsString("name").str());
    for (const Record *formRecord : record->getValueAsListOfDefs("ptxForms")) {
      Form form;
      form.modText = formRecord->getValueAsString("modifiers").str();
      form.operandText = formRecord->getValueAsString("operands").str();
      form.slots = parseModifiers(form.modText, sets, record);
      form.operands = parseOperands(form.operandText, form.slots, record);
      form.version =
          parseVersion(formRecord->getValueAsString("minVersion"), record);
      form.targets =
          parseTargets(formRecord->getValueAsListOfStrings("targets"), record);
      if (form.targets.empty())
        form.targets =
            parseTargets(record->getValueAsListOfStrings("ptxTargets"), record);
      if (form.targets.empty())
        PrintFatalError(record->getLoc(), "a form without any target");
      for (const Record *needs : formRecord->getValueAsListOfDefs("needs"))
        addRequirements(form, needs, sets);
      for (const Record *needs : record->getValueAsListOfDefs("ptxNeeds"))
        addRequirements(form, needs, sets);
      if (record->getValueAsBit("ptxCommonNeeds"))
        for (const Record *needs :
             records.getAllDerivedDefinitions("PTX_ModifierNeeds"))
          addRequirements(form, needs->getValueAsDef("needs"), sets);
      for (const Record *rule : record->getValueAsListOfDefs("ptxRules"))
        addRule(form, rule, sets);
      StringRef removed = formRecord->getValueAsString("removedVersion");
      if (!removed.empty()) {
        form.removedVersion = parseVersion(removed, record);
        form.removedArch =
            parseTarget(formRecord->getValueAsString("removedArch"), record)
                .first;
      }
      for (const Slot &slot : form.slots)
        modifiers.insert(slot.alternatives.begin(), slot.alternatives.end());
      for (const Operand &operand : form.operands)
        if (!operand.countRule.empty())
          rules.insert(operand.countRule);
      inst.forms.push_back(std::move(form));
    }
    if (inst.forms.empty())
      PrintFatalError(record->getLoc(),
                      "'" + Twine(inst.opcode) + "' has no form");
    table.insts.push_back(std::move(inst));
  }
  llvm::sort(table.insts,
             [](const Inst &a, const Inst &b) { return a.opcode < b.opcode; });
  for (size_t i = 1; i < table.insts.size(); ++i)
    if (table.insts[i].opcode == table.insts[i - 1].opcode)
      PrintFatalError(table.insts[i].record->getLoc(),
                      "two records of the opcode '" +
                          Twine(table.insts[i].opcode) + "'");
  table.modifiers.assign(modifiers.begin(), modifiers.end());
  table.countRules.assign(rules.begin(), rules.end());

  StringMap<std::string> names;
  for (const std::string &mod : table.modifiers) {
    auto [it, fresh] = names.try_emplace(enumerator(mod), mod);
    if (!fresh)
      PrintFatalError("the modifiers '" + mod + "' and '" + it->second +
                      "' give one enumerator");
  }
  return table;
}
