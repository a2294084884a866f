//===- LineTable.h - The line program of a cubin ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs `.nv_debug_line_sass`, a DWARF 2 line program without columns:
//
// * Addresses are offsets in a `.text.*` section. Each sequence starts with
//   DW_LNE_set_address and a relocation of its operand against a function
//   symbol, which says which section it is.
// * File 0 is the section `.nv_debug_ptx_txt`. In relocatable form the file
//   table holds names of sections, `.nv_debug_ptx_txt.<hash>`.
// * One section can hold several units, one after another.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_SASS_LINETABLE_H
#define PTXBENCH_LIB_TARGET_SASS_LINETABLE_H

#include "ElfFile.h"

#include <string>
#include <vector>

namespace ptxbench {

struct LineTableRow {
  uint64_t address = 0;
  unsigned line = 0;
  /// Name of the section with the PTX text.
  std::string textSection;
  /// Index of the code section.
  size_t codeSection = 0;
  bool endSequence = false;
};

/// All rows in the order of the program; none if the file has no line table.
llvm::Expected<std::vector<LineTableRow>> readLineTable(const elf::File &file);

} // namespace ptxbench

#endif // PTXBENCH_LIB_TARGET_SASS_LINETABLE_H
