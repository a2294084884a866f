//===- Spelling.h - Which known word was meant ------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far a word is from a known one, in edits: letters that are changed, left
// out, added, or in the wrong order with their neighbour (the optimal string
// alignment distance). Messages suggest the nearest known word with it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_SPELLING_H
#define PTXBENCH_SUPPORT_SPELLING_H

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace ptxbench {

/// How many edits a word may be away from the one that is suggested for it: one
/// in three letters, at least one and at most three.
inline unsigned maxEdits(llvm::StringRef text) {
  return std::clamp<size_t>(text.size() / 3, 1, 3);
}

/// The edits between two words; `limit` + 1 if there are more than that.
unsigned countEdits(llvm::StringRef a, llvm::StringRef b, unsigned limit);

/// Takes `candidate` for `best` if it is nearer to `text` than `distance`.
void considerSpelling(llvm::StringRef text, llvm::StringRef candidate,
                      unsigned &distance, llvm::StringRef &best);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_SPELLING_H
