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
      for (StringRef target : formRecord->getValueAsListOfStrings("targets"))
        form.targets.push_back(parseTarget(target, record));
      if (form.targets.empty())
        PrintFatalError(record->getLoc(), "a form without any target");
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
