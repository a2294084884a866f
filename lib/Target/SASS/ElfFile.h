//===- ElfFile.h - Bounds-checked view of a 64-bit ELF file -----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sections, symbols and relocations of a little-endian ELF64 file that may be
// truncated or damaged anywhere. Nothing is read before its place was checked.
// What is read is copied, so the bytes need no alignment.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_SASS_ELFFILE_H
#define PTXBENCH_LIB_TARGET_SASS_ELFFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ptxbench::elf {

struct Section {
  llvm::StringRef name;
  uint32_t type = 0;
  uint32_t link = 0, info = 0;
  /// Empty for a section without bytes in the file.
  llvm::StringRef contents;
};

struct Symbol {
  llvm::StringRef name;
  uint64_t value = 0;
  uint8_t type = 0, other = 0;
  uint16_t section = 0;
};

struct Relocation {
  uint64_t offset = 0;
  uint32_t type = 0, symbol = 0;
  int64_t addend = 0;
};

class File {
public:
  static llvm::Expected<File> create(llvm::ArrayRef<uint8_t> bytes);

  uint16_t machine = 0;
  uint8_t abiVersion = 0;
  uint32_t flags = 0;
  std::vector<Section> sections;
  /// Of the first symbol table; empty if there is none.
  std::vector<Symbol> symbols;

  /// Index of the first section of this name.
  std::optional<size_t> findSection(llvm::StringRef name) const;
  /// The entries that apply to a section: those with an addend, which ptxas
  /// writes for sm_90 and later, and those without, whose addend is what stands
  /// at the offset.
  llvm::Expected<std::vector<Relocation>> relocationsOf(size_t section) const;
};

} // namespace ptxbench::elf

#endif // PTXBENCH_LIB_TARGET_SASS_ELFFILE_H
