//===- Library.cpp - What the library of a candidate imports --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// System V ABI, "Dynamic Linking": DT_NEEDED and the undefined symbols of the
// dynamic symbol table; and the read-only data, for names that are handed to
// dlopen and dlsym.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace ptxbench;

/// Whether a section may hold string literals of host code.
static bool isData(const object::ELFSectionRef &section, StringRef name) {
  return (section.getFlags() & ELF::SHF_ALLOC) &&
         !(section.getFlags() & ELF::SHF_EXECINSTR) &&
         section.getType() == ELF::SHT_PROGBITS &&
         (name.starts_with(".rodata") || name.starts_with(".data"));
}

/// Calls `use` with each printable text without spaces that a zero ends.
static void forEachString(StringRef bytes, function_ref<void(StringRef)> use) {
  while (!bytes.empty()) {
    auto [head, rest] = bytes.split('\0');
    bytes = rest;
    // A number may stand right in front of a string.
    size_t begin = head.size();
    while (begin > 0 && isPrint(head[begin - 1]) && head[begin - 1] != ' ')
      --begin;
    if (head.size() - begin > 3 && head.size() - begin < 4096 &&
        (begin == 0 || head[begin - 1] != ' '))
      use(head.drop_front(begin));
  }
}

Expected<std::vector<InspectionFinding>>
ptxbench::inspectLibrary(StringRef path) {
  Expected<object::OwningBinary<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(path);
  if (!file)
    return file.takeError();
  const auto *elf = dyn_cast<object::ELF64LEObjectFile>(file->getBinary());
  if (!elf)
    return createStringError(inconvertibleErrorCode(),
                             "'" + path + "' is no ELF library of 64 bits");
  std::vector<InspectionFinding> findings;
  StringSet<> seen;
  auto add = [&](InspectionFinding::Kind kind, StringRef name) {
    if (seen.insert(name).second)
      findings.push_back(
          {kind, name.str(), 0, "", kind == InspectionFinding::Library});
  };

  auto entries = elf->getELFFile().dynamicEntries();
  if (!entries)
    return entries.takeError();
  StringRef strings;
  for (const auto &entry : *entries) {
    if (entry.getTag() != ELF::DT_STRTAB)
      continue;
    Expected<const uint8_t *> table =
        elf->getELFFile().toMappedAddr(entry.getPtr());
    if (!table)
      return table.takeError();
    const auto *begin = reinterpret_cast<const char *>(*table);
    const char *end = elf->getData().end();
    strings = StringRef(begin, size_t(end - begin));
  }
  for (const auto &entry : *entries) {
    if (entry.getTag() != ELF::DT_NEEDED || entry.getVal() >= strings.size())
      continue;
    StringRef name = strings.drop_front(entry.getVal()).split('\0').first;
    if (isLibraryFile(name))
      add(InspectionFinding::Library, name);
  }
  for (const object::ELFSymbolRef symbol : elf->getDynamicSymbolIterators()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (!(*flags & object::SymbolRef::SF_Undefined))
      continue;
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (std::optional<InspectionFinding::Kind> kind = kindOfSymbol(*name))
      add(*kind, *name);
  }
  bool looksUp = seen.contains("dlsym") || seen.contains("dlvsym");
  for (const object::ELFSectionRef section : elf->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (!isData(section, *name))
      continue;
    Expected<StringRef> bytes = section.getContents();
    if (!bytes)
      return bytes.takeError();
    forEachString(*bytes, [&](StringRef text) {
      // "/usr/lib/libcublas.so.13", and nothing around it.
      StringRef file =
          text.rsplit('/').second.empty() ? text : text.rsplit('/').second;
      if ((file.starts_with("lib") && file.contains(".so") &&
           isLibraryFile(file)) ||
          (looksUp && kindOfSymbol(text) == InspectionFinding::Library))
        add(InspectionFinding::Library, file);
    });
  }
  return findings;
}
