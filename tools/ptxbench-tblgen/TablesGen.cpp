//===- TablesGen.cpp - Enumerators and tables of the instructions
//----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -gen-ptx-opcodes writes the enumerators, -gen-ptx-tables the constant data
// behind include/ptxbench/ISA/Instruction.h. Lists of alternatives, slots,
// operands and targets that occur more than once are written once.
//
//===----------------------------------------------------------------------===//

#include "InstRecords.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/TableGenBackend.h"

#include <map>

using namespace llvm;
using namespace ptxbench::tblgen;

static void emitEnumerators(raw_ostream &os, StringRef macro,
                            ArrayRef<std::string> names) {
  os << "#ifdef " << macro << "\n#undef " << macro << "\n";
  for (const std::string &name : names)
    os << "  " << name << ",\n";
  os << "#endif\n\n";
}

/// "fence.proxy" → `FenceProxy`, "wgmma" → `Wgmma`.
static std::string familyEnumerator(StringRef name) {
  std::string result;
  bool upper = true;
  for (char c : name) {
    if (!isAlnum(c)) {
      upper = true;
      continue;
    }
    result += upper ? toUpper(c) : c;
    upper = false;
  }
  return result;
}

static void emitOpcodes(const RecordKeeper &records, raw_ostream &os) {
  InstTable table = collectInstructions(records);
  emitSourceFileHeader("PTX opcodes, modifiers and families", os, records);
  std::vector<std::string> names;
  for (const Inst &inst : table.insts)
    names.push_back(enumerator(inst.opcode));
  emitEnumerators(os, "GET_PTX_OPCODES", names);
  names.clear();
  for (const std::string &mod : table.modifiers)
    names.push_back(enumerator(mod));
  emitEnumerators(os, "GET_PTX_MODIFIERS", names);
  names.clear();
  for (const auto &family : table.families)
    names.push_back(familyEnumerator(family.first));
  emitEnumerators(os, "GET_PTX_FAMILIES", names);
  os << "#ifdef GET_PTX_COUNT_RULES\n";
  for (const std::string &rule : table.countRules)
    os << "GET_PTX_COUNT_RULES(" << rule << ")\n";
  os << "#undef GET_PTX_COUNT_RULES\n#endif\n";
}

namespace {
/// Constant arrays, each distinct initialiser once.
class ArrayPool {
public:
  ArrayPool(StringRef type, StringRef prefix) : type(type), prefix(prefix) {}

  /// The expression for an array with these elements.
  std::string get(const std::vector<std::string> &elements) {
    if (elements.empty())
      return "{}";
    std::string body = join(elements, ", ");
    auto [it, fresh] = ids.try_emplace(body, ids.size());
    if (fresh)
      os << "constexpr " << type << " " << prefix << it->second << "[] = {"
         << body << "};\n";
    return (prefix + Twine(it->second)).str();
  }

  void print(raw_ostream &out) { out << text << "\n"; }

private:
  StringRef type, prefix;
  std::map<std::string, unsigned> ids;
  std::string text;
  raw_string_ostream os{text};
};

class TableEmitter {
public:
  TableEmitter(const InstTable &table) : table(table) {}

  void emit(raw_ostream &os) {
    std::string infos;
    raw_string_ostream infoStream(infos);
    for (const Inst &inst : table.insts)
      emitInst(inst, infoStream);
    os << "#ifdef GET_PTX_TABLES\n#undef GET_PTX_TABLES\n\n";
    alternatives.print(os);
    slots.print(os);
    targets.print(os);
    values.print(os);
    operands.print(os);
    requirements.print(os);
    rules.print(os);
    forms.print(os);
    familyMods.print(os);
    os << "constexpr OpcodeInfo opcodeTable[] = {\n" << infos << "};\n\n";
    os << "constexpr StringLiteral modNames[] = {\n";
    for (const std::string &mod : table.modifiers)
      os << "    \"" << mod << "\",\n";
    os << "};\n\nstruct ModTypeEntry {\n  bool isType;\n  DataType type;\n};\n"
       << "constexpr ModTypeEntry modTypes[] = {\n";
    for (const std::string &mod : table.modifiers) {
      std::optional<TypeName> type = parseTypeName(mod);
      os << "    {" << (type ? "true" : "false") << ", "
         << dataType(type.value_or(TypeName{"Bits", 0, false, false}))
         << "},\n";
    }
    os << "};\n\nconstexpr StringLiteral familyNames[] = {\n    \"\",\n";
    for (const auto &family : table.families)
      os << "    \"" << family.first << "\",\n";
    os << "};\n\n#endif // GET_PTX_TABLES\n";
  }

private:
  static StringRef flag(bool value) { return value ? "true" : "false"; }

  static std::string dataType(const TypeName &type) {
    return ("{TypeKind::" + type.kind + ", " + Twine(type.width) + ", " +
            flag(type.packed) + ", " + flag(type.alternate) + "}")
        .str();
  }

  std::string family(StringRef name) {
    return "Family::" + (name.empty() ? "None" : familyEnumerator(name));
  }

  std::string emitMods(ArrayRef<std::string> names) {
    std::vector<std::string> mods;
    for (const std::string &mod : names)
      mods.push_back("Mod::" + enumerator(mod));
    return alternatives.get(mods);
  }

  std::string emitSlot(const Slot &slot) {
    return ("{\"" + Twine(slot.name) + "\", " + emitMods(slot.alternatives) +
            ", " + flag(slot.optional) + "}")
        .str();
  }

  std::string emitOperand(const Operand &operand) {
    unsigned value = operand.countValue;
    if (!operand.countRule.empty())
      value = llvm::find(table.countRules, operand.countRule) -
              table.countRules.begin();
    std::vector<std::string> ranges;
    for (auto [first, last, step] : operand.values)
      ranges.push_back(
          ("{" + Twine(first) + ", " + Twine(last) + ", " + Twine(step) + "}")
              .str());
    std::string text;
    raw_string_ostream os(text);
    os << "{\"" << operand.name << "\", OperandDir::" << operand.dir
       << ", OperandForm::" << operand.form << ", " << operand.typeSlot << ", "
       << dataType(operand.type) << ", {CountRule::" << operand.countKind
       << ", " << value << "}, " << flag(operand.optional) << ", "
       << flag(operand.predicatePair) << ", " << flag(operand.relaxedWidth)
       << ", " << flag(operand.sinkAllowed) << ", " << operand.presentSlot
       << ", " << values.get(ranges) << ", HandleKind::" << operand.handle
       << ", SelectorKind::" << operand.selector << ", "
       << flag(operand.minusAllowed) << ", " << flag(operand.longerAllowed)
       << ", " << flag(operand.scalarAllowed) << ", "
       << flag(operand.predicateRequired) << ", " << flag(operand.bracesAllowed)
       << "}";
    return text;
  }

  std::string emitTargets(ArrayRef<std::pair<unsigned, char>> archs) {
    std::vector<std::string> list;
    for (auto [sm, suffix] : archs)
      list.push_back(
          suffix ? ("{" + Twine(sm) + ", '" + Twine(suffix) + "'}").str()
                 : ("{" + Twine(sm) + ", 0}").str());
    return targets.get(list);
  }

  std::string emitForm(const Form &form) {
    std::vector<std::string> slotList, operandList, requirementList, ruleList;
    for (const Slot &slot : form.slots)
      slotList.push_back(emitSlot(slot));
    for (const Operand &operand : form.operands)
      operandList.push_back(emitOperand(operand));
    for (const Requirement &requirement : form.requirements)
      requirementList.push_back("{Mod::" + enumerator(requirement.modifier) +
                                ", " + std::to_string(requirement.version) +
                                ", " + emitTargets(requirement.targets) + "}");
    for (const Rule &rule : form.rules)
      ruleList.push_back("{" + emitMods(rule.when) + ", " +
                         emitMods(rule.what) + ", " +
                         flag(rule.excludes).str() + "}");
    return "{" + slots.get(slotList) + ", " + operands.get(operandList) + ", " +
           std::to_string(form.version) + ", " + emitTargets(form.targets) +
           ", " + requirements.get(requirementList) + ", " +
           rules.get(ruleList) + ", " + std::to_string(form.removedVersion) +
           ", " + std::to_string(form.removedArch) + "}";
  }

  void emitInst(const Inst &inst, raw_ostream &os) {
    std::vector<std::string> formList, modList, flags;
    for (const Form &form : inst.forms)
      formList.push_back(emitForm(form));
    for (const auto &entry : inst.familyMods)
      modList.push_back("{Mod::" + enumerator(entry.first) + ", " +
                        family(entry.second) + "}");
    for (const std::string &name : inst.flags)
      flags.push_back("IF_" + name);
    os << "    {Opcode::" << enumerator(inst.opcode) << ", \"" << inst.opcode
       << "\", " << family(inst.family) << ", "
       << (flags.empty() ? "IF_None" : join(flags, " | ")) << ", \""
       << inst.section << "\", " << forms.get(formList) << ", "
       << familyMods.get(modList) << "},\n";
  }

  const InstTable &table;
  ArrayPool alternatives{"Mod", "alternatives"};
  ArrayPool slots{"ModSlot", "slots"};
  ArrayPool targets{"TargetArch", "targets"};
  ArrayPool values{"ImmediateRange", "values"};
  ArrayPool operands{"OperandPattern", "operands"};
  ArrayPool requirements{"ModRequirement", "requirements"};
  ArrayPool rules{"ModRule", "rules"};
  ArrayPool forms{"InstForm", "forms"};
  ArrayPool familyMods{"FamilyModifier", "familyModifiers"};
};
} // namespace

static void emitTables(const RecordKeeper &records, raw_ostream &os) {
  InstTable table = collectInstructions(records);
  emitSourceFileHeader("PTX instruction tables", os, records);
  TableEmitter(table).emit(os);
}

static TableGen::Emitter::Opt opcodes("gen-ptx-opcodes", emitOpcodes,
                                      "Generate the PTX enumerators");
static TableGen::Emitter::Opt tables("gen-ptx-tables", emitTables,
                                     "Generate the PTX instruction tables");
