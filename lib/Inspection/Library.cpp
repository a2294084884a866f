//===- Library.cpp - What the library of a candidate imports --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// System V ABI, "Dynamic Linking": DT_NEEDED and the undefined symbols of the
// dynamic symbol table.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace ptxbench;

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
      findings.push_back({kind, name.str(), 0});
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
  return findings;
}
