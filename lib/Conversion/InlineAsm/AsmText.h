//===- AsmText.h - The string of inline assembly as PTX ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM replaces what begins with `$` in the string of inline assembly: `$0` and
// `${0}` by an operand, `$$` by a `$`, `${:uid}` by a number that no other
// place has. The result is PTX; where each part of it came from is kept, so
// that what is said about the PTX can be said about the string. Operands stay
// `$0` in it. A name that the text spells so, with `$$0`, is another one, and
// gets underscores at its end.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_INLINEASM_ASMTEXT_H
#define PTXBENCH_LIB_CONVERSION_INLINEASM_ASMTEXT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace ptxbench {

/// How `nvvm.inline_ptx` numbers operands: each class for itself. Index: the
/// number; value: the operand's number in LLVM's order.
struct OperandClasses {
  llvm::SmallVector<unsigned> read, readWritten, written;
};

class AsmText {
public:
  using ErrorFn =
      llvm::function_ref<void(size_t offset, const llvm::Twine &message)>;

  /// Appends what is not from the string.
  void append(llvm::StringRef ptx);
  /// Appends `source` with everything replaced. `spellings` are those of the
  /// operands. With `classes` also `{$r0}`, `{$w0}`, `{$rw0}` and `%0` name
  /// operands, as in `nvvm.inline_ptx`. Returns false after an error.
  bool appendSource(llvm::StringRef source,
                    llvm::ArrayRef<std::string> spellings,
                    const OperandClasses *classes, unsigned uid,
                    ErrorFn reportError);

  llvm::StringRef getPTX() const { return ptx; }
  /// Where a byte of the PTX came from: an offset into the string; its length
  /// for what stands behind it.
  size_t getSourceOffset(size_t offset) const;
  /// A message about the PTX with the names that the string has.
  std::string restoreNames(llvm::StringRef message) const;

private:
  /// From `offset` on, bytes are those at `source`; a replaced piece is at one
  /// place as a whole.
  struct Segment {
    size_t offset, source;
    bool replaced;
  };
  void startSegment(size_t source, bool replaced) {
    segments.push_back({ptx.size(), source, replaced});
  }

  std::string ptx;
  /// What names like `$0` end in; empty if there are none.
  std::string suffix;
  llvm::SmallVector<Segment, 16> segments;
};

/// Where the lines of a text begin.
class TextLines {
public:
  explicit TextLines(llvm::StringRef text);

  /// The 1-based line and column of an offset.
  std::pair<unsigned, unsigned> getLineAndColumn(size_t offset) const;
  /// The way back.
  size_t getOffset(unsigned line, unsigned column) const {
    return starts[line - 1] + column - 1;
  }

private:
  llvm::SmallVector<size_t, 8> starts{0};
};

/// Whether LLVM's NVPTX target gives registers of its own a name that begins
/// with `prefix` and ends in a number: "%rd".
bool isLLVMPrefix(llvm::StringRef prefix);

/// PTX in which operands are spelled `$0` as a string of inline assembly.
/// Registers with names of LLVM's own, which an operand may have, get others.
std::string escapeAsmText(llvm::StringRef ptx, unsigned numOperands);

} // namespace ptxbench

#endif // PTXBENCH_LIB_CONVERSION_INLINEASM_ASMTEXT_H
