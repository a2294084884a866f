//===- MatchText.h - An instruction against a text --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands at the places of a text, for an instruction that it fits.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_NVVM_MATCHTEXT_H
#define PTXBENCH_LIB_CONVERSION_NVVM_MATCHTEXT_H

#include "Records.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <string>

namespace ptxbench::nvvm {

/// A register or a constant of an instruction.
struct Atom {
  enum Kind : uint8_t { Use, Def, DefUse, Int, Sink } kind = Int;
  /// Use, DefUse: what is read.
  mlir::Value read;
  /// Def, DefUse: what is written.
  mlir::Value written;
  /// Int: the number; else what is added to an address.
  int64_t number = 0;
  /// It is a predicate and stands for an i32.
  bool isTruth = false;
};

/// What a match says of an operation. Names are those of the text.
struct Bindings {
  /// Attributes and computed names; "-": there is none.
  std::map<llvm::StringRef, std::string> words;
  std::map<llvm::StringRef, llvm::StringRef> spaces, types;
  std::map<llvm::StringRef, bool> present;
  std::map<llvm::StringRef, unsigned> counts;
  /// One list for each place of the name, in order.
  std::map<llvm::StringRef, llvm::SmallVector<llvm::SmallVector<Atom, 4>, 1>>
      atoms;
  /// Of $a[0], $a[1].
  std::map<llvm::StringRef, std::map<int, Atom>> elements;
};

/// Constants that a value of the body may have.
struct KnownValues {
  llvm::function_ref<std::optional<int64_t>(mlir::Value)> getConstant;
};

/// Calls `onMatch` for each way in which the text fits the instruction, until
/// it returns true; returns whether it did.
bool matchText(const Conversion &conversion, const Text &text,
               ptx::InstOpInterface inst, const KnownValues &known,
               llvm::function_ref<bool(const Bindings &)> onMatch);

} // namespace ptxbench::nvvm

#endif // PTXBENCH_LIB_CONVERSION_NVVM_MATCHTEXT_H
