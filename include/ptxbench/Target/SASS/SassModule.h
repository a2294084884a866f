//===- SassModule.h - Machine code of a cubin -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what ptxas and nvlink write: an ELF64 file with one `.text.<name>`
// section per kernel (and, in relocatable form, per function), 16-byte
// instructions, and, with -lineinfo, a line table from byte offsets to lines of
// the PTX text. The reader takes any bytes: each offset, size, index and count
// is checked before it is used.
//
// Verified with ptxas 13.0.88 for sm_90a and sm_100a and nvdisasm 13.5.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_SASS_SASSMODULE_H
#define PTXBENCH_TARGET_SASS_SASSMODULE_H

#include "ptxbench/Target/SASS/SassOpcode.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

/// One instruction and the PTX line that the line table gives for it.
struct SassInstruction {
  /// Byte offset in the section.
  uint64_t pc = 0;
  SassWord word;
  SassClass opcodeClass = SassClass::Other;
  /// 1-based line of the PTX text; absent where no row covers the pc.
  std::optional<unsigned> line;
  /// The pc of the row that gave `line`: rows are inherited by what follows.
  uint64_t rowPC = 0;
};

/// One row of a line table.
struct SassLineRow {
  uint64_t pc = 0;
  unsigned line = 0;
  /// Index into SassModule::ptxTexts().
  unsigned ptxText = 0;
  /// Covers the bytes from here on with no line (padding).
  bool endSequence = false;
};

/// The PTX text that a line table refers to, as the cubin carries it: one
/// string per physical line, leading blanks stripped, comments and debug
/// directives blank.
struct SassPtxText {
  std::string section;
  std::vector<std::string> lines;
};

/// The machine code of one `.text.<name>` section.
struct SassKernel {
  /// Mangled name, without ".text.".
  std::string name;
  /// Whether it is an `.entry` (and not a function in its own section).
  bool isEntry = false;
  std::vector<SassInstruction> instructions;
  /// Sorted by pc; of several rows with one pc the last one counts.
  std::vector<SassLineRow> rows;
  /// The text that the rows refer to; null without rows.
  std::shared_ptr<const SassPtxText> ptxText;

  bool hasLines() const { return !rows.empty(); }
  /// The PTX line of the instruction at `pc`: that of the last row at or
  /// before it.
  std::optional<unsigned> lookUpLine(uint64_t pc) const;
  /// The instruction at `pc`, null if none starts there.
  const SassInstruction *instructionAt(uint64_t pc) const;
};

class SassModule {
public:
  /// Reads a cubin. `name` stands in front of each error message. A cubin
  /// without -lineinfo is read, too: its kernels have no lines.
  static llvm::Expected<SassModule> create(llvm::ArrayRef<uint8_t> bytes,
                                           llvm::StringRef name);

  /// The number of the architecture: 90 for sm_90 and sm_90a.
  unsigned arch() const { return smArch; }
  /// All code sections in the order of the file.
  llvm::ArrayRef<SassKernel> kernels() const { return codeSections; }
  /// The one with this mangled name, or null.
  const SassKernel *findKernel(llvm::StringRef name) const;
  llvm::ArrayRef<std::shared_ptr<const SassPtxText>> ptxTexts() const {
    return texts;
  }

private:
  unsigned smArch = 0;
  std::vector<SassKernel> codeSections;
  std::vector<std::shared_ptr<const SassPtxText>> texts;
};

} // namespace ptxbench

#endif // PTXBENCH_TARGET_SASS_SASSMODULE_H
