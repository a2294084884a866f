//===- ElfFile.cpp - Bounds-checked view of a 64-bit ELF file -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads headers with DataExtractor, which checks bounds, and sizes with
// explicit checks that cannot wrap.
//
//===----------------------------------------------------------------------===//

#include "ElfFile.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/DataExtractor.h"

using namespace ptxbench::elf;
using llvm::DataExtractor;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

template <typename... Ts> static Error bad(const char *format, Ts... values) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), format,
                                 values...);
}

/// The bytes [offset, offset + size), or nothing if they are not all there.
static std::optional<StringRef> slice(StringRef bytes, uint64_t offset,
                                      uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    return std::nullopt;
  return bytes.substr(offset, size);
}

/// The NUL-terminated string at `offset` of a string table.
static std::optional<StringRef> stringAt(StringRef table, uint64_t offset) {
  if (offset >= table.size())
    return std::nullopt;
  size_t end = table.find('\0', offset);
  if (end == StringRef::npos)
    return std::nullopt;
  return table.slice(offset, end);
}

Expected<File> File::create(llvm::ArrayRef<uint8_t> data) {
  StringRef bytes(reinterpret_cast<const char *>(data.data()), data.size());
  if (bytes.size() < 64)
    return bad("expected an ELF64 header of 64 bytes but the file has %zu",
               bytes.size());
  if (!bytes.starts_with(StringRef("\x7f"
                                   "ELF",
                                   4)))
    return bad("expected an ELF file but the first bytes are not its mark");
  if (bytes[4] != llvm::ELF::ELFCLASS64 || bytes[5] != llvm::ELF::ELFDATA2LSB)
    return bad("expected a little-endian ELF64 file but got class %u, data %u",
               unsigned(uint8_t(bytes[4])), unsigned(uint8_t(bytes[5])));

  File file;
  file.abiVersion = bytes[8];
  DataExtractor header(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  uint64_t at = 18;
  file.machine = header.getU16(&at);
  at = 40;
  uint64_t sectionTable = header.getU64(&at);
  file.flags = header.getU32(&at);
  at = 58;
  unsigned entrySize = header.getU16(&at);
  unsigned count = header.getU16(&at);
  unsigned nameTable = header.getU16(&at);
  if (entrySize != 64)
    return bad("expected section headers of 64 bytes but got %u", entrySize);
  std::optional<StringRef> table =
      slice(bytes, sectionTable, uint64_t(count) * 64);
  if (!table)
    return bad("expected %u section headers at offset %llu but the file has "
               "%zu bytes",
               count, (unsigned long long)sectionTable, bytes.size());
  if (nameTable >= count)
    return bad("expected the section of section names below %u but got %u",
               count, nameTable);

  DataExtractor extractor(*table, true, 8);
  std::vector<uint32_t> names;
  for (unsigned i = 0; i < count; ++i) {
    uint64_t place = uint64_t(i) * 64;
    Section section;
    names.push_back(extractor.getU32(&place));
    section.type = extractor.getU32(&place);
    place += 16;
    uint64_t offset = extractor.getU64(&place);
    uint64_t size = extractor.getU64(&place);
    section.link = extractor.getU32(&place);
    section.info = extractor.getU32(&place);
    if (section.type != llvm::ELF::SHT_NOBITS &&
        section.type != llvm::ELF::SHT_NULL) {
      std::optional<StringRef> contents = slice(bytes, offset, size);
      // Shared memory has a type of its own and, as NOBITS, no bytes.
      if (!contents && section.type >= llvm::ELF::SHT_LOPROC)
        contents = StringRef();
      if (!contents)
        return bad("expected section %u inside the file but it has %llu bytes "
                   "at offset %llu of %zu",
                   i, (unsigned long long)size, (unsigned long long)offset,
                   bytes.size());
      section.contents = *contents;
    }
    file.sections.push_back(section);
  }
  for (unsigned i = 0; i < count; ++i) {
    std::optional<StringRef> name =
        stringAt(file.sections[nameTable].contents, names[i]);
    if (!name)
      return bad("expected the name of section %u inside the name table but "
                 "got offset %u",
                 i, names[i]);
    file.sections[i].name = *name;
  }

  for (const Section &section : file.sections) {
    if (section.type != llvm::ELF::SHT_SYMTAB)
      continue;
    if (section.contents.size() % 24 != 0)
      return bad("expected symbols of 24 bytes but the table has %zu",
                 section.contents.size());
    if (section.link >= count)
      return bad("expected the symbol names in a section below %u but got %u",
                 count, section.link);
    StringRef strings = file.sections[section.link].contents;
    DataExtractor entries(section.contents, true, 8);
    for (uint64_t place = 0; place < section.contents.size();) {
      Symbol symbol;
      uint32_t nameOffset = entries.getU32(&place);
      symbol.type = entries.getU8(&place) & 0xf;
      symbol.other = entries.getU8(&place);
      symbol.section = entries.getU16(&place);
      symbol.value = entries.getU64(&place);
      place += 8;
      std::optional<StringRef> name = stringAt(strings, nameOffset);
      if (!name)
        return bad("expected the name of symbol %zu inside the string table "
                   "but got offset %u",
                   file.symbols.size(), nameOffset);
      symbol.name = *name;
      file.symbols.push_back(symbol);
    }
    break;
  }
  return file;
}

std::optional<size_t> File::findSection(StringRef name) const {
  for (size_t i = 0; i < sections.size(); ++i)
    if (sections[i].name == name)
      return i;
  return std::nullopt;
}

Expected<std::vector<Relocation>> File::relocationsOf(size_t target) const {
  std::vector<Relocation> relocations;
  for (const Section &section : sections) {
    bool hasAddends = section.type == llvm::ELF::SHT_RELA;
    if ((!hasAddends && section.type != llvm::ELF::SHT_REL) ||
        section.info != target)
      continue;
    unsigned entrySize = hasAddends ? 24 : 16;
    if (section.contents.size() % entrySize != 0)
      return bad("expected relocations of %u bytes but section %s has %zu",
                 entrySize, section.name.str().c_str(),
                 section.contents.size());
    DataExtractor entries(section.contents, true, 8);
    for (uint64_t place = 0; place < section.contents.size();) {
      Relocation relocation;
      relocation.offset = entries.getU64(&place);
      uint64_t info = entries.getU64(&place);
      relocation.type = static_cast<uint32_t>(info);
      relocation.symbol = static_cast<uint32_t>(info >> 32);
      if (hasAddends)
        relocation.addend = static_cast<int64_t>(entries.getU64(&place));
      if (relocation.symbol >= symbols.size())
        return bad("expected a relocation against one of %zu symbols but got "
                   "%u",
                   symbols.size(), relocation.symbol);
      relocations.push_back(relocation);
    }
  }
  return relocations;
}
