//===- InstRecords.h - Instruction records, parsed --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of dialects/PTX/IR/Instructions as plain data: patterns parsed,
// sets resolved, names checked. The generators print from this alone.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TBLGEN_INSTRECORDS_H
#define PTXBENCH_TBLGEN_INSTRECORDS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Record.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ptxbench::tblgen {

/// The C++ enumerator of an opcode or modifier: `cp_async_bulk`,
/// `shared__cluster`, `_2d`; keywords get an underscore behind.
std::string enumerator(llvm::StringRef spelling);

/// What a type name ("u32", "f16x2") means, as an initialiser of `DataType`
/// and for checks here; none if the name is no type.
struct TypeName {
  /// Enumerator of TypeKind.
  llvm::StringRef kind;
  unsigned width = 0;
  bool packed = false, alternate = false;
};
std::optional<TypeName> parseTypeName(llvm::StringRef name);

struct Slot {
  std::string name;
  std::vector<std::string> alternatives;
  bool optional = false;
};

struct Operand {
  std::string name;
  /// Enumerators of OperandDir and OperandForm.
  std::string dir = "In", form = "Value";
  int typeSlot = -1;
  TypeName type = {"Bits", 0, false, false};
  /// Enumerator of CountRule::Kind, its value, or the rule's name.
  std::string countKind = "Scalar", countRule;
  unsigned countValue = 0;
  bool optional = false, predicatePair = false, relaxedWidth = false,
       sinkAllowed = false;
  int presentSlot = -1;
  /// First, last and step of each range a constant may be of.
  std::vector<std::array<int64_t, 3>> values;
  /// Enumerators of HandleKind and SelectorKind.
  std::string handle = "None", selector = "None";
  bool predicateRequired = false;
  bool minusAllowed = false, longerAllowed = false, scalarAllowed = false,
       bracesAllowed = false;
};

/// What some modifiers need beyond their form.
struct Requirement {
  std::string modifier;
  unsigned version = 0;
  std::vector<std::pair<unsigned, char>> targets;
};

/// Which modifiers go together (PTX_With, PTX_Without).
struct Rule {
  std::vector<std::string> when, what;
  bool excludes = false;
};

struct Form {
  /// The patterns as written, for the reference.
  std::string modText, operandText;
  std::vector<Slot> slots;
  std::vector<Operand> operands;
  unsigned version = 0;
  std::vector<std::pair<unsigned, char>> targets;
  std::vector<Requirement> requirements;
  std::vector<Rule> rules;
  unsigned removedVersion = 0, removedArch = 0;
};

struct Inst {
  const llvm::Record *record = nullptr;
  std::string opcode, section;
  std::string family; // empty: none
  std::vector<std::pair<std::string, std::string>> familyMods;
  std::vector<std::string> flags;
  std::vector<Form> forms;
};

struct InstTable {
  /// By opcode.
  std::vector<Inst> insts;
  /// Name and summary, in the order of the names.
  std::vector<std::pair<std::string, std::string>> families;
  /// Sorted spellings of all modifiers.
  std::vector<std::string> modifiers;
  /// Sorted names of the count rules.
  std::vector<std::string> countRules;
};

/// Parses the modifier pattern of one form; a mistake ends the program with a
/// message at `record`.
std::vector<Slot>
parseModifiers(llvm::StringRef text,
               const llvm::StringMap<std::vector<std::string>> &sets,
               const llvm::Record *record);

/// Parses the operand pattern of one form.
std::vector<Operand> parseOperands(llvm::StringRef text,
                                   const std::vector<Slot> &slots,
                                   const llvm::Record *record);

/// Collects and checks every record. Ends the program at the first mistake.
InstTable collectInstructions(const llvm::RecordKeeper &records);

} // namespace ptxbench::tblgen

#endif // PTXBENCH_TBLGEN_INSTRECORDS_H
