//===- LineTable.cpp - The line program of a cubin ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state machine of DWARF 2, with the relocations that LLVM's own reader
// does not apply.
//
//===----------------------------------------------------------------------===//

#include "LineTable.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"

#include <map>

using namespace ptxbench;
using llvm::DataExtractor;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr const char *sectionName = ".nv_debug_line_sass";
static constexpr const char *textName = ".nv_debug_ptx_txt";

namespace {
/// Where a set_address operand points to.
struct Place {
  size_t section = 0;
  uint64_t address = 0;
};

/// Reads one section of line programs.
class LineProgram {
public:
  LineProgram(const elf::File &file, StringRef bytes)
      : file(file), data(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8) {}

  Expected<std::vector<LineTableRow>>
  run(const std::vector<elf::Relocation> &relocations);

private:
  template <typename... Ts>
  Error bad(uint64_t offset, const char *rule, Ts... values) {
    std::string format = "in %s at offset %llu: " + std::string(rule);
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   format.c_str(), sectionName,
                                   (unsigned long long)offset, values...);
  }
  Error runUnit(uint64_t &offset);
  Error emit(bool endSequence);
  void resetState();

  const elf::File &file;
  DataExtractor data;
  std::map<uint64_t, Place> places;
  std::vector<std::string> files;
  std::vector<LineTableRow> rows;

  /// Offset of the instruction being run, for messages.
  uint64_t current = 0;
  // Registers of the state machine.
  std::optional<size_t> section;
  uint64_t address = 0, fileIndex = 0;
  int64_t line = 1;
};
} // namespace

void LineProgram::resetState() {
  section.reset();
  address = 0;
  fileIndex = 1;
  line = 1;
}

Error LineProgram::emit(bool endSequence) {
  if (!section)
    return bad(current,
               "expected a relocated set_address before the first row");
  if (line < 0 || line > 0x7fffffff)
    return bad(current, "expected a line from 0 to 2147483647 but got %lld",
               (long long)line);
  LineTableRow row;
  row.address = address;
  row.line = static_cast<unsigned>(line);
  row.codeSection = *section;
  row.endSequence = endSequence;
  if (fileIndex == 0 || (files.empty() && fileIndex == 1))
    row.textSection = textName;
  else if (fileIndex <= files.size())
    row.textSection = files[fileIndex - 1];
  else if (!endSequence)
    return bad(current, "expected one of %zu files but got number %llu",
               files.size(), (unsigned long long)fileIndex);
  rows.push_back(std::move(row));
  return Error::success();
}

Error LineProgram::runUnit(uint64_t &offset) {
  uint64_t start = offset;
  DataExtractor::Cursor cursor(offset);
  uint32_t length = data.getU32(cursor);
  if (Error error = cursor.takeError())
    return error;
  uint64_t end = start + 4 + length;
  if (length >= 0xfffffff0 || end > data.size())
    return bad(start,
               "expected a unit inside the section of %zu bytes but its "
               "length is %u",
               data.size(), length);
  // Everything of the unit is read from a view that ends with it.
  DataExtractor unit(data.getData().take_front(end), true, 8);
  unsigned version = unit.getU16(cursor);
  uint32_t headerLength = unit.getU32(cursor);
  uint64_t programStart = cursor.tell() + headerLength;
  unsigned minLength = unit.getU8(cursor);
  unit.getU8(cursor); // default_is_stmt
  int lineBase = static_cast<int8_t>(unit.getU8(cursor));
  unsigned lineRange = unit.getU8(cursor);
  unsigned opcodeBase = unit.getU8(cursor);
  if (Error error = cursor.takeError())
    return error;
  if (version != 2)
    return bad(start, "expected DWARF line version 2 but got %u", version);
  if (lineRange == 0 || opcodeBase == 0)
    return bad(start,
               "expected a line range and an opcode base above 0 but "
               "got %u and %u",
               lineRange, opcodeBase);
  if (programStart > end)
    return bad(start, "expected a header inside its unit but its length is %u",
               headerLength);
  std::vector<uint8_t> operandCounts(opcodeBase, 0);
  for (unsigned i = 1; i < opcodeBase; ++i)
    operandCounts[i] = unit.getU8(cursor);
  while (cursor && !unit.getCStrRef(cursor).empty())
    ; // include directories
  files.clear();
  while (cursor) {
    StringRef name = unit.getCStrRef(cursor);
    if (!cursor || name.empty())
      break;
    unit.getULEB128(cursor);
    unit.getULEB128(cursor);
    unit.getULEB128(cursor);
    files.push_back(name.str());
  }
  if (Error error = cursor.takeError())
    return error;

  cursor = DataExtractor::Cursor(programStart);
  resetState();
  while (cursor && cursor.tell() < end) {
    uint64_t at = current = cursor.tell();
    unsigned opcode = unit.getU8(cursor);
    if (opcode >= opcodeBase) {
      unsigned adjusted = opcode - opcodeBase;
      address += uint64_t(adjusted / lineRange) * minLength;
      line += lineBase + int(adjusted % lineRange);
      if (Error error = emit(false)) {
        llvm::consumeError(cursor.takeError());
        return error;
      }
      continue;
    }
    Error error = Error::success();
    (void)!!error; // may be assigned to
    switch (opcode) {
    case 0: {
      uint64_t size = unit.getULEB128(cursor);
      uint64_t body = cursor.tell();
      if (!cursor)
        break;
      if (size == 0 || size > end - body) {
        error = bad(at,
                    "expected an extended instruction inside its unit but "
                    "its size is %llu",
                    (unsigned long long)size);
        break;
      }
      unsigned extended = unit.getU8(cursor);
      if (extended == llvm::dwarf::DW_LNE_end_sequence) {
        error = emit(true);
        resetState();
      } else if (extended == llvm::dwarf::DW_LNE_set_address) {
        auto place = places.find(body + 1);
        if (size != 9) {
          error = bad(at, "expected an address of 8 bytes but got %llu",
                      (unsigned long long)(size - 1));
        } else if (place == places.end()) {
          error = bad(at, "expected a relocation of the address but there is "
                          "none");
        } else {
          uint64_t operand = unit.getU64(cursor);
          section = place->second.section;
          address = operand + place->second.address;
        }
      }
      // Other extended instructions carry nothing that is needed here.
      if (cursor)
        cursor.seek(body + size);
      break;
    }
    case llvm::dwarf::DW_LNS_copy:
      error = emit(false);
      break;
    case llvm::dwarf::DW_LNS_advance_pc:
      address += unit.getULEB128(cursor) * minLength;
      break;
    case llvm::dwarf::DW_LNS_advance_line: {
      int64_t delta = unit.getSLEB128(cursor);
      if (delta < -0x7fffffff || delta > 0x7fffffff)
        error = bad(at, "expected a line advance of 32 bits");
      else
        line += delta;
      break;
    }
    case llvm::dwarf::DW_LNS_set_file:
      fileIndex = unit.getULEB128(cursor);
      break;
    case llvm::dwarf::DW_LNS_const_add_pc:
      address += uint64_t((255 - opcodeBase) / lineRange) * minLength;
      break;
    case llvm::dwarf::DW_LNS_fixed_advance_pc:
      address += unit.getU16(cursor);
      break;
    default:
      for (unsigned i = 0; i < operandCounts[opcode]; ++i)
        unit.getULEB128(cursor);
      break;
    }
    if (error) {
      llvm::consumeError(cursor.takeError());
      return error;
    }
    // A line far outside of 32 bits cannot come back: stop before it wraps.
    if (line < -(int64_t(1) << 40) || line > (int64_t(1) << 40)) {
      llvm::consumeError(cursor.takeError());
      return bad(at, "expected a line from 0 to 2147483647 but got %lld",
                 (long long)line);
    }
  }
  if (Error error = cursor.takeError())
    return error;
  offset = end;
  return Error::success();
}

Expected<std::vector<LineTableRow>>
LineProgram::run(const std::vector<elf::Relocation> &relocations) {
  for (const elf::Relocation &relocation : relocations) {
    const elf::Symbol &symbol = file.symbols[relocation.symbol];
    if (symbol.section >= file.sections.size() ||
        !file.sections[symbol.section].name.starts_with(".text."))
      return bad(relocation.offset,
                 "expected a relocation against code but symbol %s is in "
                 "section %u",
                 symbol.name.str().c_str(), unsigned(symbol.section));
    places[relocation.offset] = {symbol.section,
                                 symbol.value + uint64_t(relocation.addend)};
  }
  uint64_t offset = 0;
  while (offset < data.size())
    if (Error error = runUnit(offset))
      return error;
  return std::move(rows);
}

Expected<std::vector<LineTableRow>>
ptxbench::readLineTable(const elf::File &file) {
  std::optional<size_t> index = file.findSection(sectionName);
  if (!index)
    return std::vector<LineTableRow>();
  Expected<std::vector<elf::Relocation>> relocations =
      file.relocationsOf(*index);
  if (!relocations)
    return relocations.takeError();
  return LineProgram(file, file.sections[*index].contents).run(*relocations);
}
