//===- MappingRules.h - What a PTX instruction becomes ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One rule per PTX opcode: the SASS classes it becomes, the helpers ptxas puts
// beside it, and what its counts mean.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_SASS_MAPPINGRULES_H
#define PTXBENCH_LIB_TARGET_SASS_MAPPINGRULES_H

#include "ptxbench/Target/SASS/SassOpcode.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <initializer_list>
#include <vector>

namespace ptxbench {

struct MappingRule {
  /// Components that the mnemonic starts with ("mbarrier.try_wait").
  llvm::StringRef prefix;
  /// A sequence of components that it must contain, or empty.
  llvm::StringRef contains;
  /// The classes that it becomes. Empty: it has no instruction of its own.
  std::vector<SassClass> classes;
  /// Classes that ptxas may emit beside it.
  std::vector<SassClass> helpers;
  /// One execution is one machine instruction: neither split nor retried.
  bool oneToOne = true;
  /// ptxas may merge, move or remove it: counts are not those of the text.
  bool movable = false;
  /// The classes are used for so much else that a copy which lost its row
  /// cannot be told: the mapping is never complete.
  bool common = false;
  /// Why there is no instruction, where `classes` is empty.
  llvm::StringRef reason;

  bool accepts(SassClass opcodeClass) const;
  bool helps(SassClass opcodeClass) const;
};

/// The first rule that fits, or null.
const MappingRule *findMappingRule(llvm::StringRef mnemonic);
/// Whether copies of the class are worth looking for: some rule that is not
/// `common` accepts it.
bool isTargetClass(SassClass opcodeClass);

} // namespace ptxbench

#endif // PTXBENCH_LIB_TARGET_SASS_MAPPINGRULES_H
